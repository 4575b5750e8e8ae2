#include "shoal/substrate/internal/shmem/library.hpp"

#include <dlfcn.h>

#ifdef OSHMEM_MAJOR_VERSION
// Open MPI's own symbols for what the standard does not have. Other versions may lack them, so they are declared weak.
extern "C" {
// Open MPI 4 lets others reach the program's statics: all writable memory below the symbol _end. A program that was not
// linked with the library does not export one. The library would then find its own _end, share all that lies below, and
// fail if that is more than 32 pieces. So here is an _end that nothing lies below.
__asm__(".globl _end\n.set _end, 1");

extern bool oshmem_shmem_initialized __attribute__((weak));
int MPI_Finalized(int* is_over) __attribute__((weak));
}
#endif

namespace shoal::internal::shmem {

bool is_begun() {
#ifdef OSHMEM_MAJOR_VERSION
  return &oshmem_shmem_initialized != nullptr && oshmem_shmem_initialized;
#elif SHMEM_MAJOR_VERSION > 1 || SHMEM_MINOR_VERSION >= 6
  int begun = 0;
  shmem_query_initialized(&begun);
  return begun != 0;
#else
  return false;
#endif
}

bool is_over() {
  int over = 0;
#ifdef OSHMEM_MAJOR_VERSION
  if (&MPI_Finalized != nullptr) MPI_Finalized(&over);  // it ends the MPI below it, too
#endif
  return over != 0;
}

std::string name_and_version() {
  int major = 0;
  int minor = 0;
  shmem_info_get_version(&major, &minor);
  const std::string standard = "OpenSHMEM " + std::to_string(major) + "." + std::to_string(minor);
#ifdef OSHMEM_MAJOR_VERSION
  return "Open MPI " + std::to_string(OSHMEM_MAJOR_VERSION) + "." + std::to_string(OSHMEM_MINOR_VERSION) + "." +
         std::to_string(OSHMEM_RELEASE_VERSION) + " (" + standard + ")";
#else
  char name[SHMEM_MAX_NAME_LEN];
  shmem_info_get_name(name);
  return std::string(name) + " (" + standard + ")";
#endif
}

// Of OpenSHMEM's calls that wait for nobody, none makes Open MPI handle what arrives over TCP: neither fence nor test.
// The function that it calls itself while it waits does. That lies in a library below the one that we link.
void make_progress([[maybe_unused]] std::uint64_t* any_word) {
#ifdef OSHMEM_MAJOR_VERSION
  static const auto progress = reinterpret_cast<void (*)()>(dlsym(RTLD_DEFAULT, "opal_progress"));
  if (progress != nullptr) progress();
#else
  shmem_uint64_test(any_word, SHMEM_CMP_NE, *any_word);
#endif
}

void put_and_tell(void* target, const void* source, std::size_t bytes, std::uint64_t* word, std::uint64_t value,
                  int pe) {
#if SHMEM_MAJOR_VERSION > 1 || SHMEM_MINOR_VERSION >= 5
  // A signal is ordered behind its own bytes only, and a later value promises the earlier bytes as well.
  shmem_fence();
  shmem_putmem_signal(target, source, bytes, word, value, SHMEM_SIGNAL_SET, pe);
#else
  shmem_putmem(target, source, bytes, pe);
  shmem_fence();
  shmem_uint64_p(word, value, pe);
#endif
}

}  // namespace shoal::internal::shmem
