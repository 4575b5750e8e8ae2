/// Transfers longer than MPI counts in an int.
#pragma once

#include <algorithm>
#include <cstddef>

namespace shoal::internal::mpi {

inline constexpr std::size_t chunk_bytes = std::size_t{1} << 30;

/// Calls transfer(part of the offset, its length) until `bytes` are through.
template <class Transfer>
void in_chunks(std::size_t bytes, const Transfer& transfer) {
  for (std::size_t done = 0; done < bytes; done += chunk_bytes) {
    transfer(done, static_cast<int>(std::min(bytes - done, chunk_bytes)));
  }
}

}  // namespace shoal::internal::mpi
