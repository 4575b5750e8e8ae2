#include "shoal/substrate/internal/mpi/landing_queue.hpp"

#include <cstdint>
#include <new>

#include "shoal/substrate/internal/mpi/line_type.hpp"
#include "shoal/substrate/internal/mpi/mpi_wire.hpp"

namespace shoal::internal::mpi {

namespace {
constexpr auto line_alignment = std::align_val_t(cache_line_bytes);
}

void landing_queue::freed::operator()(std::byte* memory) const noexcept { ::operator delete(memory, line_alignment); }

std::size_t landing_queue::stride(std::size_t payload_bytes) noexcept {
  return static_cast<std::size_t>(lines_of(payload_bytes) | 1) * cache_line_bytes;
}

void landing_queue::open(MPI_Comm communicator, std::size_t payload_bytes, std::size_t n, std::size_t n_max) {
  memory_.reset(static_cast<std::byte*>(::operator new(n_max * stride(payload_bytes), line_alignment)));
  payload_bytes_ = payload_bytes;
  communicator_ = communicator;
  line_ = make_line_type();
  for (std::size_t i = 0; i < n; ++i) add_one();
}

void landing_queue::add_one() {
  std::byte* const place = memory_.get() + n_buffers_++ * stride(payload_bytes_);
  // take makes it a buffer; until then its memory stays untouched.
  post(*reinterpret_cast<buffer*>(place));
}

buffer& landing_queue::take(int source) {
  buffer& landed = *queue_.front().landing;
  queue_.pop_front();
  // The first line came as it was at the sender. Only its header means anything here.
  const buffer_header header = landed.header;
  new (&landed) buffer;
  landed.next.store(static_cast<std::uint32_t>(source), std::memory_order_relaxed);  // for release
  landed.slot = UINT32_MAX;  // of no pool
  landed.header = header;
  landed.sender = source;
  return landed;
}

void landing_queue::post(buffer& landing) {
  queue_.push_back({MPI_REQUEST_NULL, &landing});
  MPI_Irecv(&landing, lines_of(payload_bytes_), line_, MPI_ANY_SOURCE, 0, communicator_, &queue_.back().request);
}

void landing_queue::close() {
  for (receive& r : queue_) cancel(r.request);
  queue_.clear();
  memory_.reset();
  if (line_ != MPI_DATATYPE_NULL) MPI_Type_free(&line_);
  communicator_ = MPI_COMM_NULL;
}

}  // namespace shoal::internal::mpi
