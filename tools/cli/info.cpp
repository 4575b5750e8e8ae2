// `shoal info`: the machine, the substrates, and every setting with where it came from.
#include <iomanip>
#include <iostream>

#include "kernels/options.hpp"
#include "shoal/base/version.hpp"
#include "tools/cli/commands.hpp"
#include "tools/cli/json.hpp"
#include "tools/cli/placement.hpp"

namespace shoal::cli {
namespace {

// A fact of the machine, or a setting and its origin.
struct fact {
  std::string name;    // as people read it
  std::string key;     // in JSON, with the unit
  std::uint64_t value = 0;
  std::string origin;  // empty for a fact of the machine
  bool is_bytes = false;
};

std::string readable(const fact& f) {
  if (!f.is_bytes) return std::to_string(f.value);
  if (f.value == 0) return "unknown";
  constexpr const char* units[] = {"bytes", "KiB", "MiB", "GiB", "TiB"};
  std::uint64_t value = f.value;
  std::size_t unit = 0;
  // As large a unit as leaves a whole number, or at least three digits.
  while (unit < 4 && value >= 1024 && (value % 1024 == 0 || value >= 1'024'000)) {
    value /= 1024;
    ++unit;
  }
  return std::to_string(value) + " " + units[unit];
}

template <class T>
fact fact_of(std::string name, std::string key, const setting<T>& s, bool is_bytes = false) {
  return {std::move(name), std::move(key), static_cast<std::uint64_t>(s.value), s.origin, is_bytes};
}

std::vector<fact> machine_facts(const machine& here) {
  return {{"cores allowed", "cores", static_cast<std::uint64_t>(here.n_cores), {}, false},
          {"memory", "memory_bytes", here.memory_bytes, {}, true},
          {"cache of level 2", "level2_cache_bytes", kernels::cache_bytes(2), {}, true},
          {"cache of level 3", "level3_cache_bytes", kernels::cache_bytes(3), {}, true}};
}

std::vector<fact> setting_facts(const settings& chosen) {
  return {fact_of("PEs", "pes", chosen.n_pes),
          fact_of("buffer memory of a PE", "buffer_bytes_per_pe", chosen.memory_bytes, true),
          fact_of("slot", "slot_bytes", chosen.slot_bytes, true),
          fact_of("slots of a PE", "slots_per_pe", chosen.n_slots),
          fact_of("symmetric heap of a PE", "heap_bytes_per_pe", chosen.heap_bytes, true)};
}

struct substrate_fact {
  const char* name;
  const char* text;
};
constexpr substrate_fact substrates[] = {
    {"local", "processes of this machine, started by shoalrun -n P, or by shoal itself; up to 256 PEs"},
    {"threads", "threads of one process; up to 256 PEs"},
    {"sim", "simulated PEs on a simulated network, in virtual time; any number of PEs"},
};

void print_for_people(const std::vector<fact>& machine_is, const std::vector<fact>& set,
                      const settings& chosen) {
  constexpr int name_width = 26;
  constexpr int value_width = 14;
  std::cout << "shoal " << version() << "\n\nMachine\n" << std::left;
  for (const fact& f : machine_is) {
    std::cout << "  " << std::setw(name_width) << f.name << readable(f) << '\n';
  }
  std::cout << "\nSubstrates\n";
  for (const auto [name, text] : substrates) {
    std::cout << "  " << std::setw(name_width) << name << text << '\n';
  }
  std::cout << "\nSettings, and where each comes from\n"
            << "  " << std::setw(name_width) << "substrate" << std::setw(value_width)
            << chosen.substrate.value << chosen.substrate.origin << '\n';
  for (const fact& f : set) {
    std::cout << "  " << std::setw(name_width) << f.name << std::setw(value_width) << readable(f)
              << f.origin << '\n';
  }
}

void print_as_json(const std::vector<fact>& machine_is, const std::vector<fact>& set,
                   const settings& chosen) {
  std::string members;
  const auto add = [&](const std::string& key, const std::string& value) {
    members += (members.empty() ? "" : ", ") + json_string(key) + ": " + value;
  };
  const auto with_origin = [](const std::string& value, const std::string& origin) {
    return R"({"value": )" + value + R"(, "origin": )" + json_string(origin) + "}";
  };
  add("version", json_string(version()));
  for (const fact& f : machine_is) {
    add(f.key, f.is_bytes && f.value == 0 ? "null" : std::to_string(f.value));
  }
  std::string names;
  for (const auto [name, text] : substrates) names += (names.empty() ? "" : ", ") + json_string(name);
  add("substrates", "[" + names + "]");
  add("substrate", with_origin(json_string(chosen.substrate.value), chosen.substrate.origin));
  for (const fact& f : set) add(f.key, with_origin(std::to_string(f.value), f.origin));
  std::cout << '{' << members << "}\n";
}

}  // namespace

int print_info(const info_request& request) {
  settings chosen = place({}, request.pes).chosen;
  // What the PEs of such a job would decide, although this process is none of them.
  if (chosen.job_fd.value < 0) chosen.job_fd.value = 0;
  const machine here = this_machine();
  resolve(chosen, here);
  (request.is_json ? print_as_json : print_for_people)(machine_facts(here), setting_facts(chosen), chosen);
  return 0;
}

}  // namespace shoal::cli
