// OpenSHMEM calls of a program's own in the middle of supersteps, for foreign_calls.test.py. Arguments as those of the
// program for MPI.
#include <shmem.h>

#include <cstdint>
#include <cstdio>
#include <stdexcept>
#include <string_view>

#include "shoal/shoal.hpp"

namespace {

void require(bool is_so, const char* what) {
  if (!is_so) throw std::runtime_error(what);
}

// Atomics and puts from the body and from handlers, while messages are under way.
void add_in_handlers(shoal::world& world) {
  constexpr std::int64_t n = 2'000;
  auto* const total = static_cast<long*>(shmem_calloc(1, sizeof(long)));  // collective: between supersteps
  auto* const flag = static_cast<long*>(shmem_calloc(1, sizeof(long)));
  shoal::actor count{world, [&](std::int64_t i) { shmem_long_atomic_add(total, i, 0); }};
  world.finish([&] {
    for (std::int64_t i = 0; i < n; ++i) count.send(i % world.n_pes(), i);
    const int next = static_cast<int>((world.my_pe() + 1) % world.n_pes());
    shmem_long_p(flag, 1, next);
    shmem_quiet();
    // [wait_until]
    while (shmem_long_test(flag, SHMEM_CMP_EQ, 1) == 0) world.progress();  // not shmem_long_wait_until
    // [/wait_until]
    for (std::int64_t i = 0; i < n; ++i) count.send(i % world.n_pes(), i);
  });
  shmem_barrier_all();
  require(shmem_long_g(total, 0) == world.n_pes() * n * (n - 1), "shmem_long_atomic_add gave another sum");
  shmem_barrier_all();
  shmem_free(flag);
  shmem_free(total);
}

void block_first(shoal::world& world) {
  std::int64_t n_handled = 0;
  shoal::actor count{world, [&](std::int64_t) { ++n_handled; }};
  for (int i = 0; i < 100; ++i) {
    world.finish([&] {
      shmem_barrier_all();
      for (std::int64_t k = 0; k < 1000; ++k) count.send(k % world.n_pes(), k);
    });
    shmem_barrier_all();
  }
  require(world.sum(n_handled) == 100'000 * world.n_pes(), "a superstep lost messages");
}

void block_after_sends(shoal::world& world) {
  shoal::actor count{world, [](std::int64_t) {}, "count"};
  world.finish([&] {
    if (world.my_pe() == 0) std::puts("begins");
    std::fflush(stdout);
    if (world.my_pe() == 0) {
      for (std::int64_t i = 0; i < 100'000'000; ++i) count.send(1, i);
    }
    shmem_barrier_all();
  });
}

}  // namespace

int main(int argc, char** argv) {
  const std::string_view what = argc > 1 ? argv[1] : "";
  return shoal::run(argc, argv, [&](shoal::world& world) {
    if (what == "nonblocking") {
      add_in_handlers(world);
    } else if (what == "first") {
      block_first(world);
    } else {
      block_after_sends(world);
    }
    if (world.my_pe() == 0) std::printf("ok\n");
  });
}
