// Sparse matrices and graphs: makes a graph, renumbers its vertices at random, and multiplies by its matrix: y = A x, with
// one message for each entry that lies in a column of another PE.
// pes: 1 2 3 4 7
#include <cstdint>
#include <vector>

#include <shoal/graph.hpp>
#include <shoal/shoal.hpp>

namespace {

double x_of(std::int64_t vertex) { return static_cast<double>(vertex % 10); }

// [multiply]
// y = A^T x: each PE has the values of x of its rows, and sends each product to the owner of the column.
std::vector<double> multiply_transposed(shoal::world& world, const shoal::sparse_matrix& a,
                                        const std::vector<double>& x) {
  const shoal::distribution columns = a.columns_distribution();
  std::vector<double> y(columns.n_local(world.my_pe()));

  struct term {
    std::int64_t column;
    double product;
  };
  shoal::actor add{world, [&](term t) { y[t.column] += t.product; }};
  world.finish([&] {
    for (std::int64_t r = 0; r < a.n_local_rows(); ++r) {
      for (std::size_t i = 0; i < a.row(r).size(); ++i) {
        const auto [pe, local] = columns.place_of(a.row(r)[i]);
        add.send(pe, {local, a.row_values(r)[i] * x[r]});
      }
    }
  });
  return y;
}
// [/multiply]

bool is_right(shoal::world& world) {
  // [make]
  // 4096 vertices, some with many edges; the same graph on any number of PEs. An undirected edge is there once.
  shoal::sparse_matrix lower = shoal::rmat_graph(world, {.scale = 12, .n_edges_per_vertex = 8}, {.seed = 2026});
  shoal::set_random_values(lower, 1);
  const shoal::sparse_matrix a = shoal::with_mirrored(world, lower);

  // New numbers for the vertices, so that those with many edges are anywhere.
  const shoal::permutation renumbered = shoal::random_permutation(world, a.rows, 7);
  const shoal::sparse_matrix b = shoal::permute(world, a, renumbered, renumbered);
  // [/make]

  std::vector<double> x_of_a;
  for (std::int64_t r = 0; r < a.n_local_rows(); ++r) x_of_a.push_back(x_of(a.global_row(r)));
  double sum_of_a = 0;
  for (const double y : multiply_transposed(world, a, x_of_a)) sum_of_a += y;

  // The sum of A x is that of A^T x, since A is symmetric; and the same with other numbers, for the same x.
  const shoal::permutation back = shoal::inverse(world, renumbered);
  std::vector<double> x_of_b;
  for (const std::int64_t vertex : back.images) x_of_b.push_back(x_of(vertex));
  double sum_of_b = 0;
  for (const double y : multiply_transposed(world, b, x_of_b)) sum_of_b += y;
  const double difference = world.sum(sum_of_a) - world.sum(sum_of_b);
  return shoal::are_equal(world, a, shoal::transpose(world, a)) && difference < 1e-6 && difference > -1e-6 &&
         world.sum(sum_of_a) > 0;
}

}  // namespace

int main(int argc, char** argv) {
  return shoal::run(argc, argv, [](shoal::world& world) { return is_right(world) ? 0 : 1; });
}
