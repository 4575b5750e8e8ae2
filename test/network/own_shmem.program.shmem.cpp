// A program that uses OpenSHMEM itself, before, during and after Shoal's run, for own_shmem.test.py. Prints "ok" on PE
// 0.
#include <shmem.h>

#include <cstdint>
#include <cstdio>
#include <stdexcept>
#include <string>
#include <string_view>

#include "shoal/shoal.hpp"

namespace {

void require(bool is_so, const char* what) {
  if (!is_so) throw std::runtime_error(what);
}

// Puts a value to the next PE with OpenSHMEM and adds it up there by messages, alternately, `n_supersteps` times.
void mix(shoal::world& w, std::int64_t* from_previous, std::int64_t n_supersteps) {
  const int me = static_cast<int>(w.my_pe());
  const int n = static_cast<int>(w.n_pes());
  require(me == shmem_my_pe() && n == shmem_n_pes(), "the PEs are not OpenSHMEM's");
  std::int64_t sum = 0;
  shoal::actor adder{w, [&](std::int64_t v) { sum += v; }};
  for (std::int64_t step = 1; step <= n_supersteps; ++step) {
    const std::int64_t value = 100 * step + me;
    shmem_int64_put(from_previous, &value, 1, (me + 1) % n);
    shmem_barrier_all();
    require(*from_previous == 100 * step + (me + n - 1) % n, "shmem_put brought another value");
    sum = 0;
    w.finish([&] {
      for (int i = 0; i < 1000; ++i) {
        for (shoal::pe_id pe = 0; pe < w.n_pes(); ++pe) adder.send(pe, *from_previous);
      }
    });
    require(sum == 1000 * (n * 100 * step + n * (n - 1) / 2), "a superstep lost messages");
    shmem_barrier_all();
  }
}

int begin_and_end_shmem(int argc, char** argv) {
  shmem_init();
  std::string name;
  auto* const from_previous = static_cast<std::int64_t*>(shmem_malloc(sizeof(std::int64_t)));
  const int status = shoal::run(argc, argv, [&](shoal::world& w) {
    // Symmetric memory of both kinds side by side.
    const auto ours = w.allocate<std::int64_t>(100);
    w.local(ours)[99] = w.my_pe();
    auto* const theirs = static_cast<std::int64_t*>(shmem_malloc(100 * sizeof(std::int64_t)));
    for (int i = 0; i < 100; ++i) theirs[i] = -1;
    mix(w, from_previous, 3);
    name = w.backend().name();
    require(w.local(ours)[99] == w.my_pe() && theirs[0] == -1 && theirs[99] == -1, "the two heaps share memory");
    shmem_free(theirs);
    w.deallocate(ours);
  });
  const int me = shmem_my_pe();
  shmem_barrier_all();
  shmem_free(from_previous);
  shmem_finalize();
  if (status == 0 && me == 0) std::printf("ok %s\n", name.c_str());
  return status;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc > 1 && std::string_view(argv[1]) == "begins") return begin_and_end_shmem(argc, argv);
  return shoal::run(argc, argv, [](shoal::world& w) {
    auto* const from_previous = static_cast<std::int64_t*>(shmem_malloc(sizeof(std::int64_t)));
    mix(w, from_previous, 3);
    shmem_free(from_previous);
    if (w.my_pe() == 0) std::printf("ok %s\n", std::string(w.backend().name()).c_str());
  });
}
