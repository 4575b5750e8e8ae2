#include "shoal/substrate/internal/mpi/two_sided_wire.hpp"

#include <algorithm>
#include <new>

namespace shoal::internal::mpi {

namespace {
constexpr int credit_tag = 0;
}

network::wire* make_two_sided_wire(const session& of) { return new two_sided_wire(of); }

std::string two_sided_wire::open(const network::wire_sizes& sizes) {
  open_small(sizes);
  n_slots_ = static_cast<std::uint32_t>(sizes.n_slots);
  const auto n_senders = static_cast<std::size_t>(std::count_if(sizes.is_remote.begin(), sizes.is_remote.end(),
                                                                [](std::uint8_t is_remote) { return is_remote != 0; }));
  n_senders_left_ = static_cast<std::uint32_t>(n_senders);

  const std::size_t n_that_fit = sizes.landing_bytes / landing_queue::stride(sizes.payload_bytes);
  const std::size_t n_landing = std::min(std::max<std::size_t>(n_that_fit, 2), n_senders * sizes.n_slots);
  n_free_ = static_cast<std::uint32_t>(n_landing);

  bool is_well = true;
  try {
    peers_.resize(static_cast<std::size_t>(n_ranks()));
    sends_.open(data_communicator(), sizes.n_slots);
    landing_.open(data_communicator(), sizes.payload_bytes, n_landing, std::max(n_landing, n_senders));
  } catch (const std::bad_alloc&) {
    is_well = false;
  }
  if (const int failed = first_that_failed(is_well); failed != -1) {
    return "rank " + std::to_string(failed) + " has no memory for the " + std::to_string(n_landing) +
           " buffers that may arrive at once; lower SHOAL_MEMORY";
  }
  credits_ = std::make_unique<credit_channel>(small_communicator(), credit_tag, n_ranks());
  return {};
}

bool two_sided_wire::try_send(buffer& full, int target) {
  peer& to = peers_[static_cast<std::size_t>(target)];
  if (to.n_credits == 0) {
    if (!to.is_asked) {
      to.is_asked = true;
      credits_->send({.n_credits = 0}, target);
    }
    return false;
  }
  if (sends_.is_full()) return false;
  --to.n_credits;
  sends_.start(full, target);
  return true;
}

buffer* two_sided_wire::poll() {
  requests().progress();
  for (unsigned n_served = 0; n_served < heap_requests::n_per_look;) {
    // One call for all, since each call drives the library, which is what an empty poll costs.
    MPI_Request oldest[] = {credits_->oldest(), landing_.oldest(), requests().oldest()};
    int which = 0;
    int is_any = 0;
    MPI_Status status;
    MPI_Testany(3, oldest, &which, &is_any, &status);
    if (is_any == 0) break;
    if (which == 0) {
      take_credits(credits_->take(), status.MPI_SOURCE);
    } else if (which == 2) {
      requests().serve(status.MPI_SOURCE);
      ++n_served;
    } else {
      buffer& landed = landing_.take(status.MPI_SOURCE);
      serve_beside_buffers();
      return &landed;
    }
  }
  answer_claims();
  return nullptr;
}

void two_sided_wire::take_credits(const credit_message& message, int source) {
  if (message.n_credits == 0) {
    grant(source);
  } else {
    peers_[static_cast<std::size_t>(source)].n_credits += message.n_credits;
  }
}

// Free credits are divided among this sender and all that have not asked yet. Each gets at least one, so that everybody
// can go on. For a credit beyond the planned landing buffers, one is added.
void two_sided_wire::grant(int sender) {
  if (n_free_ == 0) {
    landing_.add_one();
    n_free_ = 1;
  }
  const std::uint32_t n = std::clamp(n_free_ / n_senders_left_, 1U, n_slots_);
  --n_senders_left_;
  n_free_ -= n;
  peers_[static_cast<std::size_t>(sender)].n_granted = n;
  credits_->send({.n_credits = n}, sender);
}

// Half at a time, so that a message returns many. A sender without credits is owed all but those of buffers that are kept here, which are at
// most half (n_lendable). So it has been paid.
void two_sided_wire::release(buffer& landed) {
  const auto source = static_cast<int>(landed.next.load(std::memory_order_relaxed));
  landing_.post(landed);  // first: the credit says that it is
  peer& from = peers_[static_cast<std::size_t>(source)];
  ++from.n_owed;
  if (2 * from.n_owed < from.n_granted) return;
  credits_->send({.n_credits = from.n_owed}, source);
  from.n_owed = 0;
}

void two_sided_wire::end_transfers() {
  sends_.close();
  if (credits_ != nullptr) credits_->close();
  landing_.close();
}

}  // namespace shoal::internal::mpi
