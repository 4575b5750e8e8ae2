/// An array on every PE that others reach by one-sided calls, in an epoch that lasts as long as the array.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <span>

namespace comparators {

class window {
public:
  /// How many calls a PE starts before it waits for them. Without a limit Open MPI fills memory with requests.
  static constexpr std::int64_t n_open_most = 4096;

  explicit window(std::int64_t n) {
    void* memory = nullptr;
    // An even number: with 8 bytes more than a multiple of 16, PEs of MPICH 4.0 on one machine reach the wrong words.
    MPI_Win_allocate((n + n % 2) * static_cast<MPI_Aint>(sizeof(std::int64_t)), sizeof(std::int64_t), MPI_INFO_NULL,
                     MPI_COMM_WORLD, &memory, &window_);
    mine_ = {static_cast<std::int64_t*>(memory), static_cast<std::size_t>(n)};
    MPI_Win_lock_all(MPI_MODE_NOCHECK, window_);
  }
  ~window() {
    MPI_Win_unlock_all(window_);
    MPI_Win_free(&window_);
  }
  window(const window&) = delete;
  window& operator=(const window&) = delete;

  /// Between what this PE writes here, a barrier, and what others do, or the reverse.
  std::span<std::int64_t> mine() {
    MPI_Win_sync(window_);
    return mine_;
  }

  MPI_Win handle() const { return window_; }

private:
  MPI_Win window_ = MPI_WIN_NULL;
  std::span<std::int64_t> mine_;
};

}  // namespace comparators
