/// Start and end of OpenSHMEM, the two PEs, and memory that both reach. OpenSHMEM 1.4 is enough.
#pragma once

#include <shmem.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "tools/network_bench/library/support/process_pair.hpp"

namespace network_bench {

/// A barrier that also completes all puts. The standard says so of shmem_barrier_all itself, but with Open MPI 4.1.4 that
/// alone left large puts incomplete.
void barrier_all();

/// Zeroed memory of the same size on both PEs, at the same symmetric address. Construction and destruction are
/// collective. Ends the job with status 2 and one line if the symmetric heap has no room.
class symmetric_memory {
public:
  explicit symmetric_memory(std::size_t bytes);
  ~symmetric_memory();
  symmetric_memory(const symmetric_memory&) = delete;
  symmetric_memory& operator=(const symmetric_memory&) = delete;

  std::byte* at(std::size_t offset) { return memory_ + offset; }
  std::span<std::byte> span(std::size_t bytes) { return {memory_, bytes}; }
  /// The memory as words.
  std::uint64_t* word(std::size_t index = 0) { return reinterpret_cast<std::uint64_t*>(memory_) + index; }

private:
  std::byte* memory_;
};

/// Starts OpenSHMEM; the destructor ends it.
class library_session {
public:
  library_session() { shmem_init(); }
  ~library_session() { shmem_finalize(); }
  library_session(const library_session&) = delete;
  library_session& operator=(const library_session&) = delete;
};

class job : public process_pair {
public:
  bool is_first() const override { return shmem_my_pe() == 0; }
  void meet() override { barrier_all(); }
  std::int64_t from_first(std::int64_t value) override;
  std::int64_t sum(std::int64_t mine) override;

  int other() const { return 1 - shmem_my_pe(); }
  int n_processes() const { return shmem_n_pes(); }

  /// Name and version, such as "Open MPI 4.1.4 (OpenSHMEM 1.4)".
  static std::string library();
  /// Collective. The hosts of both PEs, on the first one.
  std::vector<std::string> hosts();

private:
  library_session session_;
  symmetric_memory words_{2 * sizeof(std::uint64_t)};
};

}  // namespace network_bench
