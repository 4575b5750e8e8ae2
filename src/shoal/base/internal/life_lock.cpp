#include "shoal/base/internal/life_lock.hpp"

#include <fcntl.h>

namespace shoal::internal {
namespace {

struct flock lock_of(int at) noexcept {
  struct flock lock{};
  lock.l_type = F_WRLCK;
  lock.l_whence = SEEK_SET;
  lock.l_start = at;
  lock.l_len = 1;
  return lock;
}

}  // namespace

bool hold_life_lock(int memory, int at) noexcept {
  struct flock lock = lock_of(at);
  return ::fcntl(memory, F_SETLK, &lock) == 0;
}

bool is_life_lock_held(int memory, int at) noexcept {
  struct flock lock = lock_of(at);
  return ::fcntl(memory, F_GETLK, &lock) != 0 || lock.l_type != F_UNLCK;
}

}  // namespace shoal::internal
