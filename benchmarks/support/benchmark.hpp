/// What the benchmarks share: options, timing on all PEs, and the format of a result.
///
/// A result is one line of `name=value` fields, readable for people, grep and awk:
///
///     bench=superstep case=finish pes=2 … repeats=9 median=1.3 min=1.2 max=1.9 unit=us verified=yes …
#pragma once

#include <sched.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "shoal/base/internal/cores.hpp"
#include "shoal/base/internal/handoff.hpp"
#include "shoal/base/parse.hpp"
#include "shoal/base/setup_error.hpp"
#include "shoal/base/version.hpp"
#include "shoal/shoal.hpp"
#include "shoal/substrate/substrate_kind.hpp"

namespace shoal::bench {

struct options {
  bool is_smoke = false;  // small enough for a test
  int n_repeats = 9;
  std::vector<std::string> others;  // options of the benchmark itself
};

/// `--smoke`, `--repeat R`; the rest goes to `others`. Throws setup_error.
inline options parse_options(int argc, char** argv) {
  options given;
  for (int i = 1; i < argc; ++i) {
    const std::string_view word = argv[i];
    if (word == "--smoke") {
      given.is_smoke = true;
      given.n_repeats = 3;
    } else if (word == "--repeat" && i + 1 < argc) {
      given.n_repeats = static_cast<int>(parse_integer(argv[++i], "--repeat", 1, 10'000));
    } else {
      given.others.emplace_back(word);
    }
  }
  return given;
}

inline void refuse_others(const options& given) {
  if (given.others.empty()) return;
  throw setup_error("unknown option '" + given.others.front() + "'; there are --smoke and --repeat R");
}

struct summary {
  double median = 0;
  double min = 0;
  double max = 0;
};

inline summary summarise(std::vector<double> values) {
  if (values.empty()) return {};
  std::ranges::sort(values);
  const std::size_t n = values.size();
  const double median = n % 2 == 1 ? values[n / 2] : (values[n / 2 - 1] + values[n / 2]) / 2;
  return {median, values.front(), values.back()};
}

/// What is measured, and how a time becomes the printed number.
struct measured_case {
  std::string name;
  double n_per_run = 1;  // the run's time is divided by this
  std::string unit = "ns";  // ns, us or s
  std::string parameters{};  // further "name=value" fields
};

/// Prints one line. `samples_s` are the times of the repeats.
inline void print_result(std::string_view benchmark, const measured_case& what, std::vector<double> samples_s,
                         bool is_verified, std::string_view where) {
  const double scale = (what.unit == "s" ? 1 : what.unit == "us" ? 1e6 : 1e9) / what.n_per_run;
  for (double& sample : samples_s) sample *= scale;
  const summary of = summarise(samples_s);
  const auto version = shoal::version();
  std::printf(
      "bench=%.*s case=%s %.*s%s%s repeats=%zu median=%.4g min=%.4g max=%.4g unit=%s verified=%s "
      "version=%.*s\n",
      static_cast<int>(benchmark.size()), benchmark.data(), what.name.c_str(), static_cast<int>(where.size()),
      where.data(), what.parameters.empty() ? "" : " ", what.parameters.c_str(), samples_s.size(), of.median, of.min,
      of.max, what.unit.c_str(), is_verified ? "yes" : "NO", static_cast<int>(version.size()), version.data());
  std::fflush(stdout);
}

/// The hand-off between the cores of the first two PEs; empty on one PE, on `sim`, and if two PEs share a core.
/// Collective.
inline std::optional<double> measure_handoff(world& w) {
  const std::vector<int> cpus = w.gather(::sched_getcpu());
  std::optional<double> result;
  if (w.my_pe() == 0 && !is_simulated(w.backend().kind())) {
    const auto other = std::ranges::find_if(cpus, [&](int cpu) { return cpu != cpus[0]; });
    if (other != cpus.end()) result = internal::measure_handoff_ns(cpus[0], *other);
  }
  w.barrier();  // the other PEs sleep here meanwhile
  return result;
}

/// One benchmark on all PEs of a job.
class benchmark {
public:
  /// Collective.
  benchmark(world& w, std::string name, const options& given) : world_(w), name_(std::move(name)), given_(given) {
    const std::optional<double> handoff = measure_handoff(w);
    where_ = "pes=" + std::to_string(w.n_pes()) + " substrate=" + std::string(w.backend().name()) +
             " cores=" + std::to_string(w.chosen_settings().n_cores.value) +
             " slots=" + std::to_string(w.backend().n_slots()) +
             " slot_bytes=" + std::to_string(w.backend().payload_bytes());
    if (handoff) {
      where_ += " handoff_ns=" + std::to_string(static_cast<int>(*handoff + 0.5)) +
                (*handoff < internal::handoff_near_ns_max ? " state=near" : " state=far");
    }
  }

  /// Collective. Runs once to warm up and verifies that; then times the repeats, each between two barriers; prints the
  /// line on PE 0. `run()` does the work, `verify()` says whether its result is right on this PE. Returns the median,
  /// in the case's unit, on PE 0.
  template <class Run, class Verify>
  double measure(const measured_case& what, Run&& run, Verify&& verify) {
    run();
    const bool is_verified = world_.min(int{verify()}) == 1;
    is_verified_ = is_verified_ && is_verified;
    std::vector<double> samples_s;
    for (int i = 0; i < given_.n_repeats; ++i) {
      world_.barrier();
      const std::uint64_t begin = world_.now_ns();
      run();
      world_.barrier();
      samples_s.push_back(static_cast<double>(world_.now_ns() - begin) * 1e-9);
    }
    if (world_.my_pe() == 0) print_result(name_, what, samples_s, is_verified, where_);
    const double scale = (what.unit == "s" ? 1 : what.unit == "us" ? 1e6 : 1e9) / what.n_per_run;
    return summarise(samples_s).median * scale;
  }

  /// Prints a number derived from others, such as a ratio. On PE 0.
  void derive(std::string_view what, double value) const {
    if (world_.my_pe() != 0) return;
    std::printf("bench=%s derived=%.*s value=%.3f\n", name_.c_str(), static_cast<int>(what.size()), what.data(), value);
  }

  bool is_smoke() const noexcept { return given_.is_smoke; }

  /// The exit status: 0 if everything measured was verified.
  int status() const noexcept { return is_verified_ ? 0 : 1; }

private:
  world& world_;
  std::string name_;
  options given_;
  std::string where_;
  bool is_verified_ = true;
};

/// The main of a benchmark without options of its own: calls measure(world, benchmark) on each PE.
template <class Measure>
int run_one(int argc, char** argv, const std::string& name, Measure measure) {
  try {
    const options given = parse_options(argc, argv);
    refuse_others(given);
    return run(argc, argv, [&](world& w) {
      benchmark all(w, name, given);
      measure(w, all);
      return all.status();
    });
  } catch (const setup_error& e) {
    std::fprintf(stderr, "bench_%s: %s\n", name.c_str(), e.what());
    return 2;
  }
}

}  // namespace shoal::bench
