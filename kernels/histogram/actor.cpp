// One message type and one handler: a message is the index of an entry in its owner's part, and the handler counts it.
#include "kernels/histogram/problem.hpp"

namespace shoal::kernels::histogram {
namespace {

template <class... Prefetch>
void count(world& w, const problem& p, Prefetch... prefetch) {
  actor counter{w, [counts = p.counts](std::int64_t slot) { ++counts[slot]; }, prefetch...};
  w.finish([&] {
    for (const auto [slot, pe] : p.updates) counter.send(pe, std::int64_t{slot});
  });
}

}  // namespace

void run_actor(world& w, problem& p) {
  if (!p.given.prefetches) return count(w, p);
  // For parts larger than the cache: the runtime prefetches each message's entry, so that the handler does not wait for
  // memory.
  count(w, p, [counts = p.counts](std::int64_t slot) { return &counts[slot]; });
}

}  // namespace shoal::kernels::histogram
