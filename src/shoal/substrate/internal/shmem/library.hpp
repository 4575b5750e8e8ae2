/// What differs between OpenSHMEM libraries and versions of the standard, in one place.
#pragma once

#include <shmem.h>

#include <cstddef>
#include <cstdint>
#include <string>

namespace shoal::internal::shmem {

#ifdef OSHMEM_MAJOR_VERSION
inline constexpr bool is_open_mpi = true;
#else
inline constexpr bool is_open_mpi = false;
#endif

/// The environment variable that sets the size of the library's symmetric heap. Open MPI 4 does not read the standard's.
#if defined(OSHMEM_MAJOR_VERSION) && OSHMEM_MAJOR_VERSION < 5
inline constexpr const char* heap_size_variable = "SHMEM_SYMMETRIC_HEAP_SIZE";
#else
inline constexpr const char* heap_size_variable = "SHMEM_SYMMETRIC_SIZE";
#endif

/// Whether the program began the library before us, and whether it has ended already and cannot begin again.
bool is_begun();
bool is_over();

/// "Open MPI 4.1.4 (OpenSHMEM 1.4)".
std::string name_and_version();

/// Lets the library carry out what other PEs began here, and what this one did. Waits for nobody.
void make_progress(std::uint64_t* any_word);

/// Copies `bytes` to `target` at `pe` and stores `value` into `word` there. Whoever reads that value there, or a later
/// one, also reads the bytes. `source` may be reused.
void put_and_tell(void* target, const void* source, std::size_t bytes, std::uint64_t* word, std::uint64_t value,
                  int pe);

}  // namespace shoal::internal::shmem
