// Messages of 8 to 256 bytes to random PEs. The handler reads one word of each.
// pes: 2
#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "benchmarks/support/benchmark.hpp"
#include "shoal/base/random.hpp"

namespace {

using namespace shoal;

template <std::size_t Bytes>
void measure_size(world& w, bench::benchmark& all, const std::vector<std::uint8_t>& targets) {
  using message = std::array<std::int64_t, Bytes / 8>;
  const auto n = static_cast<std::int64_t>(targets.size());
  std::int64_t total = 0;
  const double ns = all.measure(
      {"bytes_" + std::to_string(Bytes), double(n)},
      [&] {
        total = 0;
        w.barrier();
        actor to{w, [&total](const message& m) { total += m[0]; }};
        w.finish([&] {
          message m{};
          m[0] = 1;
          for (const std::uint8_t target : targets) to.send(target, m);
        });
      },
      [&] { return w.sum(total) == n * w.n_pes(); });
  all.derive("GB_per_second_per_pe_" + std::to_string(Bytes), static_cast<double>(Bytes) / ns);
}

int run_benchmark(world& w, const bench::options& given) {
  bench::benchmark all(w, "message_size", given);
  random_engine random(4, w.my_pe());
  std::vector<std::uint8_t> targets(all.is_smoke() ? 20'000 : 2'000'000);
  for (std::uint8_t& target : targets) target = static_cast<std::uint8_t>(random.below(w.n_pes()));
  measure_size<8>(w, all, targets);
  measure_size<16>(w, all, targets);
  measure_size<32>(w, all, targets);
  measure_size<64>(w, all, targets);
  measure_size<128>(w, all, targets);
  measure_size<256>(w, all, targets);
  return all.status();
}

}  // namespace

int main(int argc, char** argv) {
  return run(argc, argv, [&](world& w) {
    const bench::options given = bench::parse_options(argc, argv);
    bench::refuse_others(given);
    return run_benchmark(w, given);
  });
}
