/// What the OpenSHMEM module exports.
#include "shoal/substrate/network/module.hpp"

#include <dlfcn.h>
#include <shmem.h>

#include <bit>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <stdexcept>
#include <string>

#include "shoal/base/version.hpp"
#include "shoal/substrate/shmem/library.hpp"
#include "shoal/substrate/shmem/shmem_wire.hpp"

namespace shoal::shmem {

namespace {

void check_request(const network::wire_request& request) {
  if (version() != request.version) {
    throw std::runtime_error("the module is of Shoal " + std::string(version()) + ", the program of " +
                             request.version +
                             "; install both from one build, or name another folder of modules in SHOAL_MODULES");
  }
  if (request.substrate != std::string("shmem")) {
    throw std::runtime_error("this module carries shmem, not '" + std::string(request.substrate) + "'");
  }
  if (request.has_communicator) {
    throw std::runtime_error("OpenSHMEM knows no communicators; leave it out, or take substrate mpi");
  }
}

// Open MPI opens plugins of its own, which find its symbols only if they are global; this module was opened with
// RTLD_LOCAL, and so was the library with it.
void make_library_global() {
#ifdef OSHMEM_MAJOR_VERSION
  Dl_info info;
  if (dladdr(reinterpret_cast<void*>(&shmem_init), &info) != 0) {
    dlopen(info.dli_fname, RTLD_NOW | RTLD_GLOBAL | RTLD_NOLOAD);
  }
#endif
}

// What the user has set counts. Whole powers of two, which is what the library rounds up to.
void advise_library(std::size_t symmetric_bytes) {
  setenv(heap_size_variable, (std::to_string(std::bit_ceil(symmetric_bytes) >> 20) + "M").c_str(), 0);
  // With them, Open MPI 4.1 crashes when it ends.
  setenv("OMPI_MCA_opal_common_ucx_opal_mem_hooks", "0", 0);
}

network::wire* open(const network::wire_request& request) {
  check_request(request);
  if (is_over()) {
    throw std::runtime_error("OpenSHMEM has ended in this process and cannot begin again; call shmem_init before " +
                             std::string("the first shoal::run, and shmem_finalize after the last"));
  }
  const bool is_ours = !is_begun();
  if (is_ours) {
    make_library_global();
    advise_library(request.symmetric_bytes);
    shmem_init();
  }
  return make_shmem_wire(is_ours);
}

}  // namespace

}  // namespace shoal::shmem

// Exceptions end here: the program may have another copy of their types.
extern "C" __attribute__((visibility("default"))) void shoal_open_wire(
    const shoal::network::wire_request& request, shoal::network::wire_answer& answer) {
  try {
    answer.made = shoal::shmem::open(request);
  } catch (const std::exception& failed) {
    std::snprintf(answer.error, sizeof answer.error, "%s", failed.what());
  }
}
