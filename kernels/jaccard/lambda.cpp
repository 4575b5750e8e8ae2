// The same without a class: a question is a closure that runs on the rows of the PE that it asks, and so is its answer.
#include "kernels/jaccard/problem.hpp"

namespace shoal::kernels::jaccard {
namespace {

// What a question uses where it runs. Answers have a mailbox of their own, so that a PE full of questions still accepts
// them.
struct asked {
  const problem& p;
  lambda_actor<problem>& answers;
};

auto closure_of(const probe& q) {
  return [q](asked& there, pe_id from) {
    if (has(there.p, q)) there.answers.send(from, [edge = q.edge](problem& asker) { ++asker.n_common[edge]; });
  };
}

auto closure_of(degree_query q) {
  return [q](asked& there, pe_id from) {
    const degree_reply found{q.edge, degree(there.p, q.row)};
    there.answers.send(from, [found](problem& asker) { asker.degrees[found.edge] = found.degree; });
  };
}

}  // namespace

void run_lambda(world& w, problem& p) {
  lambda_actor answers{w, p};
  asked mine{p, answers};
  lambda_actor questions{w, mine};
  w.finish([&] {
    for_each_question(p, [&](pe_id owner, const auto& question) { questions.send(owner, closure_of(question)); });
  });
}

}  // namespace shoal::kernels::jaccard
