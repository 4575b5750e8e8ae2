// `shoal info`: the machine, the substrates, every setting with its origin, and the cost of routes.
#include <algorithm>
#include <iomanip>
#include <iostream>
#include <sstream>

#include "kernels/options.hpp"
#include "shoal/actor/internal/resolve.hpp"
#include "shoal/actor/internal/settings_table.hpp"
#include "shoal/base/internal/quoting.hpp"
#include "shoal/base/machine.hpp"
#include "shoal/base/version.hpp"
#include "shoal/codec/internal/known_codecs.hpp"
#include "shoal/conveyor/internal/buffer_budget.hpp"
#include "shoal/conveyor/internal/route.hpp"
#include "shoal/substrate/internal/link_costs.hpp"
#include "shoal/substrate/internal/network/module.hpp"
#include "tools/cli/columns.hpp"
#include "tools/cli/commands.hpp"
#include "tools/cli/json.hpp"
#include "tools/cli/placement.hpp"

namespace shoal::cli {

using namespace internal;
namespace {

constexpr int name_width = 26;

#ifdef __clang__
constexpr const char* compiler = __VERSION__;  // begins with its name
#else
constexpr const char* compiler = "GCC " __VERSION__;
#endif
constexpr bool has_contract_checks = SHOAL_CHECKED != 0;

// A fact of the machine, or a setting and its origin.
struct fact {
  std::string name;  // for people
  std::string key;  // in JSON, with the unit
  std::uint64_t value = 0;
  std::string origin;  // empty for a fact of the machine
  bool is_bytes = false;
  std::string word = {};  // replaces the value
};

std::string readable_bytes(std::uint64_t value) {
  if (value == 0) return "unknown";
  constexpr const char* units[] = {"bytes", "KiB", "MiB", "GiB", "TiB"};
  std::size_t unit = 0;
  // The largest unit that leaves a whole number or at least three digits.
  while (unit < 4 && value >= 1024 && (value % 1024 == 0 || value >= 1'024'000)) {
    value /= 1024;
    ++unit;
  }
  return std::to_string(value) + " " + units[unit];
}

std::string readable(const fact& f) {
  if (!f.word.empty()) return f.word;
  return f.is_bytes ? readable_bytes(f.value) : std::to_string(f.value);
}

std::string value_in_json(const fact& f) { return f.word.empty() ? std::to_string(f.value) : json_string(f.word); }

template <class T>
fact fact_of(std::string name, std::string key, const setting<T>& s, bool is_bytes = false) {
  return {std::move(name), std::move(key), static_cast<std::uint64_t>(s.value), s.origin, is_bytes};
}

fact word_of(std::string name, std::string key, std::string_view word, const std::string& origin) {
  return {.name = std::move(name), .key = std::move(key), .origin = origin, .word = std::string(word)};
}

std::vector<fact> machine_facts(const machine& here) {
  return {{"cores allowed", "cores", static_cast<std::uint64_t>(here.n_cores), {}, false},
          {"memory", "memory_bytes", here.memory_bytes, {}, true},
          {"cache of level 2", "level2_cache_bytes", kernels::cache_bytes(2), {}, true},
          {"cache of level 3", "level3_cache_bytes", kernels::cache_bytes(3), {}, true}};
}

std::vector<fact> setting_facts(const settings& chosen) {
  std::ostringstream byte_cost;
  byte_cost << chosen.ns_per_byte.value << " ns";
  const std::string ns_per_byte = chosen.ns_per_byte.value < 0 ? "substrate's" : byte_cost.str();
  const std::string_view links =
      chosen.probes_network ? "to be measured at the start" : name_of(links_of(chosen).origin);
  const std::string links_from =
      chosen.network.origin + (chosen.network.value ? ": " + chosen.network.value->name : "");
  return {fact_of("PEs", "pes", chosen.n_pes),
          fact_of("cores of the job", "job_cores", chosen.n_cores),
          word_of("PEs are bound", "bind", name_of_binding(chosen.binds.value), chosen.binds.origin),
          fact_of("buffer memory of a PE", "buffer_bytes_per_pe", chosen.memory_bytes, true),
          fact_of("slot", "slot_bytes", chosen.slot_bytes, true),
          fact_of("slots of a PE", "slots_per_pe", chosen.n_slots),
          fact_of("PEs of a node", "node_size", chosen.node_size),
          fact_of("hops of a route", "hops", chosen.n_hops),
          word_of("codec to other nodes", "codec", internal::name_of(*chosen.codec.value), chosen.codec.origin),
          word_of("costs of links", "network", links, links_from),
          word_of("cost of a byte there", "ns_per_byte", ns_per_byte, chosen.ns_per_byte.origin),
          fact_of("latency limit, us", "max_latency_us", chosen.max_latency_us),
          fact_of("symmetric heap of a PE", "heap_bytes_per_pe", chosen.heap_bytes, true)};
}

// The memory of a PE's mailbox or conveyor with this many hops.
struct route_cost {
  int n_hops = 0;
  std::size_t n_links = 0;
  std::size_t slot_bytes = 0;  // that a job with this many hops would choose
  std::size_t reserved_bytes = 0;  // for slots_per_link buffers on every link
};

std::vector<route_cost> route_costs(const settings& given, const machine& here) {
  std::vector<route_cost> costs;
  for (int n_hops = 1; n_hops <= n_hops_max; ++n_hops) {
    settings with = given;
    with.n_hops.value = n_hops;
    resolve(with, here);
    const pe_id n_pes = with.n_pes.value;
    route_tables tables(node_layout(n_pes, with.node_size.value));
    const route way(tables, 0, n_hops);
    route_cost& cost = costs.emplace_back();
    cost.n_hops = n_hops;
    for (int h = 0; h < n_hops; ++h) cost.n_links += way.hop(h).neighbours.size();
    cost.slot_bytes = with.slot_bytes.value;
    cost.reserved_bytes = reserved_bytes(cost.n_links, slots_per_link, cost.slot_bytes, n_pes, n_hops);
  }
  return costs;
}

// Uses the terms of docs/design/routes.md.
std::string reason_for_hops(const settings& given, const settings& chosen, const machine& here) {
  if (given.n_hops.value != 0) return given.n_hops.origin + " says so";
  settings free_slots = given;
  free_slots.slot_bytes = {};
  const route_cost cost = route_costs(free_slots, here)[static_cast<std::size_t>(chosen.n_hops.value - 1)];
  const std::string room = std::to_string(slots_per_link) + " slots of " + readable_bytes(slot_bytes_fair) + " or more";
  const std::string reason = cost.slot_bytes >= slot_bytes_fair
                                 ? "the fewest that leave each link " + room + " within the buffer memory"
                                 : "none leaves each link " + room + ", and these have the fewest links";
  const bool has_choice = chosen.node_size.value > 1 && chosen.node_size.value < chosen.n_pes.value;
  return reason + (has_choice ? "; messages of actors follow the traffic from there on" : "");
}

struct routes_fact {
  std::vector<route_cost> costs;
  std::string reason;  // for the chosen number of hops
};

// What a module provides, and where it is or how to get it.
std::string text_of(const network::module_place& place) {
  if (!place.file.empty()) return place.file;
  return "missing: " + place.looked_for + "; build Shoal where " + std::string(entry_of(place.library).packages) +
         " are installed (Debian's names), or set SHOAL_MODULES";
}

std::string text_of(const codec_entry& codec) {
  if (is_built(codec)) return "built in";
  return "missing: build Shoal where " + std::string(codec.package) + " is installed (Debian's name)";
}

// A name, with its purpose in parentheses.
std::string title(std::string_view name, std::string_view serves) {
  return std::string(name) + (serves.empty() ? "" : " (" + std::string(serves) + ")");
}

void print_module(const network::module_place& place) {
  const library_entry& library = entry_of(place.library);
  std::cout << "  " << std::setw(name_width) << title(library.name, library.serves)
            << internal::printable(text_of(place)) << '\n';
}

void print_routes(const routes_fact& routes, const settings& chosen) {
  std::cout << "\nRoutes for " << chosen.n_pes.value << (chosen.n_pes.value == 1 ? " PE" : " PEs") << " on nodes of "
            << std::min(chosen.node_size.value, chosen.n_pes.value) << ", and what a mailbox of PE 0 reserves for "
            << slots_per_link << " slots a link\n";
  std::vector<row> rows = {{"  hops", "links", "slot", "reserved"}};
  for (const route_cost& cost : routes.costs) {
    rows.push_back({"  " + std::to_string(cost.n_hops), std::to_string(cost.n_links), readable_bytes(cost.slot_bytes),
                    readable_bytes(cost.reserved_bytes)});
  }
  print_aligned(std::cout, rows);
  std::cout << "  " << chosen.n_hops.value << (chosen.n_hops.value == 1 ? " hop: " : " hops: ") << routes.reason
            << '\n';
}

void print_for_people(const std::vector<fact>& machine_is, const routes_fact& routes, const settings& chosen) {
  std::cout << "shoal " << version() << ", compiled by " << compiler
            << (has_contract_checks ? ", with contract checks" : "") << "\n\nMachine\n"
            << std::left;
  for (const fact& f : machine_is) {
    std::cout << "  " << std::setw(name_width) << f.name << readable(f) << '\n';
  }
  std::cout << "\nSubstrates\n";
  for (const substrate_entry& substrate : known_substrates) {
    std::cout << "  " << std::setw(name_width) << substrate.name << described(substrate) << '\n';
  }
  std::cout << "\nModules of the last three\n";
  for (const network::module_place& place : network::find_modules(chosen.modules.value)) {
    print_module(place);
  }
  for (const library_kind each : {library_kind::hwloc, library_kind::metis, library_kind::scotch}) {
    print_module(network::find_module(each, chosen.modules.value));
  }
  for (const codec_entry& codec : known_codecs) {
    if (!codec.package.empty())
      std::cout << "  " << std::setw(name_width) << title(codec.name, "codec") << text_of(codec) << '\n';
  }
  std::cout << '\n';
  print_settings(std::cout, chosen);
  print_routes(routes, chosen);
}

void print_as_json(const std::vector<fact>& machine_is, const routes_fact& routes, const settings& chosen) {
  std::string members;
  const auto add = [&](const std::string& key, const std::string& value) {
    members += (members.empty() ? "" : ", ") + json_string(key) + ": " + value;
  };
  const auto with_origin = [](const std::string& value, const std::string& origin) {
    return R"({"value": )" + value + R"(, "origin": )" + json_string(origin) + "}";
  };
  add("version", json_string(version()));
  add("compiler", json_string(compiler));
  add("contract_checks", has_contract_checks ? "true" : "false");
  for (const fact& f : machine_is) {
    add(f.key, f.is_bytes && f.value == 0 ? "null" : std::to_string(f.value));
  }
  std::string names;
  for (const substrate_entry& s : known_substrates) names += (names.empty() ? "" : ", ") + json_string(s.name);
  add("substrates", "[" + names + "]");
  std::string modules;
  for (const network::module_place& place : network::find_modules(chosen.modules.value)) {
    modules += (modules.empty() ? "" : ", ") + json_string(entry_of(place.library).name) + ": " +
               (place.file.empty() ? "null" : json_string(place.file));
  }
  add("modules", "{" + modules + "}");
  std::string codecs;
  for (const codec_entry& codec : known_codecs) {
    if (is_built(codec)) codecs += (codecs.empty() ? "" : ", ") + json_string(codec.name);
  }
  add("codecs", "[" + codecs + "]");
  add("substrate", with_origin(json_string(name_of(*chosen.substrate.value)), chosen.substrate.origin));
  for (const fact& f : setting_facts(chosen)) add(f.key, with_origin(value_in_json(f), f.origin));
  add("hops_reason", json_string(routes.reason));
  std::string costs;
  for (const route_cost& c : routes.costs) {
    costs += (costs.empty() ? "" : ", ") + (R"({"hops": )" + std::to_string(c.n_hops)) + R"(, "links": )" +
             std::to_string(c.n_links) + R"(, "slot_bytes": )" + std::to_string(c.slot_bytes) +
             R"(, "reserved_bytes": )" + std::to_string(c.reserved_bytes) + "}";
  }
  add("routes", "[" + costs + "]");
  std::cout << '{' << members << "}\n";
}

}  // namespace

void print_settings(std::ostream& out, const settings& chosen) {
  constexpr int value_width = 14;
  out << std::left << "Settings, and where each comes from\n"
      << "  " << std::setw(name_width) << "substrate" << std::setw(value_width) << name_of(*chosen.substrate.value)
      << chosen.substrate.origin << '\n';
  for (const fact& f : setting_facts(chosen)) {
    out << "  " << std::setw(name_width) << f.name << std::setw(value_width) << readable(f) << f.origin << '\n';
  }
}

int print_info(const info_request& request) {
  settings chosen = place({.substrate = {}, .pes = request.pes, .mpi = {}}).chosen;
  // What the PEs of such a job would decide, although this process is not one of them.
  if (chosen.job_fd.value < 0 && chosen.substrate.value == substrate_kind::local) chosen.job_fd.value = 0;
  const machine here = this_machine();
  const settings given = chosen;
  resolve(chosen, here);
  const routes_fact routes{route_costs(given, here), reason_for_hops(given, chosen, here)};
  (request.is_json ? print_as_json : print_for_people)(machine_facts(here), routes, chosen);
  return 0;
}

}  // namespace shoal::cli
