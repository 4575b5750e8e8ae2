// A program that uses MPI itself, for own_library.test.py.
//
//   network.own_mpi-LIBRARY begins   calls MPI_Init, runs Shoal on all processes, on halves of them, and MPI between
//   network.own_mpi-LIBRARY leaves   is linked with MPI but leaves its start and its end to Shoal
//
// Prints "ok" on rank 0.
#include <mpi.h>

#include <cstdint>
#include <cstdio>
#include <stdexcept>
#include <string_view>

#include "shoal/mpi.hpp"
#include "shoal/shoal.hpp"

namespace {

void require(bool is_so, const char* what) {
  if (!is_so) throw std::runtime_error(what);
}

// A superstep in which each PE sends `value` to each PE `n` times; returns the sum of what this PE received.
std::int64_t superstep(shoal::world& w, std::int64_t n, std::int64_t value) {
  std::int64_t sum = 0;
  shoal::actor adder{w, [&](std::int64_t v) { sum += v; }};
  w.finish([&] {
    for (std::int64_t i = 0; i < n; ++i) {
      for (shoal::pe_id pe = 0; pe < w.n_pes(); ++pe) adder.send(pe, value);
    }
  });
  return sum;
}

std::int64_t sum_by_mpi(MPI_Comm all, std::int64_t mine) {
  std::int64_t sum = 0;
  MPI_Allreduce(&mine, &sum, 1, MPI_INT64_T, MPI_SUM, all);
  return sum;
}

// Supersteps on the same processes, with MPI's own collective in between.
void mix(shoal::world& w, MPI_Comm all, std::int64_t n_supersteps) {
  const std::int64_t p = w.n_pes();
  for (std::int64_t step = 1; step <= n_supersteps; ++step) {
    const std::int64_t got = superstep(w, 1000, step);
    require(got == 1000 * p * step, "a superstep lost messages");
    require(sum_by_mpi(all, got) == p * got, "MPI_Allreduce gave another sum");
  }
}

int run_on_halves(int rank) {
  const int color = rank % 2;
  MPI_Comm half = MPI_COMM_NULL;
  MPI_Comm_split(MPI_COMM_WORLD, color, rank, &half);
  int n_half = 0;
  MPI_Comm_size(half, &n_half);
  int status = 0;
  for (int turn = 0; turn < 2 && status == 0; ++turn) {
    // Different jobs at once: the halves need not keep step.
    status = shoal::mpi::run(MPI_Comm_c2f(half), [&](shoal::world& w) {
      require(w.n_pes() == n_half, "the PEs are not the communicator's processes");
      mix(w, half, color == 0 ? 3 : 8);
    });
  }
  MPI_Comm_free(&half);
  return status;
}

int begin_and_end_mpi(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  int status = shoal::run(argc, argv, [](shoal::world& w) { mix(w, MPI_COMM_WORLD, 3); });
  if (status == 0) status = run_on_halves(rank);
  int size = 0;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (status == 0 && sum_by_mpi(MPI_COMM_WORLD, 1) != size) status = 1;
  MPI_Finalize();
  if (status == 0 && rank == 0) std::printf("ok\n");
  return status;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc > 1 && std::string_view(argv[1]) == "begins") return begin_and_end_mpi(argc, argv);
  return shoal::run(argc, argv, [](shoal::world& w) {
    mix(w, MPI_COMM_WORLD, 3);
    if (w.my_pe() == 0) std::printf("ok\n");
  });
}
