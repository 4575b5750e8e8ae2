// The class whose messages are merged: additions to the same entry that wait here for its PE become one message.
#include "shoal/actor/combining_actor.hpp"

#include "kernels/histogram/problem.hpp"

namespace shoal::kernels::histogram {
namespace {

// As large as a message of the other forms. `n` would overflow if 2^32 updates of one entry became one message; they
// take 64 GiB of memory, and a wrong count would be found.
struct addition {
  std::uint32_t slot;
  std::uint32_t n;
};

template <class Counter>
struct combining_counter : selector<Counter, combined<addition>> {
  combining_counter(world& w, std::span<std::int64_t> part)
      : selector<Counter, combined<addition>>(w, "histogram"), counts(part) {}

  void process(addition a) { counts[a.slot] += a.n; }
  std::uint32_t key(const addition& a) const { return a.slot; }
  void combine(addition& into, const addition& a) const { into.n += a.n; }

  std::span<std::int64_t> counts;
};

struct counter : combining_counter<counter> {
  using combining_counter::combining_counter;
};

// For parts larger than the cache, as in actor.cpp.
struct prefetching_counter : combining_counter<prefetching_counter> {
  using combining_counter::combining_counter;
  const void* prefetch(addition a) { return &counts[a.slot]; }
};

template <class Counter>
std::uint64_t count(world& w, problem& p) {
  Counter counter{w, p.counts};
  w.finish([&] {
    for (const auto [slot, pe] : p.updates) counter.send(pe, {slot, 1});
  });
  return counter.template mailbox_at<0>().counts().n_sent;
}

}  // namespace

std::uint64_t run_combining(world& w, problem& p) {
  return p.given.prefetches ? count<prefetching_counter>(w, p) : count<counter>(w, p);
}

}  // namespace shoal::kernels::histogram
