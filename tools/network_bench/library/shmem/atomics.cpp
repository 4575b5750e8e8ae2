// Atomic additions, which return the old value or are completed by quiet.
#include "tools/network_bench/library/shmem/measures.hpp"
#include "tools/network_bench/library/support/clock.hpp"

namespace network_bench {
namespace {

constexpr std::size_t word_bytes = sizeof(std::uint64_t);
static_assert(sizeof(unsigned long) == word_bytes, "the functions for unsigned long serve 64-bit integers");

}  // namespace

void measure_fetch_add(session& all) {
  symmetric_memory counter(word_bytes);
  const std::uint64_t step = all.spoils("fetch_add") ? 2 : 1;
  std::uint64_t n_added = 0;
  bool is_right = true;
  all.measure(
      {"fetch_add", "atomic", word_bytes},
      [&](std::int64_t n) {
        const double begin = now_ns();
        for (std::int64_t i = 0; all.is_first() && i < n; ++i) {
          const std::uint64_t before = shmem_ulong_atomic_fetch_add(counter.word(), step, second_pe);
          is_right = is_right && before == n_added++;
        }
        return (now_ns() - begin) / static_cast<double>(n);
      },
      [&] { return is_right; });
}

void measure_add(session& all) {
  symmetric_memory counter(word_bytes);
  const std::uint64_t step = all.spoils("add") ? 2 : 1;
  std::uint64_t n_added = 0;
  all.measure(
      {"add", "quiet", word_bytes},
      [&](std::int64_t n) {
        n_added += static_cast<std::uint64_t>(n);
        const double begin = now_ns();
        for (std::int64_t i = 0; all.is_first() && i < n; ++i) {
          shmem_ulong_atomic_add(counter.word(), step, second_pe);
          shmem_quiet();
        }
        return (now_ns() - begin) / static_cast<double>(n);
      },
      [&] { return all.is_first() || *static_cast<volatile std::uint64_t*>(counter.word()) == n_added; });
}

}  // namespace network_bench
