/// Buffers over one-sided puts: a ring of places at the receiver for each sender, words that say how far each is.
///
/// What the wires of one-sided libraries (MPI RMA, OpenSHMEM) share. The sender of a pair owns the order: it puts a
/// buffer into the next place of its ring at the receiver and then, ordered behind it, how many it has sent into one
/// word there. The receiver looks at that word of each sender, hands out the buffers where they lie, and when places
/// are released puts how many have been freed, in order, into a word at the sender. So a credit is a place, and no
/// memory is ever asked for while buffers flow. The words count since the start and never go back, which tells the
/// laps of a ring apart. docs/design/one-sided-wires.md says why it is so.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "shoal/substrate/buffer.hpp"
#include "shoal/substrate/network/wire.hpp"

namespace shoal::one_sided {

/// Memory on every rank, and ordered puts into that of others. Offsets are in bytes from its start, which is aligned
/// to 8.
class remote_memory {
public:
  /// Copies `bytes` to `offset` of rank's memory, and then stores `value` into its word at `word`: who reads this value
  /// there, or a later one, reads the bytes. May do all this as late as in complete, and store only the last of several
  /// values for one word; `source` stays as it is until then.
  virtual void put(int rank, std::size_t offset, const void* source, std::size_t bytes, std::size_t word,
                   std::uint64_t value) = 0;
  /// Sources of all puts may be reused, and all words are under way, when it returns.
  virtual void complete() = 0;
  /// Stores `value` into the word at `word`, behind earlier values for this word by this rank.
  virtual void put_word(int rank, std::size_t word, std::uint64_t value) = 0;
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
  std::size_t window = 0;       // places of a ring at this rank
  std::size_t place_bytes = 0;  // of a buffer, header line included

  landing_layout(int n_ranks, const network::wire_sizes& sizes);

  /// Words of this rank's memory that rank `peer` stores into: how many buffers it has sent us; how many of ours it
  /// has freed; where our ring at it begins and how many places that has, 0 until it can take buffers.
  std::size_t sent_word(int peer) const noexcept { return (0 * n_ranks + at(peer)) * sizeof(std::uint64_t); }
  std::size_t freed_word(int peer) const noexcept { return (1 * n_ranks + at(peer)) * sizeof(std::uint64_t); }
  std::size_t ring_word(int peer) const noexcept { return (2 * n_ranks + at(peer)) * sizeof(std::uint64_t); }

  /// Of the words, which must be zero on all ranks before the first start.
  std::size_t words_bytes() const noexcept { return 3 * n_ranks * sizeof(std::uint64_t); }

  /// All of it, with room for aligning the rings.
  std::size_t bytes() const noexcept { return words_bytes() + cache_line_bytes + n_senders * window * place_bytes; }

private:
  static std::size_t at(int peer) noexcept { return static_cast<std::size_t>(peer); }
};

/// One rank's end of all its rings: those that it sends into and those that it receives from. Its calls are those of a
/// wire's of the same name.
class landing {
public:
  /// `memory` has layout.bytes() at least, on every rank, and lives longer than this.
  landing(remote_memory& memory, const landing_layout& layout, int my_rank, const network::wire_sizes& sizes);

  /// Tells the senders where their rings are. Local; call it when the words of all ranks are zero.
  void start();

  bool try_send(buffer& full, int target);
  buffer* take_sent();
  buffer* poll();
  void release(buffer& landed);

private:
  struct outgoing {
    std::uint64_t n_sent = 0;
    std::uint64_t n_freed = 0;     // of those, as far as we have looked
    std::size_t ring_offset = 0;   // at the target
    std::uint64_t n_places = 0;    // of the ring there; 0: not known yet
  };

  // n_reported <= n_freed <= n_taken <= n_reported + window, and a place that is neither free nor handed out waits in
  // `is_released` for an older one.
  struct incoming {
    int sender = 0;
    std::uint64_t n_taken = 0;  // handed out by poll
    std::uint64_t n_freed = 0;  // in order
    std::uint64_t n_reported = 0;
    std::uint32_t is_released = 0;  // a bit for each place
  };

  bool has_place(outgoing& to, int target);
  std::byte* place(std::size_t ring, std::uint64_t nth);
  void report_freed(incoming& from);
  void report_all_freed();

  remote_memory& memory_;
  landing_layout layout_;
  int my_rank_;
  std::byte* rings_;

  std::vector<outgoing> outgoing_;  // by rank
  std::vector<incoming> incoming_;  // rings in order
  std::size_t first_ = 0;           // where the next scan begins, so that no sender is starved
  std::uint64_t n_owed_ = 0;        // freed and not yet reported, all rings together

  // Buffers whose puts may still be under way, and those that take_sent has to give.
  std::vector<buffer*> under_way_;
  std::vector<buffer*> sent_;
};

}  // namespace shoal::one_sided
