/// What the programs on OpenSHMEM share: start and end, barrier and sum, symmetric arrays. OpenSHMEM 1.4 is enough.
#pragma once

#include <shmem.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <span>

namespace comparators {

static_assert(sizeof(long) == sizeof(std::int64_t), "the functions for long serve 64-bit integers");

/// A barrier that also completes what all PEs have put and added. The standard says so of shmem_barrier_all itself; but with
/// that alone, in Open MPI 4.1.4, entries of large transposed matrices were wrong.
inline void barrier_all() {
  shmem_quiet();
  shmem_barrier_all();
}

/// An array of the same size on every PE, at the same symmetric address. Construction and destruction are collective.
class symmetric_array {
public:
  explicit symmetric_array(std::int64_t n, long value = 0)
      : data_(static_cast<long*>(shmem_malloc(std::max<std::size_t>(1, static_cast<std::size_t>(n)) * sizeof(long)))),
        n_(static_cast<std::size_t>(n)) {
    if (data_ == nullptr) {
      std::fprintf(stderr, "the symmetric heap has no room for %zu bytes; raise SHMEM_SYMMETRIC_SIZE\n",
                   n_ * sizeof(long));
      shmem_global_exit(2);
    }
    std::fill_n(data_, n_, value);
    barrier_all();  // or another PE's puts would be overwritten
  }
  ~symmetric_array() { shmem_free(data_); }
  symmetric_array(const symmetric_array&) = delete;
  symmetric_array& operator=(const symmetric_array&) = delete;

  std::span<long> mine() { return {data_, n_}; }
  /// The address of an element, for the library's functions.
  long* at(std::int64_t index) { return data_ + index; }

private:
  long* data_;
  std::size_t n_;
};

class job {
public:
  job() { shmem_init(); }
  ~job() { shmem_finalize(); }
  job(const job&) = delete;
  job& operator=(const job&) = delete;

  int rank() const { return shmem_my_pe(); }
  int size() const { return shmem_n_pes(); }
  void barrier() { barrier_all(); }

  /// Collective. On every PE the sum, or the greatest, of what all give.
  std::int64_t sum(std::int64_t mine) {
    return of_all(mine, [](std::int64_t a, std::int64_t b) { return a + b; });
  }
  std::int64_t max(std::int64_t mine) {
    return of_all(mine, [](std::int64_t a, std::int64_t b) { return std::max(a, b); });
  }
  /// Collective. The sum of what lower PEs give.
  std::int64_t sum_before(std::int64_t mine) {
    symmetric_array values(size());
    tell_all(values, mine);
    std::int64_t sum = 0;
    for (int pe = 0; pe < rank(); ++pe) sum += values.mine()[static_cast<std::size_t>(pe)];
    barrier_all();
    return sum;
  }

private:
  void tell_all(symmetric_array& values, std::int64_t mine) {
    for (int pe = 0; pe < size(); ++pe) shmem_long_p(values.at(rank()), mine, pe);
    barrier_all();
  }
  template <class Merge>
  std::int64_t of_all(std::int64_t mine, Merge merge) {
    symmetric_array values(size());
    tell_all(values, mine);
    std::int64_t all = values.mine()[0];
    for (int pe = 1; pe < size(); ++pe) all = merge(all, values.mine()[static_cast<std::size_t>(pe)]);
    barrier_all();
    return all;
  }
};

}  // namespace comparators
