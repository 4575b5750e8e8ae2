/// The settings that all PEs of a job must share, since memory, routes or collective calls follow from them.
///
/// A launcher passes one environment to all PEs, but scripts around the program may change it, and programs may change
/// it or choose settings themselves before they call shoal::run.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

#include "shoal/base/settings.hpp"
#include "shoal/base/types.hpp"

namespace shoal::internal {

/// As numbers, which mean nothing but whether they are equal; trivially copyable. Zeros: not decided yet.
struct common_settings {
  static constexpr std::size_t n = 11;
  std::array<std::int64_t, n> values{};

  explicit common_settings(const settings& chosen) noexcept;
  common_settings() = default;

  bool operator==(const common_settings&) const = default;
  std::uint64_t digest() const noexcept;
};

/// One line that names the first setting in which two PEs differ, and what to do. `a` and `b` are not equal.
std::string difference(pe_id pe_a, const common_settings& a, pe_id pe_b, const common_settings& b);

}  // namespace shoal::internal
