// A program that owns its main: it opens a job where it needs many PEs, and closes the job afterwards.
// pes: 1 2 3 4 7
#include <cstdint>
#include <cstdio>

#include <shoal/shoal.hpp>

namespace {

// [own_main]
// How many numbers below `n` are divisible by 3 or 5: a library function whose callers need not know Shoal.
std::int64_t count_multiples(std::int64_t n) {
  shoal::job job;  // collective: all processes call this function
  shoal::world& world = job.world();
  std::int64_t mine = 0;
  for (std::int64_t i = world.my_pe(); i < n; i += world.n_pes()) mine += i % 3 == 0 || i % 5 == 0;
  return world.sum(mine);
}  // the job closes here; the next call opens another one
// [/own_main]

}  // namespace

int main() {
  const std::int64_t below_ten = count_multiples(10);  // 0 3 5 6 9
  const std::int64_t below_million = count_multiples(1'000'000);
  const bool is_right = below_ten == 5 && below_million == 466'667;
  if (!is_right)
    std::printf("wrong: %lld and %lld\n", static_cast<long long>(below_ten), static_cast<long long>(below_million));
  return is_right ? 0 : 1;
}
