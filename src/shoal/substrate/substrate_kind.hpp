/// The substrates, and the only table of them: names, what each is, and what it needs.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "shoal/base/internal/named.hpp"
#include "shoal/substrate/internal/local/job_page.hpp"

namespace shoal {

enum class substrate_kind : std::uint8_t { local, threads, sim, mpi, mpi_rma, shmem };

/// The form of PEs. Processes are started from outside; the other forms live in one process, which starts them.
enum class pe_form : std::uint8_t { process, thread, simulated };

struct substrate_entry {
  substrate_kind id;
  std::string_view name;
  std::string_view gloss;  // a word or two for lists of names; empty: the name suffices
  std::string_view help;
  pe_form pes;
  bool is_network;  // PEs may be on several machines; a communication library's launcher starts them
  std::int64_t n_pes_max;
  std::string_view launcher;  // starts the PEs; empty: none
};

/// More PEs than any present machine or cluster holds.
inline constexpr std::int64_t n_pes_max = 1'000'000;

inline constexpr std::array<substrate_entry, 6> known_substrates = {{
    {.id = substrate_kind::local,
     .name = "local",
     .gloss = "processes",
     .help = "processes of this machine, started by shoalrun -n P, or by shoal itself",
     .pes = pe_form::process,
     .is_network = false,
     .n_pes_max = internal::local::max_pes,
     .launcher = "shoalrun"},
    {.id = substrate_kind::threads,
     .name = "threads",
     .gloss = "",
     .help = "threads of one process",
     .pes = pe_form::thread,
     .is_network = false,
     .n_pes_max = internal::local::max_pes,
     .launcher = ""},
    {.id = substrate_kind::sim,
     .name = "sim",
     .gloss = "simulated",
     .help = "simulated PEs on a simulated network, in virtual time; any number of PEs",
     .pes = pe_form::simulated,
     .is_network = false,
     .n_pes_max = n_pes_max,
     .launcher = ""},
    {.id = substrate_kind::mpi,
     .name = "mpi",
     .gloss = "",
     .help = "processes that mpirun or srun starts, or shoal itself; messages of MPI between nodes",
     .pes = pe_form::process,
     .is_network = true,
     .n_pes_max = n_pes_max,
     .launcher = "mpirun"},
    {.id = substrate_kind::mpi_rma,
     .name = "mpi-rma",
     .gloss = "one-sided MPI",
     .help = "the same, with MPI's one-sided access between nodes",
     .pes = pe_form::process,
     .is_network = true,
     .n_pes_max = n_pes_max,
     .launcher = "mpirun"},
    {.id = substrate_kind::shmem,
     .name = "shmem",
     .gloss = "OpenSHMEM",
     .help = "processes that oshrun starts, or shoal itself; OpenSHMEM between nodes",
     .pes = pe_form::process,
     .is_network = true,
     .n_pes_max = n_pes_max,
     .launcher = "oshrun"},
}};

constexpr const substrate_entry& entry_of(substrate_kind kind) noexcept {
  return internal::entry_of(known_substrates, kind);
}
constexpr std::string_view name_of(substrate_kind kind) noexcept { return entry_of(kind).name; }

/// Describes the substrate and how many PEs it takes, for a list.
std::string described(const substrate_entry& substrate);

/// Whether a communication library's launcher starts the PEs, possibly on several machines.
constexpr bool is_network(substrate_kind kind) noexcept { return entry_of(kind).is_network; }

/// Whether time is simulated, and memory and cores of a machine do not limit the PEs.
constexpr bool is_simulated(substrate_kind kind) noexcept { return entry_of(kind).pes == pe_form::simulated; }

}  // namespace shoal
