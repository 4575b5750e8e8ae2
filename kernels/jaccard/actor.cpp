// The class: questions have mailboxes, and so do their answers.
#include "kernels/jaccard/problem.hpp"

namespace shoal::kernels::jaccard {
namespace {

struct comparer : selector<comparer, probe, hit, degree_query, degree_reply> {
  comparer(world& w, problem& of) : selector(w, "jaccard"), p(of) {}

  void process(const probe& q, pe_id from) {
    if (has(p, q)) send(from, hit{q.edge});
  }
  void process(hit h) { ++p.n_common[h.edge]; }
  void process(degree_query q, pe_id from) { send(from, degree_reply{q.edge, degree(p, q.row)}); }
  void process(degree_reply r) { p.degrees[r.edge] = r.degree; }

  problem& p;
};

}  // namespace

void run_actor(world& w, problem& p) {
  comparer rows{w, p};
  w.finish([&] { for_each_question(p, [&](pe_id owner, const auto& question) { rows.send(owner, question); }); });
}

}  // namespace shoal::kernels::jaccard
