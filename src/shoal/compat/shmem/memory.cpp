// The symmetric heap.
#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <optional>
#include <string>

#include "shoal/actor/world.hpp"
#include "shoal/base/internal/ambient.hpp"
#include "shoal/compat/include/shmem.h"
#include "shoal/compat/internal/process_world.hpp"
#include "shoal/compat/internal/reach.hpp"

namespace compat = shoal::internal::compat;
using compat::here;

namespace {

// As a barrier. PEs that give different sizes would get different addresses from now on.
void meet(const char* call, std::size_t digest) {
  shoal::world& all = compat::world_for(call);
  compat::complete_calls(call);
  all.rounds().agree(shoal::internal::collective_call::allocate, call, digest, {});
}

// Without the barrier.
void* take(std::size_t bytes, std::size_t alignment, const char* call) {
  const shoal::world& w = compat::world_for(call);
  const std::optional<std::size_t> at = compat::blocks().allocate(bytes, alignment);
  if (at) return here.heap + *at;
  if (w.my_pe() == 0 && compat::tells_statistics()) {
    std::fprintf(stderr,
                 "shoal: %s: %zu bytes do not fit into the symmetric heap, where %zu in one piece are left on each PE; "
                 "raise SHMEM_SYMMETRIC_SIZE or SHOAL_HEAP\n",
                 call, bytes, compat::blocks().largest_gap());
  }
  return nullptr;
}

void* allocate(std::size_t bytes, std::size_t alignment, const char* call) {
  if (bytes == 0) return nullptr;
  void* const made = take(bytes, alignment, call);
  meet(call, bytes);
  return made;
}

std::size_t offset_of(const void* block) {
  return static_cast<std::size_t>(static_cast<const std::byte*>(block) - here.heap);
}

void give_back(void* block, const char* call) {
  if (compat::blocks().release(offset_of(block))) return;
  char text[32];
  std::snprintf(text, sizeof text, "%p", block);
  shoal::internal::end_job(
      shoal::internal::status_usage,
      std::string(call) + " of " + text + ", where no block of the symmetric heap begins; was it released before?");
}

}  // namespace

extern "C" {

void* shmem_malloc(size_t bytes) { return allocate(bytes, 1, "shmem_malloc"); }

void* shmem_malloc_with_hints(size_t bytes, long) { return allocate(bytes, 1, "shmem_malloc_with_hints"); }

void* shmem_calloc(size_t n, size_t bytes) {
  if (n == 0 || bytes == 0) return nullptr;
  std::size_t all = 0;
  if (__builtin_mul_overflow(n, bytes, &all)) all = SIZE_MAX / 2;  // more than any heap has
  void* const made = take(all, 1, "shmem_calloc");
  if (made != nullptr) std::memset(made, 0, all);
  meet("shmem_calloc", all);
  return made;
}

void* shmem_align(size_t alignment, size_t bytes) {
  return std::has_single_bit(alignment) ? allocate(bytes, alignment, "shmem_align") : nullptr;
}

void* shmem_realloc(void* old, size_t bytes) {
  if (old == nullptr) return shmem_malloc(bytes);
  if (bytes == 0) {
    shmem_free(old);
    return nullptr;
  }
  meet("shmem_realloc", bytes);  // nobody uses the block any more
  const std::size_t n_old = compat::blocks().bytes_of(offset_of(old));
  void* const made = take(bytes, 1, "shmem_realloc");
  if (made != nullptr) {
    std::memcpy(made, old, std::min(n_old, bytes));
    give_back(old, "shmem_realloc");
  }
  meet("shmem_realloc", bytes);
  return made;
}

void shmem_free(void* block) {
  if (block == nullptr || compat::has_exited()) return;
  meet("shmem_free", offset_of(block));
  give_back(block, "shmem_free");
}

void* shmalloc(size_t bytes) { return shmem_malloc(bytes); }
void* shmemalign(size_t alignment, size_t bytes) { return shmem_align(alignment, bytes); }
void* shrealloc(void* old, size_t bytes) { return shmem_realloc(old, bytes); }
void shfree(void* block) { shmem_free(block); }

}  // extern "C"
