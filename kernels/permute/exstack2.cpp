// The asynchronous form: a buffer leaves when it is full, and nobody waits for all PEs.
#include "kernels/exchange.hpp"
#include "kernels/permute/problem.hpp"
#include "shoal/conveyor/kinds/exstack2.hpp"

namespace shoal::kernels::permuting {
namespace {

void relabel(world& w, problem& p) {
  exstack2<query> queries{w, exstack_capacity};
  exstack2<reply> replies{w, exstack_capacity};
  const auto turn = [&](bool is_done) {
    const bool may_be_asked = queries.proceed(is_done);
    const bool goes_on = replies.proceed(!may_be_asked);
    pe_id from = 0;
    while (const query* q = queries.pull(from)) {
      if (replies.push({q->entry, new_column(p, q->column)}, from) != 0) continue;
      queries.unpull();  // no room for its reply now
      break;
    }
    while (const reply* r = replies.pull()) p.permuted.columns[r->entry] = r->column;
    return goes_on;
  };
  for_each_query(p, [&](pe_id owner, query q) {
    while (queries.push(q, owner) == 0) turn(false);
  });
  while (turn(true)) {
  }
  queries.reset();
  replies.reset();
}

}  // namespace

void run_exstack2(world& w, problem& p) {
  exchange_by_exstack2<row_size>(w, [&](const auto& send) { for_each_row(p, send); }, [&](row_size s) { keep(p, s); });
  allocate_rows(p);
  exchange_by_exstack2<moved_entry>(
      w, [&](const auto& send) { for_each_entry(p, send); }, [&](moved_entry e) { append(p, e); });
  relabel(w, p);
}

}  // namespace shoal::kernels::permuting
