/// Posted receives for buffers, each on memory of its own, in the order posted.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <deque>
#include <memory>

#include "shoal/substrate/internal/buffer.hpp"

namespace shoal::internal::mpi {

/// All receives have the same envelope (any source, one tag), so messages match them in the order posted, and only the
/// oldest need be looked at. A sender that computes may delay the transfer of a long buffer, and the oldest receive then
/// stays incomplete. Buffers after it wait, too. MPI tells the source of a receive only when it is complete, so until then
/// nobody knows which buffers may overtake it.
class landing_queue {
public:
  landing_queue() = default;
  landing_queue(const landing_queue&) = delete;
  landing_queue& operator=(const landing_queue&) = delete;

  /// A landing buffer takes an odd number of lines, so that the headers of many do not share a set of the cache.
  static std::size_t stride(std::size_t payload_bytes) noexcept;

  /// Takes memory for `n_max` buffers, and posts receives for `n` of them; what is not posted costs nothing yet. Throws
  /// std::bad_alloc, and then nothing has happened.
  void open(MPI_Comm communicator, std::size_t payload_bytes, std::size_t n, std::size_t n_max);

  /// Posts one more, up to n_max.
  void add_one();

  /// The oldest receive, for a test that looks at others too, or MPI_REQUEST_NULL. When that finds it complete, take.
  MPI_Request oldest() const noexcept { return queue_.empty() ? MPI_REQUEST_NULL : queue_.front().request; }

  /// The buffer of the oldest receive, which has completed with `source`; its header is the sender's.
  buffer& take(int source);

  /// Posts a buffer that take returned again, as the youngest.
  void post(buffer& landing);

  /// Cancels all. Nothing may be under way to this rank.
  void close();

private:
  struct receive {
    MPI_Request request = MPI_REQUEST_NULL;
    buffer* landing = nullptr;
  };
  struct freed {
    void operator()(std::byte* memory) const noexcept;
  };

  MPI_Comm communicator_ = MPI_COMM_NULL;
  MPI_Datatype line_ = MPI_DATATYPE_NULL;
  std::size_t payload_bytes_ = 0;
  std::unique_ptr<std::byte, freed> memory_;
  std::size_t n_buffers_ = 0;  // of the memory, in use
  std::deque<receive> queue_;
};

}  // namespace shoal::internal::mpi
