/// What the programs on MPI share: start and end, barrier and sum.
#pragma once

#include <mpi.h>

#include <cstdint>

namespace comparators {

class job {
public:
  job() { MPI_Init(nullptr, nullptr); }
  ~job() { MPI_Finalize(); }
  job(const job&) = delete;
  job& operator=(const job&) = delete;

  int rank() const {
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    return rank;
  }
  int size() const {
    int size = 0;
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    return size;
  }
  void barrier() { MPI_Barrier(MPI_COMM_WORLD); }
  std::int64_t sum(std::int64_t mine) {
    std::int64_t all = 0;
    MPI_Allreduce(&mine, &all, 1, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
    return all;
  }
};

}  // namespace comparators
