#include "shoal/substrate/internal/mpi/control_messages.hpp"

#include <algorithm>

#include "shoal/substrate/internal/mpi/mpi_wire.hpp"

namespace shoal::internal::mpi {

control_messages::control_messages() noexcept {
  sends_.fill(MPI_REQUEST_NULL);
  receives_.fill(MPI_REQUEST_NULL);
}

void control_messages::open(MPI_Comm communicator, int tag) {
  communicator_ = communicator;
  tag_ = tag;
  for (std::size_t i = 0; i < n_posted; ++i) post(i);
}

void control_messages::post(std::size_t i) {
  MPI_Irecv(received_[i].data(), static_cast<int>(control_bytes_max), MPI_BYTE, MPI_ANY_SOURCE, tag_, communicator_,
            &receives_[i]);
}

// The index of a send that may begin; n_controls_max if there is none. Calls the library at most once, since each call may
// yield the core.
std::size_t control_messages::free_send() {
  const auto unused = std::ranges::find(sends_, MPI_REQUEST_NULL);
  if (unused != sends_.end()) return static_cast<std::size_t>(unused - sends_.begin());
  int which = 0;
  int is_any = 0;
  MPI_Testany(static_cast<int>(sends_.size()), sends_.data(), &which, &is_any, MPI_STATUS_IGNORE);
  return is_any != 0 ? static_cast<std::size_t>(which) : n_controls_max;
}

bool control_messages::try_send(std::span<const std::byte> bytes, int target) {
  const std::size_t i = free_send();
  if (i == n_controls_max) return false;
  std::ranges::copy(bytes, sent_[i].begin());
  MPI_Issend(sent_[i].data(), static_cast<int>(bytes.size()), MPI_BYTE, target, tag_, communicator_, &sends_[i]);
  return true;
}

bool control_messages::has_arrived(MPI_Status& status) {
  int is_here = 0;
  MPI_Test(&receives_[oldest_], &is_here, &status);
  return is_here != 0;
}

void control_messages::take_next() {
  post(oldest_);
  oldest_ = (oldest_ + 1) % n_posted;
}

bool control_messages::poll(control_message& into) {
  MPI_Status status;
  if (!has_arrived(status)) return false;
  int n_bytes = 0;
  MPI_Get_count(&status, MPI_BYTE, &n_bytes);
  into.source = status.MPI_SOURCE;
  into.bytes = static_cast<std::size_t>(n_bytes);
  std::copy_n(received_[oldest_].begin(), into.bytes, into.data);
  take_next();
  return true;
}

// No rank knows how many messages are under way to it. A rank enters the barrier when all its sends are complete, that
// is, matched. So when every rank has entered, none is under way any more (the nonblocking consensus of Hoefler,
// Siebert and Lumsdaine, "Scalable communication protocols for dynamic sparse data exchange", PPoPP 2010).
void control_messages::close() {
  if (!is_open()) return;
  MPI_Status status;
  MPI_Request barrier = MPI_REQUEST_NULL;
  bool has_entered = false;
  for (int is_over = 0; is_over == 0;) {
    while (has_arrived(status)) take_next();
    if (has_entered) {
      MPI_Test(&barrier, &is_over, MPI_STATUS_IGNORE);
      continue;
    }
    int are_sent = 0;
    MPI_Testall(static_cast<int>(sends_.size()), sends_.data(), &are_sent, MPI_STATUSES_IGNORE);
    if (are_sent == 0) continue;
    MPI_Ibarrier(communicator_, &barrier);
    has_entered = true;
  }
  for (MPI_Request& each : receives_) cancel(each);  // one that has matched completes instead
  communicator_ = MPI_COMM_NULL;
}

}  // namespace shoal::internal::mpi
