/// Control messages between ranks: synchronous sends to posted receives.
#pragma once

#include <mpi.h>

#include <array>
#include <cstddef>
#include <span>

#include "shoal/substrate/internal/control.hpp"

namespace shoal::internal::mpi {

/// A synchronous send completes when its receive has matched. So at most n_controls_max messages of a sender wait in the
/// library for a receive, even if nobody takes what arrives. The communicator must not promise
/// `mpi_assert_allow_overtaking`: Open MPI 4.0 then never completes such a send (open-mpi/ompi issue 6559).
class control_messages {
public:
  control_messages() noexcept;
  control_messages(const control_messages&) = delete;
  control_messages& operator=(const control_messages&) = delete;

  /// Posts the receives. Uses `tag` of `communicator`. All ranks must call it; it waits for none.
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
  using message_bytes = std::array<std::byte, control_bytes_max>;

  std::size_t free_send();
  void post(std::size_t i);
  bool has_arrived(MPI_Status& status);
  void take_next();

  MPI_Comm communicator_ = MPI_COMM_NULL;
  int tag_ = 0;

  std::array<MPI_Request, n_controls_max> sends_;  // null: complete
  std::array<message_bytes, n_controls_max> sent_;

  // In a circle, posted in this order from oldest_ on. All have the same envelope, so messages match them in the order
  // posted. A message as short as these travels with its envelope, so they complete in that order, too.
  static constexpr std::size_t n_posted = 32;
  std::array<MPI_Request, n_posted> receives_;
  std::array<message_bytes, n_posted> received_;
  std::size_t oldest_ = 0;
};

}  // namespace shoal::internal::mpi
