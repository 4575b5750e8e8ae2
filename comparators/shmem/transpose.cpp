// Transposition of a sparse matrix on OpenSHMEM: additions count the entries of the new rows, then say where each is put.
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
  sparse_rows matrix;
  for (std::int64_t r = 0; r < rows.n_local(me); ++r) {
    for_each_random_column(seed, rows.global(me, r), rows.n, p, [&](std::int64_t c) { matrix.columns.push_back(c); });
    matrix.end_row();
  }
  sparse_rows transposed;
  const auto run = [&] {
    // lines: begin
    symmetric_array next(rows.n_local_most());
    for (const std::int64_t c : matrix.columns) shmem_long_atomic_add(next.at(rows.local(c)), 1, rows.owner(c));
    barrier_all();
    for (std::int64_t r = 0; r < matrix.n_rows(); ++r) {
      const std::int64_t begin = transposed.offsets.back();
      transposed.offsets.push_back(begin + *next.at(r));
      *next.at(r) = begin;
    }
    symmetric_array columns(all.max(transposed.offsets.back()));
    for (std::int64_t r = 0; r < matrix.n_rows(); ++r) {
      for (const std::int64_t c : matrix.row(r)) {
        const long at = shmem_long_atomic_fetch_add(next.at(rows.local(c)), 1, rows.owner(c));
        shmem_long_p(columns.at(at), rows.global(me, r), rows.owner(c));
      }
    }
    barrier_all();
    transposed.columns.assign(columns.at(0), columns.at(transposed.offsets.back()));
    // lines: end
  };
  const auto is_transposed = [&] {
    std::uint64_t difference = 0;
    for (std::int64_t r = 0; r < matrix.n_rows(); ++r) {
      const std::int64_t g = rows.global(me, r);
      for (const std::int64_t c : matrix.row(r)) difference -= entry_sum(c, g);
      for (const std::int64_t c : transposed.row(r)) difference += entry_sum(g, c);
    }
    return all.sum(static_cast<std::int64_t>(difference)) == 0;
  };
  return measure(
      all, given["repeat"], {"transpose", "OpenSHMEM", "atomics", static_cast<std::int64_t>(matrix.columns.size())},
      [&] { transposed = {}; }, run, is_transposed);
}
