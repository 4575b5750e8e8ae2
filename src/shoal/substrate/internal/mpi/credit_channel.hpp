/// The small messages by which ranks ask for credits and return them.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <deque>
#include <vector>

namespace shoal::internal::mpi {

struct credit_message {
  std::uint32_t n_credits = 0;  // that its sender gives; 0: its sender asks for credits
};

/// Receives are posted for some of these messages. More may wait in the library, but their number is bounded. A rank
/// asks another one once. A message that gives carries at least one credit, and each credit that was granted is in one
/// message at most. So no more messages wait than credits are granted, plus one for each pair.
class credit_channel {
public:
  /// Uses `tag` of `communicator`. All ranks must call it; it waits for none.
  credit_channel(MPI_Comm communicator, int tag, int n_ranks);
  credit_channel(const credit_channel&) = delete;
  credit_channel& operator=(const credit_channel&) = delete;

  void send(credit_message message, int target);

  /// The receive that the next message matches, for a test that looks at others too. When that finds it complete, take.
  MPI_Request oldest() const noexcept { return requests_[oldest_]; }
  credit_message take();

  /// Collective. Receives what is under way to this rank and cancels the other receives. Nobody may send any more.
  void close();

private:
  void post(std::size_t i);

  MPI_Comm communicator_;
  int tag_;

  // In a circle, posted in this order from oldest_ on.
  static constexpr std::size_t n_posted = 32;
  std::vector<MPI_Request> requests_;
  std::vector<credit_message> received_;
  std::size_t oldest_ = 0;

  struct outgoing {
    credit_message message;
    MPI_Request request = MPI_REQUEST_NULL;
  };
  std::deque<outgoing> outgoing_;  // a deque, since what is in it must not move

  std::vector<std::uint32_t> n_sent_;  // by rank; like n_received_, for close
  std::uint32_t n_received_ = 0;
};

}  // namespace shoal::internal::mpi
