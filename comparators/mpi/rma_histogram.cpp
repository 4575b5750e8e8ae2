// Histogram on MPI-3 RMA: an accumulate for each update.
#include <algorithm>

#include "comparators/mpi/job.hpp"
#include "comparators/mpi/window.hpp"
#include "comparators/support/measure.hpp"
#include "comparators/support/options.hpp"
#include "comparators/support/tables.hpp"

using namespace comparators;

int main(int argc, char** argv) {
  const options given(argc, argv, {{"updates", 1'000'000, 0, 1'000'000'000}, {"table", 1000, 1, 1'000'000'000}});
  job all;
  const auto seed = static_cast<std::uint64_t>(given["seed"]);
  const std::vector<place> updates = places_of(seed, all.rank(), all.size(), given["updates"], given["table"]);
  window counts(given["table"]);
  const auto run = [&] {
    // lines: begin
    const std::int64_t one = 1;
    std::int64_t n_open = 0;
    for (const auto [index, pe] : updates) {
      MPI_Accumulate(&one, 1, MPI_INT64_T, pe, index, 1, MPI_INT64_T, MPI_SUM, counts.handle());
      if (++n_open % window::n_open_most == 0) MPI_Win_flush_local_all(counts.handle());
    }
    MPI_Win_flush_all(counts.handle());
    // lines: end
  };
  return measure(
      all, given["repeat"], {"histogram", "MPI-3 RMA", "accumulate", given["updates"]},
      [&] { std::ranges::fill(counts.mine(), 0); }, run,
      [&] { return is_histogram(counts.mine(), seed, all.rank(), all.size(), given["updates"]); });
}
