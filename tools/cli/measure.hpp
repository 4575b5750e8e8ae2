/// Runs the variants of a kernel in turn, times and verifies them.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "shoal/actor/world.hpp"
#include "shoal/substrate/substrate_kind.hpp"
#include "tools/cli/command_line.hpp"

namespace shoal::cli {

/// The result of one variant. On `sim` the seconds are virtual.
struct variant_result {
  std::string variant;  // or "loop"
  bool is_available = true;  // false: it needs one-sided access, which this substrate does not have, and did not run
  double operations_per_pe = 0;
  double messages_per_pe = 0;  // 0 if it sends none
  std::vector<double> seconds;  // of each repeat, in order
  bool is_verified = true;  // the warm-up and the last repeat
  std::string why;  // what was compared, or what was wrong
};

struct measurement {
  substrate_kind substrate = substrate_kind::local;
  std::int64_t n_pes = 0;
  double startup_s = 0;  // from the start of the command until all PEs ran
  double input_s = 0;  // to read or generate it
  std::optional<double> handoff_ns;
  double loop_ns_max = 0;  // see kernel::loop_ns_max; here for this number of PEs on these cores
  std::vector<variant_result> variants;  // the loop last
  std::string answer_text;  // of kernel::show
  std::string answer_json;  // of kernel::answer_json

  bool is_verified() const;
  /// False if the loop was slower than on an otherwise idle machine.
  bool is_valid() const;
  const variant_result* loop() const;
};

/// Collective. Only PE 0's result is complete, but is_verified() is the same everywhere. Throws setup_error.
measurement measure(world& w, const run_request& request);

/// Throws setup_error if none of the requested variants can run on a substrate with or without one-sided access.
void require_available(const run_request& request, bool is_one_sided, std::string_view substrate);

/// Collective. The hand-off between a CPU of PE 0 and a CPU of another PE, while the others wait. PEs that are bound
/// have one CPU each; otherwise the first and the last CPU that they may use stand for all. Only PE 0 gets the result;
/// there is none on `sim` or with one CPU.
std::optional<double> measure_handoff(world& w);

struct summary {
  double median = 0;
  double min = 0;
  double max = 0;
};
summary summarise(std::vector<double> values);

/// Median over the repeats of a variant's time divided by the loop's in the same repeat; NaN if there is no loop, or if
/// its time was not measurable.
double ratio_to_loop(const variant_result& variant, const variant_result* loop);

/// Nanoseconds of the median run; NaN for a variant without messages.
double ns_per_operation(const variant_result& variant);
double ns_per_message(const variant_result& variant);

}  // namespace shoal::cli
