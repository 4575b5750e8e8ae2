// The class: one mailbox joins pairs, two let vertices find their roots.
#include "kernels/components/problem.hpp"

namespace shoal::kernels::components {
namespace {

struct forest : selector<forest, pair_to_join, query, reply> {
  forest(world& w, problem& of) : selector(w, "components"), p(of) {}

  void process(pair_to_join pair) {
    join(p, pair, [&](pe_id owner, pair_to_join left) { pass(owner, left); });
  }
  void process(query q, pe_id from) { pass(from, reply{q.child, p.parents[q.of]}); }
  void process(reply r) { p.parents[r.child] = r.parent; }

  template <class Message>
  void pass(pe_id owner, Message m) {
    ++p.n_messages;
    send(owner, m);
  }

  problem& p;
};

}  // namespace

void run_actor(world& w, problem& p) {
  forest trees{w, p};
  const auto pass = [&](pe_id owner, auto message) { trees.pass(owner, message); };
  w.finish([&] { for_each_pair(p, pass); });
  find_roots(w, p, [&](const auto& children) { w.finish([&] { for_each_query(p, children, pass); }); });
}

}  // namespace shoal::kernels::components
