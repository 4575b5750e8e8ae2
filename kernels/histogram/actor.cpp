// The class: a message is the index of an entry in its owner's part, and the handler counts it.
#include "kernels/histogram/problem.hpp"

namespace shoal::kernels::histogram {
namespace {

struct counter : selector<counter, std::int64_t> {
  counter(world& w, std::span<std::int64_t> part) : selector(w, "histogram"), counts(part) {}

  void process(std::int64_t slot) { ++counts[slot]; }

  std::span<std::int64_t> counts;
};

// For parts larger than the cache: the runtime prefetches each message's entry, so that `process` does not wait for
// memory.
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
