// Random numbers of libgetput.
#include "shoal/compat/include/libgetput.h"
#include "shoal/compat/internal/lagged_fibonacci.hpp"
#include "shoal/compat/internal/process_world.hpp"

using shoal::internal::compat::lagged_fibonacci;

namespace {

constexpr std::int64_t seed_if_none = 314159;

std::int64_t seed_here(std::int64_t seed) { return seed + 1 + shoal::internal::compat::my_pe(); }

// Of this process, as its functions have no parameter for it.
lagged_fibonacci& stream() {
  static lagged_fibonacci& one = *new lagged_fibonacci(seed_if_none);
  return one;
}

}  // namespace

extern "C" {

__attribute__((weak)) void lgp_rand_seed(int64_t seed) { stream() = lagged_fibonacci(seed_here(seed)); }
__attribute__((weak)) double lgp_rand_double(void) { return stream().next(); }
__attribute__((weak)) int64_t lgp_rand_int64(int64_t n) {
  return static_cast<int64_t>(stream().next() * static_cast<double>(n));
}

}  // extern "C"
