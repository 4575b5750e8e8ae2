/// What the MPI modules export. Compiled once with each MPI library.
#include <mpi.h>

#include <cstdlib>
#include <stdexcept>
#include <string>

#include "shoal/substrate/internal/mpi/mpi_wire.hpp"
#include "shoal/substrate/internal/mpi/rma_wire.hpp"
#include "shoal/substrate/internal/mpi/two_sided_wire.hpp"
#include "shoal/substrate/internal/network/module_entry.hpp"

namespace shoal::internal::mpi {

namespace {

// Open MPI 4.1 crashes in the compare-and-swap of its window component `rdma` over shared memory. What the user has
// set stays.
void avoid_broken_parts() {
#ifdef OPEN_MPI
  setenv("OMPI_MCA_osc", "^rdma", 0);
#endif
}

session begin(const network::wire_request& request) {
  session made;
  int is_finalized = 0;
  MPI_Finalized(&is_finalized);
  if (is_finalized != 0) {
    throw std::runtime_error(
        "MPI has ended in this process, with the program's MPI_Finalize or with the shoal::run that began it, and "
        "cannot begin again; call MPI_Init before the first shoal::run, and MPI_Finalize after the last");
  }
  int is_initialized = 0;
  MPI_Initialized(&is_initialized);
  if (is_initialized == 0) {
#ifdef OPEN_MPI
    network::make_library_global(&MPI_Init_thread);
#endif
    avoid_broken_parts();
    int level = 0;
    MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &level);
    made.is_ours = true;
  }
  if (request.has_communicator) made.parent = MPI_Comm_f2c(static_cast<MPI_Fint>(request.communicator));
  if (made.parent == MPI_COMM_NULL) {
    throw std::runtime_error("the communicator is MPI_COMM_NULL; give one that this process belongs to");
  }
  return made;
}

network::wire* open(const network::wire_request& request) {
  network::check_version(request);
  switch (request.substrate) {
    case substrate_kind::mpi: return make_two_sided_wire(begin(request));
    case substrate_kind::mpi_rma: return make_rma_wire(begin(request));
    default:
      throw std::runtime_error("this module carries mpi and mpi-rma, not '" + std::string(name_of(request.substrate)) +
                               "'");
  }
}

}  // namespace

}  // namespace shoal::internal::mpi

extern "C" __attribute__((visibility("default"))) void shoal_open_wire(
    const shoal::internal::network::wire_request& request, shoal::internal::network::wire_answer& answer) {
  shoal::internal::network::answer_with(answer, [&] { return shoal::internal::mpi::open(request); });
}
