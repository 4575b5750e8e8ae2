// The same without a class: a question is a closure that runs on the rows of the PE that it asks, and so is its answer.
#include "kernels/jaccard/problem.hpp"

namespace shoal::kernels::jaccard {
namespace {

// What closures use where they run. Each kind of question has a mailbox, and so have answers, so that a PE full of
// questions still accepts them.
struct comparer {
  problem& p;
  lambda_actor<comparer> probes;
  lambda_actor<comparer> degree_queries;
  lambda_actor<problem> answers;

  comparer(world& w, problem& of) : p(of), probes(w, *this), degree_queries(w, *this), answers(w, of) {}

  void ask(pe_id owner, const probe& q) {
    probes.send(owner, [q](comparer& there, pe_id from) {
      if (has(there.p, q)) there.answers.send(from, [edge = q.edge](problem& asker) { ++asker.n_common[edge]; });
    });
  }

  void ask(pe_id owner, degree_query q) {
    degree_queries.send(owner, [q](comparer& there, pe_id from) {
      const degree_reply found{q.edge, degree(there.p, q.row)};
      there.answers.send(from, [found](problem& asker) { asker.degrees[found.edge] = found.degree; });
    });
  }
};

}  // namespace

void run_lambda(world& w, problem& p) {
  comparer rows{w, p};
  w.finish([&] { for_each_question(p, [&](pe_id owner, const auto& question) { rows.ask(owner, question); }); });
}

}  // namespace shoal::kernels::jaccard
