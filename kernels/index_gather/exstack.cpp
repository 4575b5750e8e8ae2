// The bulk-synchronous form: one exchange carries queries, the next one their replies. The replies of a PE come in the
// order of the queries to it, so neither has to say which slot it is for.
#include "shoal/conveyor/kinds/exstack.hpp"

#include "kernels/index_gather/problem.hpp"

namespace shoal::kernels::index_gather {
namespace {

template <class Index>
void gather(world& w, problem& p) {
  const std::span<const std::int64_t> table = p.part;
  const std::span<const request> requests = p.requests;
  const std::span<std::int64_t> target = p.target;
  exstack<Index> queries{w, exstack_capacity};
  exstack<std::int64_t> replies{w, exstack_capacity};
  std::size_t i = 0;
  while (queries.proceed(i == requests.size())) {
    const std::size_t first = i;
    while (i < requests.size() && queries.push(requests[i].index, requests[i].pe) != 0) ++i;
    queries.exchange();
    pe_id from = 0;
    while (const Index* index = queries.pull(from)) {
      static_cast<void>(replies.push(table[*index], from));  // as much room as for the queries
    }
    replies.exchange();
    for (std::size_t k = first; k < i; ++k) target[k] = *replies.pull_from(requests[k].pe);
  }
  queries.reset();
  replies.reset();
}

}  // namespace

void run_exstack(world& w, problem& p) {
  p.given.index_bits == 32 ? gather<std::uint32_t>(w, p) : gather<std::uint64_t>(w, p);
}

}  // namespace shoal::kernels::index_gather
