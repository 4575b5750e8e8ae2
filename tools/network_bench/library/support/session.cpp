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
// Which part of its time a trial must take at least, and which the median of the blocks.
constexpr double enough_of_trial = 0.7;
constexpr double enough_of_blocks = 0.35;
// A block of messages that are on their way at the same time lasts at least so many meetings, which are ten round trips.
constexpr double n_meetings_of_pipeline = 20;
constexpr std::int64_t n_repeats_most = std::int64_t{1} << 30;

// More than `n` repeats if they took less than `enough` of a block's time, else `n`.
std::int64_t next_n_repeats(std::int64_t n, double spent_ns, double block_ns, double enough) {
  if (spent_ns >= enough * block_ns || n >= n_repeats_most) return n;
  const double wanted = static_cast<double>(n) * block_ns / std::max(spent_ns, 1.0);
  // A short trial tells little, so the number grows step by step.
  return std::clamp(static_cast<std::int64_t>(wanted), n + 1, std::min(16 * n, n_repeats_most));
}

// Even if every trial is interrupted, a block has several messages, but no more than 4 MiB for this reason alone.
std::int64_t n_pipelined_least(std::size_t bytes) {
  constexpr std::size_t in_flight_most = 4u << 20;
  return static_cast<std::int64_t>(std::clamp<std::size_t>(in_flight_most / bytes, 1, 8));
}

}  // namespace

session::session(process_pair& processes, const options& given) : processes_(processes), given_(given) {
  constexpr int n_trials = 3;
  // One meeting alone tells nothing: it takes no time at all in the process that comes late.
  constexpr int n_meetings = 10;
  double least_ns = 1e18;
  for (int trial = 0; trial < n_trials; ++trial) {
    const double begin = now_ns();
    for (int i = 0; i < n_meetings; ++i) processes_.meet();
    least_ns = std::min(least_ns, (now_ns() - begin) / n_meetings);
  }
  meeting_ns_ = least_ns;
}

double session::time_of(const block_run& run, std::int64_t n, double& result) {
  processes_.meet();
  const double begin = now_ns();
  result = run(n);
  return now_ns() - begin;
}

session::blocks session::measured(const block_run& run, std::int64_t n_least, double block_ns) {
  blocks found;
  std::int64_t n = n_least;
  while (n != found.n_repeats) {
    // Short trials find a number of repeats. They mislead if they were interrupted, so the blocks themselves must
    // confirm it.
    double ignored = 0;
    for (std::int64_t last = 0; n != last;) {
      last = n;
      n = processes_.from_first(next_n_repeats(n, time_of(run, n, ignored), block_ns, enough_of_trial));
    }
    found = {n, {}};
    std::vector<double> spent_ns;
    for (int block = 0; block < n_blocks; ++block) {
      double result = 0;
      spent_ns.push_back(time_of(run, n, result));
      found.results.push_back(result);
    }
    n = processes_.from_first(next_n_repeats(n, summary_of(spent_ns).median, block_ns, enough_of_blocks));
  }
  return found;
}

void session::measure(const point& of, const block_run& run, const std::function<bool()>& is_right) {
  processes_.meet();
  run(n_repeats_checked);
  processes_.meet();
  if (processes_.sum(is_right() ? 0 : 1) != 0) {
    throw wrong_data(of.measure + ", " + of.mode + ", " + std::to_string(of.bytes) +
                     " bytes: the data that arrived are wrong");
  }
  const double pipeline_ns = of.is_pipelined ? n_meetings_of_pipeline * meeting_ns_ : 0;
  const std::int64_t n_least = of.is_pipelined ? n_pipelined_least(of.bytes) : 1;
  const blocks found = measured(run, n_least, std::max(given_.least_seconds * 1e9 / n_blocks, pipeline_ns));
  const summary result = summary_of(found.results);
  json_line line;
  line.text("measure", of.measure).text("mode", of.mode).number("bytes", static_cast<std::int64_t>(of.bytes));
  if (of.n_threads > 0) line.number("threads", of.n_threads);
  line.decimal(of.unit, result.median).decimal("low", result.low).decimal("high", result.high);
  print(line.number("n", found.n_repeats * n_blocks));
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
