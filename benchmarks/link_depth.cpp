// How deep a link between two cores should be, and how large its slots: the histogram on two PEs for several numbers
// and sizes of slots, each in its own job. Rounds through all of them are repeated, so that a change of the machine's
// state affects all alike.
// processors: 2
#include <cstdint>
#include <fstream>
#include <string>
#include <vector>

#include "benchmarks/support/benchmark.hpp"
#include "benchmarks/support/jobs.hpp"
#include "kernels/histogram/problem.hpp"

namespace {

using namespace shoal;
namespace histogram = shoal::kernels::histogram;

// A PE of one of the jobs: `--job UPDATES FILE`. Reports seconds and the hand-off.
int run_pe(world& w, const std::vector<std::string>& words) {
  const std::uint64_t n_updates = parse_integer(words.at(1), "--job", 1, INT64_MAX);
  const double handoff_ns = bench::measure_handoff(w).value_or(0);
  histogram::problem p = histogram::make_problem(w, {.n_updates = n_updates});
  histogram::run_actor(w, p);  // warms up
  std::int64_t n_counted = 0;
  for (const std::int64_t count : p.counts) n_counted += count;
  const bool is_right = w.sum(n_counted) == static_cast<std::int64_t>(n_updates) * w.n_pes();
  w.barrier();
  const std::uint64_t begin = w.now_ns();
  histogram::run_actor(w, p);
  w.barrier();
  const double seconds = static_cast<double>(w.now_ns() - begin) * 1e-9;
  if (w.my_pe() == 0) std::ofstream(words.at(2)) << seconds << ' ' << handoff_ns << '\n';
  return is_right ? 0 : 1;
}

struct shape {
  int n_slots;
  int slot_bytes;
  std::vector<double> seconds{};
  std::vector<double> handoff_ns{};
};

int sweep(const bench::options& given) {
  const int n_updates = given.is_smoke ? 100'000 : 10'000'000;
  std::vector<shape> shapes;
  if (given.is_smoke) {
    shapes = {{4, 4096}, {512, 32768}};
  } else {
    for (const int slot_bytes : {2048, 8192, 32768, 131072}) {
      for (const int n_slots : {4, 8, 32, 128, 512}) shapes.push_back({n_slots, slot_bytes});
    }
  }
  for (int repeat = 0; repeat < given.n_repeats; ++repeat) {
    for (shape& s : shapes) {
      const std::vector<double> told = bench::run_job(
          2, {{"SHOAL_SLOTS", std::to_string(s.n_slots)}, {"SHOAL_SLOT_BYTES", std::to_string(s.slot_bytes)}},
          {"--job", std::to_string(n_updates)});
      s.seconds.push_back(told.at(0));
      s.handoff_ns.push_back(told.at(1));
    }
  }
  for (const shape& s : shapes) {
    const bench::summary handoff = bench::summarise(s.handoff_ns);
    bench::print_result(
        "link_depth",
        {"histogram", double(n_updates), "ns",
         "handoff_ns_min=" + std::to_string(int(handoff.min)) + " handoff_ns_max=" + std::to_string(int(handoff.max))},
        s.seconds, true, "pes=2 slots=" + std::to_string(s.n_slots) + " slot_bytes=" + std::to_string(s.slot_bytes));
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const bench::options given = bench::parse_options(argc, argv);
    if (!given.others.empty() && given.others[0] == "--job") {
      return run(argc, argv, [&](world& w) { return run_pe(w, given.others); });
    }
    bench::refuse_others(given);
    return sweep(given);
  } catch (const setup_error& e) {
    std::fprintf(stderr, "bench_link_depth: %s\n", e.what());
    return 2;
  }
}
