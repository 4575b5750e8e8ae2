// The layer below actors: one conveyor carries the queries, another one the replies. Replies are done when no query is
// left to answer on this PE.
#include "shoal/conveyor/conveyor.hpp"

#include "kernels/index_gather/problem.hpp"

namespace shoal::kernels::index_gather {
namespace {

template <class Index>
void gather(world& w, problem& p) {
  const std::span<const std::int64_t> table = p.part;
  const std::span<const request> requests = p.requests;
  const std::span<std::int64_t> target = p.target;
  conveyor<query<Index>> queries{w};
  conveyor<reply<Index>> replies{w};
  queries.begin();
  replies.begin();
  std::size_t i = 0;
  for (;;) {
    const bool is_answered = queries.advance(i == requests.size()) == progress::complete;
    if (replies.advance(is_answered) == progress::complete) break;

    while (i < requests.size() && queries.push({static_cast<Index>(i), requests[i].index}, requests[i].pe)) {
      ++i;
    }
    pe_id from = 0;
    while (const query<Index>* q = queries.pull(from)) {
      if (replies.push({q->slot, table[q->index]}, from)) continue;
      queries.unpull();  // no room for its reply now
      break;
    }
    while (const reply<Index>* r = replies.pull()) target[r->slot] = r->value;
  }
  queries.reset();
  replies.reset();
}

}  // namespace

void run_conveyor(world& w, problem& p) {
  p.given.index_bits == 32 ? gather<std::uint32_t>(w, p) : gather<std::uint64_t>(w, p);
}

}  // namespace shoal::kernels::index_gather
