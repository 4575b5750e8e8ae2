// Index gather on MPI-3 RMA: a get for each read.
#include <algorithm>

#include "comparators/mpi/job.hpp"
#include "comparators/mpi/window.hpp"
#include "comparators/support/measure.hpp"
#include "comparators/support/options.hpp"
#include "comparators/support/tables.hpp"

using namespace comparators;

int main(int argc, char** argv) {
  const options given(argc, argv, {{"reads", 1'000'000, 0, 1'000'000'000}, {"table", 1000, 1, 1'000'000'000}});
  job all;
  const auto seed = static_cast<std::uint64_t>(given["seed"]);
  const std::vector<place> reads = places_of(seed, all.rank(), all.size(), given["reads"], given["table"]);
  window table(given["table"]);
  const auto mine = table.mine();
  for (std::size_t i = 0; i < mine.size(); ++i) mine[i] = value_at(static_cast<std::int64_t>(i), all.rank());
  table.mine();
  std::vector<std::int64_t> values(reads.size());
  const auto run = [&] {
    // lines: begin
    for (std::size_t i = 0; i < reads.size(); ++i) {
      MPI_Get(&values[i], 1, MPI_INT64_T, reads[i].pe, reads[i].index, 1, MPI_INT64_T, table.handle());
      if ((i + 1) % window::n_open_most == 0) MPI_Win_flush_all(table.handle());
    }
    MPI_Win_flush_all(table.handle());
    // lines: end
  };
  return measure(
      all, given["repeat"], {"index_gather", "MPI-3 RMA", "get", given["reads"]}, [&] { std::ranges::fill(values, 0); },
      run, [&] { return is_gathered(reads, values); });
}
