#include "tools/cli/columns.hpp"

#include <algorithm>
#include <cmath>
#include <iomanip>
#include <ostream>
#include <sstream>

#include "shoal/base/internal/handoff.hpp"

namespace shoal::cli {

using namespace internal;

std::string fixed(double value, int n_decimals) {
  if (!std::isfinite(value)) return "-";
  std::ostringstream text;
  text << std::fixed << std::setprecision(n_decimals) << value;
  return text.str();
}

void print_aligned(std::ostream& out, const std::vector<row>& rows) {
  std::vector<std::size_t> widths(rows.front().size());
  for (const row& r : rows) {
    for (std::size_t i = 0; i < r.size(); ++i) widths[i] = std::max(widths[i], r[i].size());
  }
  for (const row& r : rows) {
    for (std::size_t i = 0; i < r.size(); ++i) {
      const auto width = static_cast<int>(widths[i]);
      if (i == 0) {
        out << std::left << std::setw(width) << r[i];
      } else {
        out << "  " << std::right << std::setw(width) << r[i];
      }
    }
    out << '\n';
  }
}

std::string_view name_of_state(double handoff_ns) { return handoff_ns < handoff_near_ns_max ? "near" : "far"; }

std::string state_of(const std::optional<double>& handoff_ns, substrate_kind substrate) {
  if (!handoff_ns) return is_simulated(substrate) ? "n/a" : "n/a (needs two PEs on two cores)";
  return fixed(*handoff_ns, 0) + " ns, " + std::string(name_of_state(*handoff_ns));
}

}  // namespace shoal::cli
