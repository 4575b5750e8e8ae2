/// Errors in input files, and how all PEs agree on one.
#pragma once

#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

#include "shoal/actor/world.hpp"

namespace shoal::internal {

/// An error in line `line` of a file, counted from 1, or in the file as a whole (line 0). The text says what is wrong
/// and what would be right; `agree` prefixes the file's name and the line.
class input_error : public std::runtime_error {
public:
  input_error(std::int64_t line, const std::string& what) : std::runtime_error(what), line_(line) {}

  std::int64_t line() const noexcept { return line_; }

private:
  std::int64_t line_;
};

/// Each PE passes the error that it found, if any. If one did, all PEs throw the same setup_error, about the first
/// wrong line: "data/foo.mtx:17: column 99 is out of range (…)". Collective, waits.
void agree(world& w, std::string_view file, const std::optional<input_error>& mine);

/// Text from a file for an error message: quoted, on one line, shortened.
std::string quoted(std::string_view text);

}  // namespace shoal::internal
