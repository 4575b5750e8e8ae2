/// What the OpenSHMEM module exports.
#include <shmem.h>

#include <bit>
#include <cstdlib>
#include <stdexcept>
#include <string>

#include "shoal/substrate/internal/network/module_entry.hpp"
#include "shoal/substrate/internal/shmem/library.hpp"
#include "shoal/substrate/internal/shmem/shmem_wire.hpp"

namespace shoal::internal::shmem {

namespace {

void check_request(const network::wire_request& request) {
  network::check_version(request);
  if (request.substrate != substrate_kind::shmem) {
    throw std::runtime_error("this module carries shmem, not '" + std::string(name_of(request.substrate)) + "'");
  }
  if (request.has_communicator) {
    throw std::runtime_error("OpenSHMEM knows no communicators; leave it out, or take substrate mpi");
  }
}

// What the user has set stays. The size is a power of two, to which the library rounds up.
void advise_library(std::size_t symmetric_bytes) {
  setenv(heap_size_variable, (std::to_string(std::bit_ceil(symmetric_bytes) >> 20) + "M").c_str(), 0);
  // With UCX's memory hooks, Open MPI 4.1 crashes when it ends.
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
#ifdef OSHMEM_MAJOR_VERSION
    network::make_library_global(&shmem_init);
#endif
    advise_library(request.symmetric_bytes);
    shmem_init();
  }
  return make_shmem_wire(is_ours);
}

}  // namespace

}  // namespace shoal::internal::shmem

extern "C" __attribute__((visibility("default"))) void shoal_open_wire(
    const shoal::internal::network::wire_request& request, shoal::internal::network::wire_answer& answer) {
  shoal::internal::network::answer_with(answer, [&] { return shoal::internal::shmem::open(request); });
}
