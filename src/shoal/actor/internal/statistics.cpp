#include "shoal/actor/internal/statistics.hpp"

#include <algorithm>
#include <compare>
#include <span>

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

row row_of(const stream_record& r, pe_id me) {
  return {r.counts, {r.counts.n_handled, me}, {r.counts.handling_ns, me}};
}

// The place of a row among all.
struct place {
  std::uint64_t serial = UINT64_MAX;
  std::uint32_t position = UINT32_MAX;
  std::uint64_t of_name = UINT64_MAX;
  auto operator<=>(const place&) const = default;
};

place place_of(const stream_record& r) { return {r.serial, r.position, place_of_name(r.name)}; }

// A row that some PEs lack, with its name on the lowest PE that has it.
struct row_of_team {
  row counts;
  char name[256];
};

struct combination_of_teams {
  row_of_team operator()(const row_of_team& a, const row_of_team& b) const {
    row_of_team both = a.name[0] == 0 ? b : a;
    both.counts = combination{}(a.counts, b.counts);
    return both;
  }
};

// PEs have been in different teams. So they agree on each row before they add it up.
void collect_of_teams(collectives& calls, pe_id me, std::span<const stream_record> mine, job_statistics& all) {
  constexpr std::source_location nowhere{};
  for (auto next = mine.begin();;) {
    const place here = next == mine.end() ? place{} : place_of(*next);
    const place first = calls.all_reduce(here, minimum{}, nowhere);
    if (first == place{}) return;
    row_of_team its{};
    if (here == first) {
      its.counts = row_of(*next, me);
      next->name.copy(its.name, sizeof its.name - 1);
      ++next;
    }
    const row_of_team sum = calls.all_reduce(its, combination_of_teams{}, nowhere);
    if (sum.counts.counts.n_sent == 0) continue;
    all.streams.push_back(
        {{sum.name, first.serial, first.position, sum.counts.counts}, sum.counts.handled, sum.counts.handling_ns});
  }
}

}  // namespace

double imbalance(const largest& most, std::uint64_t sum, std::int64_t n_pes) noexcept {
  if (sum == 0) return 0;
  return static_cast<double>(most.value) * static_cast<double>(n_pes) / static_cast<double>(sum);
}

bool collect_statistics(collectives& calls, exchange& through, job_statistics& all) {
  constexpr std::source_location nowhere{};  // no line of the program made this call
  const activity_times mine = through.parts().watch.read();
  const pe_id me = through.my_pe();
  const std::vector<stream_record> all_records = through.parts().take_records();
  // Those of teams come last, since teams have greater numbers.
  const auto first_of_team = std::ranges::find_if(
      all_records, [&](const stream_record& r) { return team_of_hop(r.serial) != through.number(); });
  const std::span<const stream_record> records(all_records.begin(), first_of_team);
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
    const row sum = calls.all_reduce(row_of(r, me), combination{}, nowhere);
    if (sum.counts.n_sent == 0) continue;
    all.streams.push_back({{r.name, r.serial, r.position, sum.counts}, sum.handled, sum.handling_ns});
  }
  collect_of_teams(calls, me, {first_of_team, all_records.end()}, all);
  all.buffer_bytes_most = calls.all_reduce(through.parts().slots.bytes_most(), maximum{}, nowhere);
  all.times = calls.gather(mine, nowhere, collective_call::gather, "gather", true);
  return true;
}

}  // namespace shoal::internal
