// Permutation of the rows and columns of a sparse matrix on OpenSHMEM: puts of the rows' sizes, additions that say where
// each entry is put, gets of the new columns.
#include "comparators/shmem/job.hpp"
#include "comparators/support/matrix.hpp"
#include "comparators/support/measure.hpp"
#include "comparators/support/options.hpp"

using namespace comparators;

int main(int argc, char** argv) {
  const options given(argc, argv, {{"rows", 10'000, 1, 1'000'000'000}, {"degree", 10, 1, 1000}});
  job all;
  const int me = all.rank();
  const cyclic rows{given["rows"] * all.size(), all.size()};
  const auto seed = static_cast<std::uint64_t>(given["seed"]);
  const double p = static_cast<double>(given["degree"]) / static_cast<double>(rows.n);
  const random_permutation new_row(rows.n, seed + 1);
  const random_permutation new_column(rows.n, seed + 2);
  sparse_rows matrix;
  std::vector<std::int64_t> row_images;
  symmetric_array column_images(rows.n_local_most());
  for (std::int64_t r = 0; r < rows.n_local(me); ++r) {
    const std::int64_t g = rows.global(me, r);
    for_each_random_column(seed, g, rows.n, p, [&](std::int64_t c) { matrix.columns.push_back(c); });
    matrix.end_row();
    row_images.push_back(new_row(g));
    *column_images.at(r) = new_column(g);
  }
  sparse_rows permuted;
  const auto run = [&] {
    // lines: begin
    symmetric_array next(rows.n_local_most());
    for (std::int64_t r = 0; r < matrix.n_rows(); ++r) {
      const std::int64_t image = row_images[static_cast<std::size_t>(r)];
      shmem_long_p(next.at(rows.local(image)), static_cast<long>(matrix.row(r).size()), rows.owner(image));
    }
    barrier_all();
    for (std::int64_t r = 0; r < matrix.n_rows(); ++r) {
      const std::int64_t begin = permuted.offsets.back();
      permuted.offsets.push_back(begin + *next.at(r));
      *next.at(r) = begin;
    }
    symmetric_array columns(all.max(permuted.offsets.back()));
    for (std::int64_t r = 0; r < matrix.n_rows(); ++r) {
      const std::int64_t image = row_images[static_cast<std::size_t>(r)];
      for (const std::int64_t c : matrix.row(r)) {
        const long at = shmem_long_atomic_fetch_add(next.at(rows.local(image)), 1, rows.owner(image));
        shmem_long_p(columns.at(at), c, rows.owner(image));
      }
    }
    barrier_all();
    for (std::int64_t i = 0; i < permuted.offsets.back(); ++i) {
      const std::int64_t c = *columns.at(i);
      permuted.columns.push_back(shmem_long_g(column_images.at(rows.local(c)), rows.owner(c)));
    }
    // lines: end
  };
  const auto is_permuted = [&] {
    std::uint64_t difference = 0;
    for (std::int64_t r = 0; r < matrix.n_rows(); ++r) {
      const std::int64_t g = rows.global(me, r);
      for (const std::int64_t c : matrix.row(r)) difference -= entry_sum(new_row(g), new_column(c));
      for (const std::int64_t c : permuted.row(r)) difference += entry_sum(g, c);
    }
    return all.sum(static_cast<std::int64_t>(difference)) == 0;
  };
  return measure(
      all, given["repeat"], {"permute", "OpenSHMEM", "atomics", static_cast<std::int64_t>(matrix.columns.size())},
      [&] { permuted = {}; }, run, is_permuted);
}
