// One-sided access by messages (selector_shmem.h), in memory from shmem_malloc and in static variables.
#include <vector>

#include <selector_shmem.h>

#include "check.h"

namespace {

constexpr size_t n = 1000;
int64_t statics[n];

void put(int64_t* dest) {
  const int me = shmem_my_pe(), next = (me + 1) % shmem_n_pes(), before = (me + shmem_n_pes() - 1) % shmem_n_pes();
  std::vector<int64_t> source(n);
  for (size_t i = 0; i < n; ++i) source[i] = static_cast<int64_t>(i) * 10 + me;
  hclib::Put_nbi<int64_t> its;
  hclib::finish([&] {
    its.start();
    its(dest, source.data(), n, next);
    its.done();
  });
  for (size_t i = 0; i < n; ++i) CHECK(dest[i] == static_cast<int64_t>(i) * 10 + before);
}

void get(int64_t* source) {
  const int next = (shmem_my_pe() + 1) % shmem_n_pes();
  std::vector<int64_t> dest(n, -1); /* private */
  shmem_barrier_all();
  hclib::Get_nbi<int64_t> its;
  hclib::finish([&] {
    its.start();
    its(dest.data(), source, n, next);
    its.done();
  });
  for (size_t i = 0; i < n; ++i) CHECK(dest[i] == static_cast<int64_t>(i) * 10 + shmem_my_pe());
  shmem_barrier_all();
}

void add(int64_t* dest) {
  for (size_t i = 0; i < n; ++i) dest[i] = 0;
  shmem_barrier_all();
  hclib::AtomicInc<int64_t> inc;
  hclib::AtomicAdd<int64_t> add;
  hclib::finish([&] {
    inc.start();
    add.start();
    for (int pe = 0; pe < shmem_n_pes(); ++pe) {
      for (size_t i = 0; i < n; ++i) {
        inc(dest + i, pe);
        add(dest + i, static_cast<int64_t>(i), pe);
      }
    }
    inc.done();
    add.done();
  });
  for (size_t i = 0; i < n; ++i) CHECK(dest[i] == shmem_n_pes() * (1 + static_cast<int64_t>(i)));
}

// As programs of the fork whose constructors start.
void without_start(int64_t* dest) {
  for (size_t i = 0; i < n; ++i) dest[i] = 0;
  shmem_barrier_all();
  hclib::AtomicAdd<int64_t> add(true);
  hclib::Put_nbi<int64_t> put;
  hclib::finish([&] {
    const int64_t value = 7;
    int64_t source = value;
    for (int pe = 0; pe < shmem_n_pes(); ++pe) add(dest, value, pe);
    if (shmem_my_pe() == 0) put(dest + 1, &source, 1, shmem_n_pes() - 1);
    add.done();
    put.done();
  });
  CHECK(dest[0] == 7 * shmem_n_pes());
  CHECK(dest[1] == (shmem_my_pe() == shmem_n_pes() - 1 ? 7 : 0));
  shmem_barrier_all();
}

}  // namespace

// "heap": builds with sanitizers do not share static variables.
int main(int argc, char**) {
  const bool has_statics = argc == 1;
  const char* deps[] = {"bale_actor"};
  hclib::launch(deps, 1, [=] {
    int64_t* const heap = static_cast<int64_t*>(shmem_malloc(n * sizeof(int64_t)));
    for (int64_t* const where : {heap, statics}) {
      if (where == statics && !has_statics) continue;
      put(where);
      get(where);
      add(where);
      without_start(where);
    }
    shmem_free(heap);
    PASSED();
  });
  return 0;
}
