// PageRank of HClib-Actor: each vertex asks its neighbours. A new selector for each round, never deleted, in a finish
// inside of a finish. Compared with a serial reference of as many rounds.
#include <cmath>
#include <vector>

#include <selector.h>
#include <spmat.h>

#include "check.h"
#include "graphs.h"

namespace {

constexpr double DAMPING = 0.85, TOLERANCE = 1e-5;

struct packet {
  int64_t to, k;
  double rank;
};

class pulling : public hclib::Selector<2, packet> {
public:
  enum { REQUEST, RESPONSE };
  pulling(sparsemat_t* a, const std::vector<double>& rank, std::vector<double>& sum) {
    mb[REQUEST].process = [this, a, &rank](packet p, int from) {
      p.rank = rank[static_cast<size_t>(p.k)] / static_cast<double>(a->loffset[p.k + 1] - a->loffset[p.k]);
      send(RESPONSE, p, from);
    };
    mb[RESPONSE].process = [&sum](packet p, int) { sum[static_cast<size_t>(p.to)] += p.rank; };
  }
};

double rank_of(double sum, int64_t n) { return (1 - DAMPING) / static_cast<double>(n) + DAMPING * sum; }

// Rounds that it took.
int64_t page_rank(sparsemat_t* a, std::vector<double>& rank) {
  int64_t n_rounds = 0;
  rank.assign(static_cast<size_t>(a->lnumrows), 1.0 / static_cast<double>(a->numrows));
  hclib::finish([&] {
    double difference = 1;
    for (; difference >= TOLERANCE; ++n_rounds) {
      std::vector<double> sum(rank.size());
      pulling* puller = new pulling(a, rank, sum);
      hclib::finish([&] {
        puller->start();
        for (int64_t i = 0; i < a->lnumrows; ++i) {
          for (int64_t k = a->loffset[i]; k < a->loffset[i + 1]; ++k) {
            const int64_t col = a->lnonzero[k];
            puller->send(pulling::REQUEST, {i, col / THREADS, 0}, static_cast<int>(col % THREADS));
          }
        }
        puller->done(pulling::REQUEST);
      });
      lgp_barrier();
      difference = 0;
      for (size_t i = 0; i < rank.size(); ++i) {
        const double next = rank_of(sum[i], a->numrows);
        difference += std::fabs(next - rank[i]);
        rank[i] = next;
      }
      difference = lgp_reduce_add_d(difference);
    }
  });
  return n_rounds;
}

std::vector<double> expected_ranks(const adjacency& graph, int64_t n_rounds) {
  std::vector<double> rank(static_cast<size_t>(graph.size()), 1.0 / static_cast<double>(graph.size()));
  for (; n_rounds > 0; --n_rounds) {
    std::vector<double> next;
    for (int64_t v = 0; v < graph.size(); ++v) {
      double sum = 0;
      for (int64_t u = 0; u < graph.size(); ++u) {
        if (graph.has(u, v)) sum += rank[static_cast<size_t>(u)] / static_cast<double>(graph.degree(u));
      }
      next.push_back(rank_of(sum, graph.size()));
    }
    rank.swap(next);
  }
  return rank;
}

}  // namespace

int main(int argc, char* argv[]) {
  const char* deps[] = {"system", "bale_actor"};
  hclib::launch(deps, 2, [=] {
    const options its(argc, argv);
    sparsemat_t* lower =
        erdos_renyi_random_graph(its.n_rows(), its.edge_prob(), UNDIRECTED, NOLOOPS, static_cast<uint64_t>(its.seed));
    sparsemat_t* a = both_halves(lower);
    std::vector<double> rank;
    const double begin = wall_seconds();
    const int64_t n_rounds = page_rank(a, rank);
    print_time(its, "pagerank", begin);

    CHECK(n_rounds > 2 && n_rounds < 200);
    const adjacency graph(lower);
    const std::vector<double> expected = expected_ranks(graph, n_rounds);
    double sum = 0;
    int64_t n_apart = 0;
    for (int64_t i = 0; i < a->lnumrows; ++i) {
      const double here = rank[static_cast<size_t>(i)];
      CHECK(std::fabs(here - expected[static_cast<size_t>(i * THREADS + MYTHREAD)]) < 1e-12);
      sum += here;
    }
    // A vertex without neighbours gives its rank to nobody.
    for (int64_t v = 0; v < graph.size(); ++v) n_apart += graph.degree(v) == 0;
    if (n_apart == 0) CHECK(std::fabs(lgp_reduce_add_d(sum) - 1) < 0.001);
    free_matrix(lower);
    free_matrix(a);
    PASSED();
  });
  return 0;
}
