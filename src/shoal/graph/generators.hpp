/// Makes random graphs, and graphs with known properties. A graph is the same for the same arguments, whatever the number
/// of PEs and the layout.
///
/// Undirected graphs have each edge once, as the entry (i, j) with i > j: with_mirrored gives both directions, and
/// set_random_values weights. All functions are collective and wait. Not in a handler.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "shoal/actor/world.hpp"
#include "shoal/graph/sparse_matrix.hpp"
#include "shoal/pgas/distribution.hpp"

namespace shoal {

/// What generators of random graphs have in common.
struct random_graph_options {
  std::uint64_t seed = 1;
  layout rows = layout::cyclic;
  bool is_directed = false;
  bool has_loops = false;  // true: an edge from each vertex to itself; false: none
};

/// The graph of `n` vertices in which each possible edge is with probability `p`, independently (Erdős and Rényi; Gilbert,
/// "Random graphs", Annals of Mathematical Statistics 1959). Takes time for the edges that are there (Batagelj and
/// Brandes, "Efficient generation of large random networks", Physical Review E 2005, section II). n >= 0, 0 <= p <= 1;
/// else a contract violation.
sparse_matrix erdos_renyi_graph(world& w, std::int64_t n, double p, const random_graph_options& options = {});

struct point {
  double x = 0;
  double y = 0;
};

/// A graph of points in the unit square, and where they are: `points` has those of the local rows.
struct geometric_graph {
  sparse_matrix edges;
  std::vector<point> points;
};

/// The graph of `n` random points, in which those are neighbours that are at most `radius` apart. Points are numbered
/// along stripes of height `radius`, so neighbours have numbers close to each other: in layout block, most are on the
/// same PE. Directed: each edge has a random direction (orient). 0 <= radius; else a contract violation.
geometric_graph random_geometric_graph(world& w, std::int64_t n, double radius,
                                       const random_graph_options& options = {});

/// The radius with which a geometric graph has about `n_neighbours` for each vertex, but for those near an edge.
double radius_for(std::int64_t n, double n_neighbours);

/// R-MAT (Chakrabarti, Zhan and Faloutsos, "R-MAT: a recursive model for graph mining", SDM 2004) with the numbers of
/// vertices scrambled, as in Graph500. Each edge halves the matrix `scale` times and goes into one of four quarters.
struct rmat_options {
  int scale = 16;  // 2^scale vertices; at most 40
  std::int64_t n_edges_per_vertex = 16;  // that are drawn; loops and repetitions are left out
  double a = 0.57;  // the probability of the first quarter, low row and low column
  double b = 0.19;  // low row, high column
  double c = 0.19;  // high row, low column
};

/// A graph with few vertices of many edges. Probabilities that are negative or add up to more than 1 are a contract
/// violation.
sparse_matrix rmat_graph(world& w, const rmat_options& shape, const random_graph_options& options = {});

/// Which vertex of a star has an edge to itself.
enum class star_loop : std::uint8_t { none, hub, last_leaf };

/// The Kronecker product of stars, without loops (Kepner et al., "Design, generation, and validation of extreme scale
/// power-law graphs", IPDPSW 2018). `n_leaves[k]` is the number of leaves of star k; the product has as many vertices as
/// the product of n_leaves[k] + 1. Undirected. Each PE makes its rows without a message. Numbers of leaves below 1, no
/// star, or 2^62 vertices or more are a contract violation.
sparse_matrix kronecker_of_stars(world& w, std::span<const std::int64_t> n_leaves, star_loop loop,
                                 layout rows = layout::cyclic);

/// How many triangles that graph has, from a formula. Local, does not wait.
std::uint64_t n_triangles_of_stars(std::span<const std::int64_t> n_leaves, star_loop loop);

}  // namespace shoal
