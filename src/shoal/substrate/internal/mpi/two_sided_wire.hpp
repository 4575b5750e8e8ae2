/// The wire over MPI's sends and receives: posted receives are the credits.
///
/// The receiver keeps a queue of posted receives, each with a landing buffer of its own (landing_queue.hpp), and hands
/// out credits to send for no more of them than there are. So a buffer always finds a receive that waits for it, and
/// the library never has to keep one. A sender opens its link with a small message when it first wants to send; the
/// receiver grants it a number of credits for good, and from then on returns each when the landing buffer that it paid
/// for is posted again.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "shoal/substrate/internal/mpi/credit_channel.hpp"
#include "shoal/substrate/internal/mpi/landing_queue.hpp"
#include "shoal/substrate/internal/mpi/mpi_wire.hpp"
#include "shoal/substrate/internal/mpi/sends.hpp"

namespace shoal::internal::mpi {

class two_sided_wire final : public mpi_wire {
public:
  explicit two_sided_wire(const session& of) : mpi_wire(of) {}

  std::string open(const network::wire_sizes& sizes) override;
  bool try_send(buffer& full, int target) override;
  buffer* take_sent() override { return sends_.take(); }
  buffer* poll() override;
  void release(buffer& landed) override;
  std::size_t n_lendable(int source) const noexcept override {
    return peers_[static_cast<std::size_t>(source)].n_granted / 2;
  }

  void get(void* target, std::size_t offset, std::size_t bytes, int rank) override {
    requests().get(target, offset, bytes, rank);
  }
  void put(std::size_t offset, const void* source, std::size_t bytes, int rank) override {
    requests().put(offset, source, bytes, rank);
  }
  void start_get(void* target, std::size_t offset, std::size_t bytes, int rank) override {
    requests().start_get(target, offset, bytes, rank);
  }
  void start_put(std::size_t offset, const void* source, std::size_t bytes, int rank) override {
    requests().start_put(offset, source, bytes, rank);
  }
  void quiet() override { requests().quiet(); }
  void fence() override { requests().fence(); }

private:
  void end_transfers() override;

  // What this rank knows of another. Credits of a pair: granted = owed + held by the sender + spent on buffers
  // between try_send there and release here + in messages between the two.
  struct peer {
    std::uint32_t n_credits = 0;  // to send to it
    std::uint32_t n_granted = 0;  // of ours that it was given, once and for all
    std::uint32_t n_owed = 0;  // of those, to be returned to it
    bool is_asked = false;  // we asked it for credits
  };

  void take_credits(const credit_message& message, int source);
  void grant(int sender);

  std::vector<peer> peers_;  // by rank
  std::uint32_t n_slots_ = 0;
  std::uint32_t n_senders_left_ = 0;  // remote ranks that have not asked for credits yet
  std::uint32_t n_free_ = 0;  // landing buffers that no credit is out for
  landing_queue landing_;
  sends sends_;
  std::unique_ptr<credit_channel> credits_;  // since open, if that went well
};

/// Collective.
network::wire* make_two_sided_wire(const session& of);

}  // namespace shoal::internal::mpi
