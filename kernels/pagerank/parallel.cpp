// As actor.cpp, for PEs with several workers: the handlers are parallel, so they add atomically.
#include <atomic>

#include "kernels/pagerank/problem.hpp"
#include "shoal/task/parallel_handler.hpp"

namespace shoal::kernels::pagerank {
namespace {

void add(problem& p, const contribution& c) {
  std::atomic_ref(p.sums[c.to]).fetch_add(c.share, std::memory_order_relaxed);
}

struct pusher : selector<pusher, parallel<contribution>> {
  pusher(world& w, problem& of) : selector(w, "pagerank"), p(of) {}

  void process(const contribution& c) { add(p, c); }

  problem& p;
};

struct puller : selector<puller, parallel<query>, parallel<contribution>> {
  puller(world& w, problem& of) : selector(w, "pagerank"), p(of) {}

  void process(const query& q, pe_id from) { send(from, contribution{p.shares[q.of], q.to}); }
  void process(const contribution& c) { add(p, c); }

  problem& p;
};

// Calls send(row, pe, local) for each edge of each iteration.
template <class Send>
void iterate_by_edges(world& w, problem& p, const Send& send) {
  iterate(w, p, [&] {
    w.finish([&] {
      for (std::size_t row = 0; row < p.sums.size(); ++row) {
        for (const std::int64_t vertex : p.edges.row(row)) {
          const auto [pe, local] = p.edges.rows.place_of(vertex);
          send(row, pe, narrow(local));
        }
      }
    });
  });
}

void push(world& w, problem& p) {
  pusher ranks{w, p};
  iterate_by_edges(w, p,
                   [&](std::size_t u, pe_id pe, std::uint32_t v) { ranks.send(pe, contribution{p.shares[u], v}); });
}

void pull(world& w, problem& p) {
  puller ranks{w, p};
  iterate_by_edges(w, p, [&](std::size_t v, pe_id pe, std::uint32_t u) {
    ranks.send(pe, query{.of = u, .to = static_cast<std::uint32_t>(v)});
  });
}

}  // namespace

void run_parallel(world& w, problem& p) { p.given.along == direction::push ? push(w, p) : pull(w, p); }

}  // namespace shoal::kernels::pagerank
