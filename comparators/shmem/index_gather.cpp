// Index gather on OpenSHMEM: a get for each read, which waits (variant get) or does not (variant get_nbi).
#include "comparators/shmem/job.hpp"
#include "comparators/support/measure.hpp"
#include "comparators/support/options.hpp"
#include "comparators/support/tables.hpp"

using namespace comparators;

int main(int argc, char** argv) {
  const options given(
      argc, argv,
      {{"reads", 1'000'000, 0, 1'000'000'000}, {"table", 1000, 1, 1'000'000'000}, {"nonblocking", 0, 0, 1}});
  job all;
  const auto seed = static_cast<std::uint64_t>(given["seed"]);
  const std::vector<place> reads = places_of(seed, all.rank(), all.size(), given["reads"], given["table"]);
  symmetric_array table(given["table"]);
  for (std::int64_t i = 0; i < given["table"]; ++i) *table.at(i) = value_at(i, all.rank());
  std::vector<long> values(reads.size());
  const bool waits = given["nonblocking"] == 0;
  const auto run = [&] {
    // lines: begin
    std::size_t i = 0;
    if (waits) {
      for (const auto [index, pe] : reads) values[i++] = shmem_long_g(table.at(index), pe);
    } else {
      for (const auto [index, pe] : reads) shmem_long_get_nbi(&values[i++], table.at(index), 1, pe);
      shmem_quiet();
    }
    // lines: end
  };
  return measure(
      all, given["repeat"], {"index_gather", "OpenSHMEM", waits ? "get" : "get_nbi", given["reads"]},
      [&] { std::ranges::fill(values, 0); }, run, [&] { return is_gathered(reads, values); });
}
