// expect: the body of an aggregate returns nothing; to read in one function and use what it returns in another, give both
#include <cstdint>

#include "shoal/pgas.hpp"

void sum_up(shoal::distributed_array<std::int64_t>& a) {
  shoal::aggregate(10, [&](std::int64_t i) { return a[i]; });
}
