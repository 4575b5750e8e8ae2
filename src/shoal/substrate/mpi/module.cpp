/// What the MPI modules export. Compiled once with each MPI library.
#include "shoal/substrate/network/module.hpp"

#include <dlfcn.h>
#include <mpi.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <stdexcept>
#include <string>

#include "shoal/base/version.hpp"
#include "shoal/substrate/mpi/mpi_wire.hpp"
#include "shoal/substrate/mpi/rma_wire.hpp"
#include "shoal/substrate/mpi/two_sided_wire.hpp"

namespace shoal::mpi {

namespace {

void check_version(const network::wire_request& request) {
  if (version() == request.version) return;
  throw std::runtime_error(
      "the module is of Shoal " + std::string(version()) + ", the program of " + request.version +
      "; install both from one build, or name another folder of modules in SHOAL_MODULES");
}

// Open MPI opens plugins of its own, which use its symbols but do not all name it as needed, so these must be global.
// This module, and with it the library, was opened with RTLD_LOCAL. (Debian's works without this by the luck of a
// plugin that is opened early and does name it.)
void make_library_global() {
#ifdef OPEN_MPI
  Dl_info info;
  if (dladdr(reinterpret_cast<void*>(&MPI_Init_thread), &info) != 0) {
    dlopen(info.dli_fname, RTLD_NOW | RTLD_GLOBAL | RTLD_NOLOAD);
  }
#endif
}

// Open MPI 4.1 crashes in the compare-and-swap of its window component `rdma` over shared memory. What the user has
// set counts.
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
        "MPI has ended in this process, with the program's MPI_Finalize or with the shoal::run that began it, and cannot "
        "begin again; call MPI_Init before the first shoal::run, and MPI_Finalize after the last");
  }
  int is_initialized = 0;
  MPI_Initialized(&is_initialized);
  if (is_initialized == 0) {
    make_library_global();
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
  check_version(request);
  const std::string_view substrate = request.substrate;
  if (substrate == "mpi") return make_two_sided_wire(begin(request));
  if (substrate == "mpi-rma") return make_rma_wire(begin(request));
  throw std::runtime_error("this module carries mpi and mpi-rma, not '" + std::string(substrate) + "'");
}

}  // namespace

}  // namespace shoal::mpi

// Exceptions end here: the program may have another copy of their types.
extern "C" __attribute__((visibility("default"))) void shoal_open_wire(
    const shoal::network::wire_request& request, shoal::network::wire_answer& answer) {
  try {
    answer.made = shoal::mpi::open(request);
  } catch (const std::exception& failed) {
    std::snprintf(answer.error, sizeof answer.error, "%s", failed.what());
  }
}
