#include "shoal/substrate/internal/mpi/credit_channel.hpp"

#include "shoal/substrate/internal/mpi/mpi_wire.hpp"

namespace shoal::internal::mpi {

credit_channel::credit_channel(MPI_Comm communicator, int tag, int n_ranks)
    : communicator_(communicator),
      tag_(tag),
      requests_(n_posted, MPI_REQUEST_NULL),
      received_(n_posted),
      n_sent_(static_cast<std::size_t>(n_ranks)) {
  for (std::size_t i = 0; i < n_posted; ++i) post(i);
}

void credit_channel::post(std::size_t i) {
  MPI_Irecv(&received_[i], sizeof(credit_message), MPI_BYTE, MPI_ANY_SOURCE, tag_, communicator_, &requests_[i]);
}

void credit_channel::send(credit_message message, int target) {
  for (int is_done = 1; !outgoing_.empty();) {
    MPI_Test(&outgoing_.front().request, &is_done, MPI_STATUS_IGNORE);
    if (is_done == 0) break;
    outgoing_.pop_front();
  }
  outgoing& next = outgoing_.emplace_back(outgoing{message, MPI_REQUEST_NULL});
  MPI_Isend(&next.message, sizeof next.message, MPI_BYTE, target, tag_, communicator_, &next.request);
  ++n_sent_[static_cast<std::size_t>(target)];
}

credit_message credit_channel::take() {
  const credit_message taken = received_[oldest_];
  post(oldest_);
  oldest_ = (oldest_ + 1) % n_posted;
  ++n_received_;
  return taken;
}

void credit_channel::close() {
  std::uint32_t n_expected = 0;
  MPI_Reduce_scatter_block(n_sent_.data(), &n_expected, 1, MPI_UINT32_T, MPI_SUM, communicator_);
  while (n_received_ != n_expected) {
    MPI_Wait(&requests_[oldest_], MPI_STATUS_IGNORE);
    take();
  }
  for (outgoing& o : outgoing_) MPI_Wait(&o.request, MPI_STATUS_IGNORE);
  outgoing_.clear();
  for (MPI_Request& r : requests_) cancel(r);
}

}  // namespace shoal::internal::mpi
