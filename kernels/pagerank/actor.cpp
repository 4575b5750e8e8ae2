// Classes: push has one mailbox, pull has one for queries and one for replies.
#include "kernels/pagerank/problem.hpp"

namespace shoal::kernels::pagerank {
namespace {

struct pusher : selector<pusher, contribution> {
  pusher(world& w, problem& of) : selector(w, "pagerank"), p(of) {}

  void process(const contribution& c) { p.sums[c.to] += c.share; }

  problem& p;
};

struct puller : selector<puller, query, contribution> {
  puller(world& w, problem& of) : selector(w, "pagerank"), p(of) {}

  void process(const query& q, pe_id from) { send(from, contribution{p.shares[q.of], q.to}); }
  void process(const contribution& c) { p.sums[c.to] += c.share; }

  problem& p;
};

void push(world& w, problem& p) {
  pusher ranks{w, p};
  iterate(w, p, [&] {
    w.finish([&] {
      for (std::size_t u = 0; u < p.shares.size(); ++u) {
        for (const std::int64_t v : p.edges.row(u)) {
          const auto [pe, local] = p.edges.rows.place_of(v);
          ranks.send(pe, contribution{p.shares[u], narrow(local)});
        }
      }
    });
  });
}

void pull(world& w, problem& p) {
  puller ranks{w, p};
  iterate(w, p, [&] {
    w.finish([&] {
      for (std::size_t v = 0; v < p.sums.size(); ++v) {
        for (const std::int64_t u : p.edges.row(v)) {
          const auto [pe, local] = p.edges.rows.place_of(u);
          ranks.send(pe, query{.of = narrow(local), .to = narrow(v)});
        }
      }
    });
  });
}

}  // namespace

void run_actor(world& w, problem& p) { p.given.along == direction::push ? push(w, p) : pull(w, p); }

}  // namespace shoal::kernels::pagerank
