/// Control messages between ranks: synchronous sends to posted receives.
#pragma once

#include <mpi.h>

#include <array>
#include <cstddef>
#include <span>

#include "shoal/substrate/control.hpp"

namespace shoal::mpi {

/// A synchronous send completes when its receive has matched. So however much arrives that nobody takes, no more than
/// n_controls_max messages of a sender wait in the library for a receive. The communicator must not promise
/// `mpi_assert_allow_overtaking`: Open MPI 4.0 then never completes such a send (open-mpi/ompi issue 6559).
class control_messages {
public:
  control_messages() = default;
  control_messages(const control_messages&) = delete;
  control_messages& operator=(const control_messages&) = delete;

  /// Posts the receives. Uses `tag` of `communicator`. Collective only in that all ranks must do it.
  void open(MPI_Comm communicator, int tag);
  bool is_open() const noexcept { return communicator_ != MPI_COMM_NULL; }

  /// False while n_controls_max sends are incomplete. Local, nonblocking.
  bool try_send(std::span<const std::byte> bytes, int target);

  /// Copies the next message that has arrived; false if there is none. Local, nonblocking.
  bool poll(control_message& into);

  /// Collective. Receives what is under way to this rank, drops it, and cancels the other receives. Nobody may send any
  /// more. Waits.
  void close();

private:
  struct outgoing {
    MPI_Request request = MPI_REQUEST_NULL;
    std::array<std::byte, control_bytes_max> bytes;
  };
  struct incoming {
    MPI_Request request = MPI_REQUEST_NULL;
    std::array<std::byte, control_bytes_max> bytes;
  };

  void post(incoming& place);
  bool has_arrived(MPI_Status& status);
  void take_next();
  bool are_all_sent();

  MPI_Comm communicator_ = MPI_COMM_NULL;
  int tag_ = 0;
  std::array<outgoing, n_controls_max> outgoing_;

  // In a circle, posted in this order from oldest_ on. All have the same envelope, so messages match them in the order
  // posted; and a message as short as these travels with its envelope, so they complete in that order, too.
  static constexpr std::size_t n_posted = 32;
  std::array<incoming, n_posted> incoming_;
  std::size_t oldest_ = 0;
};

}  // namespace shoal::mpi
