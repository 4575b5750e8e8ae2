#include "shoal/substrate/internal/mpi/sends.hpp"

#include "shoal/substrate/internal/mpi/line_type.hpp"

namespace shoal::internal::mpi {

void sends::open(MPI_Comm communicator, std::size_t n_max) {
  communicator_ = communicator;
  n_max_ = n_max;
  line_ = make_line_type();
  requests_.reserve(2 * n_max);
  buffers_.reserve(2 * n_max);
  left_.reserve(n_max);
  indices_.resize(n_max);
}

void sends::start(buffer& full, int target) {
  if (requests_.size() == 2 * n_max_) {  // then at least half of them are done, since no more than n_max are under way
    requests_.erase(requests_.begin(), requests_.begin() + static_cast<std::ptrdiff_t>(oldest_));
    buffers_.erase(buffers_.begin(), buffers_.begin() + static_cast<std::ptrdiff_t>(oldest_));
    oldest_ = 0;
  }
  requests_.push_back(MPI_REQUEST_NULL);
  buffers_.push_back(&full);
  MPI_Isend(&full, lines_of(full.header.bytes), line_, target, 0, communicator_, &requests_.back());
}

buffer* sends::take() {
  if (left_.empty() && n_under_way() != 0) {
    int is_done = 0;
    MPI_Test(&requests_[oldest_], &is_done, MPI_STATUS_IGNORE);
    if (is_done != 0) return buffers_[oldest_++];
    // One slow receiver must not hold back the slots sent to others. But a look at all takes time for each.
    constexpr unsigned misses_per_look = 8;
    if (++n_misses_ % misses_per_look == 0) look_at_all();
  }
  if (left_.empty()) return nullptr;
  buffer* const one = left_.back();
  left_.pop_back();
  return one;
}

void sends::look_at_all() {
  int n_done = 0;
  MPI_Testsome(static_cast<int>(n_under_way()), &requests_[oldest_], &n_done, indices_.data(), MPI_STATUSES_IGNORE);
  if (n_done <= 0) return;
  for (int i = 0; i < n_done; ++i) {
    buffer*& done = buffers_[oldest_ + static_cast<std::size_t>(indices_[static_cast<std::size_t>(i)])];
    left_.push_back(done);
    done = nullptr;
  }
  // Closes the gaps; order among those under way stays.
  std::size_t kept = oldest_;
  for (std::size_t i = oldest_; i < buffers_.size(); ++i) {
    if (buffers_[i] == nullptr) continue;
    buffers_[kept] = buffers_[i];
    requests_[kept++] = requests_[i];
  }
  buffers_.resize(kept);
  requests_.resize(kept);
}

void sends::close() {
  for (std::size_t i = oldest_; i < requests_.size(); ++i) MPI_Wait(&requests_[i], MPI_STATUS_IGNORE);
  requests_.clear();
  buffers_.clear();
  oldest_ = 0;
  if (line_ != MPI_DATATYPE_NULL) MPI_Type_free(&line_);
}

}  // namespace shoal::internal::mpi
