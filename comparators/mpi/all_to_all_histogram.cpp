// Histogram on MPI's all-to-all: updates are sorted by PE and exchanged, some at a time.
#include <algorithm>

#include "comparators/mpi/all_to_all.hpp"
#include "comparators/mpi/job.hpp"
#include "comparators/support/measure.hpp"
#include "comparators/support/options.hpp"
#include "comparators/support/tables.hpp"

using namespace comparators;

int main(int argc, char** argv) {
  const options given(
      argc, argv,
      {{"updates", 1'000'000, 0, 1'000'000'000}, {"table", 1000, 1, 1'000'000'000}, {"at-once", 65536, 1, 1 << 30}});
  job all;
  const auto seed = static_cast<std::uint64_t>(given["seed"]);
  const std::vector<place> updates = places_of(seed, all.rank(), all.size(), given["updates"], given["table"]);
  std::vector<std::int64_t> counts(static_cast<std::size_t>(given["table"]));
  const auto at_once = static_cast<std::size_t>(given["at-once"]);
  const int n_pes = all.size();
  const auto run = [&] {
    // lines: begin
    for (std::size_t begin = 0; begin < updates.size(); begin += at_once) {  // as many times on every PE
      const auto some = std::span(updates).subspan(begin, std::min(at_once, updates.size() - begin));
      for (const std::int64_t index : exchanged(sorted_by_pe(some, n_pes)).words)
        ++counts[static_cast<std::size_t>(index)];
    }
    // lines: end
  };
  return measure(
      all, given["repeat"], {"histogram", "MPI", "all_to_all", given["updates"]}, [&] { std::ranges::fill(counts, 0); },
      run, [&] { return is_histogram(counts, seed, all.rank(), n_pes, given["updates"]); });
}
