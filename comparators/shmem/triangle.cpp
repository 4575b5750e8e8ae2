// Triangle counting on OpenSHMEM: for each edge (i, j) gets the row of j, and counts what it has in common with that of i.
#include "comparators/shmem/job.hpp"
#include "comparators/support/matrix.hpp"
#include "comparators/support/measure.hpp"
#include "comparators/support/options.hpp"

using namespace comparators;

namespace {

std::int64_t n_common(std::span<const std::int64_t> a, std::span<const std::int64_t> b) {
  std::int64_t n = 0;
  for (std::size_t i = 0, j = 0; i < a.size() && j < b.size();) {
    n += a[i] == b[j];
    const bool steps_a = a[i] <= b[j];
    j += b[j] <= a[i];
    i += steps_a;
  }
  return n;
}

// Of the whole graph, which each PE can make.
std::int64_t n_triangles_by_one_pe(std::uint64_t seed, std::int64_t n, double p) {
  sparse_rows below;
  for (std::int64_t r = 0; r < n; ++r) {
    for_each_random_column(seed, r, r, p, [&](std::int64_t c) { below.columns.push_back(c); });
    below.end_row();
  }
  std::int64_t n_found = 0;
  std::vector<char> is_below_r(static_cast<std::size_t>(n), 0);
  for (std::int64_t r = 0; r < n; ++r) {
    for (const std::int64_t c : below.row(r)) is_below_r[static_cast<std::size_t>(c)] = 1;
    for (const std::int64_t c : below.row(r)) {
      for (const std::int64_t d : below.row(c)) n_found += is_below_r[static_cast<std::size_t>(d)];
    }
    for (const std::int64_t c : below.row(r)) is_below_r[static_cast<std::size_t>(c)] = 0;
  }
  return n_found;
}

}  // namespace

int main(int argc, char** argv) {
  const options given(argc, argv, {{"rows", 10'000, 1, 1'000'000'000}, {"degree", 10, 1, 1000}});
  job all;
  const int me = all.rank();
  const cyclic rows{given["rows"] * all.size(), all.size()};
  const auto seed = static_cast<std::uint64_t>(given["seed"]);
  const double p = static_cast<double>(given["degree"]) / static_cast<double>(rows.n);
  sparse_rows below;  // the neighbours with lower numbers
  for (std::int64_t r = 0; r < rows.n_local(me); ++r) {
    const std::int64_t g = rows.global(me, r);
    for_each_random_column(seed, g, g, p, [&](std::int64_t c) { below.columns.push_back(c); });
    below.end_row();
  }
  symmetric_array offsets(rows.n_local_most() + 1);
  symmetric_array columns(all.max(below.offsets.back()));
  std::ranges::copy(below.offsets, offsets.mine().begin());
  std::ranges::copy(below.columns, columns.mine().begin());
  const std::int64_t right = me == 0 ? n_triangles_by_one_pe(seed, rows.n, p) : 0;
  std::int64_t n_found = 0;
  const auto run = [&] {
    // lines: begin
    std::vector<std::int64_t> other;
    for (std::int64_t r = 0; r < below.n_rows(); ++r) {
      for (const std::int64_t c : below.row(r)) {
        long ends[2];
        shmem_long_get(ends, offsets.at(rows.local(c)), 2, rows.owner(c));
        other.resize(static_cast<std::size_t>(ends[1] - ends[0]));
        shmem_long_get(other.data(), columns.at(ends[0]), other.size(), rows.owner(c));
        n_found += n_common(below.row(r), other);
      }
    }
    // lines: end
  };
  return measure(
      all, given["repeat"], {"triangle", "OpenSHMEM", "get", static_cast<std::int64_t>(below.columns.size())},
      [&] { n_found = 0; }, run,
      [&] {
        const std::int64_t n_all = all.sum(n_found);
        return me != 0 || n_all == right;
      });
}
