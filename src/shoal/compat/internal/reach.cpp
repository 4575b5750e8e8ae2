#include "shoal/compat/internal/reach.hpp"

#include <cstdio>
#include <string>

#include "shoal/actor/world.hpp"
#include "shoal/base/internal/ambient.hpp"
#include "shoal/compat/internal/far_calls.hpp"
#include "shoal/compat/internal/process_world.hpp"
#include "shoal/conveyor/internal/exchange.hpp"

namespace shoal::internal::compat {

constinit reach here;

void refuse_place(const void* address, std::size_t bytes, int pe, const char* call) {
  const std::string name(call);
  if (here.n_pes == 0) {
    end_job(status_usage, name + " outside a job; call shmem_init first, and shmem_finalize last");
  }
  if (pe < 0 || static_cast<std::uint64_t>(pe) >= here.n_pes) {
    end_job(status_usage, name + " on PE " + std::to_string(pe) + ", which is out of range; PEs are 0 to " +
                              std::to_string(here.n_pes - 1));
  }
  char text[32];
  std::snprintf(text, sizeof text, "%p", address);
  const bool maps_statics = here.static_bytes != 0;
  end_job(status_usage,
          name + " of " + std::to_string(bytes) + " bytes at " + text + ", which are not symmetric" +
              (maps_statics ? "; they have to lie in memory from shmem_malloc, or in static variables of the program "
                              "(not of a shared library)"
                            : "; they have to lie in memory from shmem_malloc (static variables are not shared in "
                              "this job: SHOAL_STATS=1 says why)"));
}

void let_others_go_on() {
  if (here.far != nullptr) here.far->note_fence();
}

void complete_calls(const char* call) {
  if (here.far != nullptr) return here.far->complete(call);
  here.memory->quiet();
}

void serve_others() {
  constexpr unsigned n_calls_between = 16;
  if (!here.must_serve || ++here.n_calls % n_calls_between != 0) return;
  exchange& through = world_for("access to another PE").message_exchange();
  if (through.now().running() == nullptr) through.progress();
}

void put_block(void* dest, const void* source, std::size_t bytes, int pe, bool starts, const char* call) {
  if (bytes == 0) return;
  const std::size_t offset = place_of(dest, bytes, pe, call);
  if (std::byte* const part = direct_part(pe)) {
    std::memmove(part + offset, source, bytes);  // the two may be one block of this PE
  } else if (starts) {
    here.memory->start_put(offset, source, bytes, pe);
    serve_others();
  } else {
    here.memory->put(offset, source, bytes, pe);
    serve_others();
  }
}

void get_block(void* dest, const void* source, std::size_t bytes, int pe, bool starts, const char* call) {
  if (bytes == 0) return;
  const std::size_t offset = place_of(source, bytes, pe, call);
  if (const std::byte* const part = direct_part(pe)) {
    std::memmove(dest, part + offset, bytes);
  } else if (starts) {
    here.memory->start_get(dest, offset, bytes, pe);
    serve_others();
  } else {
    here.memory->get(dest, offset, bytes, pe);
    serve_others();
  }
}

void put_strided(void* dest, const void* source, strides of, std::size_t n, std::size_t element_bytes, int pe,
                 const char* call) {
  for (std::size_t i = 0; i < n; ++i) {
    put_block(const_cast<std::byte*>(element(dest, of.dst, i, element_bytes)),
              element(source, of.sst, i, element_bytes), element_bytes, pe, false, call);
  }
}

// Many are under way at once.
void get_strided(void* dest, const void* source, strides of, std::size_t n, std::size_t element_bytes, int pe,
                 const char* call) {
  for (std::size_t i = 0; i < n; ++i) {
    get_block(const_cast<std::byte*>(element(dest, of.dst, i, element_bytes)),
              element(source, of.sst, i, element_bytes), element_bytes, pe, true, call);
  }
  if (n != 0 && direct_part(pe) == nullptr) here.memory->quiet();
}

}  // namespace shoal::internal::compat
