// expect: this type holds an address .*a value, an index
// A handler of batches takes a span of messages; this one would take messages that are spans.
#include <span>

#include "shoal/shoal.hpp"

void use(shoal::world& w) {
  shoal::actor sums{w, [](std::span<long> numbers) { static_cast<void>(numbers.size()); }};
}
