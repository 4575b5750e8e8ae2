/// The stream behind lgp_rand_double and its like.
#pragma once

#include <cstdint>

#include "shoal/compat/internal/lagged_fibonacci.hpp"

namespace shoal::internal::compat {

/// Of this process, as the functions of libgetput have no parameter for it. Seeded with 314159 if the program seeds
/// none.
lagged_fibonacci& random_stream();

/// What lgp_rand_seed does: each PE gets a stream of its own.
void seed_random_stream(std::int64_t seed);

}  // namespace shoal::internal::compat
