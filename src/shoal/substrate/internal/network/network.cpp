#include "shoal/substrate/internal/network/network.hpp"

#include <sys/resource.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "shoal/base/internal/cores.hpp"
#include "shoal/base/machine.hpp"
#include "shoal/base/setup_error.hpp"
#include "shoal/base/version.hpp"
#include "shoal/substrate/internal/common_settings.hpp"
#include "shoal/substrate/internal/debugger.hpp"
#include "shoal/substrate/internal/launcher.hpp"
#include "shoal/substrate/internal/local/local.hpp"
#include "shoal/substrate/internal/local/segment.hpp"
#include "shoal/substrate/internal/network/job_end.hpp"
#include "shoal/substrate/internal/network/loaded_libraries.hpp"
#include "shoal/substrate/internal/network/module.hpp"
#include "shoal/substrate/internal/network/network_substrate.hpp"
#include "shoal/substrate/internal/network/node_rounds.hpp"
#include "shoal/substrate/internal/network/placement.hpp"
#include "shoal/substrate/internal/network/slurm_step.hpp"
#include "shoal/substrate/library_kind.hpp"
#include "shoal/substrate/substrate_kind.hpp"

namespace shoal::internal::network {
namespace {

constexpr std::size_t mib = std::size_t{1} << 20;

// Libraries with one-sided access register the whole heap, so there the default is not a quarter of the memory.
constexpr std::size_t registered_heap_bytes = 64 * mib;
// More landed buffers than this only fill caches.
constexpr std::size_t landing_bytes_max = 16 * mib;

library_kind library_for(const settings& chosen) {
  if (chosen.substrate.value == substrate_kind::shmem) return library_kind::openshmem;
  if (chosen.mpi_library.value) return *chosen.mpi_library.value;
  if (const std::optional<library_kind> loaded = loaded_mpi()) return *loaded;
  if (chosen.launched.is_slurm) return library_of_step(chosen);
  return chosen.launched.library.value_or(library_kind::open_mpi);
}

// What an OpenSHMEM library's heap must hold: Shoal's part, and room for the program's own allocations.
std::size_t symmetric_bytes(const settings& chosen) {
  constexpr std::size_t room = 128 * mib;
  const std::size_t heap = chosen.heap_bytes.value == 0 ? registered_heap_bytes : chosen.heap_bytes.value;
  return heap + landing_bytes_max + room;
}

// Open MPI's OpenSHMEM maps the heaps of all PEs of a machine into each, and crashes if it cannot.
void check_address_space(const settings& chosen) {
  constexpr std::size_t without_heaps = 512 * mib;  // measured: the program, its libraries, their own shared memory
  rlimit limit{};
  if (chosen.substrate.value != substrate_kind::shmem || is_shmem_loaded() || ::getrlimit(RLIMIT_AS, &limit) != 0)
    return;
  const auto n_pes = static_cast<std::size_t>(launched_processes_here());
  const std::size_t needed = without_heaps + n_pes * std::bit_ceil(symmetric_bytes(chosen));
  if (limit.rlim_cur >= needed) return;
  throw setup_error("the limit on address space, " + std::to_string(limit.rlim_cur / 1024) +
                    " KiB, has no room for OpenSHMEM and the heaps of " + std::to_string(n_pes) +
                    " PEs; set ulimit -v to unlimited, or to " + std::to_string(needed / 1024) + " and more");
}

void refuse_other_launchers(const settings& chosen) {
  if (chosen.job_fd.value < 0) return;
  const substrate_entry& wanted = entry_of(*chosen.substrate.value);
  const std::string name(wanted.name);
  const std::string advice = "; start the program with " + std::string(wanted.launcher);
  if (chosen.substrate.origin == "SHOAL_SUBSTRATE") {
    throw setup_error("SHOAL_SUBSTRATE=" + name + " under shoalrun, which starts PEs of substrate local" + advice +
                      ", or unset SHOAL_SUBSTRATE");
  }
  throw setup_error("shoalrun starts PEs of substrate local, but the job is one of substrate " + name + " (" +
                    chosen.substrate.origin + ")" + advice);
}

// A program of one MPI under the launcher of another believes that it is alone, once per process started.
void check_size(const settings& chosen, const wire& between) {
  const launch_facts& launched = chosen.launched;
  if (chosen.communicator.has_value) return;
  if (launched.n_pes > 0 && launched.n_pes != between.n_ranks()) {
    const std::string found = launched.name + " started " + std::to_string(launched.n_pes) + " processes, but " +
                              between.library() + " sees " + std::to_string(between.n_ranks()) + "; ";
    if (launched.is_slurm) throw setup_error(found + "start the program with " + how_to_start_a_step);
    throw setup_error(found +
                      "it is the launcher of another library: start the program with this one's, or choose the other "
                      "library with SHOAL_MPI=" +
                      choice_of_mpi());
  }
  if (chosen.n_pes.origin == "SHOAL_PES" && chosen.n_pes.value != between.n_ranks()) {
    throw setup_error("SHOAL_PES=" + std::to_string(chosen.n_pes.value) + ", but " + between.library() + " has " +
                      std::to_string(between.n_ranks()) + " processes; unset SHOAL_PES, which follows from mpirun -n");
  }
}

// Throws on every PE or on none. Digests first: the settings of all PEs may be many.
void require_same(wire& between, const settings& chosen) {
  const common_settings mine(chosen);
  const std::vector<std::uint64_t> digests = gather(between, mine.digest());
  const auto other = std::ranges::find_if(digests, [&](std::uint64_t digest) { return digest != digests[0]; });
  if (other == digests.end()) return;
  const std::vector<common_settings> all = gather(between, mine);
  const pe_id pe = other - digests.begin();
  throw setup_error(difference(0, all[0], pe, all[static_cast<std::size_t>(pe)]));
}

void decide_sizes(settings& chosen, resolve_function resolve, wire& between, const node_map& nodes) {
  chosen.n_pes = {between.n_ranks(), between.library()};
  chosen.pe = {between.rank(), between.library()};
  std::size_t largest = 0;
  for (const std::vector<int>& members : nodes.members) largest = std::max(largest, members.size());
  if (largest > local::max_pes) {
    throw setup_error(std::to_string(largest) + " PEs on one node are more than the " + std::to_string(local::max_pes) +
                      " that share memory; start fewer, or set SHOAL_NODE_SIZE=" + std::to_string(local::max_pes));
  }
  if (chosen.node_size.value == 0) {
    chosen.node_size = {static_cast<std::int64_t>(largest), "PEs that share memory"};
  }
  if (chosen.n_cores.value == 0) chosen.n_cores = {nodes.machine_cores, "affinity masks and cgroup quota"};
  if (nodes.n_nodes() > 1 && chosen.substrate.value != substrate_kind::mpi && chosen.heap_bytes.value == 0) {
    chosen.heap_bytes = {registered_heap_bytes, "substrate " + std::string(name_of(*chosen.substrate.value))};
  }
  // The same sizes on all nodes: those that suit the PE with the least memory of its own.
  const std::size_t mine = this_machine().memory_bytes / static_cast<std::size_t>(nodes.machine_size);
  chosen.n_pes_here = {1, ""};
  resolve(chosen, {.memory_bytes = std::ranges::min(gather(between, mine)), .n_cores = nodes.machine_cores});
  require_same(between, chosen);
  // What the user chose is a limit. What links cost depends on the nodes that there are.
  chosen.node_size.value = static_cast<std::int64_t>(largest);
}

void bind(const settings& chosen, const node_map& nodes) {
  const auto n_workers = static_cast<int>(chosen.n_workers.value);
  if (!chosen.binds.value || nodes.is_bound || nodes.machine_size * n_workers > nodes.machine_cores) return;
  if (nodes.machine_size == 1) return;  // alone on the machine: leave the placement to the kernel
  const std::vector<int> cpus = place_pes(affinity_cpus(), nodes.machine_size * n_workers, chosen.modules.value);
  if (cpus.empty()) return;
  bind_to_cpus(cpus_of_pe(cpus, static_cast<std::size_t>(nodes.machine_rank), static_cast<std::size_t>(n_workers)));
}

void open(wire& between, const settings& chosen, const node_map& nodes, const local::segment& memory) {
  std::vector<std::uint8_t> is_remote;
  for (const std::uint32_t node : nodes.node_of) is_remote.push_back(node != nodes.my_node);
  const std::size_t block_bytes = node_rounds::block_bytes_max(nodes);
  const auto n_nodes = static_cast<std::size_t>(nodes.n_nodes());
  const std::string error =
      between.open({.payload_bytes = chosen.slot_bytes.value,
                    .n_slots = chosen.n_slots.value,
                    .landing_bytes = std::min(chosen.memory_bytes.value / n_budget_parts, landing_bytes_max),
                    .heap_bytes = chosen.heap_bytes.value,
                    .heap = between.makes_heap() ? nullptr : memory.heap(nodes.my_local),
                    .exchange_bytes = leader_rounds::exchange_bytes(n_nodes, block_bytes),
                    .n_steps = leader_rounds::n_steps(n_nodes),
                    .is_remote = is_remote});
  if (error.empty()) return;
  between.close(job_end::let_others_leave);
  throw setup_error(error);
}

// Maps the node's memory. Throws on every PE or on none; otherwise the others would wait for the PE with a lower limit.
std::unique_ptr<local::segment> map_memory(wire& between, const local::segment_layout& layout, int fd) {
  struct fault {
    char text[200] = {};
  } mine;
  std::unique_ptr<local::segment> made;
  try {
    made = std::make_unique<local::segment>(layout, fd);
  } catch (const setup_error& e) {
    std::strncpy(mine.text, e.what(), sizeof mine.text - 1);
  }
  const std::vector<fault> all = gather(between, mine);
  const auto first = std::ranges::find_if(all, [](const fault& each) { return each.text[0] != '\0'; });
  if (first == all.end()) return made;
  made.reset();
  between.close(job_end::let_others_leave);
  throw setup_error("PE " + std::to_string(first - all.begin()) + " " + first->text);
}

wire& open_wire_for(const settings& chosen, library_kind library) {
  const std::string build(version());
  return open_wire(library,
                   {.version = build.c_str(),
                    .substrate = *chosen.substrate.value,
                    .communicator = chosen.communicator.handle,
                    .has_communicator = chosen.communicator.has_value,
                    .symmetric_bytes = symmetric_bytes(chosen)},
                   chosen.modules.value);
}

// Members are constructed in the order of the start; each step is collective and throws on every PE or on none.
class pe_of_job final : public process_pe {
public:
  pe_of_job(wire& between, settings& chosen, resolve_function resolve, library_kind library)
      : between_(between), nodes_(find_nodes_for(chosen)) {
    bind(chosen, nodes_);
    decide_sizes(chosen, resolve, between_, nodes_);
    const bool has_several_nodes = nodes_.n_nodes() > 1;
    const auto n_here = static_cast<pe_id>(nodes_.my_members().size());
    memory_ = map_memory(between_,
                         {n_here, chosen.n_slots.value, chosen.slot_bytes.value,
                          has_several_nodes && between_.makes_heap() ? 0 : chosen.heap_bytes.value,
                          node_rounds::memory_bytes(static_cast<std::size_t>(between_.n_ranks()))},
                         nodes_.memory.get());
    if (has_several_nodes) {
      open(between_, chosen, nodes_, *memory_);
      if (library == library_kind::mpich) ring_.emplace(between_, nodes_, may_outlive_dead(chosen, library));
    }
    mine_.emplace(between_, nodes_, *memory_, ring_ ? &*ring_ : nullptr, chosen.slot_bytes.value,
                  chosen.heap_bytes.value, chosen);
    mine_->prepare_memory();
  }

  // If it is not closed, its library may still write to the memory.
  ~pe_of_job() override {
    mine_.reset();
    if (is_closed_) {
      delete &between_;
    } else {
      static_cast<void>(memory_.release());
    }
  }

  substrate& backend() noexcept override { return *mine_; }
  bool stays() const noexcept override { return between_.is_ours(); }
  void begin_next_world() override {
    if (between_.is_over()) throw setup_error(between_.library() + ended_by_program);
  }
  bool ends_with_others() const noexcept override { return between_.is_ours() && !between_.is_over(); }
  bool hangs_in_forked_child() const noexcept override { return between_.hangs_in_forked_child(); }
  void close() override {
    mine_->bid_farewell();
    between_.close([this] { mine_->meet(); });
    is_closed_ = true;
  }

private:
  static constexpr const char* ended_by_program =
      " was ended in this process by the program, although Shoal began it; let Shoal end it, or begin it before Shoal "
      "does";

  node_map find_nodes_for(const settings& chosen) {
    wait_for_debugger(chosen, between_.rank());
    check_size(chosen, between_);
    require_same(between_, chosen);  // as given; what follows from it is compared when it is known
    return find_nodes(between_, chosen.node_size.value);
  }

  wire& between_;
  bool is_closed_ = false;
  node_map nodes_;
  std::optional<leader_ring> ring_;
  std::unique_ptr<local::segment> memory_;
  std::optional<network_substrate> mine_;
};

}  // namespace

void look_at_loaded_libraries(settings& chosen) {
  if (chosen.substrate.origin == "SHOAL_SUBSTRATE") return;
  // A program that uses MPI itself may let Shoal begin it.
  const launch_facts& launched = chosen.launched;
  if (launched.is_only_task() && chosen.substrate.value == substrate_kind::local && loaded_mpi()) {
    chosen.substrate = {substrate_kind::mpi, launched.name};
  }
  // One launcher serves both libraries; a program linked with OpenSHMEM means that.
  if (chosen.substrate.value == substrate_kind::mpi && launched.library == library_kind::open_mpi &&
      is_shmem_loaded()) {
    chosen.substrate = {substrate_kind::shmem, "the OpenSHMEM library in this program"};
  } else if (chosen.communicator.has_value && !is_network(*chosen.substrate.value)) {
    chosen.substrate = {substrate_kind::mpi, "the communicator it was given"};
  }
}

std::unique_ptr<process_pe> start_process(settings& chosen, resolve_function resolve) {
  refuse_other_launchers(chosen);
  check_address_space(chosen);
  const library_kind library = library_for(chosen);
  check_step(chosen, library);
  return std::make_unique<pe_of_job>(open_wire_for(chosen, library), chosen, resolve, library);
}

}  // namespace shoal::internal::network
