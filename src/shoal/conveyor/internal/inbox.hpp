/// The receiving end of one hop of a stream on a PE: keeps arrived buffers in order until they are consumed.
#pragma once

#include <cstdint>
#include <deque>
#include <source_location>
#include <string>
#include <utility>

#include "shoal/base/internal/watched.hpp"
#include "shoal/conveyor/internal/buffer_codec.hpp"
#include "shoal/conveyor/internal/buffer_queue.hpp"
#include "shoal/conveyor/internal/item_kind.hpp"
#include "shoal/conveyor/internal/link_buffer.hpp"
#include "shoal/conveyor/internal/sink.hpp"
#include "shoal/conveyor/internal/slot_pool.hpp"
#include "shoal/conveyor/internal/spill_graph.hpp"
#include "shoal/conveyor/stream_counts.hpp"

namespace shoal::internal {

class inbox;

/// Inboxes that have a sink and buffers for it, in the order in which they became ready.
using ready_list = std::deque<inbox*>;

class inbox {
public:
  /// `consumer` null: a conveyor pulls the items; buffers without any are given back when they arrive. `vertex`: its
  /// hop's vertex in the spill graph. All outlive the inbox.
  inbox(slot_pool& slots, buffer_codec& codec, const std::unique_ptr<link_codec>& own_codec, ready_list& ready,
        spill_vertex& vertex, sink* consumer) noexcept
      : slots_(slots), codec_(codec), own_codec_(own_codec), ready_(ready), vertex_(vertex), consumer_(consumer) {}
  inbox(const inbox&) = delete;
  inbox& operator=(const inbox&) = delete;

  /// Joins a hop of a route, with the number `serial`: `n_senders` PEs send to it, and tags have `tag_bytes`.
  void join(std::uint64_t serial, std::size_t n_senders, std::uint32_t tag_bytes) noexcept;
  /// Gives all buffers back and resets the counts.
  void leave() noexcept;

  sink* consumer() const noexcept { return consumer_; }
  spill_vertex& vertex() const noexcept { return vertex_; }
  /// For reports.
  std::string describe() const { return consumer_ == nullptr ? "conveyor" : consumer_->describe(); }

  // --- Arrival

  /// Accepts an arrived buffer, for the current session or the next one. Ends the job if the buffer's session has
  /// ended. Local, does not wait.
  void deliver(buffer& b) noexcept;

  /// Begins the next session: the early buffers become pending. Requires that nothing of the last session is left.
  void begin_session(std::uint32_t item_bytes) {
    SHOAL_ASSERT(pending_.empty() && reading_.offset == 0 && reading_.n_in_run == 0);
    item_bytes_ = item_bytes;
    ++session_;
    is_in_session_ = true;
    n_last_arrived_ = 0;
    sum_of_ended_ = 0;
    wave_ = 0;
    n_ahead_ = 0;
    vertex_.begin_session();
    if (!early_.empty()) take_early();
  }
  /// Buffers of this session that arrive from now on are errors; those of the next session are not.
  void end_session() noexcept { is_in_session_ = false; }
  bool is_in_session() const noexcept { return is_in_session_; }

  /// This PE joins a wave of the superstep. Requires that everything that has arrived is consumed.
  void join_wave() noexcept {
    SHOAL_ASSERT(has_consumed_all());
    ++wave_;
    n_ahead_ = 0;
  }

  /// True if every PE that sends here has ended its session, by the buffers that have arrived.
  bool has_last_arrived() const noexcept { return n_last_arrived_ == n_senders_; }

  // --- Parking: for a sink that must not run now, although its PE makes progress (dispatch::hold_handlers)

  /// Copies what is pending into memory of this PE, as far as that has room, and gives the slots back. Returns whether it
  /// gave any.
  bool park() noexcept;
  /// What was parked is pending again, before what came later.
  void unpark() noexcept {
    if (parked_.empty()) return;
    parked_.append(pending_);
    pending_ = std::exchange(parked_, {});
  }

  // --- Consumption

  const buffer_queue& pending() const noexcept { return pending_; }
  bool has_consumed_all() const noexcept { return pending_.empty() && parked_.empty(); }
  bool is_empty() const noexcept { return has_consumed_all() && early_.empty(); }

  /// Runs the sink over the front buffer, from where it last stopped. False: it stopped before the end.
  bool consume_front() {
    std::uint64_t n_items = 0;
    const bool is_used_up = consumer_->consume(*pending_.front(), reading_, n_items);
    n_handled_ += n_items;
    if (pending_.front()->header.wave == static_cast<std::uint8_t>(wave_ + 1)) n_ahead_ += n_items;
    if (is_used_up) finish_front();
    return is_used_up;
  }

  /// Counts `n_items` as pulled by a conveyor, and releases the front buffer.
  void drop_front(std::uint64_t n_items) noexcept;

  /// The tag of item `i` of an arrived buffer.
  std::uint32_t tag_of(const buffer& b, std::uint32_t i) const noexcept { return read_tag(b, i, tag_bytes_); }

  /// The number of the team whose PEs send to it; of no team: all PEs.
  std::uint64_t team() const noexcept { return team_; }

  // --- Guards, for an inbox with a sink. Dispatch does not look at them before dispatch::follow_guards.

  /// While it is disabled, it keeps what arrives, and its sink does not run.
  void disable(const std::source_location& where) noexcept {
    is_enabled_ = false;
    disabled_at_ = where;
  }
  void enable() {
    is_enabled_ = true;
    if (!pending_.empty()) mark_ready();
  }
  /// On any worker.
  bool is_enabled() const noexcept { return is_enabled_; }
  const std::source_location& disabled_at() const noexcept { return disabled_at_; }
  /// Of ready inboxes, the one with the greatest goes first.
  void set_priority(int priority) noexcept { priority_ = priority; }
  int priority() const noexcept { return priority_; }

  // --- Dispatch

  /// Add it to the ready list and remove it.
  void mark_ready();
  void mark_taken() noexcept { is_ready_ = false; }

  // --- Reports

  std::uint64_t n_handled() const noexcept { return n_handled_; }
  /// Of those, what was sent by PEs that had joined a wave more than this PE. The wave that it joins next does not count it as
  /// sent, so it must not count it as handled.
  std::uint64_t n_ahead() const noexcept { return n_ahead_; }
  std::uint64_t n_received() const noexcept { return n_received_; }
  /// How long its sink ran, if a stopwatch ran (stopwatch.hpp).
  std::uint64_t handling_ns() const noexcept { return handling_ns_; }
  void add_handling(std::uint64_t ns) noexcept { handling_ns_ += ns; }
  /// Whether a session is open here that ends when all its senders have ended. Most mailboxes have supersteps.
  bool is_in_conveyor_session() const noexcept {
    return is_in_session_ && (consumer_ == nullptr || consumer_->has_sessions());
  }
  [[gnu::cold]] std::string describe_backlog(pe_id n_pes) const;
  /// sink::tell, while its sink runs.
  void tell(signal_text& into, const void* address) const noexcept {
    consumer_->tell(into, *pending_.front(), address);
  }

private:
  void take_early();
  void finish_front() noexcept;
  void finish(buffer& b) noexcept;

  slot_pool& slots_;
  buffer_codec& codec_;
  const std::unique_ptr<link_codec>& own_codec_;  // of the hop
  ready_list& ready_;
  spill_vertex& vertex_;
  sink* const consumer_;
  std::uint64_t team_ = 0;
  std::size_t n_senders_ = 0;
  std::uint32_t tag_bytes_ = 0;
  std::uint32_t item_bytes_ = 0;  // 0: items of several kinds or sizes
  // Number of the current session; incremented here and at the senders.
  std::uint32_t session_ = buffer_header::session_before_first;
  bool is_in_session_ = false;
  bool is_ready_ = false;  // in the ready list
  std::uint8_t wave_ = 0;  // how many waves of the superstep this PE has joined, modulo 256
  watched<bool> is_enabled_ = true;
  int priority_ = 0;
  std::source_location disabled_at_;
  std::size_t n_last_arrived_ = 0;
  std::size_t sum_of_ended_ = 0;  // of the numbers of the PEs from which these came: tells the only one that is missing
  buffer_queue pending_;
  buffer_queue parked_;  // those before pending_, of which the slots have gone back; none while the sink may run
  buffer_queue early_;  // buffers of the next session
  position reading_;  // position in the front buffer of pending_
  std::uint64_t n_handled_ = 0;
  std::uint64_t n_ahead_ = 0;
  std::uint64_t n_received_ = 0;
  std::uint64_t handling_ns_ = 0;
};

}  // namespace shoal::internal
