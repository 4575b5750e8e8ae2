#include "shoal/actor/statistics.hpp"

#include <iomanip>
#include <sstream>

namespace shoal {

std::string format_statistics(const std::vector<port_record>& records, std::int64_t n_pes,
                              std::size_t payload_bytes) {
  std::ostringstream out;
  out << "shoal: mailboxes and conveyors, summed over " << n_pes << " PEs\n"
      << std::setw(16) << "messages" << std::setw(12) << "buffers" << std::setw(12) << "MiB"
      << std::setw(7) << "fill%" << std::setw(9) << "waits" << std::setw(9) << "spills" << std::setw(12) << "MiB spared"
      << "  mailbox\n"
      << std::fixed << std::setprecision(1);
  for (const port_record& r : records) {
    const port_counts& c = r.counts;
    const double fill = c.n_buffers == 0 ? 0
                                         : 100.0 * static_cast<double>(c.n_bytes) /
                                               (static_cast<double>(c.n_buffers) * static_cast<double>(payload_bytes));
    out << std::setw(16) << c.n_sent << std::setw(12) << c.n_buffers << std::setw(12)
        << static_cast<double>(c.n_bytes) / (1 << 20) << std::setw(7) << fill << std::setw(9) << c.n_waits
        << std::setw(9) << c.n_spills << std::setw(12) << static_cast<double>(c.n_spared) / (1 << 20) << "  "
        << r.name << '\n';
  }
  return out.str();
}

}  // namespace shoal
