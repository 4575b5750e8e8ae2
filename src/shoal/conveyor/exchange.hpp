/// The exchange of a PE: gives slots to ports, brings arrived buffers to ports, runs their sinks.
///
/// Credits. A PE's pool is shared by all links of all its ports, so that depth is where the traffic is.
/// Each port keeps a reserve of one slot, with which it can reach any target; only slots beyond the
/// reserves are shared, and no link may hold more than half of those. The reserves alone suffice for
/// progress: docs/design/back-pressure.md has the argument, test/conveyor the test without shared slots.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "shoal/codec/choice.hpp"
#include "shoal/codec/codec.hpp"
#include "shoal/conveyor/port.hpp"
#include "shoal/substrate/substrate.hpp"

namespace shoal {

struct exchange_options {
  std::size_t n_shared_slots = SIZE_MAX;  // slots that may be taken beyond the reserves
  std::size_t spill_bytes_max = SIZE_MAX;  // what handlers may send beyond the credits
  pe_id node_size = 0;  // PEs of a node where the substrate knows of none; 0: all on one
  int n_hops = 1;  // of routes that say nothing else
  codec_number codec = codec_number::none;  // of buffers to other nodes; best: whichever gains most on a link
  double ns_per_byte = 0;  // what a byte to another node costs; 0: encoding never pays
  std::uint64_t latency_ns = 0;  // port::limit_latency of ports that say nothing else
  bool keeps_records = false;  // of ports whose life is over
};

/// Gives memory back to the aligned allocator that spill blocks come from.
struct free_block {
  void operator()(buffer* block) const noexcept;
};
using spill_block = std::unique_ptr<buffer, free_block>;

class exchange {
public:
  exchange(substrate& machine, const exchange_options& options);
  exchange(const exchange&) = delete;
  exchange& operator=(const exchange&) = delete;
  ~exchange();

  substrate& machine() const noexcept { return machine_; }
  pe_id my_pe() const noexcept { return machine_.my_pe(); }
  pe_id n_pes() const noexcept { return machine_.n_pes(); }
  std::size_t payload_bytes() const noexcept { return machine_.payload_bytes(); }

  /// Takes in what arrived and runs sinks over it; sends what was spilled as far as credits go. Returns
  /// whether anything moved. Main program only. Local, does not wait.
  bool progress();

  /// Called by a main program that sends, once per buffer: consumes what has arrived if so much of it lies
  /// here that its senders will soon be out of credits. Otherwise a PE that is never out of credits itself
  /// would send on while another, whose buffers it does not read, stands still.
  void take_turn();

  /// Posts all partly filled buffers of this PE. Returns whether there were any. Local, nonblocking.
  bool flush() noexcept;

  /// Called when progress and flush found nothing to do: politely lets time pass; `patience` as in
  /// substrate::wait. May wait, but not while work is held back only for lack of credits.
  void idle(unsigned& patience);

  /// True if nothing is spilled and no sink has a buffer left to consume: this PE can do nothing more by
  /// itself. (Buffers for sessions that have not begun here do not count.)
  bool is_quiet() const noexcept { return n_spilled_ == 0 && ready_.empty(); }

  /// This PE's route of `n_hops` hops, 0: as many as the job's settings say. It lives as long as the exchange.
  /// Collective in the sense that all PEs ask for the same.
  const route& route_of(int n_hops);

  /// Hops of routes that say nothing else.
  int n_hops() const noexcept { return options_.n_hops; }

  const node_layout& nodes() const noexcept { return nodes_; }

  /// From now on, buffers to other nodes of ports that are constructed are encoded with the codec of this number, or,
  /// if it is `best`, each link's with the one of Shoal's that gains most there.
  /// `own` is a codec of the program's, which is entered under that number, from codec_number::first_user on;
  /// null: the number is in the table already. Collective in the sense that all PEs do it before they construct
  /// the same ports. Throws setup_error if there is no such codec or the number is taken.
  void use_codec(codec_number number, std::unique_ptr<codec> own = nullptr);

  /// The port whose sink runs now, or null in the main program.
  port* delivering() const noexcept { return delivering_; }

  /// The kind of conveyor that calls a function of the program now, in which nothing may wait, as in a handler;
  /// null: none does. For errors.
  const char* answering = nullptr;

  /// Where the sink that runs must stop. A handler that overruns its credits sets it to null, so that a
  /// sink's loop `p < delivery_end` needs no second question per item.
  const std::byte* delivery_end = nullptr;

  /// The port that the main program waits for room in, or null; and all ports, oldest first. For reports.
  const port* waiting_for_room() const noexcept { return waiting_for_room_; }
  const std::vector<port*>& ports() const noexcept { return in_order_; }

  /// Keeps what a port carried, which is about to end or to take another route, if the options say so; added to what
  /// was kept under the same name and number before. The number is that of the first port of a mailbox or conveyor.
  void record(const port& p, std::string name, std::uint32_t serial);
  /// In the order of their numbers, the same on all PEs.
  std::vector<port_record> take_records();

  std::size_t n_spilled() const noexcept { return n_spilled_; }

  /// The most memory that this PE's buffers had in use at once: slots filled or on their way, and spill blocks, their
  /// headers included. What a job's memory budget is for.
  std::uint64_t buffer_bytes_most() const noexcept { return buffer_bytes_most_; }
  /// Ports of last hops: mailboxes, and conveyors.
  std::size_t n_streams() const noexcept;
  /// Ports that were ever constructed, or took another route. The same on every PE between two constructions.
  std::uint32_t n_constructed() const noexcept { return next_serial_; }

private:
  friend class port;

  // Called by ports.
  std::uint32_t enlist(port& p);
  void delist(port& p) noexcept;
  buffer* acquire(port& p, std::size_t link) noexcept;
  void give_back(buffer& b) noexcept;  // a consumed buffer: to its sender, or to our free slots
  buffer& new_spill_block(port& p);
  bool has_codec() const noexcept { return !scratch_.empty(); }
  void encode(buffer& b, std::uint32_t item_bytes, codec_choice& choice) noexcept;
  codec_trial try_codec(codec_number number, const buffer& b, std::uint32_t item_bytes) noexcept;
  codec_number choose_codec(const buffer& b, std::uint32_t item_bytes, codec_choice& choice) noexcept;
  void decode(buffer& b, std::uint32_t item_bytes) noexcept;
  void recycle_spill_block(buffer& block) noexcept;
  void mark_ready(port& p);
  /// Consumes what this PE sent to itself through `p`, and what came of it, while it is in the cache.
  void deliver_own(port& p);
  bool deliver(port& p);

  // Where a slot of ours is: held by a link of a port, or free.
  struct holder {
    port* held_by = nullptr;  // null also if that port is gone
    std::uint32_t link = 0;
    bool is_in_use = false;
  };

  bool may_take(const port& p, std::size_t link) const noexcept;
  /// Whether to post a buffer of a link that could hold more.
  bool may_post_early(const port& p, std::size_t link) noexcept;
  /// Posts what has waited for as long as its port's limit of latency allows.
  void post_overdue() noexcept {
    if (next_due_ns_ != UINT64_MAX) [[unlikely]]
      look_for_overdue();
  }
  void look_for_overdue() noexcept;
  /// The same for a main program that may let handlers run: what it sent to itself, to pass on or to handle, is due
  /// like everything else.
  void post_overdue_of_main();
  void reclaim() noexcept;
  void unhold(buffer& slot) noexcept;
  void note_memory(port& p) noexcept;
  bool take_arrived();
  bool drain_spills() noexcept;
  bool deliver_ready();
  bool is_blocked(const port& p) const;
  bool is_on_cycle(const port& p) const;
  bool is_held_back() const noexcept { return n_spilled_ != 0 && !ready_.empty(); }
  bool grow_spill();
  bool deliver_blocked(bool is_any);

  substrate& machine_;
  exchange_options options_;
  node_layout nodes_;
  std::unique_ptr<const route> routes_[n_hops_max];  // made when first asked for
  codec_table codecs_;
  std::vector<codec_trial> trials_;  // of each codec that a link may choose; fewer than two: there is no choice
  std::vector<std::byte> scratch_;  // a payload that is being encoded or decoded; empty without codec

  std::unordered_map<std::uint32_t, port*> ports_;  // by serial number; looked up, never iterated
  std::vector<port*> in_order_;  // the same, oldest first
  std::uint32_t next_serial_ = 0;
  std::deque<port*> ready_;  // ports with a sink and pending buffers
  buffer_queue waiting_room_;  // buffers of other PEs that no port has been given yet
  std::vector<buffer*> unclaimed_;  // for ports not constructed here yet, in order of arrival
  port* delivering_ = nullptr;
  const port* waiting_for_room_ = nullptr;

  std::deque<buffer*> free_;  // our free slots; the front is the next to be taken
  std::vector<holder> holders_;  // by slot of our pool
  const std::size_t n_turn_;  // arrived buffers at which a sending main program takes its turn
  std::size_t n_idle_reserves_ = 0;  // ports that hold no slot
  std::size_t n_shared_taken_ = 0;  // slots held beyond the first of each port

  std::uint64_t next_due_ns_ = UINT64_MAX;  // no buffer of a port with a limit of latency is due before

  std::size_t n_in_use_ = 0;  // slots of ours
  std::size_t n_spilled_ = 0;  // spill blocks in use
  std::uint64_t buffer_bytes_most_ = 0;
  std::uint64_t held_back_since_ns_ = 0;  // when only the lack of credits began to hold us back; 0: it does not
  std::vector<spill_block> spare_blocks_;
  std::map<std::pair<std::uint32_t, std::string>, port_counts> records_;  // by number and name
};

}  // namespace shoal
