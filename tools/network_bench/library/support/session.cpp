#include "tools/network_bench/library/support/session.hpp"

#include <algorithm>
#include <cstdio>

#include "tools/network_bench/library/support/clock.hpp"
#include "tools/network_bench/library/support/memory.hpp"
#include "tools/network_bench/library/support/statistics.hpp"

namespace network_bench {
namespace {

// With 18 blocks the interval of the median has a probability just above 90 %.
constexpr int n_blocks = 18;
constexpr std::int64_t n_repeats_checked = 4;
constexpr std::int64_t n_repeats_most = std::int64_t{1} << 30;

// The repeats of the next trial, given the last one's; as many as before once a block takes about as long as it shall.
std::int64_t next_n_repeats(std::int64_t n, double spent_ns, double block_ns) {
  if (spent_ns >= 0.7 * block_ns || n >= n_repeats_most) return n;
  const double wanted = static_cast<double>(n) * block_ns / std::max(spent_ns, 1.0);
  // A short trial tells little, so the number grows step by step.
  return std::clamp(static_cast<std::int64_t>(wanted), n + 1, std::min(16 * n, n_repeats_most));
}

}  // namespace

std::int64_t session::calibrated(const block_run& run) {
  const double block_ns = given_.least_seconds * 1e9 / n_blocks;
  const auto spent_ns = [&](std::int64_t n) {
    processes_.meet();
    const double begin = now_ns();
    run(n);
    return now_ns() - begin;
  };
  std::int64_t n = 1;
  bool is_confirmed = false;
  while (!is_confirmed) {
    const std::int64_t next = processes_.from_first(next_n_repeats(n, spent_ns(n), block_ns));
    // A trial that was interrupted looks long enough, so the number must suffice twice.
    const std::int64_t confirmed = next == n ? processes_.from_first(next_n_repeats(n, spent_ns(n), block_ns)) : next;
    is_confirmed = confirmed == n;
    n = confirmed;
  }
  return n;
}

void session::measure(const point& of, const block_run& run, const std::function<bool()>& is_right) {
  processes_.meet();
  run(n_repeats_checked);
  processes_.meet();
  if (processes_.sum(is_right() ? 0 : 1) != 0) {
    throw wrong_data(of.measure + ", " + of.mode + ", " + std::to_string(of.bytes) +
                     " bytes: the data that arrived are wrong");
  }
  const std::int64_t n = calibrated(run);
  std::vector<double> results;
  for (int block = 0; block < n_blocks; ++block) {
    processes_.meet();
    results.push_back(run(n));
  }
  const summary result = summary_of(results);
  json_line line;
  line.text("measure", of.measure).text("mode", of.mode).number("bytes", static_cast<std::int64_t>(of.bytes));
  if (of.n_threads > 0) line.number("threads", of.n_threads);
  line.decimal(of.unit, result.median).decimal("low", result.low).decimal("high", result.high);
  print(line.number("n", n * n_blocks));
}

void session::fill(std::span<std::byte> message, const std::string& measure) const {
  fill_pattern(message, is_first());
  if (spoils(measure)) message.back() ^= std::byte{1};
}

bool session::has_arrived(std::span<const std::byte> message) const { return has_pattern(message, !is_first()); }

int measure_all(session& all, const std::vector<measure_group>& groups) {
  try {
    for (const measure_group& group : groups) {
      if (all.given().wants(group.name)) group.measure(all);
    }
  } catch (const wrong_data& wrong) {
    if (all.is_first()) std::fprintf(stderr, "%s\n", wrong.what());
    return 1;
  }
  return 0;
}

}  // namespace network_bench
