#include "shoal/actor/internal/statistics.hpp"

#include <algorithm>

#include "shoal/actor/internal/collectives.hpp"
#include "shoal/base/internal/digest.hpp"
#include "shoal/conveyor/internal/exchange.hpp"

namespace shoal::internal {
namespace {

// A PE's part of a row, and the fold of several.
struct row {
  stream_counts counts;
  largest handled;
  largest handling_ns;
};

largest larger(const largest& a, const largest& b) { return a.value < b.value ? b : a; }

struct combination {
  row operator()(const row& a, const row& b) const {
    row both{a.counts + b.counts, larger(a.handled, b.handled), larger(a.handling_ns, b.handling_ns)};
    both.counts.buffer_bytes_most = std::max(a.counts.buffer_bytes_most, b.counts.buffer_bytes_most);
    both.counts.monster_bytes_most = std::max(a.counts.monster_bytes_most, b.counts.monster_bytes_most);
    return both;
  }
};

}  // namespace

double imbalance(const largest& most, std::uint64_t sum, std::int64_t n_pes) noexcept {
  if (sum == 0) return 0;
  return static_cast<double>(most.value) * static_cast<double>(n_pes) / static_cast<double>(sum);
}

bool collect_statistics(collectives& calls, exchange& through, job_statistics& all) {
  constexpr std::source_location nowhere{};  // no line of the program made this call
  const activity_times mine = through.watch().read();
  const pe_id me = through.my_pe();
  const std::vector<stream_record> records = through.take_records();
  // Statistics never decide how a job ends: rows that do not belong together are left out instead.
  digest rows;
  for (const stream_record& r : records) {
    rows.add_word(r.serial);
    rows.add_word(r.position);
  }
  if (calls.all_reduce(rows.value(), maximum{}, nowhere) != calls.all_reduce(rows.value(), minimum{}, nowhere)) {
    return false;
  }
  for (const stream_record& r : records) {
    const row sum =
        calls.all_reduce(row{r.counts, {r.counts.n_handled, me}, {r.counts.handling_ns, me}}, combination{}, nowhere);
    if (sum.counts.n_sent == 0) continue;
    all.streams.push_back({{r.name, r.serial, r.position, sum.counts}, sum.handled, sum.handling_ns});
  }
  all.buffer_bytes_most = calls.all_reduce(through.buffer_bytes_most(), maximum{}, nowhere);
  all.times = calls.gather_on_first(mine, nowhere);
  return true;
}

}  // namespace shoal::internal
