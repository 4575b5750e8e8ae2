/// Every knob of a run, with where its value came from. Environment variables are read in one place
/// (environment.cpp) and passed down as these plain structs.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace shoal {

/// A value and, for `shoal info`, its origin: "default", an environment variable, a launcher.
template <class T>
struct setting {
  T value{};
  std::string origin = "default";
};

/// The simulator's network and its hostile conditions. Times are virtual nanoseconds.
struct sim_settings {
  std::uint64_t seed = 1;

  // LogGP of the link between any two PEs (Alexandrov et al., SPAA 1995): latency, overhead at each
  // end, gap between buffers, gap per byte.
  std::uint64_t latency_ns = 1000;
  std::uint64_t overhead_ns = 200;
  std::uint64_t gap_ns = 100;
  double gap_per_byte_ns = 0.1;

  double refuse = 0;  // probability that try_acquire says no although a slot is free
  double hold = 0;  // probability that a buffer is held back for up to hold_ns
  std::uint64_t hold_ns = 100'000;
  double slow_share = 0;  // share of the PEs that are slow_factor times as slow as the others
  double slow_factor = 20;
  double preempt = 0;  // probability of a switch to another PE at each call of the substrate
  double reroute = 0;  // probability that mailboxes take routes of another hop count after a superstep
  std::size_t stack_bytes = 256 * 1024;
};

/// Who started this process, and as what, by the launcher's own variables.
struct launch_facts {
  std::string name;  // for people: "shoalrun", "Open MPI's mpirun"; empty: started alone
  std::int64_t n_pes = 0;  // processes that it started, or 0
  std::int64_t pe = 0;  // which of them this is
  std::string library;  // openmpi or mpich, which it serves; empty: none
  bool is_slurm = false;  // srun, which serves either, as its option --mpi says

  /// Whether this is the one task of a Slurm step, as an interactive shell is: as good as started alone.
  bool is_only_task() const noexcept { return is_slurm && n_pes == 1; }
};

/// An MPI communicator as Fortran has it (MPI_Fint), whose processes are the PEs.
struct communicator_handle {
  std::int32_t handle = 0;
  bool has_value = false;
};

/// What a run is made of. Zero means: decide from the machine.
struct settings {
  setting<std::string> substrate;  // local, threads, sim, mpi, mpi-rma, shmem; empty: decide
  setting<std::string> mpi_library;  // openmpi or mpich; empty: decide
  setting<std::string> modules;  // folder of modules; empty: beside the program and where Shoal lies
  setting<std::string> bind{"core"};  // PEs to cores where the launcher has not: none or core
  launch_facts launched;
  communicator_handle communicator;  // given by the program
  setting<std::int64_t> n_pes{1};
  setting<std::int64_t> pe{0};
  setting<int> job_fd{-1};  // memfd of a job started by shoalrun, or -1: alone
  setting<std::int64_t> launcher{0};  // process id of shoalrun, or 0
  setting<std::int64_t> n_cores{0};  // cores that this job may use
  setting<std::size_t> memory_bytes{0};  // buffers of one PE, all of them together
  setting<std::size_t> slot_bytes{0};  // payload of one buffer
  setting<std::size_t> n_slots{0};  // slots of one PE's pool
  // Slots beyond the one that each mailbox keeps in reserve; -1: all there are. For tests of progress.
  setting<std::int64_t> n_shared_slots{-1};
  setting<std::size_t> heap_bytes{0};  // symmetric heap of one PE
  setting<std::int64_t> node_size{0};  // PEs of a node; 0: as many as there are
  setting<std::int64_t> n_pes_here{0};  // PEs that share this machine's memory; 0: all
  setting<std::int64_t> n_hops{0};  // of routes that say nothing else
  bool adapts_hops = false;  // those of mailboxes follow the traffic, from n_hops on
  setting<std::string> codec{"best"};  // of buffers to other nodes: none, best, squeeze, delta or zstd
  setting<double> ns_per_byte{-1};  // what a byte to another node costs; -1: as the substrate says
  // Until a message sent is posted; 0: until its buffer is full or its PE idle.
  setting<std::int64_t> max_latency_us{0};
  setting<std::int64_t> debug_pe{-1};
  setting<bool> stats{false};
  setting<sim_settings> sim;
};

/// Reads the environment. Throws setup_error with one line that names the variable, what is wrong and a
/// value that would work.
settings settings_from_environment();

/// The descriptor of the job's memory that shoalrun handed down, or -1; for reporting that the rest of the
/// environment is wrong.
int job_fd_from_environment() noexcept;

/// How many processes the launcher of an MPI library or of Slurm has started, this one among them; 0: none has, or this
/// is the only task of a Slurm step.
std::int64_t launched_pes_from_environment() noexcept;

/// Where the shell would find program `name`: its path, or nothing.
std::string program_in_path(const std::string& name);

/// Which of its processes another launcher than shoalrun calls this one, or -1; likewise for reporting.
std::int64_t launcher_rank_from_environment() noexcept;

/// Parses sizes as users write them: 65536, 64k, 64K, 16M, 1G (powers of 1024). Throws setup_error that
/// begins with `what`.
std::size_t parse_bytes(std::string_view text, std::string_view what);

/// Parses a whole number in [low, high]. Throws setup_error that begins with `what`.
std::int64_t parse_integer(std::string_view text, std::string_view what, std::int64_t low, std::int64_t high);

/// Parses `latency=500,seed=7,hold=0.2,…` (the members of sim_settings without unit) into `into`.
void parse_sim_settings(std::string_view text, sim_settings& into);

/// Memory, cores and what follows from them for a job of `n_pes` PEs on this node.
struct machine {
  std::size_t memory_bytes = 0;  // physical memory, cut to the cgroup's limit
  int n_cores = 1;  // affinity mask, cut to the cgroup's quota
};
machine this_machine();

/// What handlers of a PE may send beyond their credits: the part of its memory budget that slots, and between nodes
/// the buffers that arrive, leave; half of it at least. Wants settings that are resolved.
std::size_t spill_bytes_max(const settings& chosen);

/// Decides on a substrate, if the user has not: the one that the launcher's PEs belong to, else local.
void choose_substrate(settings& chosen);

/// What hops are chosen for: this many slots for each link, of at least so many bytes. Each hop copies and waits once
/// more, which costs less than smaller buffers do; and with fewer slots, links starve one another.
inline constexpr std::size_t slots_per_link = 4;
inline constexpr std::size_t slot_bytes_fair = 4096;

/// Fills in what was left to decide. A node spends 1/16 of its memory on buffers, at most
/// 256 MiB per PE, divided among the PEs that share it.
void resolve(settings& chosen, const machine& here);

}  // namespace shoal
