#include "tools/network_bench/library/shmem/job.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <cstring>

namespace network_bench {
namespace {

constexpr std::size_t host_bytes = 256;

// Open MPI 4 does not read the standard's variable.
#if defined(OSHMEM_MAJOR_VERSION) && OSHMEM_MAJOR_VERSION < 5
constexpr const char* heap_size_variable = "SHMEM_SYMMETRIC_HEAP_SIZE";
#else
constexpr const char* heap_size_variable = "SHMEM_SYMMETRIC_SIZE";
#endif

// What another PE put is not a change that the compiler knows of.
std::uint64_t read(const volatile std::uint64_t* word) { return *word; }

}  // namespace

void barrier_all() {
  shmem_quiet();
  shmem_barrier_all();
}

symmetric_memory::symmetric_memory(std::size_t bytes) : memory_(static_cast<std::byte*>(shmem_align(4096, bytes))) {
  if (memory_ == nullptr) {
    if (shmem_my_pe() == 0) {
      std::fprintf(stderr, "the symmetric heap has no room for %zu bytes; raise %s\n", bytes, heap_size_variable);
    }
    shmem_global_exit(2);
  }
  std::memset(memory_, 0, bytes);
  barrier_all();  // or the other PE's puts would be overwritten
}

symmetric_memory::~symmetric_memory() {
  barrier_all();
  shmem_free(memory_);
}

std::int64_t job::from_first(std::int64_t value) {
  std::uint64_t* const word = words_.word(0);
  if (is_first()) {
    for (int pe = 0; pe < n_processes(); ++pe) shmem_uint64_p(word, static_cast<std::uint64_t>(value), pe);
  }
  barrier_all();
  const auto told = static_cast<std::int64_t>(read(word));
  barrier_all();  // the next value comes after this one was read
  return told;
}

std::int64_t job::sum(std::int64_t mine) {
  std::uint64_t* const word = words_.word(1);
  *word = static_cast<std::uint64_t>(mine);
  barrier_all();
  std::int64_t all = 0;
  for (int pe = 0; pe < n_processes(); ++pe) all += static_cast<std::int64_t>(shmem_uint64_g(word, pe));
  barrier_all();
  return all;
}

std::string job::library() {
  int major = 0;
  int minor = 0;
  shmem_info_get_version(&major, &minor);
  const std::string standard = " (OpenSHMEM " + std::to_string(major) + '.' + std::to_string(minor) + ')';
#ifdef OSHMEM_MAJOR_VERSION
  return "Open MPI " + std::to_string(OSHMEM_MAJOR_VERSION) + '.' + std::to_string(OSHMEM_MINOR_VERSION) + '.' +
         std::to_string(OSHMEM_RELEASE_VERSION) + standard;
#else
  std::array<char, SHMEM_MAX_NAME_LEN + 1> name{};
  shmem_info_get_name(name.data());
  return name.data() + standard;
#endif
}

std::vector<std::string> job::hosts() {
  symmetric_memory mine(host_bytes);
  gethostname(reinterpret_cast<char*>(mine.at(0)), host_bytes - 1);
  barrier_all();
  std::vector<std::string> names;
  for (int pe = 0; pe < n_processes(); ++pe) {
    std::array<char, host_bytes> name{};
    shmem_getmem(name.data(), mine.at(0), host_bytes, pe);
    names.emplace_back(name.data());
  }
  return names;
}

}  // namespace network_bench
