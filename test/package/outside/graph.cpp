// Calls what headers declare and sources of other names define, or instantiate.
#include <shoal/graph/generators.hpp>
#include <shoal/graph/matrix_builder.hpp>
#include <shoal/graph/matrix_market.hpp>
#include <shoal/shoal.hpp>

#include <array>
#include <cstdio>
#include <span>

int main(int argc, char** argv) {
  return shoal::run(argc, argv, [&](shoal::world& world) {
    const std::array<std::int64_t, 1> n_leaves{4};
    const shoal::sparse_matrix star = shoal::kronecker_of_stars(world, n_leaves, shoal::star_loop::none);
    const shoal::sparse_matrix loops =
        shoal::assemble<shoal::entry>(world, star.rows, star.n_columns, [&](auto& builder) {
          if (world.my_pe() == 0) builder.add({2, 2});
        });
    std::array<std::size_t, 2> n_entries{star.columns.size(), loops.columns.size()};
    world.sum(std::span(n_entries));
    if (argc > 1) shoal::write_matrix_market(world, star, argv[1]);
    if (world.my_pe() == 0) std::printf("%zu entries\n", n_entries[0] + n_entries[1]);
  });
}
