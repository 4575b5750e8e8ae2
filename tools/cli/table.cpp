// The result of `shoal run` as a table.
#include <algorithm>
#include <cmath>
#include <ostream>

#include "shoal/base/internal/quoting.hpp"
#include "shoal/base/version.hpp"
#include "tools/cli/columns.hpp"
#include "tools/cli/report.hpp"

namespace shoal::cli {
namespace {

row row_of(const variant_result& v, const variant_result* loop, int n_decimals) {
  if (!v.is_available) return {v.variant, "n/a", "n/a", "n/a", "n/a", "n/a", "n/a", "n/a", "n/a"};
  const summary seconds = summarise(v.seconds);
  const double message_ns = ns_per_message(v);
  return {v.variant,
          fixed(seconds.median, n_decimals),
          fixed(seconds.min, n_decimals),
          fixed(seconds.max, n_decimals),
          fixed(message_ns, 2),
          fixed(ns_per_operation(v), 2),
          fixed(1e3 / message_ns, 1),  // a message each n nanoseconds is 1000 / n millions a second
          fixed(ratio_to_loop(v, loop), 2),
          v.is_verified ? "yes" : "NO"};
}

// Digits of the seconds: three significant ones in the shortest time, and at least milliseconds.
int decimals_of(const std::vector<variant_result>& variants) {
  double shortest = 1;
  for (const variant_result& v : variants) {
    if (v.is_available) shortest = std::min(shortest, summarise(v.seconds).median);
  }
  int n = 3;
  while (n < 9 && shortest * std::pow(10, n) < 100) ++n;
  return n;
}

void print_validity(std::ostream& out, const measurement& m) {
  if (m.is_valid()) return;
  out << "INVALID as a measurement: the plain loop took " << fixed(ns_per_operation(*m.loop()), 2)
      << " ns per operation, more than " << fixed(m.loop_ns_max, 1)
      << "; this machine is busy, so run again when it is idle, or slower than those of docs/performance.md\n";
}

}  // namespace

void print_table(std::ostream& out, const run_request& request, const measurement& m) {
  const bool is_virtual = is_simulated(m.substrate);
  out << request.kernel->name << ": " << m.n_pes << (m.n_pes == 1 ? " PE" : " PEs") << " on " << name_of(m.substrate)
      << "; ";
  for (const auto& [name, value] : request.options) out << name << ' ' << internal::printable(value) << ", ";
  out << request.n_repeats << (request.n_repeats == 1 ? " repeat" : " repeats") << "; shoal " << version() << '\n';
  out << "cache-line hand-off: " << state_of(m.handoff_ns, m.substrate) << "; start-up " << fixed(m.startup_s, 3)
      << " s, input " << fixed(m.input_s, 3) << " s\n\n";

  std::vector<row> rows = {{"variant", is_virtual ? "virtual seconds" : "seconds", "min", "max", "ns/message",
                            "ns/operation", "Mmessages/s/PE", "x loop", "verified"}};
  for (const variant_result& v : m.variants) {
    rows.push_back(row_of(v, m.loop(), decimals_of(m.variants)));
  }
  print_aligned(out, rows);
  out << '\n';
  if (is_virtual) out << "All times but start-up and input are the simulator's.\n";
  print_validity(out, m);
  out << internal::printable_lines(m.answer_text);
  for (const variant_result& v : m.variants) {
    if (!v.is_verified) out << "WRONG: variant " << v.variant << ": " << internal::printable(v.why) << '\n';
  }
  const auto first = std::ranges::find_if(m.variants, &variant_result::is_available);
  if (m.is_verified() && first != m.variants.end()) out << "verified: " << first->why << '\n';
}

}  // namespace shoal::cli
