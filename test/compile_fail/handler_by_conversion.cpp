// expect: no handler for this message type
// A handler of doubles does not handle integers, although integers convert to doubles.
#include <cstdint>

#include "shoal/shoal.hpp"

struct sums : shoal::selector<sums, std::int64_t> {
  using selector::selector;
  void process(double) {}
};

int main(int argc, char** argv) {
  return shoal::run(argc, argv, [](shoal::world& w) {
    sums all{w};
    w.finish([&] { all.send(0, std::int64_t{1}); });
  });
}
