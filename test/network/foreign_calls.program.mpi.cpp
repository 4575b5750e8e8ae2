// MPI calls of a program's own in the middle of supersteps, for foreign_calls.test.py.
//
//   network.foreign_calls-LIBRARY nonblocking   in the body of finish, in handlers, in deferred work; prints "ok" on PE 0
//   network.foreign_calls-LIBRARY first         a blocking call before the first message of a superstep; the same
//   network.foreign_calls-LIBRARY blocks        a blocking call after messages that its partner has to take; hangs
#include <mpi.h>

#include <cstdint>
#include <cstdio>
#include <stdexcept>
#include <string_view>
#include <vector>

#include "shoal/shoal.hpp"

namespace {

void require(bool is_so, const char* what) {
  if (!is_so) throw std::runtime_error(what);
}

// Handlers run, and messages leave, while the program waits for its MPI call.
// [wait]
void wait(shoal::world& world, MPI_Request& request) {
  for (int is_done = 0; MPI_Test(&request, &is_done, MPI_STATUS_IGNORE), is_done == 0;) world.progress();
}
// [/wait]

// Fills buffers for all PEs.
template <class Actor>
void send_many(shoal::world& w, Actor& to, std::int64_t n) {
  for (std::int64_t i = 0; i < n; ++i) to.send(i % w.n_pes(), i);
}

// A sum over all PEs in the body of finish, while all PEs send one another more than their buffers hold.
void reduce_in_body(shoal::world& world) {
  constexpr std::int64_t n = 50'000;
  std::int64_t n_handled = 0;
  shoal::actor count{world, [&](std::int64_t) { ++n_handled; }};
  std::int64_t sum = 0;
  world.finish([&] {
    send_many(world, count, n);
    // [reduce]
    std::int64_t mine = world.my_pe();
    MPI_Request request = MPI_REQUEST_NULL;
    MPI_Iallreduce(&mine, &sum, 1, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD, &request);
    wait(world, request);
    // [/reduce]
    send_many(world, count, n);
  });
  require(sum == world.n_pes() * (world.n_pes() - 1) / 2, "MPI_Iallreduce gave another sum");
  require(world.sum(n_handled) == 2 * n * world.n_pes(), "a superstep lost messages");
}

// Sends by MPI in handlers and in deferred work, which may not wait; the main program waits for them. A receive of any
// source and tag gets the program's messages only.
void send_in_handlers(shoal::world& world) {
  const int n_pes = static_cast<int>(world.n_pes());
  std::vector<MPI_Request> sends;
  std::vector<std::int64_t> values;
  values.reserve(2 * static_cast<std::size_t>(n_pes));
  const auto send_by_mpi = [&](std::int64_t value, int to) {
    values.push_back(value);
    MPI_Isend(&values.back(), 1, MPI_INT64_T, to, 1000 + to, MPI_COMM_WORLD, &sends.emplace_back());
  };
  shoal::actor ask{world, [&](std::int64_t value, shoal::pe_id from) {
                     send_by_mpi(value + 1, static_cast<int>(from));
                     world.defer([&, value, from] { send_by_mpi(value + 2, static_cast<int>(from)); });
                   }};
  std::int64_t sum = 0;
  world.finish([&] {
    for (shoal::pe_id pe = 0; pe < n_pes; ++pe) ask.send(pe, 10 * world.my_pe());
    for (int i = 0; i < 2 * n_pes; ++i) {
      std::int64_t value = 0;
      MPI_Request request = MPI_REQUEST_NULL;
      MPI_Irecv(&value, 1, MPI_INT64_T, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &request);
      wait(world, request);
      sum += value;
    }
    for (MPI_Request& each : sends) wait(world, each);
  });
  require(sum == n_pes * (20 * world.my_pe() + 3), "MPI brought something else");
  MPI_Waitall(static_cast<int>(sends.size()), sends.data(), MPI_STATUSES_IGNORE);
}

// All PEs make the call before anyone has sent what another has to take.
void block_first(shoal::world& world) {
  std::int64_t n_handled = 0;
  shoal::actor count{world, [&](std::int64_t) { ++n_handled; }};
  for (int i = 0; i < 100; ++i) {
    world.finish([&] {
      MPI_Barrier(MPI_COMM_WORLD);
      send_many(world, count, 1000);
    });
    std::int64_t all = 0;
    MPI_Allreduce(&n_handled, &all, 1, MPI_INT64_T, MPI_SUM, MPI_COMM_WORLD);
    require(all == 1000 * world.n_pes() * (i + 1), "a superstep lost messages");
  }
}

// PE 0 waits for room for its messages to PE 1, which waits for PE 0 in MPI.
void block_after_sends(shoal::world& world) {
  shoal::actor count{world, [](std::int64_t) {}, "count"};
  world.finish([&] {
    if (world.my_pe() == 0) std::puts("begins");
    std::fflush(stdout);
    // [blocks]
    if (world.my_pe() == 0) {
      for (std::int64_t i = 0; i < 100'000'000; ++i) count.send(1, i);
    }
    MPI_Barrier(MPI_COMM_WORLD);
    // [/blocks]
  });
}

}  // namespace

int main(int argc, char** argv) {
  const std::string_view what = argc > 1 ? argv[1] : "";
  return shoal::run(argc, argv, [&](shoal::world& world) {
    if (what == "nonblocking") {
      reduce_in_body(world);
      send_in_handlers(world);
    } else if (what == "first") {
      block_first(world);
    } else {
      block_after_sends(world);
    }
    if (world.my_pe() == 0) std::printf("ok\n");
  });
}
