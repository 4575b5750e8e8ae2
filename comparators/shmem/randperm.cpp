// Random permutation on OpenSHMEM: darts that a compare-and-swap throws at a board of twice their number.
#include "comparators/shmem/job.hpp"
#include "comparators/support/measure.hpp"
#include "comparators/support/options.hpp"
#include "comparators/support/random.hpp"

using namespace comparators;

int main(int argc, char** argv) {
  const options given(argc, argv, {{"entries", 100'000, 1, 1'000'000'000}});
  job all;
  const std::int64_t entries = given["entries"];
  const int n_pes = all.size();
  const int me = all.rank();
  const auto seed = static_cast<std::uint64_t>(given["seed"]);
  symmetric_array board(2 * entries);
  symmetric_array permutation(entries);
  const auto run = [&] {
    // lines: begin
    random_sequence random(seed, static_cast<std::uint64_t>(me));
    for (std::int64_t i = 0; i < entries; ++i) {
      for (bool sticks = false; !sticks;) {
        const std::int64_t at = random.below(2 * entries * n_pes);
        sticks = shmem_long_atomic_compare_swap(board.at(at / n_pes), -1, i * n_pes + me,
                                                static_cast<int>(at % n_pes)) == -1;
      }
    }
    barrier_all();
    const auto darts = board.mine();
    std::int64_t next = all.sum_before(std::ranges::count_if(darts, [](long dart) { return dart != -1; }));
    for (const long dart : darts) {
      if (dart == -1) continue;
      shmem_long_p(permutation.at(next / n_pes), dart, static_cast<int>(next % n_pes));
      ++next;
    }
    shmem_quiet();
    // lines: end
  };
  const auto prepare = [&] {
    std::ranges::fill(board.mine(), -1);
    std::ranges::fill(permutation.mine(), -1);
  };
  const auto is_permutation = [&] {
    std::uint64_t difference = 0;
    for (std::int64_t i = 0; i < entries; ++i) {
      difference +=
          mixed(static_cast<std::uint64_t>(*permutation.at(i))) - mixed(static_cast<std::uint64_t>(i * n_pes + me));
    }
    return all.sum(static_cast<std::int64_t>(difference)) == 0;
  };
  return measure(all, given["repeat"], {"randperm", "OpenSHMEM", "compare_swap", entries}, prepare, run,
                 is_permutation);
}
