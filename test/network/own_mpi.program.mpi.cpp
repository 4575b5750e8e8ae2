// A program that uses MPI itself, for own_library.test.py.
//
//   network.own_mpi-LIBRARY begins   calls MPI_Init, runs Shoal on all processes, on halves of them, and MPI between
//   network.own_mpi-LIBRARY leaves   is linked with MPI but leaves its start and its end to Shoal
//   network.own_mpi-LIBRARY inside   calls MPI in supersteps and in handlers, as docs/foreign-calls.md allows
//
// Prints "ok" on rank 0.
#include <mpi.h>

#include <cstdint>
#include <cstdio>
#include <stdexcept>
#include <string_view>
#include <vector>

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

// [loop]
// Sums over all PEs in the middle of a superstep, in which other PEs may still wait for room to send.
std::int64_t sum_meanwhile(shoal::world& world, MPI_Comm all, std::int64_t mine) {
  std::int64_t sum = 0;
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Iallreduce(&mine, &sum, 1, MPI_INT64_T, MPI_SUM, all, &request);
  for (int is_there = 0; is_there == 0; world.progress()) MPI_Test(&request, &is_there, MPI_STATUS_IGNORE);
  return sum;
}
// [/loop]

// More messages than there is room for, unevenly: PEs come to their MPI calls at different times.
void mix_inside(shoal::world& w, MPI_Comm all) {
  const std::int64_t p = w.n_pes();
  const auto n_of = [](std::int64_t pe) { return 20'000 * (1 + pe % 3); };
  for (std::int64_t step = 1; step <= 3; ++step) {
    std::int64_t n_handled = 0;
    shoal::actor adder{w, [&](std::int64_t) { ++n_handled; }};
    // A handler begins what MPI completes after the superstep.
    std::vector<std::int64_t> sent(1, 100 * step + w.my_pe());
    std::vector<MPI_Request> requests;
    shoal::actor asks{w, [&](std::int64_t, shoal::pe_id from) {
                        requests.push_back(MPI_REQUEST_NULL);
                        MPI_Isend(sent.data(), 1, MPI_INT64_T, static_cast<int>(from), 7, all, &requests.back());
                      }};
    std::vector<std::int64_t> got(static_cast<std::size_t>(p), -1);
    w.finish([&] {
      require(sum_by_mpi(all, 1) == p, "a blocking call before all sends gave another sum");
      for (int pe = 0; pe < p; ++pe) {
        requests.push_back(MPI_REQUEST_NULL);
        MPI_Irecv(&got[static_cast<std::size_t>(pe)], 1, MPI_INT64_T, pe, 7, all, &requests.back());
        asks.send(pe, step);
      }
      for (std::int64_t i = 0; i < n_of(w.my_pe()); ++i) adder.send(i % p, i);
      require(sum_meanwhile(w, all, step) == p * step, "MPI_Iallreduce gave another sum");
      for (std::int64_t i = 0; i < n_of(w.my_pe()); ++i) adder.send(i % p, i);
    });
    MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
    for (std::int64_t pe = 0; pe < p; ++pe) {
      require(got[static_cast<std::size_t>(pe)] == 100 * step + pe, "MPI_Isend of a handler brought another value");
    }
    std::int64_t n_sent = 0;
    for (std::int64_t pe = 0; pe < p; ++pe) n_sent += 2 * n_of(pe);
    require(w.sum(n_handled) == n_sent, "a superstep lost messages");
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
  const bool is_inside = argc > 1 && std::string_view(argv[1]) == "inside";
  return shoal::run(argc, argv, [&](shoal::world& w) {
    is_inside ? mix_inside(w, MPI_COMM_WORLD) : mix(w, MPI_COMM_WORLD, 3);
    if (w.my_pe() == 0) std::printf("ok\n");
  });
}
