// Contexts: a program that makes some gets what the default one does.
#include "shoal/compat/include/shmem.h"
#include "shoal/compat/internal/process_world.hpp"

struct shoal_shmem_ctx {
  int unused;
};
struct shoal_shmem_ctx shoal_shmem_ctx_default;

extern "C" {

int shmem_ctx_create(long, shmem_ctx_t* ctx) {
  *ctx = shoal::internal::compat::is_open() ? new shoal_shmem_ctx{} : SHMEM_CTX_INVALID;
  return *ctx == SHMEM_CTX_INVALID ? -1 : 0;
}

void shmem_ctx_destroy(shmem_ctx_t ctx) {
  if (ctx == SHMEM_CTX_INVALID || ctx == SHMEM_CTX_DEFAULT) return;
  shmem_quiet();
  delete ctx;
}

void shmem_ctx_quiet(shmem_ctx_t) { shmem_quiet(); }
void shmem_ctx_fence(shmem_ctx_t) { shmem_fence(); }

int shmem_ctx_get_team(shmem_ctx_t ctx, shmem_team_t* team) {
  *team = ctx == SHMEM_CTX_INVALID ? SHMEM_TEAM_INVALID : SHMEM_TEAM_WORLD;
  return ctx == SHMEM_CTX_INVALID ? -1 : 0;
}

}  // extern "C"
