/// Memory of every rank that the others put into and get from: an MPI window, open to all for as long as it lives.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace shoal::internal::mpi {

/// Offsets are in bytes from a rank's start, which is aligned to a cache line. What a call begins reads or writes this
/// rank's memory until a call that completes it returns.
class window {
public:
  window() = default;
  window(const window&) = delete;
  window& operator=(const window&) = delete;

  /// Collective. The window is memory that MPI allocates, or `memory`, which is aligned to a cache line and outlives it.
  /// False if this rank could not: then it may only be freed.
  bool allocate(std::size_t bytes, MPI_Comm among);
  bool create(std::byte* memory, std::size_t bytes, MPI_Comm among);
  /// Collective; only after an allocate that was true on all ranks.
  void open_to_all();
  /// Collective. Does nothing if nothing was allocated anywhere.
  void free();

  std::byte* start() const noexcept { return start_; }

  void put(int rank, std::size_t offset, const void* source, std::size_t bytes);
  void get(void* target, std::size_t offset, std::size_t bytes, int rank);

  /// A get that is complete when the requests that this adds to `requests` are done.
  void get_with_requests(void* target, std::size_t offset, std::size_t bytes, int rank,
                         std::vector<MPI_Request>& requests);
  /// A put whose source may be used again when the requests that this adds to `requests` are done.
  void put_with_requests(int rank, std::size_t offset, const void* source, std::size_t bytes,
                         std::vector<MPI_Request>& requests);
  /// A put of one aligned word. Libraries store it whole. The standard promises that for accumulates alone, but in MPICH
  /// those need the target's processor. `value` stays as it is until it has been seen at the target.
  void put_word(int rank, std::size_t offset, const std::uint64_t& value);
  /// Sees to it that all such puts arrive sooner or later, if their target calls the library.
  void send_off();

  /// The ranks to or from which puts and gets have begun since the last complete_all.
  std::span<const int> touched() const noexcept { return touched_; }
  /// Asks a rank for an answer, which usually comes after all that has begun there is complete.
  MPI_Request ask(int rank);
  /// Until all that has begun at a rank, or at any rank, is complete. This spins until the target's library has looked.
  /// So first `ask`, and wait for the answer: then nothing is left to wait for.
  void complete(int rank) { MPI_Win_flush(rank, window_); }
  void complete_all();

  /// Makes stores of others and of this rank's program meet in memory.
  void synchronize() { MPI_Win_sync(window_); }

private:
  void touch(int rank);
  bool finish_making(bool is_there, std::size_t skipped, MPI_Comm among);
  MPI_Aint at(int rank, std::size_t offset) const {
    return starts_[static_cast<std::size_t>(rank)] + static_cast<MPI_Aint>(offset);
  }

  MPI_Win window_ = MPI_WIN_NULL;
  std::byte* start_ = nullptr;
  std::vector<MPI_Aint> starts_;  // by rank, from what the window has there
  bool is_open_ = false;
  bool holds_back_ = false;  // something has been put that send_off has not sent
  std::vector<std::uint8_t> is_touched_;  // by rank: something is under way to or from it
  std::vector<int> touched_;
  std::vector<std::uint64_t> answers_;  // by rank
};

}  // namespace shoal::internal::mpi
