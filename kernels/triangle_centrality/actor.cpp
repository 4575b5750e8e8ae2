// The class: each kind of message has a mailbox.
#include "kernels/triangle_centrality/problem.hpp"

namespace shoal::kernels::triangle_centrality {
namespace {

struct vertices : selector<vertices, probe, hit, edge_count, meeting, share> {
  vertices(world& w, problem& of) : selector(w, "triangle centrality"), p(of) {}

  void process(const probe& q, pe_id from) {
    if (!count(p, q)) return;
    send(from, hit{q.first, q.second});
    ++p.n_messages;
  }
  void process(hit h) { count(p, h); }
  void process(edge_count c) { count(p, c); }
  void process(const meeting& m, pe_id from) {
    send(from, meet(p, m));
    ++p.n_messages;
  }
  void process(const share& s) { add(p, s); }

  problem& p;
};

}  // namespace

void run_actor(world& w, problem& p) {
  vertices all{w, p};
  const auto send = [&](pe_id owner, const auto& message) { all.send(owner, message); };
  w.finish([&] { for_each_probe(p, send); });
  w.finish([&] { for_each_count(p, send); });
  begin_numerators(p);
  w.finish([&] { for_each_meeting(p, send); });
}

}  // namespace shoal::kernels::triangle_centrality
