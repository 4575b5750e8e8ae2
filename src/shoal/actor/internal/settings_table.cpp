#include "shoal/actor/internal/settings_table.hpp"

#include <array>
#include <cstdint>
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

// Records the variable as the origin of the setting.
template <class T, class Parse>
settings_variable variable(std::string_view name, std::string_view help, std::string values,
                           std::string_view default_text, setting<T> settings::* member, Parse parse) {
  return {.name = name,
          .help = help,
          .values = std::move(values),
          .default_text = default_text,
          .read = [=](std::string_view text,
                      settings& into) { into.*member = {static_cast<T>(parse(text)), std::string(name)}; },
          .is_same = [=](const settings& a, const settings& b) { return (a.*member).value == (b.*member).value; }};
}

template <class T>
settings_variable integer(std::string_view name, std::string_view help, std::int64_t low, std::int64_t high,
                          std::string_view unit, std::string_view default_text, setting<T> settings::* member) {
  return variable(name, help, (unit.empty() ? "" : std::string(unit) + ", ") + range(low, high), default_text, member,
                  [=](std::string_view text) { return parse_integer(text, name, low, high); });
}

// Limits of sizes depend on other settings, so resolve() checks them.
settings_variable size(std::string_view name, std::string_view help, std::string values, std::string_view default_text,
                       setting<std::size_t> settings::* member) {
  return variable(name, help, "a size, " + std::move(values), default_text, member,
                  [=](std::string_view text) { return parse_bytes(text, name); });
}

settings_variable internal(settings_variable v) {
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

std::vector<settings_variable> make_table() {
  const auto all = [](const auto&) { return true; };
  const auto as_it_is = [](std::string_view text) { return std::string(text); };
  const std::string least_memory = short_size(buffer_budget::bytes_min());
  const std::string least_between_nodes = short_size(buffer_budget::bytes_min() * network::n_budget_parts);
  return {
      variable("SHOAL_SUBSTRATE", "what PEs are, and what connects them", values_of(known_substrates, all),
               "`local`; `mpi` under `mpirun` and `srun -n 2` or more", &settings::substrate, parse_substrate),
      variable("SHOAL_MPI", "the MPI whose module is opened, and whose `mpirun` is used by `shoal run`",
               values_of(known_libraries, [](const library_entry& e) { return e.is_mpi; }),
               "`openmpi` if its `mpirun` is there", &settings::mpi_library, parse_mpi),
      variable("SHOAL_MODULES", "folder of the modules for MPI and OpenSHMEM", "a path",
               "beside the program or libshoal.so, and where Shoal is installed", &settings::modules, as_it_is),
      variable("SHOAL_BIND", "binds each PE to a core if the launcher has not", values_of(bindings, all), "`core`",
               &settings::binds, parse_binding),
      integer("SHOAL_PES", "number of PEs, for `threads` and `sim`", 1, n_pes_max, "", "1", &settings::n_pes),
      internal({.name = "SHOAL_PE",
                .help = "which of them this process is",
                .values = "0 to `SHOAL_PES` - 1",
                .default_text = "0",
                .read =
                    [](std::string_view text, settings& into) {
                      into.pe = {parse_integer(text, "SHOAL_PE", 0, into.n_pes.value - 1), "SHOAL_PE"};
                    }}),
      internal(
          integer("SHOAL_JOB_FD", "descriptor of the job's memory", 0, descriptor_max, "", "none", &settings::job_fd)),
      internal(integer("SHOAL_LAUNCHER", "process id of shoalrun", 1, process_id_max, "", "none", &settings::launcher)),
      integer("SHOAL_CORES", "cores that the job may use; decides how long to spin", 1, n_pes_max, "",
              "affinity mask and cgroup quota", &settings::n_cores),
      size("SHOAL_MEMORY", "buffer memory of a PE, including what handlers send beyond their credits",
           least_memory + " or more, between nodes " + least_between_nodes,
           "1/16 of the memory, divided among the PEs, at most 256M", &settings::memory_bytes),
      size("SHOAL_SLOT_BYTES", "payload of one buffer",
           short_size(slot_bytes_min) + " to " + short_size(slot_bytes_max),
           "32k, less if memory is short for the number of PEs", &settings::slot_bytes),
      integer("SHOAL_SLOTS", "buffers of a PE", 2, n_slots_max, "", "what fits into 16M and half of `SHOAL_MEMORY`",
              &settings::n_slots),
      integer("SHOAL_SHARED_SLOTS", "buffers beyond one per mailbox; 0 for tests of flow control", 0, n_slots_max, "",
              "all", &settings::n_shared_slots),
      size("SHOAL_HEAP", "symmetric heap of a PE (`shoalrun --heap`)", short_size(heap_bytes_min) + " or more",
           "1/4 of the memory, divided among the PEs; 64M on several nodes with `mpi-rma` or `shmem`",
           &settings::heap_bytes),
      integer("SHOAL_NODE_SIZE", "PEs of a node at most; 1 under `mpirun`: everything goes through the library", 1,
              n_pes_max, "", "PEs that share memory", &settings::node_size),
      integer("SHOAL_HOPS", "hops of a route", 1, n_hops_max, "",
              "as few as the budget allows; messages of actors take more if supersteps are small", &settings::n_hops),
      variable("SHOAL_CODEC",
               "encodes buffers to other nodes; `best`: each link takes the codec that gains most there, or none where "
               "none pays",
               values_of(known_codecs, all), "`best`", &settings::codec, parse_codec),
      {.name = "SHOAL_NETWORK",
       .help = "what the links of this machine cost: `shoal network-bench` measures it",
       .values = "a file, or `probe`: PEs measure it at the start, which takes below a second",
       .default_text = "guesses",
       .read =
           [](std::string_view text, settings& into) {
             into.probes_network = text == probe_word;
             if (into.probes_network) {
               into.network = {std::nullopt, "SHOAL_NETWORK"};
               return;
             }
             const network_figures figures = read_network_file(std::string(text), "SHOAL_NETWORK");
             into.network = {figures, "SHOAL_NETWORK"};
             sim::take_figures(figures, into.sim.value);
           },
       .is_same =
           [](const settings& a, const settings& b) {
             return a.network.value == b.network.value && a.probes_network == b.probes_network;
           }},
      variable("SHOAL_NS_PER_BYTE", "the time that a byte to another node costs, by which `best` decides",
               "ns, 0 or more", "0.08 (100 Gbit/s) times the PEs of a node on networks, 0.1 on `sim`, else 0",
               &settings::ns_per_byte,
               [](std::string_view text) { return parse_real(text, "SHOAL_NS_PER_BYTE", 0, ns_per_byte_max); }),
      integer("SHOAL_MAX_LATENCY",
              "how long a message may wait in its buffer; 0: until the buffer is full or the PE is idle", 0,
              latency_us_max, "us", "0", &settings::max_latency_us),
      integer("SHOAL_WORKERS", "threads of a PE that run its tasks, its own included (`shoalrun --workers`)", 1,
              max_workers, "", "1", &settings::n_workers),
      size("SHOAL_TASK_STACK", "stack of a task; tasks that wait keep theirs",
           short_size(task_stack_bytes_min) + " to " + short_size(task_stack_bytes_max), "256k",
           &settings::task_stack_bytes),
      variable("SHOAL_STATS",
               "tells at the end what each mailbox carried and where time went; 1: as a table; "
               "[statistics](statistics.md)",
               values_of(known_statistics_forms, all), "0", &settings::stats, parse_statistics_form),
      variable("SHOAL_STATS_FILE", "the file for that, which PE 0 writes", "a path", "stderr", &settings::stats_file,
               as_it_is),
      variable("SHOAL_ON_STALL",
               "when nothing can move any more, each PE says what it waits for; then the job ends, aborts or stays for "
               "a debugger; [debugging](debugging.md)",
               values_of(known_stall_actions, all), "`report`", &settings::on_stall, parse_stall_action),
      integer("SHOAL_DEBUG_PE", "the PE that waits for a debugger, on any substrate of processes (`shoalrun --debug`)",
              0, n_pes_max, "", "none", &settings::debug_pe),
      {.name = "SHOAL_SEED",
       .help = "seed of the simulator",
       .values = range(0, INT64_MAX),
       .default_text = "1",
       .read =
           [](std::string_view text, settings& into) {
             into.sim.value.seed = static_cast<std::uint64_t>(parse_integer(text, "SHOAL_SEED", 0, INT64_MAX));
           }},
      {.name = "SHOAL_SIM",
       .help = "network and hostile conditions of the simulator; [simulator](design/simulator.md)",
       .values = "`latency=500,hold=0.2,…`",
       .default_text = "a fast network, nothing hostile",
       .read =
           [](std::string_view text, settings& into) {
             sim::parse_settings(text, into.sim.value);
             into.sim.origin = "SHOAL_SIM";
           }},
  };
}

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

std::span<const settings_variable> settings_variables() {
  static const std::vector<settings_variable> table = make_table();
  return table;
}

std::string_view name_of_binding(bool binds) noexcept { return entry_of(bindings, binds).name; }

std::string_view first_difference(const settings& a, const settings& b) {
  for (const settings_variable& v : settings_variables()) {
    if (v.is_same && !v.is_same(a, b)) return v.name;
  }
  return {};
}

settings settings_from_environment() {
  refuse_strangers_variables(of_trusted_users);
  settings chosen;
  for (const settings_variable& v : settings_variables()) {
    if (const char* const text = environment_text(v.name.data())) v.read(text, chosen);
  }
  refuse_misspelt();
  chosen.launched = launch_facts_from_environment();
  return chosen;
}

}  // namespace shoal::internal
