/// Buffers that are being sent, until their bytes have left them.
#pragma once

#include <mpi.h>

#include <cstddef>
#include <vector>

#include "shoal/substrate/internal/buffer.hpp"

namespace shoal::internal::mpi {

class sends {
public:
  /// For at most `n_max` buffers under way.
  void open(MPI_Comm communicator, std::size_t n_max);

  bool is_full() const noexcept { return n_under_way() == n_max_; }
  void start(buffer& full, int target);

  /// A buffer whose bytes have left it, or null.
  buffer* take();

  /// Waits until all have left. Only when their receivers take them in.
  void close();

private:
  std::size_t n_under_way() const noexcept { return requests_.size() - oldest_; }
  void look_at_all();

  MPI_Comm communicator_ = MPI_COMM_NULL;
  MPI_Datatype line_ = MPI_DATATYPE_NULL;
  std::size_t n_max_ = 0;

  // Under way: from oldest_ on, in the order started. What lies before it is done and waits to be erased.
  std::vector<MPI_Request> requests_;
  std::vector<buffer*> buffers_;
  std::size_t oldest_ = 0;

  std::vector<buffer*> left_;  // done, but not the oldest at the time
  std::vector<int> indices_;  // room for what MPI_Testsome says
  unsigned n_misses_ = 0;  // takes in which the oldest was not done
};

}  // namespace shoal::internal::mpi
