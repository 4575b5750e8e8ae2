// The asynchronous form: one exstack2 carries the queries, another one the replies, in any order.
#include "shoal/conveyor/kinds/exstack2.hpp"

#include "kernels/index_gather/problem.hpp"

namespace shoal::kernels::index_gather {
namespace {

template <class Index>
void gather(world& w, problem& p) {
  const std::span<const std::int64_t> table = p.part;
  const std::span<const request> requests = p.requests;
  const std::span<std::int64_t> target = p.target;
  exstack2<query<Index>> queries{w, exstack_capacity};
  exstack2<reply<Index>> replies{w, exstack_capacity};
  std::size_t i = 0;
  for (;;) {
    const bool may_be_asked = queries.proceed(i == requests.size());
    if (!replies.proceed(!may_be_asked)) break;

    while (i < requests.size() && queries.push({static_cast<Index>(i), requests[i].index}, requests[i].pe) != 0) {
      ++i;
    }
    pe_id from = 0;
    while (const query<Index>* q = queries.pull(from)) {
      if (replies.push({q->slot, table[q->index]}, from) != 0) continue;
      queries.unpull();  // no room for its reply now
      break;
    }
    while (const reply<Index>* r = replies.pull()) target[r->slot] = r->value;
  }
  queries.reset();
  replies.reset();
}

}  // namespace

void run_exstack2(world& w, problem& p) {
  p.given.index_bits == 32 ? gather<std::uint32_t>(w, p) : gather<std::uint64_t>(w, p);
}

}  // namespace shoal::kernels::index_gather
