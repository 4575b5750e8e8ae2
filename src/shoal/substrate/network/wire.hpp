/// The seam between Shoal's network substrates and a communication library: what crosses nodes.
///
/// A wire knows ranks and bytes. What PEs of one node exchange goes through the shared segment of the `local` code
/// instead (network_substrate.hpp). There is one implementation for each way of using a library: MPI two-sided, MPI
/// one-sided, OpenSHMEM. Each lies in a module that is opened at run time (module.hpp), so nothing here may need code
/// of libshoal: only abstract classes, plain structs and inline functions.
///
/// A wire is called by one thread, the PE's, and makes progress only in these calls. None of them waits for another
/// PE's program unless it says so; a PE may compute for a long time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "shoal/substrate/buffer.hpp"
#include "shoal/substrate/control.hpp"
#include "shoal/substrate/substrate.hpp"

namespace shoal::network {

/// What a wire must know before buffers can flow; the same on every rank, but for `is_remote`.
struct wire_sizes {
  std::size_t payload_bytes = 0;  // of a buffer
  std::size_t n_slots = 0;  // of a PE's pool: how many of its buffers can be under way at once
  std::size_t landing_bytes = 0;  // what this rank may spend on buffers that arrive, all senders together; with more
      // senders than fit, a wire takes one buffer for each
  std::size_t heap_bytes = 0;  // symmetric heap of a PE; 0: none is wanted
  std::size_t exchange_bytes = 0;  // of the longest start_exchange; at step s no more than this shifted right by
      // n_steps - 1 - s
  int n_steps = 0;  // of a round's exchange: steps are 0 to n_steps - 1
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

  /// Whether this wire began the library, so that its close ends it.
  virtual bool is_ours() const noexcept { return false; }

  /// Whether the library has ended: by a call of the program, as long as this wire is not closed.
  virtual bool is_over() const noexcept { return false; }

  // --- Start. Collective, with the library's own collectives; wait for the other ranks.

  /// Contributions of all ranks, in rank order, `bytes` each. Before open and between it and the first buffer.
  virtual void all_gather(const void* mine, void* all, std::size_t bytes) = 0;

  /// Gets ready for buffers. Returns what went wrong in words, the same verdict (empty or not) on every rank.
  virtual std::string open(const wire_sizes& sizes) = 0;

  /// Ends the library if this wire began it. Collective. After the last round; also after a failed open. `meet` is a
  /// barrier of all ranks that goes without the library, for wires that need one before the end.
  virtual void close(const std::function<void()>& meet) = 0;

  // --- Buffers. In the order sent between two ranks. The receiver's memory for them is bounded: a rank sends only
  // while it holds a credit of the receiver's.

  /// Hands `full` over for `target`, header filled in: false if no credit or no resource is at hand, and then nothing
  /// has happened. On true, the buffer stays as it is until take_sent returns it.
  virtual bool try_send(buffer& full, int target) = 0;

  /// A buffer whose bytes have left it, so that it can be filled again; or null.
  virtual buffer* take_sent() = 0;

  /// The next buffer that arrived, in memory of the wire's, `header.source` being the sender's rank; or null. Makes
  /// progress: takes in credits, gives out what it owes.
  virtual buffer* poll() = 0;

  /// Returns the sender's credit for a buffer that poll returned. In any order.
  virtual void release(buffer& landed) = 0;

  /// How many buffers of `source` may be kept indefinitely without using up its credits; 0 if places are freed in FIFO
  /// order.
  virtual std::size_t n_lendable(int source) const noexcept = 0;

  // --- Control messages, to remote ranks. Both calls make progress, also with what this rank has sent and could not
  // place at its target at once.

  /// As in control.hpp; but a message is under way until it lies in one of the target's places, of which each rank has a
  /// few dozen for all senders together.
  virtual bool try_send_control(std::span<const std::byte> bytes, int target) = 0;

  /// Copies the next control message that has arrived, `source` being the sender's rank; false if there is none.
  virtual bool poll_control(control_message& into) = 0;

  // --- Rounds. One exchange at a time: this rank sends to one and receives from one. Between two exchanges with the
  // same `step`, all ranks that take part have been through a round in between, and alternate `parity`.

  /// Sends `bytes` from `data` to rank `to`, and expects the like from rank `from` at `into`, which has room for
  /// `exchange_bytes`. Both stay untouched until it is done.
  virtual void start_exchange(int step, int parity, std::span<const std::byte> data, int to, std::byte* into,
                              int from) = 0;
  /// True once both have happened; `n_received` is then how many bytes came. Makes progress.
  virtual bool is_exchange_done(std::size_t& n_received) = 0;

  // --- Symmetric heap and one-sided access, as in substrate.hpp; for ranks that are not remote, too.

  virtual bool is_one_sided() const noexcept { return false; }
  /// Whether others' access to this rank's heap may wait until this rank calls the wire.
  virtual bool serves_others() const noexcept { return is_one_sided(); }
  /// This rank's part of the heap that open made; null if it made none.
  virtual std::byte* heap() const noexcept { return nullptr; }
  virtual void get(void*, std::size_t, std::size_t, int) {}
  virtual void start_get(void*, std::size_t, std::size_t, int) {}
  virtual void put(std::size_t, const void*, std::size_t, int) {}
  virtual std::uint64_t atomic(atomic_op, std::size_t, std::uint64_t, std::uint64_t, int) { return 0; }
  virtual void start_add(std::size_t, std::uint64_t, int) {}
  virtual void quiet() {}

  /// What a byte costs a node, in ns, when nobody else uses its network: for codecs. Here, 100 Gbit/s.
  virtual double ns_per_byte() const noexcept { return 0.08; }

  /// What a message of a few bytes costs its two ranks and the network. Here, a network card of that kind.
  virtual double ns_per_buffer() const noexcept { return 1500; }

  // --- Failure

  /// False if rank 0 says within about a second that another rank was the first to report. Waits that long at most.
  virtual bool claim_report() = 0;

  /// Ends all ranks. Never returns.
  [[noreturn]] virtual void abort(int status) = 0;

protected:
  int rank_ = 0;
  int n_ranks_ = 1;
};

/// One contribution of every rank, in rank order. Collective, as all_gather.
template <class T>
std::vector<T> gather(wire& between, const T& mine) {
  std::vector<T> all(static_cast<std::size_t>(between.n_ranks()));
  between.all_gather(&mine, all.data(), sizeof mine);
  return all;
}

}  // namespace shoal::network
