// Kernels of HClib-Actor over graphs: triangles counted in two ways, similarities of neighbours (Jaccard), triangle
// centrality, breadth-first search. Compared with closed forms for products of stars, and with a serial reference for
// random graphs.
#include <cmath>
#include <vector>

#include <selector.h>
#include <spmat.h>

#include "check.h"
#include "graphs.h"

namespace {

bool is_near(double a, double b) { return std::fabs(a - b) <= 1e-9 * (std::fabs(a) + std::fabs(b) + 1); }

// --- Triangles

struct wedge {
  int64_t w, vj;
};

// Looks up w in local row vj.
class looking_up : public hclib::Selector<1, wedge> {
public:
  int64_t n_found = 0, n_sent = 0;
  explicit looking_up(sparsemat_t* in) {
    mb[0].process = [this, in](wedge p, int) {
      n_found += holds(in->lnonzero + in->loffset[p.vj], in->lnonzero + in->loffset[p.vj + 1], p.w);
    };
  }
  void ask(int64_t w, int64_t j) {
    send({w, j / THREADS}, static_cast<int>(j % THREADS));
    ++n_sent;
  }
};

// Rows of the lower half against rows of the lower half. For (i, j): each w of row i before j.
int64_t count_by_lower(sparsemat_t* lower) {
  int64_t n_expected = 0;
  looking_up its(lower);
  hclib::finish([&] {
    its.start();
    for (int64_t i = 0; i < lower->lnumrows; ++i) {
      const int64_t begin = lower->loffset[i], end = lower->loffset[i + 1];
      n_expected += (end - begin) * (end - begin - 1) / 2;
      for (int64_t k = begin; k < end; ++k) {
        for (int64_t at = begin; at < k; ++at) its.ask(lower->lnonzero[at], lower->lnonzero[k]);
      }
    }
    its.done();
  });
  CHECK(its.n_sent == n_expected);
  return lgp_reduce_add_l(its.n_found);
}

// For (i, j) of the lower half: each w of row i of the upper half, looked up there.
int64_t count_by_upper(sparsemat_t* lower, sparsemat_t* upper) {
  looking_up its(upper);
  hclib::finish([&] {
    its.start();
    for (int64_t i = 0; i < lower->lnumrows; ++i) {
      for (int64_t k = lower->loffset[i]; k < lower->loffset[i + 1]; ++k) {
        for (int64_t at = upper->loffset[i]; at < upper->loffset[i + 1]; ++at) {
          its.ask(upper->lnonzero[at], lower->lnonzero[k]);
        }
      }
    }
    its.done();
  });
  return lgp_reduce_add_l(its.n_found);
}

void expect_triangles(const options& its, sparsemat_t* lower, int64_t n_expected) {
  sparsemat_t* upper = transpose_matrix(lower);
  double begin = wall_seconds();
  CHECK(count_by_lower(lower) == n_expected);
  print_time(its, "triangles 0", begin);
  begin = wall_seconds();
  CHECK(count_by_upper(lower, upper) == n_expected);
  print_time(its, "triangles 1", begin);
  free_matrix(upper);
}

void triangles_of_products(const options& its) {
  int specs[][4] = {{3, 4, 5, 2}, {2, 3, 2, 3}, {4, 4, 3, 0}};
  for (int(&spec)[4] : specs) {
    const int num = spec[3] == 0 ? 3 : 4;
    for (int mode = 0; mode <= 2; ++mode) {
      sparsemat_t* lower = generate_kronecker_graph_from_spec(mode, spec, num);
      sort_nonzeros(lower);
      const int64_t n_expected = calc_num_tri_kron_graph(mode, spec, num);
      CHECK((n_expected == 0) == (mode == 0));
      expect_triangles(its, lower, n_expected);
      free_matrix(lower);
    }
  }
}

// --- Jaccard: of the neighbours that two neighbours have, the part that they share

struct similarity_packet {
  int64_t u, x, pos;
};

class fetching_degrees : public hclib::Selector<2, similarity_packet> {
public:
  enum { RESPONSE, REQUEST }; /* the first mailbox ends last */
  std::vector<int64_t> degree; /* by nonzero */
  explicit fetching_degrees(sparsemat_t* a) : degree(static_cast<size_t>(a->lnnz)) {
    mb[REQUEST].process = [this, a](similarity_packet p, int from) {
      send(RESPONSE, {p.u, a->loffset[p.u + 1] - a->loffset[p.u], p.pos}, from);
    };
    mb[RESPONSE].process = [this](similarity_packet p, int) { degree[static_cast<size_t>(p.pos)] = p.x; };
  }
};

class intersecting : public hclib::Selector<2, similarity_packet> {
public:
  enum { RESPONSE, REQUEST };
  std::vector<int64_t> n_shared; /* by nonzero */
  explicit intersecting(sparsemat_t* a) : n_shared(static_cast<size_t>(a->lnnz)) {
    mb[REQUEST].process = [this, a](similarity_packet p, int from) {
      if (holds(a->lnonzero + a->loffset[p.u], a->lnonzero + a->loffset[p.u + 1], p.x)) send(RESPONSE, p, from);
    };
    mb[RESPONSE].process = [this](similarity_packet p, int) { ++n_shared[static_cast<size_t>(p.pos)]; };
  }
};

void jaccard(const options& its, sparsemat_t* a, const adjacency& expected) {
  const double begin = wall_seconds();
  fetching_degrees degrees(a);
  intersecting shared(a);
  hclib::finish([&] {
    degrees.start();
    shared.start();
    for (int64_t i = 0; i < a->lnumrows; ++i) {
      const int64_t v = i * THREADS + MYTHREAD;
      for (int64_t k = a->loffset[i]; k < a->loffset[i + 1] && a->lnonzero[k] < v; ++k) {
        const int64_t u = a->lnonzero[k];
        degrees.send(fetching_degrees::REQUEST, {u / THREADS, 0, k}, static_cast<int>(u % THREADS));
        for (int64_t at = a->loffset[i]; at < a->loffset[i + 1]; ++at) {
          if (at == k) continue;
          shared.send(intersecting::REQUEST, {u / THREADS, a->lnonzero[at], k}, static_cast<int>(u % THREADS));
        }
      }
    }
    degrees.done(fetching_degrees::REQUEST);
    shared.done(intersecting::REQUEST);
  });
  print_time(its, "jaccard", begin);
  for (int64_t i = 0; i < a->lnumrows; ++i) {
    const int64_t v = i * THREADS + MYTHREAD;
    for (int64_t k = a->loffset[i]; k < a->loffset[i + 1] && a->lnonzero[k] < v; ++k) {
      const int64_t u = a->lnonzero[k], n = shared.n_shared[static_cast<size_t>(k)];
      const int64_t n_all = degrees.degree[static_cast<size_t>(k)] + a->loffset[i + 1] - a->loffset[i] - n;
      const int64_t n_common = expected.n_common(u, v);
      CHECK(n == n_common && n_all == expected.degree(u) + expected.degree(v) - n_common);
    }
  }
}

// --- Triangle centrality: the triangles around a vertex, near ones by a third

struct corners {
  int64_t u, v, w;
};

class marking : public hclib::Selector<2, corners> {
  sparsemat_t* a_;

  int64_t col(int64_t k) const { return a_->lnonzero[k] % a_->numrows; }
  void mark(int64_t vertex, int64_t partner) {
    int64_t k = a_->loffset[vertex];
    while (col(k) != partner) ++k;
    a_->lnonzero[k] = partner + a_->numrows;
  }
  void tell(int64_t vertex, int64_t one, int64_t other) {
    send(RESPONSE, {vertex / THREADS, one, other}, static_cast<int>(vertex % THREADS));
  }
  void look_up(corners p, int from) {
    const int64_t v = p.v / THREADS, u = p.u * THREADS + from;
    for (int64_t k = a_->loffset[v]; k < a_->loffset[v + 1]; ++k) {
      if (col(k) != p.w) continue;
      ++n_triangles;
      tell(u, p.v, p.w);
      tell(p.v, u, p.w);
      tell(p.w, u, p.v);
    }
  }

public:
  enum { REQUEST, RESPONSE };
  int64_t n_triangles = 0;
  std::vector<int64_t> n_around; /* by vertex */

  explicit marking(sparsemat_t* a) : a_(a), n_around(static_cast<size_t>(a->lnumrows)) {
    mb[REQUEST].process = [this](corners p, int from) { look_up(p, from); };
    mb[RESPONSE].process = [this](corners p, int) {
      ++n_around[static_cast<size_t>(p.u)];
      mark(p.u, p.v);
      mark(p.u, p.w);
    };
  }
  // Each triangle once, from its highest vertex. Columns are marked meanwhile.
  void run() {
    for (int64_t i = 0; i < a_->lnumrows; ++i) {
      const int64_t u = i * THREADS + MYTHREAD;
      for (int64_t k = a_->loffset[i]; k < a_->loffset[i + 1] && col(k) < u; ++k) {
        const int64_t v = col(k);
        for (int64_t at = a_->loffset[i]; at < k; ++at) {
          send(REQUEST, {i, v, col(at)}, static_cast<int>(v % THREADS));
        }
      }
    }
    done(REQUEST);
  }
};

struct weight {
  int64_t to, u;
  double value;
};

class weighing : public hclib::Selector<2, weight> {
public:
  enum { REQUEST, RESPONSE };
  std::vector<double> result; /* by vertex */
  weighing(const std::vector<int64_t>& n_around, int64_t n_all) : result(n_around.size()) {
    mb[REQUEST].process = [this, &n_around, n_all](weight p, int from) {
      p.value *= static_cast<double>(n_around[static_cast<size_t>(p.u)]) / static_cast<double>(n_all);
      send(RESPONSE, p, from);
    };
    mb[RESPONSE].process = [this](weight p, int) { result[static_cast<size_t>(p.to)] += p.value; };
  }
};

double centrality_of(int64_t v, const adjacency& graph) {
  double sum = static_cast<double>(graph.n_triangles(v)) / 3;
  for (int64_t u = 0; u < graph.size(); ++u) {
    if (!graph.has(u, v)) continue;
    const double n = static_cast<double>(graph.n_triangles(u));
    sum += graph.n_common(u, v) > 0 ? n / 3 : n;
  }
  return sum / static_cast<double>(graph.n_triangles());
}

void triangle_centrality(const options& its, sparsemat_t* a, const adjacency& expected) {
  const double begin = wall_seconds();
  marking marks(a);
  hclib::finish([&] {
    marks.start();
    marks.run();
  });
  const int64_t n_all = lgp_reduce_add_l(marks.n_triangles);
  weighing weights(marks.n_around, n_all);
  hclib::finish([&] {
    weights.start();
    for (int64_t i = 0; i < a->lnumrows; ++i) {
      weights.send(weighing::REQUEST, {i, i, 1.0 / 3}, MYTHREAD);
      for (int64_t k = a->loffset[i]; k < a->loffset[i + 1]; ++k) {
        const bool is_marked = a->lnonzero[k] >= a->numrows;
        const int64_t u = a->lnonzero[k] % a->numrows;
        const double factor = is_marked ? 1.0 / 3 : 1;
        weights.send(weighing::REQUEST, {i, u / THREADS, factor}, static_cast<int>(u % THREADS));
      }
    }
    weights.done(weighing::REQUEST);
  });
  print_time(its, "centrality", begin);
  CHECK(n_all == expected.n_triangles());
  for (int64_t i = 0; i < a->lnumrows; ++i) {
    CHECK(is_near(weights.result[static_cast<size_t>(i)], centrality_of(i * THREADS + MYTHREAD, expected)));
  }
  for (int64_t k = 0; k < a->lnnz; ++k) a->lnonzero[k] %= a->numrows;
}

// --- Breadth-first search, a new actor for each level

struct visit {
  int64_t vertex, parent;
};

struct search_state {
  std::vector<bool> is_visited;
  std::vector<int64_t> parent, level, frontier, next;
  explicit search_state(size_t n) : is_visited(n), parent(n, -1), level(n, -1) {}
};

class visiting : public hclib::Actor<visit> {
public:
  visiting(search_state& to, int64_t level) {
    mb[0].process = [&to, level](visit p, int) {
      const size_t vertex = static_cast<size_t>(p.vertex);
      if (to.is_visited[vertex]) return;
      to.is_visited[vertex] = true;
      to.parent[vertex] = p.parent;
      to.level[vertex] = level;
      to.next.push_back(p.vertex);
    };
  }
};

void search(const options& its, sparsemat_t* a, const adjacency& graph, int64_t root) {
  const double begin = wall_seconds();
  search_state state(static_cast<size_t>(a->lnumrows));
  int64_t n_new = 1;
  for (int64_t level = 0; n_new > 0; ++level) {
    CHECK(level <= graph.size());
    visiting* actor = new visiting(state, level); /* never deleted */
    hclib::finish([&] {
      actor->start();
      if (level == 0 && MYTHREAD == root % THREADS) actor->send({root / THREADS, root}, MYTHREAD);
      for (const int64_t i : state.frontier) {
        for (int64_t k = a->loffset[i]; k < a->loffset[i + 1]; ++k) {
          const int64_t v = a->lnonzero[k];
          actor->send({v / THREADS, i * THREADS + MYTHREAD}, static_cast<int>(v % THREADS));
        }
      }
      actor->done();
    });
    state.frontier.swap(state.next);
    state.next.clear();
    n_new = lgp_reduce_add_l(static_cast<int64_t>(state.frontier.size()));
  }
  print_time(its, "search", begin);
  const std::vector<int64_t> expected = graph.distances(root);
  for (int64_t i = 0; i < a->lnumrows; ++i) {
    const int64_t v = i * THREADS + MYTHREAD, parent = state.parent[static_cast<size_t>(i)];
    const int64_t level = expected[static_cast<size_t>(v)];
    CHECK(state.level[static_cast<size_t>(i)] == level);
    if (level <= 0) CHECK(parent == (v == root ? root : -1));
    else CHECK(graph.has(parent, v) && expected[static_cast<size_t>(parent)] == level - 1);
  }
}

}  // namespace

int main(int argc, char* argv[]) {
  const char* deps[] = {"system", "bale_actor"};
  hclib::launch(deps, 2, [=] {
    const options its(argc, argv);
    triangles_of_products(its);
    // Dense enough for triangles, and so sparse that there are vertices apart.
    for (const double p : {its.edge_prob(), its.edge_prob() / 6}) {
      sparsemat_t* lower =
          erdos_renyi_random_graph(its.n_rows(), p, UNDIRECTED, NOLOOPS, static_cast<uint64_t>(its.seed));
      sparsemat_t* a = both_halves(lower);
      const adjacency expected(lower);
      expect_triangles(its, lower, expected.n_triangles());
      jaccard(its, a, expected);
      if (expected.n_triangles() > 0) triangle_centrality(its, a, expected);
      for (int64_t root = 0; root < 6; ++root) search(its, a, expected, root);
      free_matrix(lower);
      free_matrix(a);
    }
    lgp_barrier();
    PASSED();
  });
  return 0;
}
