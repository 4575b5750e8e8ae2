/// Buffers over one-sided puts: a ring of places at the receiver for each sender, words that say how far each is.
///
/// What the wires of one-sided libraries (MPI RMA, OpenSHMEM) share. The sender of a pair owns the order: it puts a
/// buffer into the next place of its ring at the receiver. The receiver looks at the next place of each sender and hands
/// out the buffers where they lie. Whenever half a ring has been released, it puts the count of freed places, in order,
/// into a word at the sender. So a credit is a place, and no memory is taken while buffers flow. Counts are never reset,
/// which tells the laps of a ring apart. Why it is so: docs/design/one-sided-wires.md.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <vector>

#include "shoal/substrate/internal/buffer.hpp"
#include "shoal/substrate/internal/network/wire.hpp"

namespace shoal::internal::one_sided {

/// Memory on every rank, and puts into that of others. Offsets are in bytes from its start, which is aligned to 8.
class remote_memory {
public:
  /// Begins to copy `full`, header and payload, to `offset` of rank's memory: the nth buffer that this rank sends
  /// there, from 1 on. It stays as it is until n_taken_over has counted it. To tell the receiver when all is
  /// there, it may set `word` there, or anything in the buffer's first line but header and slot.
  virtual void put(int rank, std::size_t offset, buffer& full, std::size_t word, std::uint64_t nth) = 0;
  /// Whether all of a sender's nth buffer is in `place`, and with it those before; an acquire. `word` is the sender's.
  virtual bool has_arrived(const buffer& place, std::size_t word, std::uint64_t nth) const = 0;
  /// How many more of the `n` oldest puts have left their buffers for good. Waits for nobody's program.
  virtual std::size_t n_taken_over(std::size_t n) = 0;

  /// Begins to store `value` into the word at `word`; in no order with any other put. `value` stays as it is until
  /// it has been seen there.
  virtual void put_word(int rank, std::size_t word, const std::uint64_t& value) = 0;
  /// A word of this rank's own memory as others have stored it last, an acquire.
  virtual std::uint64_t word(std::size_t offset) const = 0;
  /// This rank's own memory.
  virtual std::byte* at(std::size_t offset) const = 0;

protected:
  ~remote_memory() = default;
};

/// Where things lie in the memory of a rank: words first, at the same offsets everywhere; then the rings, one for each
/// rank that sends to this one, of which a sender is told the offset.
struct landing_layout {
  static constexpr std::size_t window_max = 16;  // places of a ring; more has not been seen to help

  std::size_t n_ranks = 0;
  std::size_t n_senders = 0;
  std::size_t window = 0;  // places of a ring at this rank
  std::size_t place_bytes = 0;  // of a buffer, header line included

  landing_layout(int n_ranks, const network::wire_sizes& sizes);

  // Words of this rank's memory that rank `peer` stores into.

  /// How many buffers it has sent us, for memories whose has_arrived needs that.
  std::size_t sent_word(int peer) const noexcept { return (0 * n_ranks + at(peer)) * sizeof(std::uint64_t); }
  /// How many of our buffers it has freed, by its nth report.
  std::size_t freed_word(int peer, std::uint64_t nth) const noexcept {
    return ((1 + nth % 2) * n_ranks + at(peer)) * sizeof(std::uint64_t);
  }
  /// Where our ring at it begins and how many places that has; 0 until it can take buffers.
  std::size_t ring_word(int peer) const noexcept { return (3 * n_ranks + at(peer)) * sizeof(std::uint64_t); }

  /// Of the words, which must be zero on all ranks before the first start.
  std::size_t words_bytes() const noexcept { return 4 * n_ranks * sizeof(std::uint64_t); }

  /// Of words and rings, with room for aligning the rings.
  std::size_t bytes() const noexcept { return words_bytes() + cache_line_bytes + n_senders * window * place_bytes; }

private:
  static std::size_t at(int peer) noexcept { return static_cast<std::size_t>(peer); }
};

/// One rank's end of all its rings: those that it sends into and those that it receives from. Its calls are those of a
/// wire's of the same name.
class landing {
public:
  /// `memory` has at least layout.bytes() on every rank and outlives this object. No rank may have called start.
  landing(remote_memory& memory, const landing_layout& layout, int my_rank, const network::wire_sizes& sizes);

  /// Tells the senders where their rings are. Local; legal once all ranks have made this object.
  void start();

  bool try_send(buffer& full, int target);
  buffer* take_sent();
  buffer* poll();
  void release(buffer& landed);

private:
  struct outgoing {
    std::uint64_t n_sent = 0;
    std::uint64_t n_freed = 0;  // of those, as far as we have looked
    std::uint64_t n_reports = 0;  // of freed places, that we have taken in
    std::size_t ring_offset = 0;  // at the target
    std::uint64_t n_places = 0;  // of the ring there; 0: not known yet
  };

  // n_reported <= n_freed <= n_taken <= n_reported + window, and a place that is neither free nor handed out waits in
  // `is_released` for an older one.
  //
  // Reports are of half a window at least, and the sender takes them in order. So when the next but one is due, the
  // sender has used credits that it only had from this one, and its word is free again.
  struct incoming {
    int sender = 0;
    std::uint64_t n_taken = 0;  // handed out by poll
    std::uint64_t n_freed = 0;  // in order
    std::uint32_t is_released = 0;  // a bit for each place
    std::uint64_t n_reports = 0;
    std::array<std::uint64_t, 2> reported{};  // by the last two reports
    std::uint64_t ring = 0;  // what the ring word is told

    std::uint64_t n_reported() const noexcept { return std::max(reported[0], reported[1]); }
  };

  bool has_place(outgoing& to, int target);
  std::byte* place(std::size_t ring, std::uint64_t nth);
  void report_freed(incoming& from);

  remote_memory& memory_;
  landing_layout layout_;
  int my_rank_;
  std::byte* rings_;

  std::vector<outgoing> outgoing_;  // by rank
  std::vector<incoming> incoming_;  // rings in order
  std::size_t first_ = 0;  // where the next scan begins, so that no sender is starved

  std::deque<buffer*> sent_;  // for take_sent, oldest first
  std::size_t n_taken_over_ = 0;  // of them, how many it may return now
};

}  // namespace shoal::internal::one_sided
