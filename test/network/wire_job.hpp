/// What the checks of a wire share: the wire, the seed, how a failure ends the job, rounds of exchanges.
#pragma once

#include <sched.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <deque>
#include <string>
#include <vector>

#include "shoal/base/random.hpp"
#include "shoal/substrate/internal/network/wire.hpp"

namespace shoal::test {

struct wire_job {
  internal::network::wire& wire;
  internal::network::wire_sizes sizes;
  std::uint64_t seed = 0;
  std::deque<internal::buffer*> early{};  // came while this rank was still in the round before

  /// What a phase takes in.
  internal::buffer* poll() {
    if (early.empty()) return wire.poll();
    internal::buffer* const first = early.front();
    early.pop_front();
    return first;
  }

  int rank() const { return wire.rank(); }
  int n_ranks() const { return wire.n_ranks(); }

  [[noreturn]] void fail(const std::string& what) const {
    std::fprintf(stderr, "network.wire: rank %d, seed %llu: %s\n", rank(), static_cast<unsigned long long>(seed),
                 what.c_str());
    for (;;) wire.abort(1);  // never returns, but the compiler cannot know that
  }
  void expect(bool is_true, const std::string& what) const {
    if (!is_true) fail(what);
  }

  /// A byte string that every rank can draw again from what it belongs to.
  static void fill(std::byte* into, std::size_t n_bytes, std::uint64_t word) {
    for (std::size_t i = 0; i < n_bytes; ++i) {
      into[i] = static_cast<std::byte>(mixed_bits(word + i / 8) >> (i % 8 * 8));
    }
  }
  static bool is_filled(const std::byte* bytes, std::size_t n_bytes, std::uint64_t word) {
    for (std::size_t i = 0; i < n_bytes; ++i) {
      if (bytes[i] != static_cast<std::byte>(mixed_bits(word + i / 8) >> (i % 8 * 8))) return false;
    }
    return true;
  }
};

/// Rounds: each is a dissemination of exchanges over all ranks, with data of random sizes that are checked. One object
/// a job, since parity alternates.
class exchange_rounds {
public:
  explicit exchange_rounds(wire_job& job)
      : job_(job), sent_(job.sizes.exchange_bytes), into_(job.sizes.exchange_bytes) {}

  wire_job& job() const { return job_; }
  int n_done() const { return n_done_; }

  /// Does what can be done of round n_done() without waiting.
  void advance() {
    for (;;) {
      if (step_ == job_.sizes.n_steps) {
        step_ = 0;
        ++n_done_;
        return;
      }
      if (!is_started_) start();
      std::size_t n_received = 0;
      if (!job_.wire.is_exchange_done(n_received)) return;
      const std::uint64_t word = word_of(peer(-1));
      const std::string where = "round " + std::to_string(n_done_) + ", step " + std::to_string(step_);
      job_.expect(n_received == bytes_of(word), where + ": a wrong number of bytes came");
      job_.expect(wire_job::is_filled(into_.data(), n_received, word), where + ": wrong bytes came");
      is_started_ = false;
      ++step_;
    }
  }

  /// One whole round. Buffers that come meanwhile go to `take`.
  template <class Take>
  void finish_one(Take take) {
    for (const int before = n_done_; n_done_ == before; sched_yield()) {
      if (internal::buffer* const landed = job_.wire.poll()) take(*landed);
      advance();
    }
  }

  /// The same; buffers that come are of the next phase, which a faster rank has begun.
  void finish_one() {
    finish_one([this](internal::buffer& landed) { job_.early.push_back(&landed); });
  }

private:
  int peer(int direction) const {
    const int n = job_.n_ranks();
    return ((job_.rank() + direction * (1 << step_)) % n + n) % n;
  }
  std::uint64_t word_of(int sender) const {
    return mixed_bits(job_.seed ^ mixed_bits(static_cast<std::uint64_t>((n_done_ * 64 + step_) * 65536 + sender)));
  }
  std::size_t bytes_of(std::uint64_t word) const { return mixed_bits(word) % (job_.sizes.exchange_bytes + 1); }

  void start() {
    const std::uint64_t word = word_of(job_.rank());
    wire_job::fill(sent_.data(), bytes_of(word), word);
    job_.wire.start_exchange(step_, n_done_ % 2, {sent_.data(), bytes_of(word)}, peer(1), into_.data(), peer(-1));
    is_started_ = true;
  }

  wire_job& job_;
  std::vector<std::byte> sent_;
  std::vector<std::byte> into_;
  int n_done_ = 0;
  int step_ = 0;
  bool is_started_ = false;
};

}  // namespace shoal::test
