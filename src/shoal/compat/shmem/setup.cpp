// Begin and end, who and where, order.
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "shoal/actor/world.hpp"
#include "shoal/compat/include/shmem.h"
#include "shoal/compat/include/shoal_world.h"
#include "shoal/compat/internal/far_calls.hpp"
#include "shoal/compat/internal/gathering.hpp"
#include "shoal/compat/internal/process_world.hpp"
#include "shoal/compat/internal/reach.hpp"
#include "shoal/compat/internal/shmem_teams.hpp"

namespace compat = shoal::internal::compat;
using compat::here;

namespace {

// Whether an address names the same object on all PEs. Local.
bool is_symmetric(const void* address) {
  const auto* const at = static_cast<const std::byte*>(address);
  return static_cast<std::size_t>(at - here.heap) < here.heap_bytes ||
         static_cast<std::size_t>(at - here.statics) < here.static_bytes;
}

compat::pe_range all_pes() { return {0, 1, compat::n_pes()}; }

}  // namespace

shoal::world& shoal::world_of_program() noexcept { return compat::world_for("shoal::world_of_program"); }

extern "C" {

void shmem_init(void) { compat::enter(); }

int shmem_init_thread(int requested, int* provided) {
  compat::enter();
  *provided = requested < SHMEM_THREAD_FUNNELED ? requested : SHMEM_THREAD_FUNNELED;
  return 0;
}

void shmem_query_thread(int* provided) { *provided = SHMEM_THREAD_FUNNELED; }

void shmem_finalize(void) { compat::leave(); }

void start_pes(int) { compat::enter(); }

void shmem_global_exit(int status) {
  // exit(0) would wait for the others, which need not come.
  if (status != 0 || !compat::is_open()) std::exit(status);
  std::fflush(nullptr);
  compat::world_for("shmem_global_exit").end_job(0, {});
}

int shmem_my_pe(void) { return static_cast<int>(compat::my_pe()); }
int shmem_n_pes(void) { return static_cast<int>(compat::n_pes()); }
int _my_pe(void) { return shmem_my_pe(); }
int _num_pes(void) { return shmem_n_pes(); }

void shmem_info_get_version(int* major, int* minor) {
  *major = SHMEM_MAJOR_VERSION;
  *minor = SHMEM_MINOR_VERSION;
}

void shmem_info_get_name(char* name) { std::strcpy(name, SHMEM_VENDOR_STRING); }

int shmem_pe_accessible(int pe) { return pe >= 0 && pe < compat::n_pes() ? 1 : 0; }

int shmem_addr_accessible(const void* address, int pe) {
  return shmem_pe_accessible(pe) != 0 && is_symmetric(address) ? 1 : 0;
}

void* shmem_ptr(const void* address, int pe) {
  if (shmem_addr_accessible(address, pe) == 0) return nullptr;
  std::byte* const part = here.memory->peer(pe);
  return part == nullptr ? nullptr : part + compat::place_of(address, 1, pe, "shmem_ptr");
}

void shmem_quiet(void) {
  if (compat::has_exited()) return;
  if (here.n_pes == 0) compat::refuse_place(nullptr, 0, 0, "shmem_quiet");
  compat::complete_calls("shmem_quiet");
  compat::serve_others();
}

void shmem_fence(void) {
  if (compat::has_exited()) return;
  if (here.n_pes == 0) compat::refuse_place(nullptr, 0, 0, "shmem_fence");
  here.memory->fence();
  compat::let_others_go_on();
  compat::serve_others();
}

void shmem_barrier_all(void) {
  if (compat::has_exited()) return;
  compat::gathering all(all_pes(), "shmem_barrier_all");
  compat::complete_calls("shmem_barrier_all");
  all.meet();
}

void shmem_sync_all(void) { compat::gathering(all_pes(), "shmem_sync_all").meet(); }

void shmem_barrier(int start, int log_stride, int n_pes, long*) {
  compat::gathering its(compat::active_set(start, log_stride, n_pes), "shmem_barrier");
  compat::complete_calls("shmem_barrier");
  its.meet();
}

void shmem_sync(int start, int log_stride, int n_pes, long*) {
  compat::gathering(compat::active_set(start, log_stride, n_pes), "shmem_sync").meet();
}

int shmem_team_sync(shmem_team_t team) {
  compat::gathering(compat::range_of(team, "shmem_team_sync"), "shmem_team_sync").meet();
  return 0;
}

void shmem_clear_cache_inv(void) {}
void shmem_set_cache_inv(void) {}
void shmem_clear_cache_line_inv(void*) {}
void shmem_set_cache_line_inv(void*) {}
void shmem_udcflush(void) {}
void shmem_udcflush_line(void*) {}
void shmem_pcontrol(int, ...) {}

}  // extern "C"
