// Closures instead of classes: the code that uses a share travels with the share.
#include "kernels/pagerank/problem.hpp"

namespace shoal::kernels::pagerank {
namespace {

void push(world& w, problem& p) {
  lambda_actor ranks{w, p};
  iterate(w, p, [&] {
    w.finish([&] {
      for (std::size_t u = 0; u < p.shares.size(); ++u) {
        for (const std::int64_t v : p.edges.row(u)) {
          const auto [pe, local] = p.edges.rows.place_of(v);
          ranks.send(pe, [to = narrow(local), share = p.shares[u]](problem& there) { there.sums[to] += share; });
        }
      }
    });
  });
}

// What a query uses on the PE where it runs. Replies have a mailbox of their own. If they shared that of the queries,
// its handlers would send to their own mailbox, and nothing would bound what waits in it.
struct asked {
  const std::vector<double>& shares;
  lambda_actor<std::vector<double>>& sums;
};

void pull(world& w, problem& p) {
  lambda_actor sums{w, p.sums};
  asked mine{p.shares, sums};
  lambda_actor questions{w, mine};
  iterate(w, p, [&] {
    w.finish([&] {
      for (std::size_t v = 0; v < p.sums.size(); ++v) {
        for (const std::int64_t u : p.edges.row(v)) {
          const auto [pe, local] = p.edges.rows.place_of(u);
          questions.send(pe, [of = narrow(local), to = narrow(v)](asked& there, pe_id from) {
            there.sums.send(from, [to, share = there.shares[of]](std::vector<double>& here) { here[to] += share; });
          });
        }
      }
    });
  });
}

}  // namespace

void run_lambda(world& w, problem& p) { p.given.along == direction::push ? push(w, p) : pull(w, p); }

}  // namespace shoal::kernels::pagerank
