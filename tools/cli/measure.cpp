#include "tools/cli/measure.hpp"

#include <algorithm>
#include <chrono>
#include <iterator>
#include <limits>
#include <memory>
#include <sstream>

#include "shoal/base/internal/cores.hpp"
#include "shoal/base/internal/handoff.hpp"
#include "shoal/base/setup_error.hpp"
#include "tools/cli/progress.hpp"
#include "tools/cli/suggest.hpp"

namespace shoal::cli {

using namespace internal;
namespace {

constexpr double ns_per_s = 1e9;
constexpr double nothing = std::numeric_limits<double>::quiet_NaN();

// Real time, even on `sim`: how long the user waited.
std::int64_t real_ns() { return std::chrono::steady_clock::now().time_since_epoch() / std::chrono::nanoseconds(1); }

class runner {
public:
  runner(world& w, const run_request& request, kernels::kernel& kernel, const progress_lines& lines)
      : world_(w), kernel_(kernel), lines_(lines), n_repeats_(request.n_repeats) {
    for (const std::string& variant : request.variants) {
      variant_result& v = results_.emplace_back();
      v.variant = variant;
      v.is_available = request.kernel->can_run(variant, w.is_one_sided());
    }
    if (request.has_baseline) results_.emplace_back().variant = "loop";
  }

  std::vector<variant_result> run() {
    for (variant_result& v : results_) {
      if (!v.is_available) continue;
      const double seconds = time(v);
      verify(v);
      lines_.say("warm-up: " + tell(v, seconds) + (v.is_verified ? ", verified" : ", WRONG"));
    }
    // In turn, so that changes of the machine affect all variants alike.
    for (int repeat = 1; repeat <= n_repeats_; ++repeat) {
      std::string told = "repeat " + std::to_string(repeat) + " of " + std::to_string(n_repeats_) + ":";
      for (variant_result& v : results_) {
        if (!v.is_available) continue;
        v.seconds.push_back(time(v));
        told += (told.back() == ':' ? " " : ", ") + tell(v, v.seconds.back());
        if (repeat == n_repeats_) verify(v);
      }
      lines_.say(told);
    }
    return std::move(results_);
  }

private:
  double time(variant_result& v) {
    kernel_.prepare(world_, v.variant);
    world_.barrier();
    const std::uint64_t begin_ns = world_.now_ns();
    const kernels::work done = kernel_.run(world_, v.variant);
    world_.barrier();
    // With more PEs than cores, a PE may leave the first barrier long after others have begun. The first PE to leave it
    // saw the whole run. So no two PEs' clocks need to agree.
    const std::uint64_t taken_ns = world_.max(world_.now_ns() - begin_ns);
    const auto n_pes = static_cast<double>(world_.n_pes());
    v.operations_per_pe = static_cast<double>(world_.sum(done.n_operations)) / n_pes;
    v.messages_per_pe = static_cast<double>(world_.sum(done.n_messages)) / n_pes;
    return static_cast<double>(taken_ns) / ns_per_s;
  }

  void verify(variant_result& v) {
    std::string why;
    const bool is_right = kernel_.verify(world_, why);
    if (v.is_verified) v.why = why;
    v.is_verified = v.is_verified && is_right;
  }

  static std::string tell(const variant_result& v, double seconds) {
    std::ostringstream text;
    text.precision(3);
    text << v.variant << ' ' << seconds << " s";
    return text.str();
  }

  world& world_;
  kernels::kernel& kernel_;
  const progress_lines& lines_;
  int n_repeats_;
  std::vector<variant_result> results_;
};

}  // namespace

std::optional<double> measure_handoff(world& w) {
  if (w.n_pes() == 1 || is_simulated(w.backend().kind())) return std::nullopt;
  const std::vector<int> mine = affinity_cpus();
  std::vector<int> cpus = w.gather(mine.empty() ? -1 : mine.front());
  cpus.push_back(mine.empty() ? -1 : mine.back());
  std::optional<double> result;
  if (w.my_pe() == 0) {
    const auto other = std::ranges::find_if(cpus, [&](int cpu) { return cpu != cpus[0]; });
    if (other != cpus.end() && cpus[0] >= 0 && *other >= 0) {
      result = measure_handoff_ns(cpus[0], *other);
    }
  }
  w.barrier();
  return result;
}

void require_available(const run_request& request, bool is_one_sided, std::string_view substrate) {
  const kernels::kernel_description& kernel = *request.kernel;
  const auto is_available = [&](const std::string& variant) { return kernel.can_run(variant, is_one_sided); };
  if (std::ranges::any_of(request.variants, is_available)) return;
  std::vector<std::string> others;
  std::ranges::copy_if(kernel.variants, std::back_inserter(others), is_available);
  throw setup_error("--variant=" + joined(request.variants) + " needs one-sided access to every PE, which substrate " +
                    std::string(substrate) + " does not have here; choose " + joined(others) +
                    ", or --substrate mpi-rma or shmem");
}

measurement measure(world& w, const run_request& request) {
  require_available(request, w.is_one_sided(), w.backend().name());
  const progress_lines lines(w.my_pe() == 0 ? loudness::when_long : loudness::silent, request.kernel->name);
  w.barrier();
  measurement m;
  m.substrate = w.backend().kind();
  m.n_pes = w.n_pes();
  const std::int64_t begin_ns = real_ns();
  m.startup_s = static_cast<double>(begin_ns - request.launched_ns) / ns_per_s;
  m.handoff_ns = measure_handoff(w);
  const std::int64_t input_ns = real_ns();
  const std::unique_ptr<kernels::kernel> kernel = request.kernel->make(w, request.options);
  w.barrier();
  m.input_s = static_cast<double>(real_ns() - input_ns) / ns_per_s;
  // With more PEs than cores, PEs take turns. Virtual time is never disturbed.
  const double n_pes_per_core = static_cast<double>(w.n_pes()) / static_cast<double>(w.chosen_settings().n_cores.value);
  if (!is_simulated(m.substrate)) m.loop_ns_max = kernel->loop_ns_max() * std::max(1.0, n_pes_per_core);
  m.variants = runner(w, request, *kernel, lines).run();
  std::ostringstream shown;
  kernel->show(w, shown);
  m.answer_text = shown.str();
  m.answer_json = kernel->answer_json(w);
  return m;
}

bool measurement::is_verified() const { return std::ranges::all_of(variants, &variant_result::is_verified); }

bool measurement::is_valid() const {
  // With fewer operations, the barriers around them distort the result.
  constexpr double n_operations_min = 1e6;
  const variant_result* of_loop = loop();
  return of_loop == nullptr || loop_ns_max == 0 || of_loop->operations_per_pe < n_operations_min ||
         ns_per_operation(*of_loop) <= loop_ns_max;
}

const variant_result* measurement::loop() const {
  const auto it = std::ranges::find(variants, "loop", &variant_result::variant);
  return it == variants.end() ? nullptr : &*it;
}

summary summarise(std::vector<double> values) {
  std::ranges::sort(values);
  const std::size_t half = values.size() / 2;
  const double median = values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
  return {.median = median, .min = values.front(), .max = values.back()};
}

double ratio_to_loop(const variant_result& variant, const variant_result* loop) {
  if (loop == nullptr) return nothing;
  std::vector<double> ratios;
  for (std::size_t i = 0; i < variant.seconds.size(); ++i) {
    if (loop->seconds[i] == 0) return nothing;  // nothing advanced the virtual time
    ratios.push_back(variant.seconds[i] / loop->seconds[i]);
  }
  return summarise(std::move(ratios)).median;
}

double ns_per_operation(const variant_result& variant) {
  if (variant.operations_per_pe == 0) return nothing;
  return summarise(variant.seconds).median * ns_per_s / variant.operations_per_pe;
}

double ns_per_message(const variant_result& variant) {
  if (variant.messages_per_pe == 0) return nothing;
  return summarise(variant.seconds).median * ns_per_s / variant.messages_per_pe;
}

}  // namespace shoal::cli
