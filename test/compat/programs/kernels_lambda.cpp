// Kernels of HClib-Actor as lambdas, each verified: histogram, index gather, triangles, similarities of neighbours
// (Jaccard), breadth-first search. Replies are lambdas that a lambda sends, through a global pointer to the selector.
#define USE_LAMBDA
#include <algorithm>
#include <vector>

#include <selector.h>
#include <spmat.h>

#include "check.h"
#include "graphs.h"

namespace {

enum { REQUEST, RESPONSE };
hclib::Selector<2>* asking; /* of this PE, as all that follows */
sparsemat_t* graph;

// --- Histogram

void histogram(const options& its) {
  const int64_t n_bins = 64;
  int64_t* counts = static_cast<int64_t*>(lgp_all_alloc(n_bins * THREADS, sizeof(int64_t)));
  std::fill(counts, counts + n_bins, 0);
  lgp_barrier();
  srand(static_cast<unsigned>(MYTHREAD + 120348));
  std::vector<int64_t> index(static_cast<size_t>(its.n * 100));
  for (int64_t& each : index) each = rand() % (n_bins * THREADS);
  const double begin = wall_seconds();
  hclib::Actor<> actor;
  hclib::finish([&] {
    actor.start();
    for (const int64_t each : index) {
      const int64_t at = each / THREADS;
      actor.send(static_cast<int>(each % THREADS), [counts, at] { ++counts[at]; });
    }
    actor.done();
  });
  lgp_barrier();
  print_time(its, "histogram", begin);
  for (const int64_t each : index) lgp_atomic_add(counts, each, -1);
  lgp_barrier();
  CHECK(std::count(counts, counts + n_bins, 0) == n_bins);
  lgp_all_free(counts);
}

// --- Index gather

void index_gather(const options& its) {
  const int64_t n_entries = 200;
  int64_t* table = static_cast<int64_t*>(lgp_all_alloc(n_entries * THREADS, sizeof(int64_t)));
  for (int64_t i = 0; i < n_entries; ++i) table[i] = -(i * THREADS + MYTHREAD + 1);
  lgp_barrier();
  srand(static_cast<unsigned>(MYTHREAD + 5));
  std::vector<int64_t> index(static_cast<size_t>(its.n * 100)), target(index.size());
  for (int64_t& each : index) each = rand() % (n_entries * THREADS);
  const double begin = wall_seconds();
  hclib::Selector<2> selector;
  asking = &selector;
  hclib::finish([&] {
    selector.start();
    for (size_t i = 0; i < index.size(); ++i) {
      int64_t* const here = &target[i];
      const int64_t at = index[i] / THREADS;
      const int from = MYTHREAD;
      selector.send(REQUEST, static_cast<int>(index[i] % THREADS), [=] {
        const int64_t value = table[at];
        asking->send(RESPONSE, from, [=] { *here = value; });
      });
    }
    selector.done(REQUEST);
  });
  print_time(its, "gather", begin);
  for (size_t i = 0; i < index.size(); ++i) CHECK(target[i] == -(index[i] + 1));
  lgp_barrier();
  lgp_all_free(table);
}

// --- Triangles: of the lower half, each w before j in a row that holds both

int64_t n_found;

int64_t count_triangles(sparsemat_t* lower) {
  hclib::Actor<> actor;
  graph = lower;
  n_found = 0;
  lgp_barrier();
  hclib::finish([&] {
    actor.start();
    for (int64_t i = 0; i < lower->lnumrows; ++i) {
      for (int64_t k = lower->loffset[i]; k < lower->loffset[i + 1]; ++k) {
        const int64_t j = lower->lnonzero[k], vj = j / THREADS;
        for (int64_t at = lower->loffset[i]; at < k; ++at) {
          const int64_t w = lower->lnonzero[at];
          actor.send(static_cast<int>(j % THREADS), [w, vj] {
            n_found += holds(graph->lnonzero + graph->loffset[vj], graph->lnonzero + graph->loffset[vj + 1], w);
          });
        }
      }
    }
    actor.done();
  });
  return lgp_reduce_add_l(n_found);
}

void triangles(const options& its, sparsemat_t* lower, const adjacency& expected) {
  const double begin = wall_seconds();
  CHECK(count_triangles(lower) == expected.n_triangles());
  print_time(its, "triangles", begin);
  int spec[] = {3, 4, 5, 2};
  for (int mode = 0; mode <= 2; ++mode) {
    sparsemat_t* product = generate_kronecker_graph_from_spec(mode, spec, 4);
    sort_nonzeros(product);
    CHECK(count_triangles(product) == calc_num_tri_kron_graph(mode, spec, 4));
    free_matrix(product);
  }
}

// --- Jaccard

int64_t* n_shared; /* by nonzero */

void jaccard(const options& its, sparsemat_t* a, const adjacency& expected) {
  std::vector<int64_t> shared(static_cast<size_t>(a->lnnz));
  hclib::Selector<2> selector;
  graph = a;
  asking = &selector;
  n_shared = shared.data();
  lgp_barrier();
  const double begin = wall_seconds();
  hclib::finish([&] {
    selector.start();
    for (int64_t i = 0; i < a->lnumrows; ++i) {
      const int64_t v = i * THREADS + MYTHREAD;
      for (int64_t k = a->loffset[i]; k < a->loffset[i + 1] && a->lnonzero[k] < v; ++k) {
        const int64_t u = a->lnonzero[k] / THREADS;
        const int from = MYTHREAD, to = static_cast<int>(a->lnonzero[k] % THREADS);
        for (int64_t at = a->loffset[i]; at < a->loffset[i + 1]; ++at) {
          const int64_t x = a->lnonzero[at];
          selector.send(REQUEST, to, [u, x, k, from] {
            if (!holds(graph->lnonzero + graph->loffset[u], graph->lnonzero + graph->loffset[u + 1], x)) return;
            asking->send(RESPONSE, from, [k] { ++n_shared[k]; });
          });
        }
      }
    }
    selector.done(REQUEST);
  });
  print_time(its, "jaccard", begin);
  for (int64_t i = 0; i < a->lnumrows; ++i) {
    const int64_t v = i * THREADS + MYTHREAD;
    for (int64_t k = a->loffset[i]; k < a->loffset[i + 1] && a->lnonzero[k] < v; ++k) {
      CHECK(n_shared[k] == expected.n_common(a->lnonzero[k], v));
    }
  }
}

// --- Breadth-first search, a new actor for each level

struct search_state {
  std::vector<int64_t> parent, level, frontier, next;
};
search_state* state;

// Of this PE.
void visit(int64_t vertex, int64_t parent, int64_t level) {
  const size_t i = static_cast<size_t>(vertex);
  if (state->level[i] >= 0) return;
  state->level[i] = level;
  state->parent[i] = parent;
  state->next.push_back(vertex);
}

void search(const options& its, sparsemat_t* a, const adjacency& expected, int64_t root) {
  const std::vector<int64_t> none(static_cast<size_t>(a->lnumrows), -1);
  search_state here = {none, none, {}, {}};
  state = &here;
  lgp_barrier();
  const double begin = wall_seconds();
  if (MYTHREAD == root % THREADS) visit(root / THREADS, root, 0);
  for (int64_t level = 1; lgp_reduce_add_l(static_cast<int64_t>(here.next.size())) > 0; ++level) {
    here.frontier.swap(here.next);
    here.next.clear();
    hclib::Actor<>* actor = new hclib::Actor<>; /* never deleted */
    hclib::finish([&] {
      actor->start();
      for (const int64_t i : here.frontier) {
        const int64_t parent = i * THREADS + MYTHREAD;
        for (int64_t k = a->loffset[i]; k < a->loffset[i + 1]; ++k) {
          const int64_t v = a->lnonzero[k] / THREADS;
          actor->send(static_cast<int>(a->lnonzero[k] % THREADS), [=] { visit(v, parent, level); });
        }
      }
      actor->done();
    });
  }
  print_time(its, "search", begin);
  const std::vector<int64_t> distances = expected.distances(root);
  for (int64_t i = 0; i < a->lnumrows; ++i) {
    const int64_t v = i * THREADS + MYTHREAD, parent = here.parent[static_cast<size_t>(i)];
    const int64_t level = distances[static_cast<size_t>(v)];
    CHECK(here.level[static_cast<size_t>(i)] == level);
    if (level <= 0) CHECK(parent == (v == root ? root : -1));
    else CHECK(expected.has(parent, v) && distances[static_cast<size_t>(parent)] == level - 1);
  }
}

}  // namespace

int main(int argc, char* argv[]) {
  const char* deps[] = {"system", "bale_actor"};
  hclib::launch(deps, 2, [=] {
    const options its(argc, argv);
    histogram(its);
    index_gather(its);
    sparsemat_t* lower =
        erdos_renyi_random_graph(its.n_rows(), its.edge_prob(), UNDIRECTED, NOLOOPS, static_cast<uint64_t>(its.seed));
    sparsemat_t* a = both_halves(lower);
    const adjacency expected(lower);
    triangles(its, lower, expected);
    jaccard(its, a, expected);
    for (int64_t root = 0; root < 6; ++root) search(its, a, expected, root);
    free_matrix(lower);
    free_matrix(a);
    PASSED();
  });
  return 0;
}
