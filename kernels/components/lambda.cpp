// The same without a class: closures that run on the forest of the PE that they go to.
#include "kernels/components/problem.hpp"

namespace shoal::kernels::components {
namespace {

// What closures use where they run. Each kind has a mailbox, so that a PE full of queries still accepts replies.
struct forest {
  problem& p;
  lambda_actor<forest> pairs;
  lambda_actor<forest> queries;
  lambda_actor<problem> replies;

  forest(world& w, problem& of) : p(of), pairs(w, *this), queries(w, *this), replies(w, of) {}

  void pass(pe_id owner, pair_to_join pair) {
    ++p.n_messages;
    pairs.send(owner, [pair](forest& there) {
      join(there.p, pair, [&](pe_id next, pair_to_join left) { there.pass(next, left); });
    });
  }

  void pass(pe_id owner, query q) {
    p.n_messages += 2;
    queries.send(owner, [q](forest& there, pe_id from) {
      const std::uint32_t parent = there.p.parents[q.of];
      there.replies.send(from, [child = q.child, parent](problem& asker) { asker.parents[child] = parent; });
    });
  }
};

}  // namespace

void run_lambda(world& w, problem& p) {
  forest trees{w, p};
  const auto pass = [&](pe_id owner, auto message) { trees.pass(owner, message); };
  w.finish([&] { for_each_pair(p, pass); });
  find_roots(w, p, [&](const auto& children) { w.finish([&] { for_each_query(p, children, pass); }); });
}

}  // namespace shoal::kernels::components
