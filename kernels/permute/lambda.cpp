// The same without a class: closures that run on the matrix of the PE that they go to.
#include "kernels/permute/problem.hpp"

namespace shoal::kernels::permuting {
namespace {

// What a query uses where it runs. Replies have a mailbox of their own, so that a PE full of queries still accepts them.
struct asked {
  const problem& p;
  lambda_actor<problem>& replies;
};

}  // namespace

void run_lambda(world& w, problem& p) {
  lambda_actor rows{w, p};
  asked mine{p, rows};
  lambda_actor queries{w, mine};
  w.finish([&] {
    for_each_row(p, [&](pe_id owner, row_size s) { rows.send(owner, [s](problem& there) { keep(there, s); }); });
  });
  allocate_rows(p);
  w.finish([&] {
    for_each_entry(p, [&](pe_id owner, moved_entry e) { rows.send(owner, [e](problem& there) { append(there, e); }); });
  });
  w.finish([&] {
    for_each_query(p, [&](pe_id owner, query q) {
      queries.send(owner, [q](asked& there, pe_id from) {
        const reply found{q.entry, new_column(there.p, q.column)};
        there.replies.send(from, [found](problem& asker) { asker.permuted.columns[found.entry] = found.column; });
      });
    });
  });
}

}  // namespace shoal::kernels::permuting
