/// The receiving end of one hop of a stream on a PE: buffers that have arrived, in order, until they are consumed.
#pragma once

#include <cstdint>
#include <cstring>
#include <deque>
#include <string>

#include "shoal/conveyor/buffer_codec.hpp"
#include "shoal/conveyor/buffer_queue.hpp"
#include "shoal/conveyor/item_kind.hpp"
#include "shoal/conveyor/sink.hpp"
#include "shoal/conveyor/slot_pool.hpp"
#include "shoal/conveyor/spill_graph.hpp"
#include "shoal/conveyor/stream_counts.hpp"

namespace shoal {

class inbox;

/// Inboxes with a sink and buffers to consume, in the order in which they became so.
using ready_list = std::deque<inbox*>;

class inbox {
public:
  /// `consumer` null: a conveyor pulls the items. `node` is its hop's. All outlive the inbox.
  inbox(slot_pool& slots, buffer_codec& codec, ready_list& ready, spill_node& node, sink* consumer) noexcept
      : slots_(slots), codec_(codec), ready_(ready), node_(node), consumer_(consumer) {}
  inbox(const inbox&) = delete;
  inbox& operator=(const inbox&) = delete;

  /// What comes from now on is of another hop of a route: PEs that send here, and bytes of a tag.
  void lay(std::size_t n_senders, std::uint32_t tag_bytes) noexcept;
  /// Gives all buffers back. Its counts begin anew.
  void leave() noexcept;

  sink* consumer() const noexcept { return consumer_; }
  spill_node& node() const noexcept { return node_; }
  /// For reports.
  std::string describe() const { return consumer_ == nullptr ? "conveyor" : consumer_->describe(); }

  // --- Arrival

  /// Takes a buffer that arrived: for the session that runs; or early, for the next one. Ends the job if it comes after
  /// its session. Local, does not wait.
  void deliver(buffer& b) noexcept;

  /// Begins the next session: what came early for it becomes pending. Requires that nothing of the last one is left.
  void begin_session(std::uint32_t item_bytes);
  /// What arrives from now on, but for the next session, was sent by somebody who should not have.
  void end_session() noexcept { is_in_session_ = false; }
  bool is_in_session() const noexcept { return is_in_session_; }

  /// True if all PEs that send here have ended their session, as far as buffers that arrived said so.
  bool has_last_arrived() const noexcept { return n_last_arrived_ == n_senders_; }

  // --- Consumption

  const buffer_queue& pending() const noexcept { return pending_; }
  bool has_consumed_all() const noexcept { return pending_.empty(); }
  bool is_empty() const noexcept { return pending_.empty() && early_.empty(); }

  /// Runs the sink over the front buffer, from where it stopped the last time. False: it stopped before the end.
  bool consume_front() {
    std::uint64_t n_items = 0;
    const bool is_used_up = consumer_->consume(*pending_.front(), reading_, n_items);
    n_handled_ += n_items;
    if (is_used_up) finish_front();
    return is_used_up;
  }

  /// Accounts for `n_items` that a conveyor pulled, and gives the front buffer back.
  void drop_front(std::uint64_t n_items) noexcept;

  /// The tag of item `i` of a buffer that came here.
  std::uint32_t tag_of(const buffer& b, std::uint32_t i) const noexcept {
    const std::byte* const at = b.payload() + b.header.bytes - (std::size_t{i} + 1) * tag_bytes_;
    switch (tag_bytes_) {
      case 0: return 0;
      case 1: return static_cast<std::uint8_t>(*at);
      case 2: return load_tag<std::uint16_t>(at);
      default: return load_tag<std::uint32_t>(at);
    }
  }

  // --- Dispatch

  /// Enters it into the ready list, and takes it out.
  void mark_ready();
  void mark_taken() noexcept { is_ready_ = false; }

  // --- Reports

  std::uint64_t n_handled() const noexcept { return n_handled_; }
  std::uint64_t n_received() const noexcept { return n_received_; }
  std::string describe_backlog() const;

private:
  template <class Tag>
  static std::uint32_t load_tag(const std::byte* at) noexcept {
    Tag tag;
    std::memcpy(&tag, at, sizeof tag);
    return tag;
  }
  void finish_front() noexcept;

  slot_pool& slots_;
  buffer_codec& codec_;
  ready_list& ready_;
  spill_node& node_;
  sink* const consumer_;
  std::size_t n_senders_ = 0;
  std::uint32_t tag_bytes_ = 0;
  std::uint32_t item_bytes_ = 0;  // 0: items of several kinds or sizes
  std::uint32_t session_ = 0;  // grows by one a session, here and at the senders
  bool is_in_session_ = false;
  bool is_ready_ = false;  // in the ready list
  std::size_t n_last_arrived_ = 0;
  buffer_queue pending_;
  buffer_queue early_;  // of the next session
  position reading_;  // in the front buffer of pending_
  std::uint64_t n_handled_ = 0;
  std::uint64_t n_received_ = 0;
};

}  // namespace shoal
