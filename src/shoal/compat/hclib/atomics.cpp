// Variables with a part for each worker: one.
#include <cstddef>
#include <cstdlib>

#include "shoal/compat/include/hclib_atomic.h"

extern "C" {

hclib_atomic_t* hclib_atomic_create(size_t bytes, atomic_init_func init, void* user_data) {
  auto* const made = new hclib_atomic_t;
  hclib_atomic_init(made, bytes, init, user_data);
  return made;
}

void hclib_atomic_init(hclib_atomic_t* atomic, size_t bytes, atomic_init_func init, void* user_data) {
  *atomic = {std::malloc(bytes), bytes};
  init(atomic->part, user_data);
}

void hclib_atomic_update(hclib_atomic_t* atomic, atomic_update_func update, void* user_data) {
  update(atomic->part, user_data);
}

// There is nothing to fold into it.
void* hclib_atomic_gather(hclib_atomic_t* atomic, atomic_gather_func, void*) { return atomic->part; }

}  // extern "C"
