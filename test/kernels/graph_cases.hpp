/// Graphs for the tests of kernels on graphs: small enough to print, with what is known about them.
#pragma once

#include <cstdint>
#include <ostream>
#include <string>
#include <vector>

#include "shoal/graph/matrix_builder.hpp"

namespace shoal::test {

struct graph_case {
  std::string name;
  std::int64_t n_vertices = 0;
  std::vector<entry> edges;  // from 0 on
  std::uint64_t n_triangles = 0;  // of the undirected simple graph
};

inline std::ostream& operator<<(std::ostream& out, const graph_case& g) { return out << g.name; }

/// Edges of a linear congruential generator, self loops and repetitions among them: a rule of one line
/// that other languages can follow.
inline std::vector<entry> generated_edges(std::int64_t n_vertices, int n_edges, std::int64_t seed) {
  std::int64_t x = seed;
  const auto next = [&] {
    x = (x * 1103515245 + 12345) % (std::int64_t{1} << 31);
    return (x >> 8) % n_vertices;
  };
  std::vector<entry> edges;
  for (int i = 0; i < n_edges; ++i) {
    const std::int64_t from = next();
    edges.push_back({from, next()});
  }
  return edges;
}

/// Every vertex of 0 … n-1 to every other.
inline std::vector<entry> complete_edges(std::int64_t n) {
  std::vector<entry> edges;
  for (std::int64_t i = 0; i < n; ++i) {
    for (std::int64_t j = 0; j < n; ++j) {
      if (i != j) edges.push_back({i, j});
    }
  }
  return edges;
}

/// How NetworkX 3.6.1 counts the triangles of the generated graphs: sum(nx.triangles(G).values()) // 3
/// for G = nx.Graph() of the edges without self loops.
inline constexpr std::uint64_t n_triangles_20_60_1 = 18;
inline constexpr std::uint64_t n_triangles_50_300_2 = 179;

inline std::vector<graph_case> small_graphs() {
  return {
      {"one vertex", 1, {}, 0},
      {"one vertex that points to itself", 1, {{0, 0}}, 0},
      {"two vertices without an edge", 2, {}, 0},
      {"an edge", 2, {{0, 1}}, 0},
      {"a cycle of five", 5, {{0, 1}, {1, 2}, {2, 3}, {3, 4}, {4, 0}}, 0},
      {"a cycle of three", 3, {{0, 1}, {1, 2}, {2, 0}}, 1},
      {"five leaves point to a centre", 6, {{1, 0}, {2, 0}, {3, 0}, {4, 0}, {5, 0}}, 0},
      {"a centre points to five leaves", 6, {{5, 0}, {5, 1}, {5, 2}, {5, 3}, {5, 4}}, 0},
      {"all of five to each other", 5, complete_edges(5), 10},
      {"repeated edges and self loops", 4, {{0, 1}, {0, 1}, {1, 0}, {1, 1}, {1, 2}, {2, 0}, {2, 0}, {3, 3}, {2, 2}}, 1},
      {"empty rows between full ones", 9, {{1, 7}, {7, 4}, {4, 1}, {1, 4}, {8, 1}, {8, 4}}, 2},
      {"two triangles with a common edge, and a tail", 6, {{0, 1}, {1, 2}, {2, 0}, {1, 3}, {3, 2}, {3, 4}, {4, 5}}, 2},
      {"20 vertices, 60 edges", 20, generated_edges(20, 60, 1), n_triangles_20_60_1},
      {"50 vertices, 300 edges", 50, generated_edges(50, 300, 2), n_triangles_50_300_2},
  };
}

/// The graph as a MatrixMarket file has it.
inline std::string matrix_market_text(std::int64_t n_vertices, const std::vector<entry>& edges) {
  std::string text = "%%MatrixMarket matrix coordinate pattern general\n";
  const std::string n = std::to_string(n_vertices);
  text += n + ' ' + n + ' ' + std::to_string(edges.size()) + '\n';
  for (const auto [from, to] : edges) {
    text += std::to_string(from + 1) + ' ' + std::to_string(to + 1) + '\n';
  }
  return text;
}

inline std::string matrix_market_text(const graph_case& g) { return matrix_market_text(g.n_vertices, g.edges); }

}  // namespace shoal::test
