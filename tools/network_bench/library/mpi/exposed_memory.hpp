/// Memory that the other process reaches by one-sided calls.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace network_bench {

/// The same number of bytes in both processes, zero at first, in a passive epoch that lasts as long as the memory. A line
/// of 64 bytes before the messages has a word for flags and counters. Construction and destruction are collective.
class exposed_memory {
public:
  /// Check `fault()` before any other call.
  explicit exposed_memory(std::size_t bytes);
  ~exposed_memory();
  exposed_memory(const exposed_memory&) = delete;
  exposed_memory& operator=(const exposed_memory&) = delete;

  /// Why the library offers no such memory; empty if it does.
  const std::string& fault() const { return fault_; }

  MPI_Win window() const { return window_; }
  /// Displacements in the window.
  static MPI_Aint word_place() { return 0; }
  static MPI_Aint message_place(std::size_t offset = 0) { return static_cast<MPI_Aint>(line_bytes + offset); }

  /// This process's own memory, after what others have completed.
  std::span<std::byte> messages(std::size_t bytes);
  std::uint64_t word();
  /// Makes what this process wrote to its memory visible to the other one, after a barrier.
  void publish() { MPI_Win_sync(window_); }

private:
  static constexpr std::size_t line_bytes = 64;

  MPI_Win window_ = MPI_WIN_NULL;
  std::byte* memory_ = nullptr;
  std::string fault_;
};

}  // namespace network_bench
