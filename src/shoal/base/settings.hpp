/// The settings of a run: plain values, each with its origin.
///
/// Nothing is decided here. The table in actor/internal/settings_table.hpp says which variable sets which value;
/// resolve.hpp there decides what the user leaves open. Choices by name are enumerations of other layers; this layer
/// carries them without knowing their enumerators.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "shoal/base/link_figures.hpp"

namespace shoal {

enum class substrate_kind : std::uint8_t;  // substrate/substrate_kind.hpp
enum class library_kind : std::uint8_t;  // substrate/network/library_kind.hpp
enum class codec_number : std::uint8_t;  // codec/codec.hpp
enum class stall_action : std::uint8_t;  // base/stall_action.hpp
enum class statistics_form : std::uint8_t;  // base/statistics_form.hpp

/// A value and, for `shoal info`, its origin: "default", an environment variable, a launcher.
template <class T>
struct setting {
  T value{};
  std::string origin = "default";
};

/// What is known of a machine's links, from a file (internal/network_file.hpp).
struct network_figures {
  std::string name;
  std::optional<link_figures> node;  // between PEs of a node
  std::optional<link_figures> network;  // between nodes, whose PEs share the gaps
  std::uint64_t jitter_ns = 0;  // by how much a buffer between nodes takes more or less
  carrier_figures carrier;
  std::optional<item_figures> item;
  bool operator==(const network_figures&) const = default;
};

/// The simulator's network and its hostile conditions. Times are virtual nanoseconds.
struct sim_settings {
  std::uint64_t seed = 1;

  link_figures link;
  std::optional<link_figures> node_link;  // within a node; none: `link`, with gaps of its own for each PE
  std::uint64_t jitter_ns = 0;  // by how much a buffer between nodes takes more or less
  carrier_figures carrier;  // counts where PEs share cores
  item_figures item;
  // From this time on, links between nodes take shift_factor times as long; 0: never.
  std::uint64_t shift_ns = 0;
  double shift_factor = 1;
  std::uint64_t n_cores = 0;  // that all PEs share; 0: each has its own
  // Times that the program's own computing counts, measured on this machine, in place of what it declares; 0: what it declares.
  double compute = 0;
  double refuse = 0;  // probability that try_acquire says no although a slot is free
  double hold = 0;  // probability that a buffer is delayed by up to hold_ns
  std::uint64_t hold_ns = 100'000;
  double slow_share = 0;  // share of the PEs that are slower, by slow_factor
  double slow_factor = 20;
  double preempt = 0;  // probability of a switch to another PE at each call of the substrate
  double reroute = 0;  // probability that mailboxes take routes of another hop count after a superstep
  std::size_t stack_bytes = 256 * 1024;
  bool lock_stacks = false;  // nobody can access the stack of a PE that does not run
};

/// Which launcher started this process, and which of its processes this is (substrate/internal/launcher.hpp).
struct launch_facts {
  std::string name;  // for people: "shoalrun", "Open MPI's mpirun"; empty: started alone
  std::int64_t n_pes = 0;  // processes that it started; 0: unknown
  std::int64_t pe = 0;  // number of this process
  std::optional<library_kind> library;  // the MPI library that connects them; empty if none
  bool is_slurm = false;  // srun, which serves several libraries; its option --mpi selects one

  /// Whether this is the only task of a Slurm step, like an interactive shell. Treated as started alone.
  bool is_only_task() const noexcept { return is_slurm && n_pes == 1; }
};

/// An MPI communicator in Fortran's form (MPI_Fint); its processes are the PEs.
struct communicator_handle {
  std::int32_t handle = 0;
  bool has_value = false;
};

/// Most workers of a PE.
inline constexpr int max_workers = 1024;

/// Zero or empty: derived from the machine.
struct settings {
  setting<std::optional<substrate_kind>> substrate;
  setting<std::optional<library_kind>> mpi_library;
  setting<std::string>
      modules;  // folder of modules; empty: beside the program or libshoal.so, and where Shoal is installed
  setting<bool> binds{true};  // bind each PE to a core, unless the launcher has
  launch_facts launched;
  communicator_handle communicator;  // given by the program
  setting<std::int64_t> n_pes{1};
  setting<std::int64_t> pe{0};
  setting<int> job_fd{-1};  // memfd of a job started by shoalrun, or -1: alone
  setting<std::int64_t> launcher{0};  // process id of shoalrun, or 0
  setting<std::int64_t> n_cores{0};  // cores that this job may use
  setting<std::size_t> memory_bytes{0};  // for all buffers of one PE
  setting<std::size_t> slot_bytes{0};  // payload of one buffer
  setting<std::size_t> n_slots{0};  // slots of one PE's pool
  // Slots beyond the reserve of one per mailbox; -1: all that remain. For tests of progress.
  setting<std::int64_t> n_shared_slots{-1};
  setting<std::size_t> heap_bytes{0};  // symmetric heap of one PE
  setting<std::int64_t> node_size{0};  // PEs of a node; 0: as many as share memory
  setting<std::int64_t> n_pes_here{0};  // PEs that share this machine's memory; 0: all
  setting<std::int64_t> n_hops{0};  // default of routes
  bool adapts_hops = false;  // mailboxes' hops follow the traffic; n_hops is the first choice
  setting<std::optional<codec_number>> codec;  // for buffers to other nodes
  setting<std::optional<network_figures>> network;
  bool probes_network = false;  // measured at the start of the job instead
  setting<double> ns_per_byte{-1};  // cost of sending a byte to another node; -1: the substrate's value
  // Upper limit on how long a sent message waits to be posted; 0: until its buffer is full or its PE idle.
  setting<std::int64_t> max_latency_us{0};
  setting<std::int64_t> n_workers{1};  // threads of a PE that run its tasks, its own included
  setting<std::size_t> task_stack_bytes{256 * 1024};  // of each task that waits, and of one that runs
  setting<std::int64_t> debug_pe{-1};
  setting<stall_action> on_stall;  // when nothing can move any more
  // How long a PE waits before it looks whether anything can move; 0: 2 seconds, and on `sim` never, since the simulator
  // knows by itself. For tests.
  std::uint64_t stall_patience_ns = 0;
  setting<statistics_form> stats;
  setting<std::string> stats_file;  // where PE 0 writes them; empty: stderr
  setting<sim_settings> sim;
};

}  // namespace shoal
