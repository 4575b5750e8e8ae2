/// Errors of convey.h: their numbers, and that each is told once.
#pragma once

#include <cstdint>

namespace shoal::internal::compat {

/// What calls return. The texts are in convey_errors.cpp.
enum class convey_error : int {
  state = -1,
  usage = -2,
  null = -3,
  range = -4,
  team = -5,
  comms = -6,
  alloc = -7,
  rigid = -8,
  misfit = -9,
  overflow = -10,
  zero = -11,
  too_big = -12,
  no_function = -13,
};

/// The text of any result.
const char* text_of_result(int result) noexcept;

/// Prints "PE 3: convey_push> …".
void print_convey_error(const char* call, const char* text) noexcept;

/// The errors of one conveyor.
class error_log {
public:
  explicit error_log(bool is_quiet) noexcept : told_(is_quiet ? ~std::uint32_t{0} : 0) {}

  /// Prints the error if that was not done before. Returns what the call returns.
  [[gnu::cold]] int tell(convey_error error, const char* call) noexcept;

private:
  std::uint32_t told_;  // a bit for each error
};

/// Of a call without a conveyor.
[[gnu::cold]] int tell_null(const char* call) noexcept;

}  // namespace shoal::internal::compat
