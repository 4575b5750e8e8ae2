#include "shoal/actor/internal/statistics_text.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <iomanip>
#include <locale>
#include <numeric>
#include <span>
#include <sstream>

#include "shoal/base/internal/quoting.hpp"

namespace shoal::internal {
namespace {

struct named_activity {
  activity id;
  std::string_view gloss;  // in the table
  std::string_view name;  // of the column
};
constexpr std::array<named_activity, n_activities> activities = {{
    {activity::handlers, "handlers", "handlers_ns"},
    {activity::relays, "relays", "relays_ns"},
    {activity::main_in_supersteps, "main program, in supersteps", "main_in_supersteps_ns"},
    {activity::main_outside, "main program, outside", "main_outside_ns"},
    {activity::waiting, "waiting", "waiting_ns"},
}};

std::uint64_t time_of(const activity_times& times, activity what) { return times[static_cast<std::size_t>(what)]; }
std::uint64_t whole(const activity_times& times) {
  return std::accumulate(times.begin(), times.end(), std::uint64_t{});
}

// --- Table

double mebibytes(std::uint64_t bytes) { return static_cast<double>(bytes) / (1 << 20); }
double milliseconds(std::uint64_t ns) { return static_cast<double>(ns) / 1e6; }
double percent(std::uint64_t part, double of) { return of == 0 ? 0 : 100.0 * static_cast<double>(part) / of; }

void add_streams(std::ostream& out, const job_statistics& all) {
  out << "shoal: mailboxes and conveyors, summed over " << all.n_pes << " PEs; what was held at once is of the PE "
      << "that held most\n"
      << std::setw(16) << "messages" << std::setw(12) << "buffers" << std::setw(12) << "MiB" << std::setw(7) << "fill%"
      << std::setw(9) << "waits" << std::setw(9) << "spills" << std::setw(12) << "MiB spared" << std::setw(11)
      << "MiB held" << std::setw(14) << "MiB monsters" << std::setw(14) << "handlers ms" << std::setw(10) << "imb.msgs"
      << std::setw(10) << "imb.time" << "  mailbox\n";
  for (const stream_statistics& s : all.streams) {
    const stream_counts& c = s.of.counts;
    const double capacity = static_cast<double>(c.n_buffers) * static_cast<double>(all.payload_bytes);
    out << std::setprecision(1) << std::setw(16) << c.n_sent << std::setw(12) << c.n_buffers << std::setw(12)
        << mebibytes(c.n_bytes) << std::setw(7) << percent(c.n_bytes, capacity) << std::setw(9) << c.n_waits
        << std::setw(9) << c.n_spills << std::setw(12) << mebibytes(c.n_spared) << std::setprecision(2) << std::setw(11)
        << mebibytes(c.buffer_bytes_most) << std::setw(14) << mebibytes(c.monster_bytes_most) << std::setprecision(3)
        << std::setw(14) << milliseconds(c.handling_ns) << std::setprecision(2) << std::setw(10)
        << imbalance(s.handled, c.n_handled, all.n_pes) << std::setw(10)
        << imbalance(s.handling_ns, c.handling_ns, all.n_pes) << "  " << printable(s.of.name)
        << (s.of.position == 0 ? "" : ", hop " + std::to_string(s.of.position));
    if (c.n_combined != 0) out << " (" << c.n_combined << " more combined)";
    out << '\n';
  }
}

// One row of the table of times: what each PE spends is `time(times of the PE)`.
template <class Time>
void add_time(std::ostream& out, const job_statistics& all, std::string_view name, Time time) {
  std::uint64_t sum = 0;
  std::uint64_t of_wholes = 0;
  largest most;
  for (std::size_t pe = 0; pe < all.times.size(); ++pe) {
    const std::uint64_t here = time(all.times[pe]);
    sum += here;
    of_wholes += whole(all.times[pe]);
    if (here > most.value) most = {here, static_cast<pe_id>(pe)};
  }
  if (sum == 0) return;
  out << std::setprecision(3) << std::setw(16) << milliseconds(sum) / static_cast<double>(all.times.size())
      << std::setw(12) << milliseconds(most.value) << std::setw(12) << most.pe << std::setprecision(1) << std::setw(7)
      << percent(sum, static_cast<double>(of_wholes)) << "  " << name << '\n';
}

// --- CSV and JSON

// A number as it is, empty if it is unknown, or text.
struct cell {
  std::string_view name;
  std::string value;
  bool is_text = false;
};
using cells = std::vector<cell>;

cell number(std::string_view name, std::uint64_t value) { return {name, std::to_string(value)}; }
cell text(std::string_view name, std::string_view value) { return {name, std::string(value), true}; }

cell ratio(std::string_view name, double value) {
  if (value == 0) return {name, {}};
  std::array<char, 32> digits;
  return {name, {digits.data(), std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr}};
}

cells of_job(const job_statistics& all) {
  return {number("world", all.world),
          text("substrate", all.substrate),
          text("clock", all.is_simulated ? "simulated" : "machine"),
          number("pes", static_cast<std::uint64_t>(all.n_pes)),
          number("buffer_payload_bytes", all.payload_bytes),
          number("budget_bytes", all.budget_bytes),
          number("buffers_held_bytes_max", all.buffer_bytes_most),
          number("hops", static_cast<std::uint64_t>(all.n_hops)),
          number("hop_changes", static_cast<std::uint64_t>(all.n_hop_changes))};
}

cells of_pe(std::uint64_t pe, const activity_times& times) {
  cells all = {number("pe", pe), number("whole_ns", whole(times))};
  for (const named_activity& a : activities) all.push_back(number(a.name, time_of(times, a.id)));
  return all;
}

cells of_stream(const stream_statistics& s, std::int64_t n_pes) {
  const stream_counts& c = s.of.counts;
  return {text("mailbox", s.of.name),
          number("serial", s.of.serial),
          number("hop", s.of.position),
          number("sent", c.n_sent),
          number("handled", c.n_handled),
          number("handled_max", s.handled.value),
          number("handled_max_pe", static_cast<std::uint64_t>(s.handled.pe)),
          ratio("handled_imbalance", imbalance(s.handled, c.n_handled, n_pes)),
          number("handling_ns", c.handling_ns),
          number("handling_ns_max", s.handling_ns.value),
          number("handling_ns_max_pe", static_cast<std::uint64_t>(s.handling_ns.pe)),
          ratio("handling_imbalance", imbalance(s.handling_ns, c.handling_ns, n_pes)),
          number("buffers", c.n_buffers),
          number("bytes", c.n_bytes),
          number("buffers_received", c.n_received),
          number("waits", c.n_waits),
          number("spills", c.n_spills),
          number("buffers_encoded", c.n_encoded),
          number("spared_bytes", c.n_spared),
          number("held_bytes_max", c.buffer_bytes_most),
          number("monster_bytes_max", c.monster_bytes_most),
          number("combined", c.n_combined)};
}

std::string csv_of(const cell& c) {
  if (!c.is_text) return c.value;
  std::string quoted = "\"";
  for (const char each : as_utf8(c.value)) quoted += each == '"' ? std::string("\"\"") : std::string(1, each);
  return quoted + '"';
}

std::string json_members(const cells& all) {
  std::string members;
  for (const cell& c : all) {
    const std::string value = c.is_text ? json_string(c.value) : c.value.empty() ? "null" : c.value;
    members += (members.empty() ? "\"" : ",\"") + std::string(c.name) + "\":" + value;
  }
  return members;
}

}  // namespace

std::string statistics_as_table(const job_statistics& all) {
  std::ostringstream out;
  out.imbue(std::locale::classic());  // whatever the program chose
  out << std::fixed;
  if (!all.streams.empty()) add_streams(out, all);
  out << "shoal: time of " << all.n_pes << (all.is_simulated ? " PEs, simulated" : " PEs")
      << "; the PE is the one that "
      << "spent most on it\n"
      << std::setw(16) << "mean ms" << std::setw(12) << "most ms" << std::setw(12) << "on PE" << std::setw(7) << "time%"
      << "  spent on\n";
  for (const named_activity& a : activities) {
    add_time(out, all, a.gloss, [&](const activity_times& t) { return time_of(t, a.id); });
  }
  add_time(out, all, "all of these", whole);
  out << std::setprecision(2) << "shoal: buffers of a PE held at most " << mebibytes(all.buffer_bytes_most) << " of "
      << mebibytes(all.budget_bytes) << " MiB at once\n";
  if (const figures_origin origin = all.links.origin_now(); origin > figures_origin::model) {
    const link_figures network = all.links.network_now();
    out << "shoal: costs of links (" << name_of(origin) << "): latency " << network.latency_ns << " ns, overhead "
        << network.overhead_ns << " ns, gap " << network.gap_ns << " ns and " << std::setprecision(3)
        << network.gap_per_byte_ns << " ns a byte\n";
  }
  if (all.n_hop_changes != 0) {
    out << "shoal: hops of actors' messages changed " << all.n_hop_changes << " times, to " << all.n_hops
        << " in the end\n";
  }
  return out.str();
}

std::string statistics_as_csv(const job_statistics& all, bool has_names) {
  // The columns of the job, of a PE and of a stream. Each record has the world and leaves out the other groups.
  const std::array<cells, 3> columns = {of_job(all), of_pe(0, {}), of_stream({}, 1)};
  std::string lines;
  if (has_names) {
    lines = "record";
    for (const cells& group : columns) {
      for (const cell& c : group) lines += ',' + std::string(c.name);
    }
    lines += '\n';
  }
  const auto add = [&](std::string_view record, std::size_t its_group, const cells& its) {
    lines += record;
    for (std::size_t g = 0; g < columns.size(); ++g) {
      for (std::size_t i = 0; i < columns[g].size(); ++i) {
        lines += ',';
        if (g == its_group) lines += csv_of(its[i]);
        if (g != its_group && columns[g][i].name == "world") lines += csv_of(columns[g][i]);
      }
    }
    lines += '\n';
  };
  add("job", 0, columns[0]);
  for (std::size_t pe = 0; pe < all.times.size(); ++pe) add("pe", 1, of_pe(pe, all.times[pe]));
  for (const stream_statistics& s : all.streams) add("mailbox", 2, of_stream(s, all.n_pes));
  return lines;
}

std::string statistics_as_json(const job_statistics& all) {
  std::string line = "{" + json_members(of_job(all)) + ",\"times\":[";
  for (std::size_t pe = 0; pe < all.times.size(); ++pe) {
    line += (pe == 0 ? "{" : ",{") + json_members(of_pe(pe, all.times[pe])) + "}";
  }
  line += "],\"mailboxes\":[";
  for (const stream_statistics& s : all.streams) {
    line += (&s == &all.streams.front() ? "{" : ",{") + json_members(of_stream(s, all.n_pes)) + "}";
  }
  return line + "]}\n";
}

std::string statistics_as(statistics_form form, const job_statistics& all, bool has_names) {
  switch (form) {
    case statistics_form::none: return {};
    case statistics_form::table: return statistics_as_table(all);
    case statistics_form::csv: return statistics_as_csv(all, has_names);
    case statistics_form::json: return statistics_as_json(all);
  }
  return {};
}

}  // namespace shoal::internal
