#include "tools/conveyor_bench/report.hpp"

#include <cmath>
#include <limits>
#include <ostream>

#include "shoal/base/version.hpp"
#include "tools/cli/columns.hpp"
#include "tools/cli/json.hpp"
#include "tools/cli/measure.hpp"
#include "tools/conveyor_bench/hosts.hpp"

namespace shoal::cli {
namespace {

constexpr double not_measured = std::numeric_limits<double>::quiet_NaN();

// How long one way of moving the items took, over the runs.
struct speeds {
  summary ns_per_item{not_measured, not_measured, not_measured};
  summary mb_per_s{not_measured, not_measured, not_measured};  // of one PE; 10^6 bytes
};

speeds speeds_of(const bench_result& result, double timed_run::* seconds) {
  std::vector<double> ns_per_item;
  std::vector<double> mb_per_s;
  for (const timed_run& run : result.runs) {
    if (run.*seconds == 0 || result.items_per_pe == 0) return {};  // virtual time, or nothing to do
    ns_per_item.push_back(run.*seconds * 1e9 / result.items_per_pe);
    mb_per_s.push_back(result.items_per_pe * run.item_bytes / (run.*seconds * 1e6));
  }
  if (ns_per_item.empty()) return {};
  return {summarise(std::move(ns_per_item)), summarise(std::move(mb_per_s))};
}

summary session_seconds(const bench_result& result) {
  std::vector<double> seconds;
  for (const timed_run& run : result.runs) seconds.push_back(run.seconds);
  return seconds.empty() ? summary{not_measured, not_measured, not_measured} : summarise(std::move(seconds));
}

double ratio_to_memcpy(const bench_result& result) {
  std::vector<double> ratios;
  for (const timed_run& run : result.runs) {
    if (run.memcpy_seconds == 0) return not_measured;
    ratios.push_back(run.seconds / run.memcpy_seconds);
  }
  return ratios.empty() ? not_measured : summarise(std::move(ratios)).median;
}

row row_of(const std::string& name, const speeds& s, const std::string& ratio, const std::string& verified) {
  return {name,
          fixed(s.ns_per_item.median, 2),
          fixed(s.ns_per_item.min, 2),
          fixed(s.ns_per_item.max, 2),
          fixed(s.mb_per_s.median, 0),
          fixed(s.mb_per_s.min, 0),
          fixed(s.mb_per_s.max, 0),
          ratio,
          verified};
}

std::string counted(std::size_t n, const std::string& what) {
  return std::to_string(n) + " " + what + (n == 1 ? "" : "s");
}

// The options that differ from their defaults.
std::string options_text(const bench_options& r) {
  std::string text;
  if (r.is_steady) text += ", steady";
  if (r.is_steady_test) text += ", steady-test";
  if (r.reject != 0) text += ", reject " + json_number(r.reject);
  if (r.is_dynamic) text += ", dynamic";
  if (r.checks_alignment) text += ", alignment";
  if (r.entropy_bits) text += ", entropy " + std::to_string(*r.entropy_bits);
  return text + ", seed " + std::to_string(r.seed);
}

// How many of the buffers that the timed runs sent between PEs were encoded.
std::string codec_text(const bench_result& result) {
  const transfer_counts& sent = result.sent;
  const std::string what =
      "codec " + std::string(internal::name_of(*result.codec)) + " at " + json_number(result.ns_per_byte) + " ns/byte";
  if (result.ns_per_byte == 0) return what + ", which never pays: no buffer encoded";
  const std::uint64_t n_plain_bytes = sent.n_bytes + sent.n_spared;
  return what + ": " + std::to_string(sent.n_encoded) + " of " + counted(sent.n_buffers, "buffer") + " encoded, " +
         std::to_string(sent.n_spared) + " of " + counted(n_plain_bytes, "byte") + " spared (" +
         fixed(n_plain_bytes == 0 ? 0 : 100.0 * static_cast<double>(sent.n_spared) / static_cast<double>(n_plain_bytes),
               1) +
         " %)";
}

std::string json_summary(const summary& s) {
  return R"({"median": )" + json_number(s.median) + R"(, "min": )" + json_number(s.min) + R"(, "max": )" +
         json_number(s.max) + "}";
}

// Null if they were not requested.
std::string json_hosts(const std::vector<std::string>& hosts) {
  std::string text;
  for (const std::string& host : hosts) text += (text.empty() ? "[" : ", ") + json_string(host);
  return text.empty() ? "null" : text + "]";
}

const char* json_bool(bool value) { return value ? "true" : "false"; }

}  // namespace

void print_bench_table(std::ostream& out, const bench_options& options, const bench_result& result) {
  const std::string& name = options.kind->name;
  out << "conveyor-bench: " << name << ' ' << name_of(options.what) << ", "
      << counted(static_cast<std::size_t>(result.n_pes), "PE") << " on " << name_of(result.substrate) << "; load "
      << options.load << ", items of " << (options.has_random_size || options.is_elastic ? "up to " : "")
      << counted(options.item_bytes, "byte")
      << (options.is_elastic  ? " (elastic)"
          : is_typed(options) ? ""
                              : " (untyped)")
      << options_text(options) << "; " << counted(static_cast<std::size_t>(options.n_warmups), "warm-up") << ", "
      << counted(static_cast<std::size_t>(options.n_iterations), "iteration") << "; shoal " << version() << '\n';
  out << counted(static_cast<std::size_t>(result.n_hops), "hop") << ", " << counted(result.n_links, "link")
      << "; nodes of " << counted(static_cast<std::size_t>(result.node_size), "PE") << "; "
      << counted(result.n_slots, "slot") << " of " << result.slot_bytes << " bytes";
  if (options.kind->has_boxes) out << "; boxes of " << counted(options.capacity_items, "item");
  out << '\n';
  if (result.codec) out << codec_text(result) << '\n';
  out << "cache-line hand-off: " << state_of(result.handoff_ns, result.substrate) << "\n\n";
  if (!result.settings.empty()) out << result.settings << '\n';
  if (!result.hosts.empty()) out << hosts_text(result.hosts) << '\n';
  if (!result.pairs.empty()) out << result.pairs << '\n';

  const double ratio = ratio_to_memcpy(result);
  print_aligned(
      out, {{"", "ns/item", "min", "max", "MB/s/PE", "min", "max", "x memcpy", "verified"},
            row_of(name, speeds_of(result, &timed_run::seconds), fixed(ratio, 2), result.fault.empty() ? "yes" : "NO"),
            row_of("memcpy", speeds_of(result, &timed_run::memcpy_seconds), std::isfinite(ratio) ? "1.00" : "-", "-")});
  out << '\n';
  if (is_simulated(result.substrate)) out << "All times are the simulator's.\n";
  out << (result.fault.empty() ? "verified: " + result.verified : "WRONG: " + result.fault) << '\n';
}

void print_bench_json(std::ostream& out, const bench_options& r, const bench_result& result) {
  const speeds conveyor = speeds_of(result, &timed_run::seconds);
  const speeds plain = speeds_of(result, &timed_run::memcpy_seconds);
  out << R"({"flavour": )" << json_string(r.kind->name)  //
      << R"(, "traffic": )" << json_string(name_of(r.what))  //
      << R"(, "substrate": )" << json_string(name_of(result.substrate))  //
      << R"(, "pes": )" << result.n_pes  //
      << R"(, "load": )" << r.load  //
      << R"(, "item_bytes": )" << r.item_bytes  //
      << R"(, "typed": )" << json_bool(is_typed(r))  //
      << R"(, "random_size": )" << json_bool(r.has_random_size)  //
      << R"(, "elastic": )" << json_bool(r.is_elastic)  //
      << R"(, "steady": )" << json_bool(r.is_steady)  //
      << R"(, "steady_test": )" << json_bool(r.is_steady_test)  //
      << R"(, "reject": )" << json_number(r.reject)  //
      << R"(, "dynamic": )" << json_bool(r.is_dynamic)  //
      << R"(, "alignment": )" << json_bool(r.checks_alignment)  //
      << R"(, "entropy_bits": )" << (r.entropy_bits ? std::to_string(*r.entropy_bits) : "null") << R"(, "seed": )"
      << r.seed  //
      << R"(, "words": )" << r.n_words  //
      << R"(, "warmups": )" << r.n_warmups  //
      << R"(, "iterations": )" << r.n_iterations  //
      << R"(, "slot_bytes": )" << result.slot_bytes  //
      << R"(, "slots_per_pe": )" << result.n_slots  //
      << R"(, "capacity_items": )" << (r.kind->has_boxes ? std::to_string(r.capacity_items) : "null")  //
      << R"(, "node_size": )" << result.node_size  //
      << R"(, "hops": )" << result.n_hops  //
      << R"(, "links": )" << result.n_links  //
      << R"(, "hosts": )" << json_hosts(result.hosts)  //
      << R"(, "codec": )" << (result.codec ? json_string(internal::name_of(*result.codec)) : "null")
      << R"(, "ns_per_byte": )" << json_number(result.ns_per_byte)  //
      << R"(, "buffers": )" << result.sent.n_buffers  //
      << R"(, "bytes": )" << result.sent.n_bytes  //
      << R"(, "buffers_encoded": )" << result.sent.n_encoded  //
      << R"(, "bytes_spared": )" << result.sent.n_spared  //
      << R"(, "items_per_pe": )" << json_number(result.items_per_pe)  //
      << R"(, "seconds": )" << json_summary(session_seconds(result))  //
      << R"(, "ns_per_item": )" << json_summary(conveyor.ns_per_item)  //
      << R"(, "mb_per_s_per_pe": )" << json_summary(conveyor.mb_per_s)  //
      << R"(, "memcpy_ns_per_item": )" << json_summary(plain.ns_per_item) << R"(, "ratio_to_memcpy": )"
      << json_number(ratio_to_memcpy(result)) << R"(, "line_handoff_ns": )"
      << (result.handoff_ns ? json_number(*result.handoff_ns) : "null") << R"(, "verified": )"
      << json_bool(result.fault.empty()) << R"(, "fault": )"
      << (result.fault.empty() ? "null" : json_string(result.fault)) << R"(, "version": )" << json_string(version())
      << "}\n";
}

}  // namespace shoal::cli
