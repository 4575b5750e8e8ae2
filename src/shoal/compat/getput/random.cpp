// Random numbers of libgetput.
#include "shoal/compat/include/libgetput.h"
#include "shoal/compat/internal/process_world.hpp"
#include "shoal/compat/internal/random_stream.hpp"

namespace compat = shoal::internal::compat;

namespace shoal::internal::compat {

lagged_fibonacci& random_stream() {
  constexpr std::int64_t seed_if_none = 314159;
  static lagged_fibonacci& one = *new lagged_fibonacci(seed_if_none);
  return one;
}

void seed_random_stream(std::int64_t seed) { random_stream() = lagged_fibonacci(seed + 1 + my_pe()); }

}  // namespace shoal::internal::compat

extern "C" {

__attribute__((weak)) void lgp_rand_seed(int64_t seed) { compat::seed_random_stream(seed); }
__attribute__((weak)) double lgp_rand_double(void) { return compat::random_stream().next(); }
__attribute__((weak)) int64_t lgp_rand_int64(int64_t n) {
  return static_cast<int64_t>(compat::random_stream().next() * static_cast<double>(n));
}

}  // extern "C"
