// expect: an answer outlasts the message in which it comes
#include <span>

#include "shoal/shoal.hpp"

struct rows : shoal::selector<rows, shoal::question<long, std::span<const double>>> {
  using selector::selector;
  std::span<const double> process(long) { return {}; }
};

void use(shoal::world& w) { rows all{w}; }
