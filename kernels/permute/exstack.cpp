// The bulk-synchronous form: a PE whose buffer is full waits for all PEs to exchange theirs. Replies come in the order of
// the queries, so neither has to say which entry it is for.
#include <span>

#include "kernels/exchange.hpp"
#include "kernels/permute/problem.hpp"
#include "shoal/conveyor/kinds/exstack.hpp"

namespace shoal::kernels::permuting {
namespace {

void relabel(world& w, problem& p) {
  exstack<std::uint32_t> queries{w, exstack_capacity};
  exstack<std::uint32_t> replies{w, exstack_capacity};
  const std::span<std::int64_t> columns = p.permuted.columns;
  std::size_t i = 0;
  while (queries.proceed(i == columns.size())) {
    const std::size_t first = i;
    for (; i < columns.size(); ++i) {
      const auto [pe, local] = p.columns.indices.place_of(columns[i]);
      if (queries.push(static_cast<std::uint32_t>(local), pe) == 0) break;
    }
    queries.exchange();
    pe_id from = 0;
    while (const std::uint32_t* column = queries.pull(from)) {
      static_cast<void>(replies.push(new_column(p, *column), from));  // as much room as for the queries
    }
    replies.exchange();
    for (std::size_t k = first; k < i; ++k) columns[k] = *replies.pull_from(p.columns.indices.owner(columns[k]));
  }
  queries.reset();
  replies.reset();
}

}  // namespace

void run_exstack(world& w, problem& p) {
  exchange_by_exstack<row_size>(w, [&](const auto& send) { for_each_row(p, send); }, [&](row_size s) { keep(p, s); });
  allocate_rows(p);
  exchange_by_exstack<moved_entry>(
      w, [&](const auto& send) { for_each_entry(p, send); }, [&](moved_entry e) { append(p, e); });
  relabel(w, p);
}

}  // namespace shoal::kernels::permuting
