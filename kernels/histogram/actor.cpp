// The class: a message is the place of an entry in its owner's part, and to handle it is to count.
#include "kernels/histogram/problem.hpp"

namespace shoal::kernels::histogram {
namespace {

struct counter : selector<counter, std::int64_t> {
  counter(world& w, std::span<std::int64_t> part) : selector(w, "histogram"), counts(part) {}

  void process(std::int64_t slot) { ++counts[slot]; }

  std::span<std::int64_t> counts;
};

// For a part that no cache holds: the runtime asks for each message's entry ahead of time, so that
// `process` need not wait for memory.
struct prefetching_counter : selector<prefetching_counter, std::int64_t> {
  prefetching_counter(world& w, std::span<std::int64_t> part) : selector(w, "histogram"), counts(part) {}

  void process(std::int64_t slot) { ++counts[slot]; }
  const void* prefetch(std::int64_t slot) { return &counts[slot]; }

  std::span<std::int64_t> counts;
};

template <class Counter>
void count(world& w, problem& p) {
  Counter counter{w, p.counts};
  w.finish([&] {
    for (const auto [slot, pe] : p.updates) counter.send(pe, std::int64_t{slot});
  });
}

}  // namespace

void run_actor(world& w, problem& p) { p.given.prefetches ? count<prefetching_counter>(w, p) : count<counter>(w, p); }

}  // namespace shoal::kernels::histogram
