// Goal: generated graphs are what their names say, and the same on any number of PEs. Method: counts of edges over many
// seeds, all pairs of points, dense products of stars; and the same graphs in teams of one PE.
// pes: 1 2 3 4 7
#include "shoal/graph/generators.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <numeric>
#include <span>
#include <string>
#include <vector>

#include "shoal/graph/matrix_builder.hpp"
#include "test/support/graph.hpp"
#include "test/support/tests_on_pes.hpp"

namespace shoal {
namespace {

using test::gather_entries;

using generator = std::function<sparse_matrix(world&, const random_graph_options&)>;

struct named_generator {
  std::string name;
  generator make;
};

std::vector<named_generator> all_generators() {
  return {
      {"no vertices", [](world& w, const auto& how) { return erdos_renyi_graph(w, 0, 0.5, how); }},
      {"a vertex", [](world& w, const auto& how) { return erdos_renyi_graph(w, 1, 1, how); }},
      {"nothing", [](world& w, const auto& how) { return erdos_renyi_graph(w, 20, 0, how); }},
      {"everything", [](world& w, const auto& how) { return erdos_renyi_graph(w, 20, 1, how); }},
      {"er", [](world& w, const auto& how) { return erdos_renyi_graph(w, 500, 0.02, how); }},
      {"no points", [](world& w, const auto& how) { return random_geometric_graph(w, 0, 0.5, how).edges; }},
      {"points alone", [](world& w, const auto& how) { return random_geometric_graph(w, 20, 0, how).edges; }},
      {"points together", [](world& w, const auto& how) { return random_geometric_graph(w, 20, 1.5, how).edges; }},
      {"geometric", [](world& w, const auto& how) { return random_geometric_graph(w, 500, 0.06, how).edges; }},
      {"rmat of one", [](world& w, const auto& how) { return rmat_graph(w, {.scale = 0}, how); }},
      {"rmat", [](world& w, const auto& how) { return rmat_graph(w, {.scale = 9}, how); }},
  };
}

TEST_ON_PES(generators, make_the_same_graph_on_any_number_of_PEs) {
  world& w = world::current();
  world alone = w.split(w.my_pe());
  for (const auto& [name, make] : all_generators()) {
    for (const layout kind : {layout::cyclic, layout::block}) {
      for (const bool is_directed : {false, true}) {
        SCOPED_TRACE(name + (is_directed ? ", directed" : ""));
        const random_graph_options how{.seed = 7, .rows = kind, .is_directed = is_directed, .has_loops = is_directed};
        const auto here = gather_entries(w, make(w, how));
        EXPECT_EQ(here, gather_entries(alone, make(alone, how)));
      }
    }
  }
}

TEST_ON_PES(generators, make_sound_graphs) {
  world& w = world::current();
  for (const auto& [name, make] : all_generators()) {
    for (const bool has_loops : {false, true}) {
      for (const bool is_directed : {false, true}) {
        SCOPED_TRACE(name);
        const sparse_matrix m = make(w, {.is_directed = is_directed, .has_loops = has_loops});
        const auto all = gather_entries(w, m);
        EXPECT_EQ(std::adjacent_find(all.begin(), all.end()), all.end()) << "an edge twice";
        const auto n_loops = std::ranges::count_if(all, [](const auto& e) { return e.row == e.column; });
        EXPECT_EQ(n_loops, has_loops ? m.n_rows() : 0);
        EXPECT_TRUE(is_directed || is_lower_triangular(w, m));
        for (std::int64_t r = 0; r < m.n_local_rows(); ++r) EXPECT_TRUE(std::ranges::is_sorted(m.row(r)));
      }
    }
    const auto one = gather_entries(w, make(w, {.seed = 1}));
    const auto other = gather_entries(w, make(w, {.seed = 2}));
    EXPECT_TRUE(one.size() < 200 || one != other) << name;
  }
}

// Each pair of vertices is drawn with the same probability, whatever else is drawn: 5 standard deviations.
TEST_ON_PES(generators, draw_each_edge_of_an_erdos_renyi_graph_equally_often) {
  world& w = world::current();
  world alone = w.split(w.my_pe());
  constexpr int n_graphs = 4'000;
  constexpr double p = 0.3;
  for (const bool is_directed : {false, true}) {
    std::vector<int> n_of(36, 0);
    double sum_of_squares = 0;
    for (int seed = 0; seed < n_graphs; ++seed) {
      const auto m =
          erdos_renyi_graph(alone, 6, p, {.seed = static_cast<std::uint64_t>(seed), .is_directed = is_directed});
      for (const auto& e : gather_entries(alone, m)) ++n_of[static_cast<std::size_t>(e.row * 6 + e.column)];
      sum_of_squares += std::pow(static_cast<double>(m.columns.size()), 2);
    }
    for (int i = 0; i < 36; ++i) {
      const bool is_possible = is_directed ? i / 6 != i % 6 : i / 6 > i % 6;
      const double deviation = std::sqrt(n_graphs * p * (1 - p));
      EXPECT_NEAR(n_of[static_cast<std::size_t>(i)], is_possible ? n_graphs * p : 0, is_possible ? 5 * deviation : 0)
          << i;
    }
    // Independent: the number of edges has the second moment of a binomial distribution.
    const double n_pairs = is_directed ? 30 : 15;
    const double moment = n_pairs * p * (1 - p) + n_pairs * n_pairs * p * p;
    EXPECT_NEAR(sum_of_squares / n_graphs / moment, 1, 0.05);
  }
}

TEST_ON_PES(generators, join_the_points_that_are_close) {
  world& w = world::current();
  for (const layout kind : {layout::cyclic, layout::block}) {
    for (const double radius : {0.01, 0.07, 0.3, 0.5, 2.0}) {
      const std::int64_t n = 300;
      const geometric_graph g = random_geometric_graph(w, n, radius, {.seed = 4, .rows = kind});
      ASSERT_EQ(static_cast<std::int64_t>(g.points.size()), g.edges.n_local_rows());
      std::vector<double> x(static_cast<std::size_t>(n), 0);
      std::vector<double> y = x;
      for (std::size_t i = 0; i < g.points.size(); ++i) {
        const auto vertex = static_cast<std::size_t>(g.edges.global_row(static_cast<std::int64_t>(i)));
        x[vertex] = g.points[i].x;
        y[vertex] = g.points[i].y;
      }
      w.all_reduce(std::span(x));
      w.all_reduce(std::span(y));
      std::vector<weighted_entry> expected;
      for (std::size_t i = 0; i < x.size(); ++i) {
        for (std::size_t j = 0; j < i; ++j) {
          if (std::hypot(x[i] - x[j], y[i] - y[j]) <= radius) {
            expected.push_back({static_cast<std::int64_t>(i), static_cast<std::int64_t>(j), 1});
          }
        }
      }
      EXPECT_EQ(gather_entries(w, g.edges), expected) << "radius " << radius;
      EXPECT_NEAR(std::accumulate(x.begin(), x.end(), 0.0) / 300, 0.5, 5 * 0.29 / std::sqrt(300));
      EXPECT_NEAR(std::accumulate(y.begin(), y.end(), 0.0) / 300, 0.5, 5 * 0.29 / std::sqrt(300));
    }
  }
}

// Neighbours are numbered close to each other, so that blocks of a large graph keep most edges on a PE.
TEST_ON_PES(generators, keep_close_points_together) {
  world& w = world::current();
  const std::int64_t n = 10'000;
  const geometric_graph g = random_geometric_graph(w, n, radius_for(n, 8), {.rows = layout::block});
  std::int64_t n_away = 0;
  for (const std::int64_t column : g.edges.columns) n_away += g.edges.rows.owner(column) != w.my_pe();
  const std::int64_t n_all = n_entries(w, g.edges);
  EXPECT_NEAR(static_cast<double>(n_all), 4.0 * n, 0.1 * 4 * n);
  EXPECT_LT(static_cast<double>(w.sum(n_away)), 0.2 * static_cast<double>(n_all));
}

// The extreme quarters tell each from the others.
TEST_ON_PES(generators, draw_rmat_edges_from_the_right_quarters) {
  world& w = world::current();
  const random_graph_options directed{.is_directed = true};
  const auto draw = [&](double a, double b, double c) {
    return gather_entries(w, rmat_graph(w, {.scale = 8, .a = a, .b = b, .c = c}, directed));
  };
  EXPECT_TRUE(draw(1, 0, 0).empty());
  EXPECT_TRUE(draw(0, 0, 0).empty());
  EXPECT_TRUE(draw(0.5, 0, 0).empty()) << "both ends of an edge are the same vertex";
  const auto high_column = draw(0, 1, 0);
  const auto high_row = draw(0, 0, 1);
  ASSERT_EQ(high_column.size(), 1u);
  ASSERT_EQ(high_row.size(), 1u);
  EXPECT_EQ(high_column[0].row, high_row[0].column);
  EXPECT_EQ(high_column[0].column, high_row[0].row);

  // With a and b alone, all rows are the lowest: one vertex has all edges, about half of the 255 others.
  const auto lowest_row = draw(0.5, 0.5, 0);
  EXPECT_TRUE(std::ranges::all_of(lowest_row, [&](const auto& e) { return e.row == lowest_row[0].row; }));
  EXPECT_GT(lowest_row.size(), 250u);  // 4096 draws of 256
}

TEST_ON_PES(generators, give_few_vertices_of_an_rmat_graph_many_edges) {
  world& w = world::current();
  const auto most = [&](double a, double b, double c) {
    const sparse_matrix m = with_mirrored(w, rmat_graph(w, {.scale = 12, .a = a, .b = b, .c = c}));
    std::int64_t degree = 0;
    for (const std::int64_t each : row_degrees(m)) degree = std::max(degree, each);
    return w.max(degree);
  };
  EXPECT_GT(most(0.57, 0.19, 0.19), 300);
  EXPECT_LT(most(0.25, 0.25, 0.25), 70);  // 32 on average
}

// The dense product, and a count of its triangles.
struct dense_product {
  std::size_t n = 1;
  std::vector<char> is_edge = {1};

  dense_product(const std::vector<std::int64_t>& n_leaves, star_loop loop) {
    for (const std::int64_t leaves : n_leaves) {
      const auto size = static_cast<std::size_t>(leaves) + 1;
      std::vector<char> star(size * size, 0);
      for (std::size_t leaf = 1; leaf < size; ++leaf) star[leaf] = star[leaf * size] = 1;
      if (loop == star_loop::hub) star.front() = 1;
      if (loop == star_loop::last_leaf) star.back() = 1;
      std::vector<char> grown(n * size * n * size);
      for (std::size_t i = 0; i < n * size; ++i) {
        for (std::size_t j = 0; j < n * size; ++j) {
          grown[i * n * size + j] = is_edge[i / size * n + j / size] & star[i % size * size + j % size];
        }
      }
      n *= size;
      is_edge = grown;
    }
  }

  std::uint64_t n_triangles() const {
    std::uint64_t found = 0;
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        for (std::size_t k = 0; k < j; ++k) {
          found += static_cast<std::uint64_t>(is_edge[i * n + j] & is_edge[j * n + k] & is_edge[i * n + k]);
        }
      }
    }
    return found;
  }
};

TEST_ON_PES(generators, multiply_stars) {
  world& w = world::current();
  const std::vector<std::vector<std::int64_t>> products = {{1},       {5},       {1, 1},      {2, 3},
                                                           {4, 1, 2}, {3, 3, 3}, {2, 2, 2, 2}};
  for (const auto& n_leaves : products) {
    for (const star_loop loop : {star_loop::none, star_loop::hub, star_loop::last_leaf}) {
      for (const layout kind : {layout::cyclic, layout::block}) {
        const dense_product dense(n_leaves, loop);
        std::vector<weighted_entry> expected;
        for (std::size_t i = 0; i < dense.n; ++i) {
          for (std::size_t j = 0; j < i; ++j) {
            if (dense.is_edge[i * dense.n + j]) {
              expected.push_back({static_cast<std::int64_t>(i), static_cast<std::int64_t>(j), 1});
            }
          }
        }
        const sparse_matrix m = kronecker_of_stars(w, n_leaves, loop, kind);
        EXPECT_EQ(m.n_rows(), static_cast<std::int64_t>(dense.n));
        EXPECT_EQ(gather_entries(w, m), expected);
        EXPECT_EQ(n_triangles_of_stars(n_leaves, loop), dense.n_triangles());
      }
    }
  }
}

}  // namespace
}  // namespace shoal
