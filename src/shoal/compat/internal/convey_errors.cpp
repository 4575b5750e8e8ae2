#include "shoal/compat/internal/convey_errors.hpp"

#include <cstdio>
#include <iterator>

#include "shoal/compat/internal/process_world.hpp"

namespace shoal::internal::compat {

const char* text_of_result(int result) noexcept {
  static constexpr const char* texts[] = {
      "ordinary failure",
      "operation is illegal in current state",
      "misuse of conveyor API detected",
      "conveyor is NULL",
      "PE number is out of range",
      "current communicator is wrong",
      "internal communication error",
      "memory allocation failed",
      "conveyor is not elastic",
      "item has wrong size for pull",
      "item is too large for conveyor",
      "item size is zero",
      "number of buffered items is too large",
      "function pointer is NULL",
  };
  if (result > 0) return "value indicates success";
  return -result < static_cast<int>(std::size(texts)) ? texts[-result] : "unknown error";
}

void print_convey_error(const char* call, const char* text) noexcept {
  std::fprintf(stderr, "PE %d: %s> %s\n", static_cast<int>(my_pe()), call, text);
}

int error_log::tell(convey_error error, const char* call) noexcept {
  const int result = static_cast<int>(error);
  const std::uint32_t bit = std::uint32_t{1} << -result;
  if ((told_ & bit) == 0) print_convey_error(call, text_of_result(result));
  told_ |= bit;
  return result;
}

int tell_null(const char* call) noexcept {
  print_convey_error(call, text_of_result(static_cast<int>(convey_error::null)));
  return static_cast<int>(convey_error::null);
}

}  // namespace shoal::internal::compat
