// libgetput of bale. Its functions are weak: some programs bring functions of these names.
#include "shoal/compat/include/libgetput.h"

#include "shoal/actor/world.hpp"
#include "shoal/compat/internal/far_calls.hpp"
#include "shoal/compat/internal/process_world.hpp"
#include "shoal/compat/internal/reach.hpp"

namespace compat = shoal::internal::compat;

namespace {

struct place {
  std::int64_t* element;
  int pe;
};

place dealt(std::int64_t* array, std::int64_t index) {
  const std::int64_t n = compat::n_pes();
  return {array + index / n, static_cast<int>(index % n)};
}

// Of an array in blocks: blocks are dealt to the PEs in turn.
template <class T>
T* in_blocks(T* array, std::size_t index, std::size_t blocksize, int& pe) {
  const auto n = static_cast<std::size_t>(compat::n_pes());
  const std::size_t block = index / blocksize;
  pe = static_cast<int>(block % n);
  return array + block / n * blocksize + index % blocksize;
}

// Calls that travel as messages are complete before a collective one, as before those of shmem.h.
shoal::world& for_all(const char* call) {
  shoal::world& all = compat::world_for(call);
  if (compat::here.far != nullptr) compat::here.far->complete(call);
  return all;
}

}  // namespace

#define WEAK __attribute__((weak))

extern "C" {

WEAK void lgp_init(int, char*[]) {
  compat::enter();
  setlocale(LC_NUMERIC, "");
}
WEAK void lgp_finalize(void) { compat::leave(); }

WEAK int64_t lgp_reduce_add_l(int64_t value) {
  return static_cast<int64_t>(for_all("lgp_reduce_add_l").sum(static_cast<std::uint64_t>(value)));
}
WEAK int64_t lgp_reduce_min_l(int64_t value) { return for_all("lgp_reduce_min_l").min(value); }
WEAK int64_t lgp_reduce_max_l(int64_t value) { return for_all("lgp_reduce_max_l").max(value); }
WEAK double lgp_reduce_add_d(double value) { return for_all("lgp_reduce_add_d").sum(value); }
WEAK double lgp_reduce_min_d(double value) { return for_all("lgp_reduce_min_d").min(value); }
WEAK double lgp_reduce_max_d(double value) { return for_all("lgp_reduce_max_d").max(value); }

WEAK int64_t lgp_prior_add_l(int64_t value) {
  return static_cast<int64_t>(for_all("lgp_prior_add_l").exclusive_scan(static_cast<std::uint64_t>(value)));
}
WEAK int64_t lgp_partial_add_l(int64_t value) { return lgp_prior_add_l(value) + value; }

WEAK int64_t lgp_min_avg_max_l(minavgmaxL_t* result, int64_t value, int64_t divisor) {
  *result = {lgp_reduce_min_l(value), lgp_reduce_add_l(value) / divisor, lgp_reduce_max_l(value)};
  return 0;
}
WEAK int64_t lgp_min_avg_max_d(minavgmaxD_t* result, double value, int64_t divisor) {
  *result = {lgp_reduce_min_d(value), lgp_reduce_add_d(value) / static_cast<double>(divisor), lgp_reduce_max_d(value)};
  return 0;
}

WEAK void lgp_atomic_add(int64_t* array, int64_t index, int64_t value) {
  const place at = dealt(array, index);
  shmem_int64_atomic_add(at.element, value, at.pe);
}
WEAK void lgp_atomic_add_async(int64_t* array, int64_t index, int64_t value) { lgp_atomic_add(array, index, value); }
WEAK int64_t lgp_fetch_and_inc(int64_t* array, int64_t index) {
  const place at = dealt(array, index);
  return shmem_int64_atomic_fetch_inc(at.element, at.pe);
}
WEAK int64_t lgp_fetch_and_add(int64_t* array, int64_t index, int64_t value) {
  const place at = dealt(array, index);
  return shmem_int64_atomic_fetch_add(at.element, value, at.pe);
}
WEAK int64_t lgp_cmp_and_swap(int64_t* array, int64_t index, int64_t expected, int64_t value) {
  const place at = dealt(array, index);
  return shmem_int64_atomic_compare_swap(at.element, expected, value, at.pe);
}

WEAK double wall_seconds(void) {
  timeval now{};
  gettimeofday(&now, nullptr);
  return static_cast<double>(now.tv_sec) + 1e-6 * static_cast<double>(now.tv_usec);
}

WEAK void global_index_to_pe_and_offset(int64_t* pe, int64_t* offset, int64_t index, int64_t n, layout how) {
  const std::int64_t n_pes = compat::n_pes();
  if (how == CYCLIC) {
    *pe = index % n_pes;
    *offset = index / n_pes;
    return;
  }
  const std::int64_t few = n / n_pes;
  const std::int64_t n_with_more = n % n_pes;  // these hold one more
  const std::int64_t in_those = n_with_more * (few + 1);
  if (index < in_those) {
    *pe = index / (few + 1);
    *offset = index % (few + 1);
  } else {
    *pe = n_with_more + (index - in_those) / few;
    *offset = (index - in_those) % few;
  }
}

WEAK int64_t pe_and_offset_to_global_index(int64_t pe, int64_t offset, int64_t n, layout how) {
  const std::int64_t n_pes = compat::n_pes();
  if (how == CYCLIC) return offset * n_pes + pe;
  const std::int64_t n_with_more = n % n_pes;
  return pe * (n / n_pes) + (pe < n_with_more ? pe : n_with_more) + offset;
}

WEAK void lgp_shmem_write_upc_array_int64(int64_t* array, size_t index, size_t blocksize, int64_t value) {
  int pe = 0;
  int64_t* const at = in_blocks(array, index, blocksize, pe);
  shmem_int64_p(at, value, pe);
}
WEAK void lgp_shmem_write_upc_array_double(double* array, size_t index, size_t blocksize, double value) {
  int pe = 0;
  double* const at = in_blocks(array, index, blocksize, pe);
  shmem_double_p(at, value, pe);
}
WEAK int64_t lgp_shmem_read_upc_array_int64(const int64_t* array, size_t index, size_t blocksize) {
  int pe = 0;
  const int64_t* const at = in_blocks(array, index, blocksize, pe);
  return shmem_int64_g(at, pe);
}
WEAK double lgp_shmem_read_upc_array_double(const double* array, size_t index, size_t blocksize) {
  int pe = 0;
  const double* const at = in_blocks(array, index, blocksize, pe);
  return shmem_double_g(at, pe);
}

}  // extern "C"
