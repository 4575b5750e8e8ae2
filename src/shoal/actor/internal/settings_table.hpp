/// The only table of the environment variables that set a run's settings.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "shoal/base/settings.hpp"

namespace shoal::internal {

/// Texts may contain Markdown code marks: docs/settings.md shows the same texts.
struct settings_variable {
  std::string_view name;
  std::string_view help;
  std::string_view unit;  // empty if the values say it
  std::string (*values)();  // the accepted texts
  std::string_view default_text;

  /// Parses the variable's text and sets its setting. `name`: the variable's. Throws setup_error.
  void (*read)(std::string_view name, std::string_view text, settings& into);

  /// Whether two settings agree on this variable. Null: it matters only to the simulator.
  bool (*is_same)(const settings& a, const settings& b) = nullptr;

  bool is_internal = false;  // set by shoalrun for its PEs, not by users
};

/// All of them, in the order in which they are read.
std::span<const settings_variable> settings_variables() noexcept;

/// How users write whether PEs are bound to cores: "core" or "none".
std::string_view name_of_binding(bool binds) noexcept;

/// The name of the first variable in which the two differ; empty if none. Local.
std::string_view first_difference(const settings& a, const settings& b);

/// Reads the environment. Throws setup_error with one line that names the variable, the problem and a value that would
/// work; also if a variable looks like a misspelling of a known one. Local.
settings settings_from_environment();

}  // namespace shoal::internal
