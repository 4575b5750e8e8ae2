// expect: no handler for this message type that may be called: .*with one list, text or value
// Only messages of one size come in batches.
#include <span>
#include <string_view>

#include "shoal/shoal.hpp"

struct texts : shoal::selector<texts, std::string_view> {
  using selector::selector;
  void process(std::span<const std::string_view>) {}
};

void use(shoal::world& w) { texts all{w}; }
