#include "shoal/substrate/mpi/control_messages.hpp"

#include <algorithm>
#include <cstring>

#include "shoal/substrate/mpi/mpi_wire.hpp"

namespace shoal::mpi {

void control_messages::open(MPI_Comm communicator, int tag) {
  communicator_ = communicator;
  tag_ = tag;
  for (incoming& place : incoming_) post(place);
}

void control_messages::post(incoming& place) {
  MPI_Irecv(place.bytes.data(), static_cast<int>(place.bytes.size()), MPI_BYTE, MPI_ANY_SOURCE, tag_, communicator_,
            &place.request);
}

bool control_messages::try_send(std::span<const std::byte> bytes, int target) {
  for (outgoing& place : outgoing_) {
    int is_free = 1;  // the null request is complete
    MPI_Test(&place.request, &is_free, MPI_STATUS_IGNORE);
    if (is_free == 0) continue;
    std::ranges::copy(bytes, place.bytes.begin());
    MPI_Issend(place.bytes.data(), static_cast<int>(bytes.size()), MPI_BYTE, target, tag_, communicator_,
               &place.request);
    return true;
  }
  return false;
}

bool control_messages::has_arrived(MPI_Status& status) {
  int is_here = 0;
  MPI_Test(&incoming_[oldest_].request, &is_here, &status);
  return is_here != 0;
}

void control_messages::take_next() {
  post(incoming_[oldest_]);
  oldest_ = (oldest_ + 1) % n_posted;
}

bool control_messages::poll(control_message& into) {
  MPI_Status status;
  if (!has_arrived(status)) return false;
  int n_bytes = 0;
  MPI_Get_count(&status, MPI_BYTE, &n_bytes);
  into.source = status.MPI_SOURCE;
  into.bytes = static_cast<std::size_t>(n_bytes);
  std::copy_n(incoming_[oldest_].bytes.begin(), into.bytes, into.data);
  take_next();
  return true;
}

bool control_messages::are_all_sent() {
  return std::ranges::all_of(outgoing_, [](outgoing& place) {
    int is_done = 1;
    MPI_Test(&place.request, &is_done, MPI_STATUS_IGNORE);
    return is_done != 0;
  });
}

// Nobody knows how many messages are under way to it. But when all sends of a rank are complete, all have matched; so
// when every rank has entered the barrier with that, none is under way any more (the nonblocking consensus of Hoefler,
// Siebert and Lumsdaine, "Scalable communication protocols for dynamic sparse data exchange", PPoPP 2010).
void control_messages::close() {
  if (!is_open()) return;
  MPI_Status status;
  MPI_Request all_are_sent = MPI_REQUEST_NULL;
  bool has_entered = false;
  for (int is_over = 0; is_over == 0;) {
    while (has_arrived(status)) take_next();
    if (has_entered) {
      MPI_Test(&all_are_sent, &is_over, MPI_STATUS_IGNORE);
    } else if (are_all_sent()) {
      MPI_Ibarrier(communicator_, &all_are_sent);
      has_entered = true;
    }
  }
  for (incoming& place : incoming_) cancel(place.request);  // one that has matched completes instead
  communicator_ = MPI_COMM_NULL;
}

}  // namespace shoal::mpi
