// The class: two mailboxes, selected by their message types.
#include "kernels/index_gather/problem.hpp"

namespace shoal::kernels::index_gather {
namespace {

template <class Index>
struct gatherer : selector<gatherer<Index>, query<Index>, reply<Index>> {
  gatherer(world& w, problem& p) : gatherer::selector(w, "index_gather"), table(p.part), target(p.target) {}

  void process(const query<Index>& q, pe_id from) { this->send(from, reply<Index>{q.slot, table[q.index]}); }
  void process(const reply<Index>& r) { target[r.slot] = r.value; }

  std::span<const std::int64_t> table;
  std::span<std::int64_t> target;
};

template <class Index>
void gather(world& w, problem& p) {
  gatherer<Index> gatherer{w, p};
  w.finish([&] {
    Index slot = 0;
    for (const auto [index, pe] : p.requests) gatherer.send(pe, query<Index>{slot++, index});
  });
}

}  // namespace

void run_actor(world& w, problem& p) {
  p.given.index_bits == 32 ? gather<std::uint32_t>(w, p) : gather<std::uint64_t>(w, p);
}

}  // namespace shoal::kernels::index_gather
