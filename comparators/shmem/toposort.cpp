// Topological sort on OpenSHMEM, in rounds: each PE takes its rows that have one entry left, gets the rows of its column,
// and takes the column away from them by atomic additions.
#include "comparators/shmem/job.hpp"
#include "comparators/support/matrix.hpp"
#include "comparators/support/measure.hpp"
#include "comparators/support/options.hpp"

using namespace comparators;

namespace {

// An upper triangle with ones on its diagonal, whose rows and columns two permutations hide. Calls use(row, column).
template <class Use>
void for_each_hidden_entry(std::uint64_t seed, std::int64_t n, double p, Use use) {
  const random_permutation row_of(n, seed + 1);
  const random_permutation column_of(n, seed + 2);
  for (std::int64_t r = 0; r < n; ++r) {
    const std::int64_t row = row_of(n - 1 - r);
    use(row, column_of(n - 1 - r));
    for_each_random_column(seed, r, r, p, [&](std::int64_t c) { use(row, column_of(n - 1 - c)); });
  }
}

// The lists of this PE's rows (or columns, if `entries` swaps them).
template <class ForEach>
sparse_rows lists_of(const cyclic& rows, int me, ForEach for_each) {
  std::vector<std::vector<std::int64_t>> lists(static_cast<std::size_t>(rows.n_local(me)));
  for_each([&](std::int64_t row, std::int64_t column) {
    if (rows.owner(row) == me) lists[static_cast<std::size_t>(rows.local(row))].push_back(column);
  });
  sparse_rows made;
  for (const auto& list : lists) {
    made.columns.insert(made.columns.end(), list.begin(), list.end());
    made.end_row();
  }
  return made;
}

}  // namespace

int main(int argc, char** argv) {
  const options given(argc, argv, {{"rows", 10'000, 1, 1'000'000'000}, {"degree", 10, 1, 1000}});
  job all;
  const int me = all.rank();
  const cyclic rows{given["rows"] * all.size(), all.size()};
  const auto seed = static_cast<std::uint64_t>(given["seed"]);
  const double p = static_cast<double>(given["degree"]) / static_cast<double>(rows.n);
  const auto entries = [&](auto use) { for_each_hidden_entry(seed, rows.n, p, use); };
  const sparse_rows matrix = lists_of(rows, me, entries);
  const sparse_rows by_column =
      lists_of(rows, me, [&](auto use) { entries([&](std::int64_t row, std::int64_t column) { use(column, row); }); });
  symmetric_array offsets(rows.n_local_most() + 1);
  symmetric_array rows_of_columns(all.max(by_column.offsets.back()));
  std::ranges::copy(by_column.offsets, offsets.mine().begin());
  std::ranges::copy(by_column.columns, rows_of_columns.mine().begin());
  symmetric_array n_left(rows.n_local_most());
  symmetric_array sum_left(rows.n_local_most());
  symmetric_array row_places(rows.n_local_most());
  symmetric_array column_places(rows.n_local_most());

  const auto prepare = [&] {
    for (std::int64_t r = 0; r < matrix.n_rows(); ++r) {
      *n_left.at(r) = static_cast<long>(matrix.row(r).size());
      *sum_left.at(r) = 0;
      for (const std::int64_t c : matrix.row(r)) *sum_left.at(r) += c;
    }
    std::ranges::fill(row_places.mine(), -1);
    std::ranges::fill(column_places.mine(), -1);
  };
  const auto run = [&] {
    // lines: begin
    std::vector<std::int64_t> taken;  // rows of this PE, in this round
    std::vector<std::int64_t> others;
    for (std::int64_t n_placed = 0; n_placed < rows.n;) {
      taken.clear();
      for (std::int64_t r = 0; r < matrix.n_rows(); ++r) {
        if (*n_left.at(r) == 1) taken.push_back(r);
      }
      const auto n_taken = static_cast<std::int64_t>(taken.size());
      std::int64_t place = rows.n - 1 - n_placed - all.sum_before(n_taken);  // from the last row up
      n_placed += all.sum(n_taken);
      for (const std::int64_t r : taken) {
        const std::int64_t column = *sum_left.at(r);
        *row_places.at(r) = place;
        shmem_long_p(column_places.at(rows.local(column)), place--, rows.owner(column));
        long ends[2];
        shmem_long_get(ends, offsets.at(rows.local(column)), 2, rows.owner(column));
        others.resize(static_cast<std::size_t>(ends[1] - ends[0]));
        shmem_long_get(others.data(), rows_of_columns.at(ends[0]), others.size(), rows.owner(column));
        for (const std::int64_t other : others) {
          shmem_long_atomic_add(sum_left.at(rows.local(other)), -column, rows.owner(other));
          shmem_long_atomic_add(n_left.at(rows.local(other)), -1, rows.owner(other));
        }
      }
      barrier_all();
    }
    // lines: end
  };
  // Triangular again: every entry on the diagonal or above, and one on it in each row.
  const auto is_sorted = [&] {
    bool is_right = true;
    std::uint64_t difference = 0;  // of rows' places to all places
    for (std::int64_t r = 0; r < matrix.n_rows(); ++r) {
      const long row = *row_places.at(r);
      difference += mixed(static_cast<std::uint64_t>(row)) - mixed(static_cast<std::uint64_t>(rows.global(me, r)));
      std::int64_t n_on_diagonal = 0;
      for (const std::int64_t c : matrix.row(r)) {
        const long column = shmem_long_g(column_places.at(rows.local(c)), rows.owner(c));
        n_on_diagonal += column == row;
        is_right = is_right && column >= row;
      }
      is_right = is_right && n_on_diagonal == 1;
    }
    return all.sum(static_cast<std::int64_t>(difference)) == 0 && is_right;
  };
  return measure(all, given["repeat"],
                 {"toposort", "OpenSHMEM", "atomics", static_cast<std::int64_t>(matrix.columns.size())}, prepare, run,
                 is_sorted);
}
