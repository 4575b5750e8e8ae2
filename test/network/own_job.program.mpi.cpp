// A program that opens jobs beside its own MPI calls, for job.test.py.
//
//   network.own_job-LIBRARY begins   calls MPI_Init; MPI before, between, inside and after jobs; jobs on halves, too
//   network.own_job-LIBRARY leaves   leaves the start and the end of MPI to Shoal, but calls MPI
//   network.own_job-LIBRARY ends     finalizes an MPI that Shoal initialised, and opens another job
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

int rank_in(MPI_Comm all) {
  int rank = 0;
  MPI_Comm_rank(all, &rank);
  return rank;
}

void check_mpi(MPI_Comm all) {
  int size = 0;
  MPI_Comm_size(all, &size);
  int sum = 0;
  const int one = 1;
  MPI_Allreduce(&one, &sum, 1, MPI_INT, MPI_SUM, all);
  require(sum == size, "MPI_Allreduce gave another sum");
}

// Supersteps, each followed by MPI's own collective.
void use(shoal::world& w, MPI_Comm all, std::int64_t turn) {
  for (int step = 0; step < 3; ++step) {
    std::int64_t sum = 0;
    {
      shoal::actor adder{w, [&](std::int64_t v) { sum += v; }};
      w.finish([&] {
        for (int i = 0; i < 500; ++i) {
          for (shoal::pe_id pe = 0; pe < w.n_pes(); ++pe) adder.send(pe, turn);
        }
      });
    }
    require(sum == 500 * w.n_pes() * turn, "a superstep lost messages");
    check_mpi(all);
  }
}

void open_on_all(std::int64_t n_times) {
  for (std::int64_t turn = 1; turn <= n_times; ++turn) {
    {
      shoal::job job;
      use(job.world(), MPI_COMM_WORLD, turn);
    }
    check_mpi(MPI_COMM_WORLD);
  }
}

void open_on_halves() {
  const int rank = rank_in(MPI_COMM_WORLD);
  MPI_Comm half = MPI_COMM_NULL;
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
  int size = 0;
  MPI_Comm_size(half, &size);
  // The halves need not keep step: one opens more jobs than the other.
  for (std::int64_t turn = 1; turn <= 2 + rank % 2; ++turn) {
    shoal::job job{shoal::mpi::communicator(MPI_Comm_c2f(half))};
    require(job.world().n_pes() == size, "the PEs are not the communicator's processes");
    use(job.world(), half, turn);
  }
  MPI_Comm_free(&half);
}

}  // namespace

int main(int argc, char** argv) {
  const std::string_view what = argc > 1 ? argv[1] : "";
  if (what == "begins") {
    MPI_Init(&argc, &argv);
    check_mpi(MPI_COMM_WORLD);
    open_on_all(3);
    open_on_halves();
    open_on_all(1);
    check_mpi(MPI_COMM_WORLD);
  } else {
    open_on_all(3);
  }
  const int rank = rank_in(MPI_COMM_WORLD);
  if (what != "leaves") MPI_Finalize();
  if (what == "ends") shoal::job again;
  if (rank == 0) std::printf("ok\n");
}
