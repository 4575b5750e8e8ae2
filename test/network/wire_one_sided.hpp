/// One-sided access: everybody reads, writes and adds at everybody, in rounds.
#pragma once

#include <cstring>

#include "test/network/wire_job.hpp"

namespace shoal::test {

// A rank's heap: a counter that all add to, one that all exchange, and for each rank a block that only it writes.
class wire_one_sided {
public:
  explicit wire_one_sided(exchange_rounds& rounds)
      : job_(rounds.job()), rounds_(rounds), random_(rounds.job().seed, 77) {}

  static constexpr std::size_t block_bytes = 256;
  static constexpr std::size_t long_bytes = 300'000;  // beyond what libraries send at once
  static std::size_t heap_bytes(int n_ranks) {
    return 64 + static_cast<std::size_t>(n_ranks) * block_bytes + long_bytes;
  }

  void run() {
    job_.expect((job_.wire.heap() != nullptr) == job_.wire.makes_heap(), "no heap, or one that nobody wanted");
    std::memset(heap(), 0, heap_bytes(job_.n_ranks()));
    rounds_.finish_one();
    check_puts_and_gets();
    check_long_blocks();
    check_additions();
    check_exchanges();
  }

private:
  static constexpr std::size_t sum = 0;
  static constexpr std::size_t lock = 8;
  std::byte* heap() const { return job_.wire.makes_heap() ? job_.wire.heap() : job_.sizes.heap; }
  static std::size_t block_of(int rank) { return 64 + static_cast<std::size_t>(rank) * block_bytes; }
  std::uint64_t word_of(int writer, int owner) const {
    return mixed_bits(job_.seed + static_cast<std::uint64_t>(writer * 1000 + owner));
  }

  void check_puts_and_gets() {
    std::byte bytes[block_bytes];
    for (int owner = 0; owner < job_.n_ranks(); ++owner) {
      wire_job::fill(bytes, block_bytes, word_of(job_.rank(), owner));
      const std::size_t cut = random_.below(block_bytes + 1);
      job_.wire.put(block_of(job_.rank()), bytes, cut, owner);
      job_.wire.put(block_of(job_.rank()) + cut, bytes + cut, block_bytes - cut, owner);
      std::memset(bytes, 0, block_bytes);  // the source may be reused at once
    }
    job_.wire.quiet();
    rounds_.finish_one();
    std::vector<std::byte> all(block_bytes * static_cast<std::size_t>(job_.n_ranks()));
    for (int owner = 0; owner < job_.n_ranks(); ++owner) {
      for (int writer = 0; writer < job_.n_ranks(); ++writer) {
        job_.wire.start_get(all.data() + static_cast<std::size_t>(writer) * block_bytes, block_of(writer), block_bytes,
                            owner);
      }
      job_.wire.quiet();
      for (int writer = 0; writer < job_.n_ranks(); ++writer) {
        const std::string what = " what rank " + std::to_string(writer) + " put at " + std::to_string(owner);
        job_.expect(wire_job::is_filled(all.data() + static_cast<std::size_t>(writer) * block_bytes, block_bytes,
                                        word_of(writer, owner)),
                    "start_get finds not" + what);
        job_.wire.get(bytes, block_of(writer), block_bytes, owner);
        job_.expect(wire_job::is_filled(bytes, block_bytes, word_of(writer, owner)), "get finds not" + what);
        job_.expect(owner != job_.rank() || std::memcmp(bytes, heap() + block_of(writer), block_bytes) == 0,
                    "the heap shows not" + what);
      }
    }
    rounds_.finish_one();
  }

  // To the next rank, whose last part only this one writes: long puts, and short ones over them, in order by fences.
  void check_long_blocks() {
    const int owner = (job_.rank() + 1) % job_.n_ranks();
    const std::size_t place = block_of(job_.n_ranks());
    std::vector<std::byte> bytes(long_bytes);
    for (std::uint64_t i = 0; i < 5; ++i) {
      const std::uint64_t word = word_of(job_.rank(), owner) + i;
      wire_job::fill(bytes.data(), long_bytes, word);
      if (i % 2 == 0) {
        job_.wire.put(place, bytes.data(), long_bytes, owner);
        std::memset(bytes.data(), 0, long_bytes);
      } else {
        job_.wire.start_put(place, bytes.data(), long_bytes, owner);
      }
      job_.wire.fence();
      const std::size_t at = random_.below(long_bytes - 8);
      const std::uint64_t own = ~word;
      job_.wire.put(place + at, &own, sizeof own, owner);
      job_.wire.quiet();
      std::vector<std::byte> got(long_bytes);
      job_.wire.get(got.data(), place, long_bytes, owner);
      job_.expect(std::memcmp(got.data() + at, &own, sizeof own) == 0, "a put overtook a long one before the fence");
      wire_job::fill(bytes.data(), long_bytes, word);
      std::memcpy(bytes.data() + at, &own, sizeof own);
      job_.expect(got == bytes, "a long block came back otherwise");
    }
    rounds_.finish_one();
  }

  void check_additions() {
    constexpr std::uint64_t n = 50;
    std::uint64_t before = 0;
    for (std::uint64_t i = 0; i < n; ++i) {
      for (int owner = 0; owner < job_.n_ranks(); ++owner) job_.wire.start_atomic({.operand = 1}, sum, owner);
      const std::uint64_t old = job_.wire.atomic({.operand = 1000}, sum, 0);
      job_.expect(i == 0 || old >= before + 1000, "an addition got lost");
      before = old;
    }
    job_.wire.quiet();
    rounds_.finish_one();
    const auto n_ranks = static_cast<std::uint64_t>(job_.n_ranks());
    std::uint64_t found = 0;
    job_.wire.get(&found, sum, sizeof found, job_.rank());
    job_.expect(found == n * n_ranks * (job_.rank() == 0 ? 1001 : 1), "a wrong sum: " + std::to_string(found));
  }

  // A lock at rank 0 around a counter that is read and written without atomics.
  void check_exchanges() {
    constexpr std::uint64_t n = 20;
    rounds_.finish_one();
    for (std::uint64_t i = 0; i < n; ++i) {
      while (job_.wire.atomic({.op = internal::atomic_op::compare_exchange, .operand = 1}, lock, 0) != 0) sched_yield();
      std::uint64_t counter = 0;
      job_.wire.get(&counter, counter_at, sizeof counter, 0);
      ++counter;
      job_.wire.put(counter_at, &counter, sizeof counter, 0);
      job_.wire.quiet();
      job_.expect(job_.wire.atomic({.op = internal::atomic_op::exchange}, lock, 0) == 1, "a lock was lost");
    }
    rounds_.finish_one();
    std::uint64_t counter = 0;
    job_.wire.get(&counter, counter_at, sizeof counter, 0);
    job_.expect(counter == n * static_cast<std::uint64_t>(job_.n_ranks()), "the lock let two in");
    rounds_.finish_one();
  }
  static constexpr std::size_t counter_at = 16;

  wire_job& job_;
  exchange_rounds& rounds_;
  random_engine random_;
};

}  // namespace shoal::test
