// Index gather on MPI's all-to-all: questions are sorted by PE and exchanged, some at a time; the answers come back in the
// order of the questions.
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
      {{"reads", 1'000'000, 0, 1'000'000'000}, {"table", 1000, 1, 1'000'000'000}, {"at-once", 65536, 1, 1 << 30}});
  job all;
  const auto seed = static_cast<std::uint64_t>(given["seed"]);
  const std::vector<place> reads = places_of(seed, all.rank(), all.size(), given["reads"], given["table"]);
  std::vector<std::int64_t> table(static_cast<std::size_t>(given["table"]));
  for (std::size_t i = 0; i < table.size(); ++i) table[i] = value_at(static_cast<std::int64_t>(i), all.rank());
  std::vector<std::int64_t> values(reads.size());
  const auto at_once = static_cast<std::size_t>(given["at-once"]);
  const int n_pes = all.size();
  const auto run = [&] {
    // lines: begin
    std::vector<std::size_t> order;
    for (std::size_t begin = 0; begin < reads.size(); begin += at_once) {  // as many times on every PE
      const auto some = std::span(reads).subspan(begin, std::min(at_once, reads.size() - begin));
      words_by_pe asked = exchanged(sorted_by_pe(some, n_pes, &order));
      for (std::int64_t& word : asked.words) word = table[static_cast<std::size_t>(word)];
      const words_by_pe answers = exchanged(asked);
      for (std::size_t i = 0; i < some.size(); ++i) values[begin + i] = answers.words[order[i]];
    }
    // lines: end
  };
  return measure(
      all, given["repeat"], {"index_gather", "MPI", "all_to_all", given["reads"]},
      [&] { std::ranges::fill(values, 0); }, run, [&] { return is_gathered(reads, values); });
}
