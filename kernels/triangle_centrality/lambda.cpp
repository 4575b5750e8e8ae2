// The same without a class: a message is a closure that runs on the problem of the PE that it goes to.
#include "kernels/triangle_centrality/problem.hpp"

namespace shoal::kernels::triangle_centrality {
namespace {

// What a question uses where it runs. Answers have a mailbox of their own, so that a PE full of questions still accepts
// them.
struct asked {
  problem& p;
  lambda_actor<problem>& answers;
};

}  // namespace

void run_lambda(world& w, problem& p) {
  lambda_actor answers{w, p};
  asked mine{p, answers};
  lambda_actor questions{w, mine};
  w.finish([&] {
    for_each_probe(p, [&](pe_id owner, const probe& q) {
      questions.send(owner, [q](asked& there, pe_id from) {
        if (!count(there.p, q)) return;
        ++there.p.n_messages;
        there.answers.send(from, [found = hit{q.first, q.second}](problem& asker) { count(asker, found); });
      });
    });
  });
  w.finish([&] {
    for_each_count(p,
                   [&](pe_id owner, edge_count c) { answers.send(owner, [c](problem& there) { count(there, c); }); });
  });
  begin_numerators(p);
  w.finish([&] {
    for_each_meeting(p, [&](pe_id owner, const meeting& m) {
      questions.send(owner, [m](asked& there, pe_id from) {
        ++there.p.n_messages;
        there.answers.send(from, [mine = meet(there.p, m)](problem& asker) { add(asker, mine); });
      });
    });
  });
}

}  // namespace shoal::kernels::triangle_centrality
