// The class: a mailbox for each kind of message, and three supersteps.
#include "kernels/permute/problem.hpp"

namespace shoal::kernels::permuting {
namespace {

struct permuter : selector<permuter, row_size, moved_entry, query, reply> {
  permuter(world& w, problem& of) : selector(w, "permute"), p(of) {}

  void process(row_size s) { keep(p, s); }
  void process(moved_entry e) { append(p, e); }
  void process(query q, pe_id from) { send(from, reply{q.entry, new_column(p, q.column)}); }
  void process(reply r) { p.permuted.columns[r.entry] = r.column; }

  problem& p;
};

}  // namespace

void run_actor(world& w, problem& p) {
  permuter rows{w, p};
  const auto send = [&](pe_id owner, auto message) { rows.send(owner, message); };
  w.finish([&] { for_each_row(p, send); });
  allocate_rows(p);
  w.finish([&] { for_each_entry(p, send); });
  w.finish([&] { for_each_query(p, send); });
}

}  // namespace shoal::kernels::permuting
