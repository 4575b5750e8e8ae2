// The one place that reads environment variables.
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <climits>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "shoal/base/cores.hpp"
#include "shoal/base/settings.hpp"
#include "shoal/base/setup_error.hpp"
#include "shoal/base/spelling.hpp"

namespace shoal {
namespace {

[[noreturn]] void refuse(std::string_view what, std::string_view text, const std::string& hint) {
  throw setup_error(std::string(what) + "=" + std::string(text) + " " + hint);
}

double parse_real(std::string_view text, std::string_view what, double low, double high) {
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || !(value >= low && value <= high)) {
    refuse(what, text, "is not a number from " + std::to_string(low) + " to " + std::to_string(high));
  }
  return value;
}

// Variables that Shoal reads, but no user sets: what shoalrun gives to its PEs, and tests to their programs.
bool is_of_shoal_itself(std::string_view name) {
  return name == "SHOAL_PE" || name == "SHOAL_JOB_FD" || name == "SHOAL_LAUNCHER" || name == "SHOAL_BIN";
}

// Reads variables and remembers which a user may set, so that one that was meant for them is told from a program's own.
class environment_reader {
public:
  // The text of a variable that is set and not empty, else null.
  const char* text(const char* variable) {
    if (!is_of_shoal_itself(variable)) names_.emplace_back(variable);
    const char* const found = std::getenv(variable);
    return found == nullptr || *found == '\0' ? nullptr : found;
  }

  // Has `parse` make a value of the variable's text, if there is one, and notes where it is from.
  template <class T>
  void read(const char* variable, setting<T>& into, const std::function<T(std::string_view)>& parse) {
    const char* const found = text(variable);
    if (found == nullptr) return;
    into.value = parse(found);
    into.origin = variable;
  }

  // A misspelt variable would change nothing and say nothing.
  void refuse_misspelt() const {
    for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry) {
      const std::string_view variable(*entry);
      const std::string_view name = variable.substr(0, variable.find('='));
      if (name.size() + 1 >= variable.size() || is_known(name)) continue;
      const std::string_view meant = meant_name(name, names_);
      if (meant.empty()) continue;
      throw setup_error(std::string(name) + " is unknown and changes nothing; if " + std::string(meant) +
                        " is meant, write that, else unset it");
    }
  }

private:
  bool is_known(std::string_view name) const {
    return is_of_shoal_itself(name) || std::ranges::find(names_, name) != names_.end();
  }

  std::vector<std::string_view> names_;
};

std::function<std::int64_t(std::string_view)> integer(const char* variable, std::int64_t low, std::int64_t high) {
  return [=](std::string_view text) { return parse_integer(text, variable, low, high); };
}

std::function<std::size_t(std::string_view)> bytes(const char* variable) {
  return [=](std::string_view text) { return parse_bytes(text, variable); };
}

std::function<std::string(std::string_view)> one_of(const char* variable, std::vector<std::string> words) {
  return [variable, words = std::move(words)](std::string_view text) {
    if (std::ranges::find(words, text) != words.end()) return std::string(text);
    std::string choice;
    for (const std::string& word : words) choice += (choice.empty() ? "" : word == words.back() ? " or " : ", ") + word;
    refuse(variable, text, "is unknown; choose " + choice);
  };
}

// A launcher that tells each process how many it started and which of them this one is.
struct launcher_variables {
  const char* n_pes;
  const char* pe;
  const char* name;
  const char* library;
};

constexpr launcher_variables of_shoalrun = {"SHOAL_PES", "SHOAL_PE", "shoalrun", ""};
constexpr launcher_variables of_open_mpi = {"OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK", "Open MPI's mpirun",
                                            "openmpi"};
constexpr launcher_variables of_pmi = {"PMI_SIZE", "PMI_RANK", "MPICH's mpirun", "mpich"};
constexpr launcher_variables of_slurm = {"SLURM_STEP_NUM_TASKS", "SLURM_PROCID", "srun", ""};

bool is_set(const char* variable) noexcept {
  const char* text = std::getenv(variable);
  return text != nullptr && *text != '\0';
}

// The variable's whole number, or -1 if it holds none or is not set.
std::int64_t number_in(const char* variable) noexcept {
  const char* text = std::getenv(variable);
  if (text == nullptr) return -1;
  std::int64_t value = -1;
  const std::string_view digits(text);
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
  return error == std::errc{} && end == digits.data() + digits.size() ? value : -1;
}

// A batch script and an interactive shell have SLURM_PROCID as well, but no step or one of Slurm's own, which have
// the highest numbers (a batch script 4294967291).
bool is_slurm_step() noexcept {
  constexpr std::int64_t first_of_its_own = 0xfffffff0;
  const std::int64_t step = number_in("SLURM_STEP_ID");
  return step >= 0 && step < first_of_its_own;
}

bool is_told(const launcher_variables& l) noexcept { return is_set(l.n_pes) && is_set(l.pe); }

// srun --mpi=pmi2 sets PMI's variables for its tasks; mpirun within a step sets them for other processes.
bool are_of_the_step(const launcher_variables& l) noexcept {
  return is_slurm_step() && number_in(l.n_pes) == number_in(of_slurm.n_pes) &&
         number_in(l.pe) == number_in(of_slurm.pe);
}

// In the order in which they count: one may have been started by the other. Null: started alone.
const launcher_variables* our_launcher() noexcept {
  if (is_set("SHOAL_JOB_FD")) return &of_shoalrun;
  for (const launcher_variables* l : {&of_open_mpi, &of_pmi}) {
    if (is_told(*l)) return are_of_the_step(*l) ? &of_slurm : l;
  }
  return is_told(of_slurm) && is_slurm_step() ? &of_slurm : nullptr;
}

launch_facts read_launcher() {
  const launcher_variables* const l = our_launcher();
  if (l == nullptr) return {};
  launch_facts facts{.name = l->name, .n_pes = 0, .pe = 0, .library = l->library};
  if (is_set(l->n_pes)) facts.n_pes = parse_integer(std::getenv(l->n_pes), l->n_pes, 1, INT32_MAX);
  if (is_set(l->pe)) facts.pe = parse_integer(std::getenv(l->pe), l->pe, 0, std::max<std::int64_t>(facts.n_pes - 1, 0));
  if (l == &of_slurm) {
    facts.is_slurm = true;
    // With PMIx, Open MPI's processes find each other, with PMI those of MPICH. Some builds of Open MPI can do with PMI,
    // if this variable names their component for it.
    facts.library = is_set("PMIX_RANK") || is_set("OMPI_MCA_pmix") ? "openmpi" : "mpich";
  }
  return facts;
}

}  // namespace

std::size_t parse_bytes(std::string_view text, std::string_view what) {
  std::uint64_t value = 0;
  const char* const stop = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data(), stop, value);
  int shift = 0;
  bool is_valid = error == std::errc{} && end != text.data();
  if (is_valid && end != stop) {
    switch (*end) {
      case 'k':
      case 'K': shift = 10; break;
      case 'm':
      case 'M': shift = 20; break;
      case 'g':
      case 'G': shift = 30; break;
      default: is_valid = false;
    }
    is_valid = is_valid && end + 1 == stop;
  }
  if (!is_valid || value > (std::uint64_t{1} << 46 >> shift)) {
    refuse(what, text, "is not a size; write for example 64k, 16M or 2G");
  }
  return static_cast<std::size_t>(value << shift);
}

std::int64_t parse_integer(std::string_view text, std::string_view what, std::int64_t low, std::int64_t high) {
  std::int64_t value = 0;
  const char* const stop = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data(), stop, value);
  if (error != std::errc{} || end != stop || value < low || value > high) {
    refuse(what, text, "is not a whole number from " + std::to_string(low) + " to " + std::to_string(high));
  }
  return value;
}

namespace {

std::size_t parse_stack_bytes(std::string_view text, std::string_view what) {
  const std::size_t bytes = parse_bytes(text, what);
  if (bytes < 32 << 10) refuse(what, text, "is too small for a stack; 32k is the least, 256k usual");
  return bytes;
}

}  // namespace

void parse_sim_settings(std::string_view text, sim_settings& into) {
  const std::int64_t far = 1'000'000'000'000;
  while (!text.empty()) {
    const std::string_view entry = text.substr(0, text.find(','));
    text.remove_prefix(std::min(text.size(), entry.size() + 1));
    const std::size_t equals = entry.find('=');
    const std::string_view key = entry.substr(0, equals);
    const std::string_view value = equals == entry.npos ? "" : entry.substr(equals + 1);
    const std::string what = "SHOAL_SIM: " + std::string(key);
    const auto whole = [&](std::int64_t high) {
      return static_cast<std::uint64_t>(parse_integer(value, what, 0, high));
    };
    const auto chance = [&] { return parse_real(value, what, 0, 1); };
    if (key == "latency") into.latency_ns = whole(far);
    else if (key == "overhead") into.overhead_ns = whole(far);
    else if (key == "gap") into.gap_ns = whole(far);
    else if (key == "gap_per_byte") into.gap_per_byte_ns = parse_real(value, what, 0, 1e6);
    else if (key == "refuse") into.refuse = parse_real(value, what, 0, 0.99);
    else if (key == "hold") into.hold = chance();
    else if (key == "hold_ns") into.hold_ns = whole(far);
    else if (key == "slow_share") into.slow_share = chance();
    else if (key == "slow_factor") into.slow_factor = parse_real(value, what, 1, 1e6);
    else if (key == "preempt") into.preempt = chance();
    else if (key == "reroute") into.reroute = chance();
    else if (key == "stack") into.stack_bytes = parse_stack_bytes(value, what);
    else {
      throw setup_error("SHOAL_SIM: unknown entry '" + std::string(key) +
                        "'; known: latency, overhead, gap, gap_per_byte, refuse, hold, hold_ns, "
                        "slow_share, slow_factor, preempt, reroute, stack");
    }
  }
}

int job_fd_from_environment() noexcept {
  const std::int64_t fd = number_in("SHOAL_JOB_FD");
  return fd <= INT_MAX ? static_cast<int>(fd) : -1;
}

std::int64_t launcher_rank_from_environment() noexcept {
  const launcher_variables* const l = our_launcher();
  return l == nullptr || l == &of_shoalrun ? -1 : number_in(l->pe);
}

std::int64_t launched_pes_from_environment() noexcept {
  const launcher_variables* const l = our_launcher();
  if (l == nullptr || l == &of_shoalrun) return 0;
  const std::int64_t n_pes = std::max<std::int64_t>(0, number_in(l->n_pes));
  return l == &of_slurm && n_pes == 1 ? 0 : n_pes;
}

int launched_processes_here() {
  for (const char* variable : {"OMPI_COMM_WORLD_LOCAL_SIZE", "MPI_LOCALNRANKS"}) {
    if (const std::int64_t n = number_in(variable); n > 0) return static_cast<int>(n);
  }
  if (our_launcher() != &of_slurm) return 1;
  const std::int64_t n_nodes = std::max<std::int64_t>(1, number_in("SLURM_STEP_NUM_NODES"));
  return static_cast<int>((number_in(of_slurm.n_pes) + n_nodes - 1) / n_nodes);  // as evenly as srun does by default
}

std::string program_in_path(const std::string& name) {
  const char* const path = std::getenv("PATH");
  std::istringstream folders(path == nullptr ? "" : path);
  for (std::string folder; std::getline(folders, folder, ':');) {
    const std::string file = (folder.empty() ? "." : folder) + "/" + name;
    std::error_code failed;
    if (std::filesystem::is_regular_file(file, failed) && ::access(file.c_str(), X_OK) == 0) return file;
  }
  return {};
}

settings settings_from_environment() {
  settings s;
  environment_reader from;
  from.read<std::string>("SHOAL_SUBSTRATE", s.substrate, [](std::string_view t) { return std::string(t); });
  from.read<std::string>("SHOAL_MPI", s.mpi_library, one_of("SHOAL_MPI", {"openmpi", "mpich"}));
  from.read<std::string>("SHOAL_MODULES", s.modules, [](std::string_view t) { return std::string(t); });
  from.read<std::string>("SHOAL_BIND", s.bind, one_of("SHOAL_BIND", {"core", "none"}));
  from.read<std::int64_t>("SHOAL_PES", s.n_pes, integer("SHOAL_PES", 1, 1'000'000));
  from.read<std::int64_t>("SHOAL_PE", s.pe, integer("SHOAL_PE", 0, s.n_pes.value - 1));
  from.read<int>("SHOAL_JOB_FD", s.job_fd, [](std::string_view t) {
    return static_cast<int>(parse_integer(t, "SHOAL_JOB_FD", 0, 1'000'000'000));
  });
  from.read<std::int64_t>("SHOAL_LAUNCHER", s.launcher, integer("SHOAL_LAUNCHER", 1, 1'000'000'000));
  from.read<std::int64_t>("SHOAL_CORES", s.n_cores, integer("SHOAL_CORES", 1, 1'000'000));
  from.read<std::size_t>("SHOAL_MEMORY", s.memory_bytes, bytes("SHOAL_MEMORY"));
  from.read<std::size_t>("SHOAL_SLOT_BYTES", s.slot_bytes, bytes("SHOAL_SLOT_BYTES"));
  from.read<std::size_t>("SHOAL_SLOTS", s.n_slots, [](std::string_view t) {
    return static_cast<std::size_t>(parse_integer(t, "SHOAL_SLOTS", 2, 1 << 20));
  });
  from.read<std::int64_t>("SHOAL_SHARED_SLOTS", s.n_shared_slots, integer("SHOAL_SHARED_SLOTS", 0, 1 << 20));
  from.read<std::size_t>("SHOAL_HEAP", s.heap_bytes, bytes("SHOAL_HEAP"));
  from.read<std::int64_t>("SHOAL_NODE_SIZE", s.node_size, integer("SHOAL_NODE_SIZE", 1, 1'000'000));
  from.read<std::int64_t>("SHOAL_HOPS", s.n_hops, integer("SHOAL_HOPS", 1, 3));
  from.read<std::string>("SHOAL_CODEC", s.codec, one_of("SHOAL_CODEC", {"none", "best", "squeeze", "delta", "zstd"}));
  from.read<double>("SHOAL_NS_PER_BYTE", s.ns_per_byte,
                    [](std::string_view t) { return parse_real(t, "SHOAL_NS_PER_BYTE", 0, 1e6); });
  from.read<std::int64_t>("SHOAL_MAX_LATENCY", s.max_latency_us, integer("SHOAL_MAX_LATENCY", 0, 1'000'000'000));
  from.read<std::int64_t>("SHOAL_DEBUG_PE", s.debug_pe, integer("SHOAL_DEBUG_PE", 0, 1'000'000));
  from.read<bool>("SHOAL_STATS", s.stats,
                  [](std::string_view t) { return parse_integer(t, "SHOAL_STATS", 0, 1) != 0; });
  from.read<sim_settings>("SHOAL_SIM", s.sim, [](std::string_view t) {
    sim_settings sim;
    parse_sim_settings(t, sim);
    return sim;
  });
  if (const char* const seed = from.text("SHOAL_SEED")) {
    s.sim.value.seed = static_cast<std::uint64_t>(parse_integer(seed, "SHOAL_SEED", 0, INT64_MAX));
  }
  from.refuse_misspelt();
  s.launched = read_launcher();
  return s;
}

}  // namespace shoal
