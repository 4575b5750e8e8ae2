// The layer below actors: the program itself pushes, pulls and advances.
#include "kernels/exchange.hpp"
#include "kernels/permute/problem.hpp"
#include "shoal/conveyor/conveyor.hpp"

namespace shoal::kernels::permuting {
namespace {

void relabel(world& w, problem& p) {
  conveyor<query> queries{w};
  conveyor<reply> replies{w};
  queries.begin();
  replies.begin();
  const auto turn = [&](bool is_done) {
    const bool is_answered = queries.advance(is_done) == progress::complete;
    const bool is_over = replies.advance(is_answered) == progress::complete;
    pe_id from = 0;
    while (const query* q = queries.pull(from)) {
      if (replies.push({q->entry, new_column(p, q->column)}, from)) continue;
      queries.unpull();  // no room for its reply now
      break;
    }
    while (const reply* r = replies.pull()) p.permuted.columns[r->entry] = r->column;
    return is_over;
  };
  for_each_query(p, [&](pe_id owner, query q) {
    while (!queries.push(q, owner)) turn(false);
  });
  while (!turn(true)) {
  }
  queries.reset();
  replies.reset();
}

}  // namespace

void run_conveyor(world& w, problem& p) {
  exchange_by_conveyor<row_size>(w, [&](const auto& send) { for_each_row(p, send); }, [&](row_size s) { keep(p, s); });
  allocate_rows(p);
  exchange_by_conveyor<moved_entry>(
      w, [&](const auto& send) { for_each_entry(p, send); }, [&](moved_entry e) { append(p, e); });
  relabel(w, p);
}

}  // namespace shoal::kernels::permuting
