#include "shoal/actor/internal/statistics.hpp"

#include <cstdio>
#include <iomanip>
#include <sstream>

#include "shoal/actor/internal/collectives.hpp"
#include "shoal/base/internal/digest.hpp"
#include "shoal/conveyor/internal/exchange.hpp"

namespace shoal::internal {

namespace {

double mebibytes(std::uint64_t bytes) { return static_cast<double>(bytes) / (1 << 20); }

}  // namespace

std::string format_statistics(const std::vector<stream_record>& records, const statistics_summary& all) {
  std::ostringstream out;
  out << "shoal: mailboxes and conveyors, summed over " << all.n_pes << " PEs; what was held at once is of the PE "
      << "that held most\n"
      << std::setw(16) << "messages" << std::setw(12) << "buffers" << std::setw(12) << "MiB" << std::setw(7) << "fill%"
      << std::setw(9) << "waits" << std::setw(9) << "spills" << std::setw(12) << "MiB spared" << std::setw(11)
      << "MiB held" << std::setw(14) << "MiB monsters" << "  mailbox\n"
      << std::fixed << std::setprecision(1);
  for (const stream_record& r : records) {
    const stream_counts& c = r.counts;
    const double fill = c.n_buffers == 0
                            ? 0
                            : 100.0 * static_cast<double>(c.n_bytes) /
                                  (static_cast<double>(c.n_buffers) * static_cast<double>(all.payload_bytes));
    out << std::setw(16) << c.n_sent << std::setw(12) << c.n_buffers << std::setw(12) << mebibytes(c.n_bytes)
        << std::setw(7) << fill << std::setw(9) << c.n_waits << std::setw(9) << c.n_spills << std::setw(12)
        << mebibytes(c.n_spared) << std::setprecision(2) << std::setw(11) << mebibytes(c.buffer_bytes_most)
        << std::setw(14) << mebibytes(c.monster_bytes_most) << std::setprecision(1) << "  " << r.name
        << (r.position == 0 ? "" : ", hop " + std::to_string(r.position)) << '\n';
  }
  out << std::setprecision(2) << "shoal: buffers of a PE held at most " << mebibytes(all.buffer_bytes_most) << " of "
      << mebibytes(all.budget_bytes) << " MiB at once\n";
  if (all.n_hop_changes != 0) {
    out << "shoal: hops of actors' messages changed " << all.n_hop_changes << " times, to " << all.n_hops
        << " in the end\n";
  }
  return out.str();
}

void print_statistics(collectives& calls, exchange& through, statistics_summary all) {
  constexpr std::source_location nowhere{};  // no line of the program made this call
  const auto largest = [&](std::uint64_t mine) { return calls.all_reduce(mine, maximum{}, nowhere); };
  std::vector<stream_record> records = through.take_records();
  // Statistics never decide how a job ends: rows that do not belong together are left out instead.
  digest rows;
  for (const stream_record& r : records) {
    rows.add_word(r.serial);
    rows.add_word(r.position);
  }
  if (largest(rows.value()) != calls.all_reduce(rows.value(), minimum{}, nowhere)) {
    if (through.my_pe() == 0) {
      std::fputs("shoal: no statistics, since the PEs have destroyed different actors or conveyors\n", stderr);
    }
    return;
  }
  for (stream_record& r : records) {
    const stream_counts mine = r.counts;
    r.counts = calls.all_reduce(mine, addition{}, nowhere);
    r.counts.buffer_bytes_most = largest(mine.buffer_bytes_most);
    r.counts.monster_bytes_most = largest(mine.monster_bytes_most);
  }
  all.buffer_bytes_most = largest(through.buffer_bytes_most());
  std::erase_if(records, [](const stream_record& r) { return r.counts.n_sent == 0; });
  if (through.my_pe() == 0 && !records.empty()) std::fputs(format_statistics(records, all).c_str(), stderr);
}

}  // namespace shoal::internal
