// Variables with a part for each worker: one.
#include <cstddef>
#include <cstdlib>
#include <new>
#include <vector>

#include "shoal/compat/include/hclib_atomic.h"

namespace {

// HClib has no call that releases them.
void* lasting_memory(std::size_t bytes) {
  static std::vector<void*>& all = *new std::vector<void*>;
  all.push_back(std::malloc(bytes));
  return all.back();
}

}  // namespace

extern "C" {

hclib_atomic_t* hclib_atomic_create(size_t bytes, atomic_init_func init, void* user_data) {
  auto* const made = new (lasting_memory(sizeof(hclib_atomic_t))) hclib_atomic_t;
  hclib_atomic_init(made, bytes, init, user_data);
  return made;
}

void hclib_atomic_init(hclib_atomic_t* atomic, size_t bytes, atomic_init_func init, void* user_data) {
  *atomic = {lasting_memory(bytes), bytes};
  init(atomic->part, user_data);
}

void hclib_atomic_update(hclib_atomic_t* atomic, atomic_update_func update, void* user_data) {
  update(atomic->part, user_data);
}

// There is nothing to fold into it.
void* hclib_atomic_gather(hclib_atomic_t* atomic, atomic_gather_func, void*) { return atomic->part; }

}  // extern "C"
