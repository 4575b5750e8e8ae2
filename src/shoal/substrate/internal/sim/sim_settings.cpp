#include "shoal/substrate/internal/sim/sim_settings.hpp"

#include <algorithm>
#include <array>
#include <string>

#include "shoal/base/internal/named.hpp"
#include "shoal/base/parse.hpp"
#include "shoal/base/setup_error.hpp"

namespace shoal::internal::sim {
namespace {

constexpr std::int64_t ns_max = 1'000'000'000'000;
constexpr std::int64_t n_cores_max = 1024;
constexpr std::int64_t per_byte_max = 1'000'000;
constexpr std::size_t stack_bytes_min = 32 << 10;

using parse_function = void (*)(sim_settings& into, std::string_view text, const std::string& what);

struct entry {
  std::string_view name;
  parse_function parse;
};

template <std::uint64_t sim_settings::* Member>
void parse_ns(sim_settings& into, std::string_view text, const std::string& what) {
  into.*Member = static_cast<std::uint64_t>(parse_integer(text, what, 0, ns_max));
}

template <std::uint64_t link_figures::* Member>
void parse_link_ns(sim_settings& into, std::string_view text, const std::string& what) {
  into.link.*Member = static_cast<std::uint64_t>(parse_integer(text, what, 0, ns_max));
}

template <double link_figures::* Member>
void parse_link_number(sim_settings& into, std::string_view text, const std::string& what) {
  into.link.*Member = parse_real(text, what, 0, per_byte_max);
}

link_figures& node_link_of(sim_settings& into) {
  if (!into.node_link) into.node_link = into.link;
  return *into.node_link;
}

template <std::uint64_t link_figures::* Member>
void parse_node_link_ns(sim_settings& into, std::string_view text, const std::string& what) {
  node_link_of(into).*Member = static_cast<std::uint64_t>(parse_integer(text, what, 0, ns_max));
}

template <double link_figures::* Member>
void parse_node_link_number(sim_settings& into, std::string_view text, const std::string& what) {
  node_link_of(into).*Member = parse_real(text, what, 0, per_byte_max);
}

template <double carrier_figures::* Member>
void parse_carrier(sim_settings& into, std::string_view text, const std::string& what) {
  into.carrier.*Member = parse_real(text, what, 0, static_cast<double>(ns_max));
}

template <double item_figures::* Member>
void parse_item(sim_settings& into, std::string_view text, const std::string& what) {
  into.item.*Member = parse_real(text, what, 0, static_cast<double>(ns_max));
}

template <double sim_settings::* Member, int Low, int High>
void parse_number(sim_settings& into, std::string_view text, const std::string& what) {
  into.*Member = parse_real(text, what, Low, High);
}

template <double sim_settings::* Member>
void parse_chance(sim_settings& into, std::string_view text, const std::string& what) {
  into.*Member = parse_real(text, what, 0, 1);
}

void parse_cores(sim_settings& into, std::string_view text, const std::string& what) {
  into.n_cores = static_cast<std::uint64_t>(parse_integer(text, what, 0, n_cores_max));
}

void parse_shift_factor(sim_settings& into, std::string_view text, const std::string& what) {
  into.shift_factor = parse_real(text, what, 0, 1'000'000);
}

// With probability 1, no PE could ever send.
void parse_refuse(sim_settings& into, std::string_view text, const std::string& what) {
  into.refuse = parse_real(text, what, 0, 0.99);
}

void parse_stack(sim_settings& into, std::string_view text, const std::string& what) {
  into.stack_bytes = parse_bytes(text, what);
  if (into.stack_bytes < stack_bytes_min) {
    refuse_value(what, text, "is too small for a stack; 32k is the least, 256k usual");
  }
}

void parse_lock_stacks(sim_settings& into, std::string_view text, const std::string& what) {
  into.lock_stacks = parse_integer(text, what, 0, 1) != 0;
}

constexpr std::array<entry, 29> entries = {{
    {"latency", parse_link_ns<&link_figures::latency_ns>},
    {"overhead", parse_link_ns<&link_figures::overhead_ns>},
    {"overhead_per_byte", parse_link_number<&link_figures::overhead_per_byte_ns>},
    {"gap", parse_link_ns<&link_figures::gap_ns>},
    {"gap_per_byte", parse_link_number<&link_figures::gap_per_byte_ns>},
    {"node_latency", parse_node_link_ns<&link_figures::latency_ns>},
    {"node_overhead", parse_node_link_ns<&link_figures::overhead_ns>},
    {"node_overhead_per_byte", parse_node_link_number<&link_figures::overhead_per_byte_ns>},
    {"node_gap", parse_node_link_ns<&link_figures::gap_ns>},
    {"node_gap_per_byte", parse_node_link_number<&link_figures::gap_per_byte_ns>},
    {"jitter", parse_ns<&sim_settings::jitter_ns>},
    {"carrier", parse_carrier<&carrier_figures::ns>},
    {"carrier_per_byte", parse_carrier<&carrier_figures::ns_per_byte>},
    {"item_push", parse_item<&item_figures::push_ns>},
    {"item_relay", parse_item<&item_figures::relay_ns>},
    {"item_handling", parse_item<&item_figures::handling_ns>},
    {"shift_ns", parse_ns<&sim_settings::shift_ns>},
    {"shift_factor", parse_shift_factor},
    {"cores", parse_cores},
    {"compute", parse_number<&sim_settings::compute, 0, 1'000'000>},
    {"refuse", parse_refuse},
    {"hold", parse_chance<&sim_settings::hold>},
    {"hold_ns", parse_ns<&sim_settings::hold_ns>},
    {"slow_share", parse_chance<&sim_settings::slow_share>},
    {"slow_factor", parse_number<&sim_settings::slow_factor, 1, 1'000'000>},
    {"preempt", parse_chance<&sim_settings::preempt>},
    {"reroute", parse_chance<&sim_settings::reroute>},
    {"stack", parse_stack},
    {"lock_stacks", parse_lock_stacks},
}};

std::string known_entries() {
  std::string names;
  for (const entry& each : entries) names += (names.empty() ? "" : ", ") + std::string(each.name);
  return names;
}

}  // namespace

void parse_settings(std::string_view text, sim_settings& into) {
  // Links of a node have the values of other links until they get their own, in whatever order the user writes them.
  for (const bool are_of_node : {false, true}) {
    for (std::string_view rest = text; !rest.empty();) {
      const std::string_view piece = rest.substr(0, rest.find(','));
      rest.remove_prefix(std::min(rest.size(), piece.size() + 1));
      const std::size_t equals = piece.find('=');
      const std::string name(piece.substr(0, equals));
      const entry* const known = find_named(entries, name);
      if (known == nullptr) {
        throw setup_error("SHOAL_SIM: unknown entry '" + name + "'; known: " + known_entries());
      }
      if (name.starts_with("node_") != are_of_node) continue;
      known->parse(into, equals == piece.npos ? "" : piece.substr(equals + 1), "SHOAL_SIM: " + name);
    }
  }
  if (into.jitter_ns > into.link.latency_ns) {
    throw setup_error("SHOAL_SIM: a jitter of " + std::to_string(into.jitter_ns) +
                      " ns is more than the latency between nodes, " + std::to_string(into.link.latency_ns) +
                      " ns; raise latency too");
  }
}

void take_figures(const network_figures& of, sim_settings& into) {
  if (of.network) into.link = *of.network;
  if (of.node) into.node_link = of.node;
  if (of.item) into.item = *of.item;
  into.jitter_ns = of.jitter_ns;
  into.carrier = of.carrier;
}

}  // namespace shoal::internal::sim
