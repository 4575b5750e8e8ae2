// Reductions over active sets and teams.
#include "shoal/compat/include/shmem.h"
#include "shoal/compat/internal/gathering.hpp"
#include "shoal/compat/internal/shmem_teams.hpp"

#include "shoal/compat/include/shoal_compat/shmem_types.h"

namespace compat = shoal::internal::compat;

#define DEFINE_TO_ALL(OP, NAME, T)                                                                             \
  void shmem_##NAME##_##OP##_to_all(T* dest, const T* source, int n, int start, int log_stride, int n_pes, T*, \
                                    long*) {                                                                   \
    compat::gathering(compat::active_set(start, log_stride, n_pes), "shmem_" #NAME "_" #OP "_to_all")          \
        .reduce(dest, source, static_cast<size_t>(n), compat::fold_of<T, compat::op_##OP>);                    \
  }
#define DEFINE_REDUCE(OP, NAME, T)                                                          \
  int shmem_##NAME##_##OP##_reduce(shmem_team_t team, T* dest, const T* source, size_t n) { \
    const char* const call = "shmem_" #NAME "_" #OP "_reduce";                              \
    compat::gathering(compat::range_of(team, call), call)                                   \
        .reduce(dest, source, n, compat::fold_of<T, compat::op_##OP>);                      \
    return 0;                                                                               \
  }

extern "C" {

SHOAL_SHMEM_SIGNED_(DEFINE_TO_ALL, and)
SHOAL_SHMEM_SIGNED_(DEFINE_TO_ALL, or)
SHOAL_SHMEM_SIGNED_(DEFINE_TO_ALL, xor)
SHOAL_SHMEM_SIGNED_(DEFINE_TO_ALL, min)
SHOAL_SHMEM_SIGNED_(DEFINE_TO_ALL, max)
SHOAL_SHMEM_SIGNED_(DEFINE_TO_ALL, sum)
SHOAL_SHMEM_SIGNED_(DEFINE_TO_ALL, prod)
SHOAL_SHMEM_FLOATING_(DEFINE_TO_ALL, min)
SHOAL_SHMEM_FLOATING_(DEFINE_TO_ALL, max)
SHOAL_SHMEM_FLOATING_(DEFINE_TO_ALL, sum)
SHOAL_SHMEM_FLOATING_(DEFINE_TO_ALL, prod)
SHOAL_SHMEM_COMPLEX_(DEFINE_TO_ALL, sum)
SHOAL_SHMEM_COMPLEX_(DEFINE_TO_ALL, prod)

SHOAL_SHMEM_RMA_(DEFINE_REDUCE, sum)
SHOAL_SHMEM_RMA_(DEFINE_REDUCE, prod)
SHOAL_SHMEM_RMA_(DEFINE_REDUCE, min)
SHOAL_SHMEM_RMA_(DEFINE_REDUCE, max)
SHOAL_SHMEM_RMA_NAMES_(DEFINE_REDUCE, sum)
SHOAL_SHMEM_RMA_NAMES_(DEFINE_REDUCE, prod)
SHOAL_SHMEM_RMA_NAMES_(DEFINE_REDUCE, min)
SHOAL_SHMEM_RMA_NAMES_(DEFINE_REDUCE, max)
SHOAL_SHMEM_COMPLEX_(DEFINE_REDUCE, sum)
SHOAL_SHMEM_COMPLEX_(DEFINE_REDUCE, prod)
SHOAL_SHMEM_TEAM_BITS_(DEFINE_REDUCE, and)
SHOAL_SHMEM_TEAM_BITS_(DEFINE_REDUCE, or)
SHOAL_SHMEM_TEAM_BITS_(DEFINE_REDUCE, xor)
SHOAL_SHMEM_TEAM_BITS_NAMES_(DEFINE_REDUCE, and)
SHOAL_SHMEM_TEAM_BITS_NAMES_(DEFINE_REDUCE, or)
SHOAL_SHMEM_TEAM_BITS_NAMES_(DEFINE_REDUCE, xor)

}  // extern "C"
