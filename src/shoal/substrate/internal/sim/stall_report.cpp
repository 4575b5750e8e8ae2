#include "shoal/substrate/internal/sim/stall_report.hpp"

#include <map>
#include <sstream>
#include <utility>

namespace shoal::internal::sim {
namespace {

using pe_list = std::vector<std::size_t>;

// A longer list of ranges would make the line unreadable.
constexpr std::size_t n_ranges_max = 12;

std::string as_ranges(const pe_list& pes) {
  std::ostringstream out;
  std::size_t n_ranges = 0;
  for (std::size_t i = 0; i < pes.size(); ++n_ranges) {
    if (n_ranges == n_ranges_max) {
      out << ",...";
      break;
    }
    std::size_t last = i;
    while (last + 1 < pes.size() && pes[last + 1] == pes[last] + 1) ++last;
    out << (n_ranges == 0 ? "" : ",") << pes[i];
    if (last > i) out << '-' << pes[last];
    i = last + 1;
  }
  return out.str();
}

const char* verb(pe_account::kind doing, bool is_one) {
  switch (doing) {
    case pe_account::kind::waits: return is_one ? " waits: " : " wait: ";
    case pe_account::kind::runs: return is_one ? " runs: " : " run: ";
    case pe_account::kind::has_returned: break;
  }
  return is_one ? " has returned" : " have returned";
}

}  // namespace

std::string lines_about_pes(const std::vector<pe_account>& accounts) {
  std::vector<std::pair<const pe_account*, pe_list>> groups;
  std::map<std::pair<pe_account::kind, std::string>, std::size_t> group_of;
  for (std::size_t pe = 0; pe < accounts.size(); ++pe) {
    const pe_account& account = accounts[pe];
    const auto [entry, is_new] = group_of.try_emplace({account.doing, account.what}, groups.size());
    if (is_new) groups.push_back({&account, {}});
    groups[entry->second].second.push_back(pe);
  }
  std::ostringstream out;
  for (const auto& [account, pes] : groups) {
    const bool is_one = pes.size() == 1;
    out << "shoal: PE" << (is_one ? " " : "s ") << as_ranges(pes);
    if (!is_one) out << " (" << pes.size() << ")";
    out << verb(account->doing, is_one) << account->what << '\n';
  }
  return out.str();
}

std::string replay_environment(const settings& chosen) {
  std::ostringstream out;
  const sim_settings& sim = chosen.sim.value;
  out << "SHOAL_SUBSTRATE=sim SHOAL_PES=" << chosen.n_pes.value << " SHOAL_SEED=" << sim.seed;

  // Sizes determine what fills when. Those derived from this machine's memory are listed as well, since another machine
  // would derive others.
  if (chosen.n_slots.value != 0) out << " SHOAL_SLOTS=" << chosen.n_slots.value;
  if (chosen.slot_bytes.value != 0) out << " SHOAL_SLOT_BYTES=" << chosen.slot_bytes.value;
  if (chosen.node_size.value != 0 && chosen.node_size.value < chosen.n_pes.value) {
    out << " SHOAL_NODE_SIZE=" << chosen.node_size.value;
  }
  if (chosen.n_shared_slots.value >= 0) out << " SHOAL_SHARED_SLOTS=" << chosen.n_shared_slots.value;

  out.precision(17);  // a real number must be restored to the same bits
  // Of the other settings that decide what happens when, those that the environment gave.
  const auto given = [&](const char* name, const auto& setting) {
    if (setting.origin == name) out << ' ' << name << '=' << setting.value;
  };
  given("SHOAL_MEMORY", chosen.memory_bytes);
  given("SHOAL_HOPS", chosen.n_hops);
  given("SHOAL_MAX_LATENCY", chosen.max_latency_us);
  given("SHOAL_WORKERS", chosen.n_workers);
  given("SHOAL_NS_PER_BYTE", chosen.ns_per_byte);

  const sim_settings usual;
  const char* separator = " SHOAL_SIM=";
  const auto knob = [&](const std::string& name, auto value, auto usual_value) {
    if (value == usual_value) return;
    out << separator << name << '=' << value;
    separator = ",";
  };
  const auto link = [&](const std::string& prefix, const link_figures& figures, const link_figures& usual_figures) {
    knob(prefix + "latency", figures.latency_ns, usual_figures.latency_ns);
    knob(prefix + "overhead", figures.overhead_ns, usual_figures.overhead_ns);
    knob(prefix + "overhead_per_byte", figures.overhead_per_byte_ns, usual_figures.overhead_per_byte_ns);
    knob(prefix + "gap", figures.gap_ns, usual_figures.gap_ns);
    knob(prefix + "gap_per_byte", figures.gap_per_byte_ns, usual_figures.gap_per_byte_ns);
  };
  link("", sim.link, usual.link);
  if (sim.node_link) {
    // With all its values, so that the links of a node are a class of their own.
    link("node_", *sim.node_link,
         {.latency_ns = UINT64_MAX, .overhead_ns = UINT64_MAX, .gap_ns = UINT64_MAX, .gap_per_byte_ns = -1});
  }
  knob("jitter", sim.jitter_ns, usual.jitter_ns);
  knob("carrier", sim.carrier.ns, usual.carrier.ns);
  knob("carrier_per_byte", sim.carrier.ns_per_byte, usual.carrier.ns_per_byte);
  knob("item_push", sim.item.push_ns, usual.item.push_ns);
  knob("item_relay", sim.item.relay_ns, usual.item.relay_ns);
  knob("item_handling", sim.item.handling_ns, usual.item.handling_ns);
  knob("compute", sim.compute, usual.compute);
  knob("shift_ns", sim.shift_ns, usual.shift_ns);
  knob("shift_factor", sim.shift_factor, usual.shift_factor);
  knob("cores", sim.n_cores, usual.n_cores);
  knob("refuse", sim.refuse, usual.refuse);
  knob("hold", sim.hold, usual.hold);
  knob("hold_ns", sim.hold_ns, usual.hold_ns);
  knob("slow_share", sim.slow_share, usual.slow_share);
  knob("slow_factor", sim.slow_factor, usual.slow_factor);
  knob("preempt", sim.preempt, usual.preempt);
  knob("reroute", sim.reroute, usual.reroute);
  knob("stack", sim.stack_bytes, usual.stack_bytes);
  knob("lock_stacks", sim.lock_stacks, usual.lock_stacks);
  return out.str();
}

}  // namespace shoal::internal::sim
