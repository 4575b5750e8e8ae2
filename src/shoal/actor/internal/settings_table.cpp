#include "shoal/actor/internal/settings_table.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "shoal/actor/internal/resolve.hpp"
#include "shoal/base/internal/environment.hpp"
#include "shoal/base/internal/named.hpp"
#include "shoal/base/internal/network_file.hpp"
#include "shoal/base/parse.hpp"
#include "shoal/base/setup_error.hpp"
#include "shoal/base/stall_action.hpp"
#include "shoal/base/statistics_form.hpp"
#include "shoal/codec/internal/known_codecs.hpp"
#include "shoal/conveyor/internal/buffer_budget.hpp"
#include "shoal/conveyor/internal/route.hpp"
#include "shoal/substrate/internal/launcher.hpp"
#include "shoal/substrate/internal/network/network.hpp"
#include "shoal/substrate/internal/sim/sim_settings.hpp"
#include "shoal/substrate/library_kind.hpp"
#include "shoal/substrate/substrate_kind.hpp"

namespace shoal::internal {
namespace {

constexpr std::int64_t n_slots_max = 1 << 20;
constexpr std::int64_t descriptor_max = 1'000'000'000;
constexpr std::int64_t process_id_max = 1'000'000'000;
constexpr std::int64_t latency_us_max = 1'000'000'000;
constexpr std::int64_t ns_per_byte_max = 1'000'000;

// Instead of a file of a network's figures.
constexpr std::string_view probe_word = "probe";

// Such as 9k or 64M; plain bytes below 1k.
std::string short_size(std::size_t bytes) {
  if (bytes % (1 << 20) == 0) return std::to_string(bytes >> 20) + "M";
  return bytes % 1024 == 0 ? std::to_string(bytes >> 10) + "k" : std::to_string(bytes);
}

// Upper limits that no user approaches are left out.
std::string range(std::int64_t low, std::int64_t high) {
  return std::to_string(low) + (high < 1'000'000 ? " to " + std::to_string(high) : " or more");
}

// In Markdown, the texts of a choice are code.
template <class Table, class IsOffered>
std::string values_of(const Table& table, IsOffered is_offered) {
  return choice_of(table,
                   [&](const auto& e) { return is_offered(e) ? "`" + std::string(e.name) + "`" : std::string(); });
}

// The name of the variable is the origin of the setting.
template <class T>
void set(setting<T>& its, T value, std::string_view name) {
  its = {std::move(value), std::string(name)};
}

template <auto Member>
bool are_same(const settings& a, const settings& b) {
  return (a.*Member).value == (b.*Member).value;
}

template <auto Member>
using value_of = std::remove_cvref_t<decltype((std::declval<settings>().*Member).value)>;

// Parse(text) gives the value.
template <auto Member, auto Parse>
constexpr settings_variable variable(std::string_view name, std::string_view help, std::string (*values)(),
                                     std::string_view default_text) {
  return {.name = name,
          .help = help,
          .unit = "",
          .values = values,
          .default_text = default_text,
          .read = [](std::string_view its, std::string_view text,
                     settings& into) { set(into.*Member, value_of<Member>(Parse(text)), its); },
          .is_same = are_same<Member>};
}

template <auto Member, std::int64_t Low, std::int64_t High>
constexpr settings_variable integer(std::string_view name, std::string_view help, std::string_view unit,
                                    std::string_view default_text) {
  return {.name = name,
          .help = help,
          .unit = unit,
          .values = [] { return range(Low, High); },
          .default_text = default_text,
          .read =
              [](std::string_view its, std::string_view text, settings& into) {
                set(into.*Member, static_cast<value_of<Member>>(parse_integer(text, its, Low, High)), its);
              },
          .is_same = are_same<Member>};
}

// Limits of sizes depend on other settings, so resolve() checks them.
template <auto Member>
constexpr settings_variable size(std::string_view name, std::string_view help, std::string (*values)(),
                                 std::string_view default_text) {
  return {.name = name,
          .help = help,
          .unit = "a size",
          .values = values,
          .default_text = default_text,
          .read = [](std::string_view its, std::string_view text,
                     settings& into) { set(into.*Member, parse_bytes(text, its), its); },
          .is_same = are_same<Member>};
}

constexpr settings_variable internal(settings_variable v) {
  v.is_internal = true;
  return v;
}

[[noreturn]] void refuse_choice(std::string_view name, std::string_view text, const std::string& choice) {
  refuse_value(name, text, "is unknown; choose " + choice);
}

substrate_kind parse_substrate(std::string_view text) {
  if (const substrate_entry* const found = find_named(known_substrates, text)) return found->id;
  throw setup_error("unknown substrate '" + std::string(text) + "' (SHOAL_SUBSTRATE); choose " +
                    choice_of(known_substrates));
}

library_kind parse_mpi(std::string_view text) {
  if (const library_entry* const found = find_mpi(text)) return found->id;
  refuse_choice("SHOAL_MPI", text, choice_of_mpi());
}

codec_number parse_codec(std::string_view text) {
  if (const codec_entry* const found = find_named(known_codecs, text)) return found->id;
  refuse_choice("SHOAL_CODEC", text, choice_of(known_codecs));
}

statistics_form parse_statistics_form(std::string_view text) {
  if (const statistics_form_entry* const found = find_named(known_statistics_forms, text)) return found->id;
  refuse_choice("SHOAL_STATS", text, choice_of(known_statistics_forms));
}

stall_action parse_stall_action(std::string_view text) {
  if (const stall_action_entry* const found = find_named(known_stall_actions, text)) return found->id;
  refuse_choice("SHOAL_ON_STALL", text, choice_of(known_stall_actions));
}

struct binding_entry {
  bool id;
  std::string_view name;
};
constexpr std::array<binding_entry, 2> bindings = {{{true, "core"}, {false, "none"}}};

bool parse_binding(std::string_view text) {
  if (const binding_entry* const found = find_named(bindings, text)) return found->id;
  refuse_choice("SHOAL_BIND", text, choice_of(bindings));
}

std::string as_it_is(std::string_view text) { return std::string(text); }

std::string path() { return "a path"; }

// Those of a choice by name.
template <const auto& Table>
std::string names_in() {
  return values_of(Table, [](const auto&) { return true; });
}

constexpr settings_variable table[] = {
    variable<&settings::substrate, parse_substrate>("SHOAL_SUBSTRATE", "what PEs are, and what connects them",
                                                    names_in<known_substrates>,
                                                    "`local`; `mpi` under `mpirun` and `srun -n 2` or more"),
    variable<&settings::mpi_library, parse_mpi>(
        "SHOAL_MPI", "the MPI whose module is opened, and whose `mpirun` is used by `shoal run`",
        [] { return values_of(known_libraries, [](const library_entry& e) { return e.is_mpi; }); },
        "`openmpi` if its `mpirun` is there"),
    variable<&settings::modules, as_it_is>("SHOAL_MODULES", "folder of the modules for MPI and OpenSHMEM", path,
                                           "beside the program or libshoal.so, and where Shoal is installed"),
    variable<&settings::binds, parse_binding>("SHOAL_BIND", "binds each PE to a core if the launcher has not",
                                              names_in<bindings>, "`core`"),
    integer<&settings::n_pes, 1, n_pes_max>("SHOAL_PES", "number of PEs, for `threads` and `sim`", "", "1"),
    internal({.name = "SHOAL_PE",
              .help = "which of them this process is",
              .unit = "",
              .values = [] { return std::string("0 to `SHOAL_PES` - 1"); },
              .default_text = "0",
              .read = [](std::string_view its, std::string_view text,
                         settings& into) { set(into.pe, parse_integer(text, its, 0, into.n_pes.value - 1), its); }}),
    internal(
        integer<&settings::job_fd, 0, descriptor_max>("SHOAL_JOB_FD", "descriptor of the job's memory", "", "none")),
    internal(integer<&settings::launcher, 1, process_id_max>("SHOAL_LAUNCHER", "process id of shoalrun", "", "none")),
    integer<&settings::n_cores, 1, n_pes_max>("SHOAL_CORES", "cores that the job may use; decides how long to spin", "",
                                              "affinity mask and cgroup quota"),
    size<&settings::memory_bytes>(
        "SHOAL_MEMORY", "buffer memory of a PE, including what handlers send beyond their credits",
        [] {
          const std::size_t least = buffer_budget::bytes_min();
          return short_size(least) + " or more, between nodes " + short_size(least * network::n_budget_parts);
        },
        "1/16 of the memory, divided among the PEs, at most 256M"),
    size<&settings::slot_bytes>(
        "SHOAL_SLOT_BYTES", "payload of one buffer",
        [] { return short_size(slot_bytes_min) + " to " + short_size(slot_bytes_max); },
        "32k, less if memory is short for the number of PEs"),
    integer<&settings::n_slots, 2, n_slots_max>("SHOAL_SLOTS", "buffers of a PE", "",
                                                "what fits into 16M and half of `SHOAL_MEMORY`"),
    integer<&settings::n_shared_slots, 0, n_slots_max>(
        "SHOAL_SHARED_SLOTS", "buffers beyond one per mailbox; 0 for tests of flow control", "", "all"),
    size<&settings::heap_bytes>(
        "SHOAL_HEAP", "symmetric heap of a PE (`shoalrun --heap`)",
        [] { return short_size(heap_bytes_min) + " or more"; },
        "1/4 of the memory, divided among the PEs; 64M on several nodes with `mpi-rma` or `shmem`"),
    integer<&settings::node_size, 1, n_pes_max>(
        "SHOAL_NODE_SIZE", "PEs of a node at most; 1 under `mpirun`: everything goes through the library", "",
        "PEs that share memory"),
    integer<&settings::n_hops, 1, n_hops_max>(
        "SHOAL_HOPS", "hops of a route", "",
        "as few as the budget allows; messages of actors take more if supersteps are small"),
    variable<&settings::codec, parse_codec>("SHOAL_CODEC",
                                            "encodes buffers to other nodes; `best`: each link takes the codec that "
                                            "gains most there, or none where none pays",
                                            names_in<known_codecs>, "`best`"),
    {.name = "SHOAL_NETWORK",
     .help = "what the links of this machine cost: `shoal network-bench` measures it",
     .unit = "",
     .values =
         [] { return std::string("a file, or `probe`: PEs measure it at the start, which takes below a second"); },
     .default_text = "guesses",
     .read =
         [](std::string_view its, std::string_view text, settings& into) {
           into.probes_network = text == probe_word;
           into.network = {std::nullopt, std::string(its)};
           if (into.probes_network) return;
           into.network.value = read_network_file(std::string(text), std::string(its));
           sim::take_figures(*into.network.value, into.sim.value);
         },
     .is_same =
         [](const settings& a, const settings& b) {
           return a.network.value == b.network.value && a.probes_network == b.probes_network;
         }},
    variable<&settings::ns_per_byte,
             [](std::string_view text) { return parse_real(text, "SHOAL_NS_PER_BYTE", 0, ns_per_byte_max); }>(
        "SHOAL_NS_PER_BYTE", "the time that a byte to another node costs, by which `best` decides",
        [] { return std::string("ns, 0 or more"); },
        "0.08 (100 Gbit/s) times the PEs of a node on networks, 0.1 on `sim`, else 0"),
    integer<&settings::max_latency_us, 0, latency_us_max>(
        "SHOAL_MAX_LATENCY", "how long a message may wait in its buffer; 0: until the buffer is full or the PE is idle",
        "us", "0"),
    integer<&settings::n_workers, 1, max_workers>(
        "SHOAL_WORKERS", "threads of a PE that run its tasks, its own included (`shoalrun --workers`)", "", "1"),
    size<&settings::task_stack_bytes>(
        "SHOAL_TASK_STACK", "stack of a task; tasks that wait keep theirs",
        [] { return short_size(task_stack_bytes_min) + " to " + short_size(task_stack_bytes_max); }, "256k"),
    variable<&settings::stats, parse_statistics_form>(
        "SHOAL_STATS",
        "tells at the end what each mailbox carried and where time went; 1: as a table; [statistics](statistics.md)",
        names_in<known_statistics_forms>, "0"),
    variable<&settings::stats_file, as_it_is>("SHOAL_STATS_FILE", "the file for that, which PE 0 writes", path,
                                              "stderr"),
    variable<&settings::on_stall, parse_stall_action>(
        "SHOAL_ON_STALL",
        "when nothing can move any more, each PE says what it waits for; then the job ends, aborts or stays for a "
        "debugger; [debugging](debugging.md)",
        names_in<known_stall_actions>, "`report`"),
    integer<&settings::debug_pe, 0, n_pes_max>(
        "SHOAL_DEBUG_PE", "the PE that waits for a debugger, on any substrate of processes (`shoalrun --debug`)", "",
        "none"),
    {.name = "SHOAL_SEED",
     .help = "seed of the simulator",
     .unit = "",
     .values = [] { return range(0, INT64_MAX); },
     .default_text = "1",
     .read =
         [](std::string_view its, std::string_view text, settings& into) {
           into.sim.value.seed = static_cast<std::uint64_t>(parse_integer(text, its, 0, INT64_MAX));
         }},
    {.name = "SHOAL_SIM",
     .help = "network and hostile conditions of the simulator; [simulator](design/simulator.md)",
     .unit = "",
     .values = [] { return std::string("`latency=500,hold=0.2,…`"); },
     .default_text = "a fast network, nothing hostile",
     .read =
         [](std::string_view its, std::string_view text, settings& into) {
           sim::parse_settings(text, into.sim.value);
           into.sim.origin = its;
         }},
};

// Shoal's tests set it for their programs.
constexpr std::string_view of_tests = "SHOAL_BIN";

// They name code to load, memory whose contents a PE believes, a file to overwrite, and one whose lines reports quote.
constexpr std::array<std::string_view, 4> of_trusted_users = {"SHOAL_MODULES", "SHOAL_JOB_FD", "SHOAL_STATS_FILE",
                                                              "SHOAL_NETWORK"};

// A misspelt variable would be ignored silently.
void refuse_misspelt() {
  std::vector<std::string_view> known = {of_tests};
  std::vector<std::string_view> for_users;
  for (const settings_variable& v : settings_variables()) {
    known.push_back(v.name);
    if (!v.is_internal) for_users.push_back(v.name);
  }
  refuse_misspelt_variables(known, for_users);
}

}  // namespace

std::span<const settings_variable> settings_variables() noexcept { return table; }

std::string_view name_of_binding(bool binds) noexcept { return entry_of(bindings, binds).name; }

std::string_view first_difference(const settings& a, const settings& b) {
  for (const settings_variable& v : settings_variables()) {
    if (v.is_same != nullptr && !v.is_same(a, b)) return v.name;
  }
  return {};
}

settings settings_from_environment() {
  refuse_strangers_variables(of_trusted_users);
  settings chosen;
  for (const settings_variable& v : settings_variables()) {
    if (const char* const text = environment_text(v.name.data())) v.read(v.name, text, chosen);
  }
  refuse_misspelt();
  chosen.launched = launch_facts_from_environment();
  return chosen;
}

}  // namespace shoal::internal
