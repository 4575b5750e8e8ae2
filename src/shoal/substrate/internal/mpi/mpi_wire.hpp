/// What the wires over MPI share: start and end of the library, control messages, exchanges, atomics, claims, failure.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <span>
#include <string>

#include "shoal/substrate/internal/mpi/control_messages.hpp"
#include "shoal/substrate/internal/mpi/heap_requests.hpp"
#include "shoal/substrate/internal/network/wire.hpp"

namespace shoal::internal::mpi {

/// MPI as a wire finds it.
struct session {
  MPI_Comm parent = MPI_COMM_WORLD;  // the ranks of the job
  bool is_ours = false;  // we initialised the library, so we finalise it
};

/// Two communicators of its own keep a wire apart from the program's messages and its data from the rest: a library
/// that searches posted receives one by one then finds those for data at once.
class mpi_wire : public network::wire {
public:
  /// Collective over the session's ranks.
  explicit mpi_wire(const session& of);

  std::string library() const override;
  bool is_ours() const noexcept override { return is_ours_; }
  bool is_over() const noexcept override;
  void all_gather(const void* mine, void* all, std::size_t bytes) override;

  /// Calls end_transfers, then frees what is ours of MPI.
  void close(const std::function<void()>& meet) override;

  bool try_send_control(std::span<const std::byte> bytes, int target) override {
    return controls_.try_send(bytes, target);
  }
  bool poll_control(control_message& into) override;

  void start_exchange(int step, int parity, std::span<const std::byte> data, int to, std::byte* into,
                      int from) override;
  bool is_exchange_done(std::size_t& n_received) override;

  std::uint64_t atomic(const atomic_call& call, std::size_t offset, int rank) override {
    return requests_.atomic(call, offset, rank);
  }
  void start_atomic(const atomic_call& call, std::size_t offset, int rank) override {
    requests_.start_atomic(call, offset, rank);
  }
  std::uint64_t n_served() const noexcept override { return requests_.n_served(); }

  bool claim_report() override;
  [[noreturn]] void abort(int status) override;

protected:
  /// For buffers, or windows: nothing of this class travels here.
  MPI_Comm data_communicator() const noexcept { return data_; }

  /// For small messages. Tags below n_free_tags are the derived class's.
  MPI_Comm small_communicator() const noexcept { return small_; }
  static constexpr int n_free_tags = 4;

  /// To be called by open, on all ranks: gets ready for exchanges, control messages and requests.
  void open_small(const network::wire_sizes& sizes);

  /// Collective. The lowest rank that gives false, or -1. For verdicts that all ranks must share.
  int first_that_failed(bool is_well) const;

  /// Others' requests wait until this rank calls the wire. So poll serves them if it finds no buffer, and with every
  /// eighth buffer.
  heap_requests& requests() noexcept { return requests_; }
  void serve_beside_buffers() {
    constexpr unsigned buffers_per_look = 8;
    if (++n_landed_ % buffers_per_look == 0) requests_.serve_some();
  }

  /// Rank 0 answers claims that have come. To be called whenever there is nothing else to do; it looks at every 16th
  /// call.
  void answer_claims();

private:
  /// Collective, part of close: afterwards no message of the derived class is under way and no receive of its is
  /// posted. Also after an open that failed or never was.
  virtual void end_transfers() = 0;

  enum tag : int {
    claim_tag = n_free_tags,
    answer_tag,
    control_tag,
    first_request_tag,
    first_exchange_tag = first_request_tag + heap_requests::n_tags
  };

  void wait_for_claims();

  bool is_ours_;
  MPI_Comm data_ = MPI_COMM_NULL;
  MPI_Comm small_ = MPI_COMM_NULL;

  control_messages controls_;  // open if the wire is
  heap_requests requests_;  // the same
  unsigned n_landed_ = 0;

  std::size_t exchange_bytes_ = 0;
  MPI_Request exchange_[2] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};  // receive, send

  // Rank 0's: whether the job's one report has been claimed, and the receive for the next claim.
  bool is_claimed_ = false;
  char claim_ = 0;
  MPI_Request claim_request_ = MPI_REQUEST_NULL;
  unsigned n_looks_ = 0;

  char answer_ = 1;  // to this rank's claim
};

/// Cancels a receive that nothing will match.
void cancel(MPI_Request& request);

}  // namespace shoal::internal::mpi
