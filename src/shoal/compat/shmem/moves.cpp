// Broadcasts, collections and exchanges over active sets and teams.
#include <cstring>
#include <vector>

#include "shoal/compat/include/shmem.h"
#include "shoal/compat/internal/gathering.hpp"
#include "shoal/compat/internal/shmem_teams.hpp"

#include "shoal/compat/include/shoal_compat/shmem_types.h"

namespace compat = shoal::internal::compat;
using compat::gathering;
using compat::pe_range;

namespace {

// Element i of a block lies at i times the stride; the blocks follow one another.
void exchange_strided(const pe_range& of, const char* call, void* dest, const void* source, ptrdiff_t dst,
                      ptrdiff_t sst, std::size_t n, std::size_t element) {
  const std::size_t n_all = n * static_cast<std::size_t>(of.size);
  std::vector<std::byte> out(n_all * element);
  std::vector<std::byte> in(n_all * element);
  const auto* const from = static_cast<const std::byte*>(source);
  auto* const to = static_cast<std::byte*>(dest);
  for (std::size_t i = 0; i < n_all; ++i) {
    std::memcpy(out.data() + i * element, from + static_cast<ptrdiff_t>(i * element) * sst, element);
  }
  gathering(of, call).all_to_all(in.data(), out.data(), n * element);
  for (std::size_t i = 0; i < n_all; ++i) {
    std::memcpy(to + static_cast<ptrdiff_t>(i * element) * dst, in.data() + i * element, element);
  }
}

}  // namespace

#define DEFINE_SIZED(SIZE)                                                                                             \
  void shmem_broadcast##SIZE(void* dest, const void* source, size_t n, int root, int start, int log_stride, int n_pes, \
                             long*) {                                                                                  \
    gathering(compat::active_set(start, log_stride, n_pes), "shmem_broadcast" #SIZE)                                   \
        .broadcast(dest, source, n*((SIZE) / 8), root, false);                                                         \
  }                                                                                                                    \
  void shmem_collect##SIZE(void* dest, const void* source, size_t n, int start, int log_stride, int n_pes, long*) {    \
    gathering(compat::active_set(start, log_stride, n_pes), "shmem_collect" #SIZE)                                     \
        .collect(dest, source, n*((SIZE) / 8));                                                                        \
  }                                                                                                                    \
  void shmem_fcollect##SIZE(void* dest, const void* source, size_t n, int start, int log_stride, int n_pes, long*) {   \
    gathering(compat::active_set(start, log_stride, n_pes), "shmem_fcollect" #SIZE)                                    \
        .collect_equal(dest, source, n*((SIZE) / 8));                                                                  \
  }                                                                                                                    \
  void shmem_alltoall##SIZE(void* dest, const void* source, size_t n, int start, int log_stride, int n_pes, long*) {   \
    gathering(compat::active_set(start, log_stride, n_pes), "shmem_alltoall" #SIZE)                                    \
        .all_to_all(dest, source, n*((SIZE) / 8));                                                                     \
  }                                                                                                                    \
  void shmem_alltoalls##SIZE(void* dest, const void* source, ptrdiff_t dst, ptrdiff_t sst, size_t n, int start,        \
                             int log_stride, int n_pes, long*) {                                                       \
    exchange_strided(compat::active_set(start, log_stride, n_pes), "shmem_alltoalls" #SIZE, dest, source, dst, sst, n, \
                     (SIZE) / 8);                                                                                      \
  }

#define DEFINE_TEAM(PREFIX, SUFFIX, T, BYTES)                                                                      \
  int shmem_##PREFIX##broadcast##SUFFIX(shmem_team_t team, T* dest, const T* source, size_t n, int root) {         \
    const char* const call = "shmem_" #PREFIX "broadcast" #SUFFIX;                                                 \
    gathering(compat::range_of(team, call), call).broadcast(dest, source, n*(BYTES), root, true);                  \
    return 0;                                                                                                      \
  }                                                                                                                \
  int shmem_##PREFIX##collect##SUFFIX(shmem_team_t team, T* dest, const T* source, size_t n) {                     \
    const char* const call = "shmem_" #PREFIX "collect" #SUFFIX;                                                   \
    gathering(compat::range_of(team, call), call).collect(dest, source, n*(BYTES));                                \
    return 0;                                                                                                      \
  }                                                                                                                \
  int shmem_##PREFIX##fcollect##SUFFIX(shmem_team_t team, T* dest, const T* source, size_t n) {                    \
    const char* const call = "shmem_" #PREFIX "fcollect" #SUFFIX;                                                  \
    gathering(compat::range_of(team, call), call).collect_equal(dest, source, n*(BYTES));                          \
    return 0;                                                                                                      \
  }                                                                                                                \
  int shmem_##PREFIX##alltoall##SUFFIX(shmem_team_t team, T* dest, const T* source, size_t n) {                    \
    const char* const call = "shmem_" #PREFIX "alltoall" #SUFFIX;                                                  \
    gathering(compat::range_of(team, call), call).all_to_all(dest, source, n*(BYTES));                             \
    return 0;                                                                                                      \
  }                                                                                                                \
  int shmem_##PREFIX##alltoalls##SUFFIX(shmem_team_t team, T* dest, const T* source, ptrdiff_t dst, ptrdiff_t sst, \
                                        size_t n) {                                                                \
    const char* const call = "shmem_" #PREFIX "alltoalls" #SUFFIX;                                                 \
    exchange_strided(compat::range_of(team, call), call, dest, source, dst, sst, n, BYTES);                        \
    return 0;                                                                                                      \
  }
#define DEFINE_TYPE(A, NAME, T) DEFINE_TEAM(NAME##_, , T, sizeof(T))

extern "C" {

DEFINE_SIZED(32)
DEFINE_SIZED(64)
SHOAL_SHMEM_RMA_(DEFINE_TYPE, 0)
SHOAL_SHMEM_RMA_NAMES_(DEFINE_TYPE, 0)
DEFINE_TEAM(, mem, void, 1)

}  // extern "C"
