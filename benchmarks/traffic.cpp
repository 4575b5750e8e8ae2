// Whether one choice of buffers suits all traffic: uniform, skewed, bursty and low-load traffic, and one PE that
// computes what the others wait for. Compares the defaults with eight fixed slot sizes of the same budget, each in its
// own job. Prints for each kind of traffic how much longer the defaults take than the best fixed size.
//
//     bench_traffic --substrate sim     in virtual time, 16 PEs, instead of two real ones
// processors: 2
#include <cstdint>
#include <fstream>
#include <string>
#include <vector>

#include "benchmarks/support/benchmark.hpp"
#include "benchmarks/support/jobs.hpp"
#include "shoal/actor/run.hpp"
#include "shoal/base/random.hpp"
#include "shoal/base/settings.hpp"
#include "shoal/substrate/substrate_kind.hpp"

namespace {

using namespace shoal;

enum class traffic { uniform, skewed, bursty, low_load, fed };
constexpr const char* names[] = {"uniform", "skewed", "bursty", "low_load", "fed"};
constexpr int n_traffics = 5;

// What the feeding PE computes for each message. Each receiver computes so long that all of them together are as fast.
constexpr std::uint64_t feed_ns = 50;

struct parcel {
  std::uint64_t slot;
};

// The duration of a superstep of `n` messages a PE, in ns of the world's clock. On `sim`, sends and handlers declare
// what they cost.
double run_superstep(world& w, traffic kind, std::uint64_t n) {
  const auto n_pes = static_cast<std::uint64_t>(w.n_pes());
  const bool is_virtual = is_simulated(w.backend().kind());
  random_engine random(3, static_cast<std::uint64_t>(w.my_pe()));
  std::vector<pe_id> targets(n);
  for (pe_id& target : targets) {
    const bool is_hot = kind == traffic::skewed && random.below(10) != 0;
    target = is_hot ? 0 : static_cast<pe_id>(random.below(n_pes));
  }
  std::vector<std::uint64_t> counts(1024);
  const bool is_fed = kind == traffic::fed && n_pes > 1;
  const std::uint64_t n_fed = n_pes - is_fed;
  const auto compute = [&](std::uint64_t ns) {
    if (is_virtual) {
      w.charge_ns(ns);
    } else {
      for (const std::uint64_t until = w.now_ns() + ns; w.now_ns() < until;) {
      }
    }
  };
  const auto count = [&](parcel p) {
    ++counts[p.slot % counts.size()];
    if (is_fed) {
      compute(feed_ns * n_fed);
    } else if (is_virtual) {
      w.charge_ns(3);
    }
  };
  actor update{w, count};

  // A few tokens that wander from PE to PE: what counts is how soon each moves on.
  struct wanderer : selector<wanderer, std::uint64_t> {
    explicit wanderer(world& home)
        : selector(home), n_pes(static_cast<std::uint64_t>(home.n_pes())), me(home.my_pe()) {}
    void process(std::uint64_t n_hops) {
      if (n_hops > 0) send(static_cast<pe_id>((static_cast<std::uint64_t>(me) * 7 + n_hops) % n_pes), n_hops - 1);
    }
    std::uint64_t n_pes;
    pe_id me;
  } tokens{w};

  w.barrier();
  const std::uint64_t begin = w.now_ns();
  w.finish([&] {
    if (kind == traffic::low_load) {
      for (int i = 0; i < 4; ++i) tokens.send(w.my_pe(), n / 100);
      return;
    }
    if (is_fed) {
      for (std::uint64_t i = 0; i < n && w.my_pe() == 0; ++i) {
        compute(feed_ns);
        update.send(static_cast<pe_id>(1 + i % n_fed), parcel{i});
      }
      return;
    }
    for (std::uint64_t i = 0; i < n; ++i) {
      update.send(targets[i], parcel{i});
      if (is_virtual) w.charge_ns(3);
      if (kind == traffic::bursty && i % 5000 == 4999) {
        // Computes for as long as sending the burst took, so that other PEs can work on what they received.
        compute(15'000);
        w.progress();
      }
    }
  });
  return static_cast<double>(w.now_ns() - begin);
}

// The median of some supersteps, in seconds. Collective.
double measure(world& w, traffic kind, std::uint64_t n, int n_supersteps) {
  run_superstep(w, kind, n);  // warms up
  std::vector<double> ns;
  for (int i = 0; i < n_supersteps; ++i) ns.push_back(w.max(run_superstep(w, kind, n)));
  return bench::summarise(ns).median * 1e-9;
}

// A PE of one of the jobs: `--job TRAFFIC MESSAGES FILE`.
int run_pe(world& w, const std::vector<std::string>& words) {
  const auto kind = static_cast<traffic>(parse_integer(words.at(1), "--job", 0, n_traffics - 1));
  const auto n = static_cast<std::uint64_t>(parse_integer(words.at(2), "--job", 1, INT64_MAX));
  const double seconds = measure(w, kind, n, 5);
  if (w.my_pe() == 0) std::ofstream(words.at(3)) << seconds << '\n';
  return 0;
}

// One job; `slot_bytes` 0: the default.
double run_job(bool is_simulated, int n_pes, int kind, std::uint64_t n, int slot_bytes) {
  if (!is_simulated) {
    bench::environment variables;
    if (slot_bytes != 0) variables.emplace_back("SHOAL_SLOT_BYTES", std::to_string(slot_bytes));
    return bench::run_job(n_pes, variables, {"--job", std::to_string(kind), std::to_string(n)}).at(0);
  }
  settings chosen;
  chosen.substrate.value = substrate_kind::sim;
  chosen.n_pes.value = n_pes;
  chosen.slot_bytes.value = static_cast<std::size_t>(slot_bytes);
  chosen.heap_bytes.value = 1 << 16;
  double seconds = 0;
  run_with(chosen, [&](world& w) {
    const double mine = measure(w, static_cast<traffic>(kind), n, 1);
    if (w.my_pe() == 0) seconds = mine;
    return 0;
  });
  return seconds;
}

int compare(const bench::options& given, bool is_simulated) {
  const std::uint64_t n = given.is_smoke ? 2'000 : is_simulated ? 20'000 : 1'000'000;
  const int n_pes = is_simulated ? 16 : 2;
  const int n_repeats = is_simulated || given.is_smoke ? 1 : given.n_repeats;
  const std::vector<int> sizes =
      given.is_smoke ? std::vector{4096} : std::vector{512, 1024, 2048, 4096, 8192, 16384, 32768, 65536};
  for (int kind = 0; kind < n_traffics; ++kind) {
    std::vector<double> chosen;
    std::vector<std::vector<double>> fixed(sizes.size());
    for (int repeat = 0; repeat < n_repeats; ++repeat) {
      chosen.push_back(run_job(is_simulated, n_pes, kind, n, 0));
      for (std::size_t i = 0; i < sizes.size(); ++i) {
        fixed[i].push_back(run_job(is_simulated, n_pes, kind, n, sizes[i]));
      }
    }
    const std::string where = "pes=" + std::to_string(n_pes) + (is_simulated ? " substrate=sim" : " substrate=local");
    const std::string name = names[kind];
    bench::print_result("traffic", {name + "_defaults", double(n), "ns"}, chosen, true, where);
    double best = 0;
    for (std::size_t i = 0; i < sizes.size(); ++i) {
      bench::print_result("traffic", {name + "_slots_of_" + std::to_string(sizes[i]), double(n), "ns"}, fixed[i], true,
                          where);
      const double median = bench::summarise(fixed[i]).median;
      if (best == 0 || median < best) best = median;
    }
    std::printf("bench=traffic derived=%s_defaults_to_best value=%.3f\n", names[kind],
                bench::summarise(chosen).median / best);
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    bench::options given = bench::parse_options(argc, argv);
    if (!given.others.empty() && given.others[0] == "--job") {
      return run(argc, argv, [&](world& w) { return run_pe(w, given.others); });
    }
    const bool is_simulated = given.others == std::vector<std::string>{"--substrate", "sim"};
    if (!is_simulated) bench::refuse_others(given);
    return compare(given, is_simulated);
  } catch (const setup_error& e) {
    std::fprintf(stderr, "bench_traffic: %s\n", e.what());
    return 2;
  }
}
