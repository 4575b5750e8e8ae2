// expect: the operation runs on any PE, so it cannot have state
#include <span>
#include <vector>

#include "shoal/shoal.hpp"

void use(shoal::world& w, std::vector<long>& mine, std::vector<long>& all, long factor) {
  w.all_reduce(mine, std::span(all), [factor](long a, long b) { return a + factor * b; });
}
