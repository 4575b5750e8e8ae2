/// Buffers as MPI counts them: in cache lines, so that an int suffices for the largest.
#pragma once

#include <mpi.h>

#include <cstddef>

#include "shoal/substrate/internal/buffer.hpp"

namespace shoal::internal::mpi {

/// Lines of a buffer with `payload_bytes` in use, its first line included.
inline int lines_of(std::size_t payload_bytes) noexcept {
  return static_cast<int>(1 + (payload_bytes + cache_line_bytes - 1) / cache_line_bytes);
}

/// The datatype of a line. The caller frees it.
inline MPI_Datatype make_line_type() {
  MPI_Datatype type = MPI_DATATYPE_NULL;
  MPI_Type_contiguous(static_cast<int>(cache_line_bytes), MPI_BYTE, &type);
  MPI_Type_commit(&type);
  return type;
}

}  // namespace shoal::internal::mpi
