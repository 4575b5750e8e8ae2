// Histogram on OpenSHMEM: an atomic addition for each update, which waits (variant fetch) or does not (variant add).
#include "comparators/shmem/job.hpp"
#include "comparators/support/measure.hpp"
#include "comparators/support/options.hpp"
#include "comparators/support/tables.hpp"

using namespace comparators;

int main(int argc, char** argv) {
  const options given(
      argc, argv,
      {{"updates", 1'000'000, 0, 1'000'000'000}, {"table", 1000, 1, 1'000'000'000}, {"nonblocking", 0, 0, 1}});
  job all;
  const auto seed = static_cast<std::uint64_t>(given["seed"]);
  const std::vector<place> updates = places_of(seed, all.rank(), all.size(), given["updates"], given["table"]);
  symmetric_array counts(given["table"]);
  const bool waits = given["nonblocking"] == 0;
  const auto run = [&] {
    // lines: begin
    if (waits) {
      for (const auto [index, pe] : updates) shmem_long_atomic_fetch_add(counts.at(index), 1, pe);
    } else {
      for (const auto [index, pe] : updates) shmem_long_atomic_add(counts.at(index), 1, pe);
    }
    shmem_quiet();
    // lines: end
  };
  return measure(
      all, given["repeat"], {"histogram", "OpenSHMEM", waits ? "fetch" : "add", given["updates"]},
      [&] { std::ranges::fill(counts.mine(), 0); }, run,
      [&] { return is_histogram(counts.mine(), seed, all.rank(), all.size(), given["updates"]); });
}
