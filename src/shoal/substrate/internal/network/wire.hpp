/// The seam between Shoal's network substrates and a communication library, for everything between nodes.
///
/// A wire knows ranks and bytes. PEs of one node exchange buffers through the shared segment of the `local` code
/// instead (network_substrate.hpp). Each way of using a library has its implementation: MPI two-sided, MPI one-sided,
/// OpenSHMEM. Each lies in a module opened at run time (module.hpp), so nothing here may need compiled code of
/// libshoal: only abstract classes, plain structs and inline functions.
///
/// Only the PE's thread calls a wire, and it makes progress only in these calls. None of them waits for another PE's
/// program unless it says so; a PE may compute for a long time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "shoal/substrate/internal/buffer.hpp"
#include "shoal/substrate/internal/control.hpp"
#include "shoal/substrate/internal/substrate.hpp"

namespace shoal::internal::network {

inline int rank_of(pe_id pe) noexcept { return static_cast<int>(pe); }

/// What a wire must know before buffers can flow; the same on every rank, except `is_remote`.
struct wire_sizes {
  std::size_t payload_bytes = 0;  // size of a buffer's payload
  std::size_t n_slots = 0;  // slots of a PE's pool: the limit of its buffers under way
  // What this rank may spend on arriving buffers, for all senders together. With more senders than fit, a wire takes
  // one buffer for each.
  std::size_t landing_bytes = 0;
  std::size_t heap_bytes = 0;  // symmetric heap of a PE; 0: none
  std::byte* heap = nullptr;  // where this rank's heap lies, aligned to a cache line; null if the wire makes it
  // Size of the longest start_exchange; at step s at most this, shifted right by n_steps - 1 - s.
  std::size_t exchange_bytes = 0;
  int n_steps = 0;  // a round's exchange has the steps 0 to n_steps - 1
  std::span<const std::uint8_t> is_remote{};  // by rank: 1 if its buffers and ours cross this wire
};

class wire {
public:
  wire() = default;
  wire(const wire&) = delete;
  wire& operator=(const wire&) = delete;
  virtual ~wire() = default;

  int rank() const noexcept { return rank_; }
  int n_ranks() const noexcept { return n_ranks_; }

  /// "Open MPI 4.1.4", for reports and `shoal info`.
  virtual std::string library() const = 0;

  /// Whether this wire began the library, so that `close` ends it.
  virtual bool is_ours() const noexcept { return false; }

  /// Whether the library has ended: the program ended it before this wire was closed.
  virtual bool is_over() const noexcept { return false; }

  /// Whether the library ends itself in every process that calls exit, and waits there for what a forked child does not
  /// have.
  virtual bool hangs_in_forked_child() const noexcept { return false; }

  // --- Start. Collective, by the library's own collectives; waits for the other ranks.

  /// Gathers the contributions of all ranks in rank order, `bytes` each. Legal before `open`, and after it until the
  /// first buffer.
  virtual void all_gather(const void* mine, void* all, std::size_t bytes) = 0;

  /// Prepares for buffers. Returns a message if that failed, on every rank; empty on every rank if it succeeded.
  virtual std::string open(const wire_sizes& sizes) = 0;

  /// Ends the library if this wire began it. Collective. After the last round; also after a failed open. `meet` is a
  /// barrier of all ranks that does not use the library, for wires that need one before the end.
  virtual void close(const std::function<void()>& meet) = 0;

  // --- Buffers, ordered between two ranks as sent. The receiver's memory for them is bounded: a rank sends only while
  // it holds one of the receiver's credits.

  /// Accepts `full` for `target`, with its header filled in. False if there is no credit or resource now; then nothing
  /// has happened. If true, the buffer must stay unchanged until take_sent returns it.
  virtual bool try_send(buffer& full, int target) = 0;

  /// A sent buffer that may be filled again; null if there is none.
  virtual buffer* take_sent() = 0;

  /// The next buffer that arrived, in the wire's memory, with the sender's rank in `sender`; null if there is
  /// none. Makes progress: collects credits and returns those that it owes.
  virtual buffer* poll() = 0;

  /// Returns the sender's credit for a buffer from poll. In any order. A wire whose n_lendable is 0 may return credits
  /// only several at a time, and only once all older buffers have been released.
  virtual void release(buffer& landed) = 0;

  /// How many buffers of `source` may be kept indefinitely without using up its credits; 0 if places are freed in FIFO
  /// order.
  virtual std::size_t n_lendable(int source) const noexcept = 0;

  // --- Control messages, to remote ranks. Both calls make progress, also with messages of this rank that had no place
  // at their target yet.

  /// As in control.hpp; but a message is under way until it lies in one of the target's places. Each rank has a few
  /// dozen of them for all senders together.
  virtual bool try_send_control(std::span<const std::byte> bytes, int target) = 0;

  /// Copies the next control message that has arrived, with the sender's rank in `source`; false if there is none.
  virtual bool poll_control(control_message& into) = 0;

  // --- Rounds. One exchange at a time: this rank sends to one rank and receives from one. Exchanges with the same
  // `step` are separated by a round of all ranks involved, and alternate in `parity`.

  /// Sends `bytes` from `data` to rank `to`, and receives from rank `from` at `into`, which has room for
  /// `exchange_bytes`. Neither may be touched until it is done.
  virtual void start_exchange(int step, int parity, std::span<const std::byte> data, int to, std::byte* into,
                              int from) = 0;
  /// True once both are done; `n_received` is then the number of bytes received. Makes progress.
  virtual bool is_exchange_done(std::size_t& n_received) = 0;

  // --- Symmetric heap and one-sided access, as in substrate.hpp; for ranks that are not remote, too. These calls, and
  // those of substrate.hpp that they complete, may wait until the target calls the wire, in which it serves them.
  // Meanwhile this rank serves others.

  /// Whether gets and puts reach every rank whatever its program does.
  virtual bool is_one_sided() const noexcept { return false; }
  /// Whether others' access to this rank's heap may wait until this rank calls the wire, so that it should do so all the
  /// time. Else it should for a while after `n_served` has grown.
  virtual bool serves_others() const noexcept { return is_one_sided(); }
  /// Others' requests that this rank has served, of all that it knows of.
  virtual std::uint64_t n_served() const noexcept { return 0; }

  /// Whether `open` makes the heap, in memory of the library. Else it lies at wire_sizes::heap.
  virtual bool makes_heap() const noexcept { return false; }
  /// This rank's part of the heap that open made; null if it made none.
  virtual std::byte* heap() const noexcept { return nullptr; }
  /// Where rank `rank`'s part of it is mapped here; null if loads and stores cannot reach it.
  virtual std::byte* peer_heap(int rank) const noexcept { return rank == rank_ ? heap() : nullptr; }

  virtual void get(void* target, std::size_t offset, std::size_t bytes, int rank) = 0;
  virtual void put(std::size_t offset, const void* source, std::size_t bytes, int rank) = 0;
  virtual std::uint64_t atomic(const atomic_call& call, std::size_t offset, int rank) = 0;
  virtual void start_get(void* target, std::size_t offset, std::size_t bytes, int rank) = 0;
  virtual void start_put(std::size_t offset, const void* source, std::size_t bytes, int rank) = 0;
  virtual void start_atomic(const atomic_call& call, std::size_t offset, int rank) = 0;
  virtual void quiet() = 0;
  virtual void fence() { quiet(); }

  /// What this rank does while it waits for another one to serve it: called again and again, and counts its calls since
  /// something happened.
  void pass_time_by(std::function<void(unsigned& patience)> pause) { pause_ = std::move(pause); }

  // --- Failure

  /// False if rank 0 answers within about a second that another rank reported first. Waits that long at most.
  virtual bool claim_report() = 0;

  /// Ends all ranks. Never returns.
  [[noreturn]] virtual void abort(int status) = 0;

protected:
  void pass_time(unsigned& patience) {
    if (pause_) pause_(patience);
  }

  int rank_ = 0;
  int n_ranks_ = 1;

private:
  std::function<void(unsigned&)> pause_;
};

/// One contribution of every rank, in rank order. Collective, as all_gather.
template <class T>
std::vector<T> gather(wire& between, const T& mine) {
  std::vector<T> all(static_cast<std::size_t>(between.n_ranks()));
  between.all_gather(&mine, all.data(), sizeof mine);
  return all;
}

}  // namespace shoal::internal::network
