#include "shoal/pgas/internal/iteration_checks.hpp"

#include <cstring>

namespace shoal::internal {
namespace {

// What two iterations may do to one element, whichever is first.
bool go_together(element_use a, element_use b) noexcept {
  return a == b || (a == element_use::put && b == element_use::put);
}

// Objects on the stack above a function that has no large ones itself.
constexpr std::uint64_t stack_bytes = std::uint64_t{1} << 20;
constexpr std::size_t n_bytes_seen = 16;  // a number; where a vector begins and ends

}  // namespace

void iteration_checks::users::add(std::int64_t iteration) noexcept {
  if (first == nobody) {
    first = iteration;
  } else if (first != iteration && second == nobody) {
    second = iteration;
  }
}

std::int64_t iteration_checks::users::other_than(std::int64_t iteration) const noexcept {
  return first != iteration ? first : second;
}

std::int64_t iteration_checks::note(const element_place& at, element_use use, std::int64_t iteration) {
  uses_of_element& its = uses_[at];
  its.of[static_cast<std::size_t>(use)].add(iteration);
  for (const element_use other : {element_use::read, element_use::put, element_use::add}) {
    if (go_together(use, other)) continue;
    const std::int64_t by = its.of[static_cast<std::size_t>(other)].other_than(iteration);
    if (by != nobody) return by;
  }
  return nobody;
}

// Reads what lies around a captured variable, too.
__attribute__((noinline, no_sanitize("address"), no_sanitize("thread"))) std::uint64_t digest_of_captured(
    const void* closure, std::size_t bytes) noexcept {
  std::uint64_t digest = 0x9e3779b97f4a7c15;
  const auto take = [&digest](std::uint64_t word) { digest = (digest ^ word) * 0x100000001b3; };
  const auto here = reinterpret_cast<std::uint64_t>(__builtin_frame_address(0));
  for (std::size_t i = 0; i + sizeof(std::uint64_t) <= bytes; i += sizeof(std::uint64_t)) {
    std::uint64_t word = 0;
    std::memcpy(&word, static_cast<const std::byte*>(closure) + i, sizeof word);
    take(word);
    if (word <= here || word - here > stack_bytes) continue;
    const volatile std::uint8_t* const captured = reinterpret_cast<const volatile std::uint8_t*>(word);
    for (std::size_t k = 0; k < n_bytes_seen; ++k) take(captured[k]);
  }
  return digest;
}

}  // namespace shoal::internal
