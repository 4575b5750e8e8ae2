// expect: use of deleted function
// What a started put reads has to stay until quiet.
#include "shoal/shoal.hpp"

void put(shoal::world& w) {
  const auto numbers = w.allocate<std::int64_t>(1);
  w.start_put(numbers, 0, std::int64_t{1}, 0);
}
