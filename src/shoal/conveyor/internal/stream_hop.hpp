/// One hop of a stream on a PE: an outbox and an inbox under one number on the wire.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "shoal/conveyor/internal/back_pressure.hpp"
#include "shoal/conveyor/internal/combining_window.hpp"
#include "shoal/conveyor/internal/inbox.hpp"
#include "shoal/conveyor/internal/outbox.hpp"
#include "shoal/conveyor/internal/slot_pool.hpp"
#include "shoal/conveyor/internal/spill_graph.hpp"
#include "shoal/conveyor/stream_counts.hpp"

namespace shoal::internal {

class exchange;

struct stream_hop_options {
  item_kind kind = {};  // of all items; 0 bytes: runs of several kinds, or records
  sink* consumer = nullptr;  // null: items are pulled
  const hop_links* links = nullptr;  // null: every PE is a neighbour, and items carry no tags; outlives the hop
  std::uint8_t number = 0;  // position in its route
  bool may_overrun = true;  // false: its sink is a relay, which never needs to send beyond the credits
};

class stream_hop {
public:
  /// Collective: all PEs construct the same hops in the same order. Does not wait. Throws setup_error if the pool has
  /// no slot left to reserve for it. `links`, what sends on it write into, outlives it.
  stream_hop(exchange& through, open_links& links, const stream_hop_options& options);
  ~stream_hop();
  stream_hop(const stream_hop&) = delete;
  stream_hop& operator=(const stream_hop&) = delete;

  std::uint64_t serial() const noexcept { return serial_; }
  outbox& out() noexcept { return out_; }
  const outbox& out() const noexcept { return out_; }
  inbox& in() noexcept { return in_; }
  const inbox& in() const noexcept { return in_; }
  const spill_vertex& vertex() const noexcept { return vertex_; }

  /// From the next session on, items take another hop of a route, or go directly to every PE. Requires that the hop is
  /// in no session and nothing of the last one is left on any PE. Resets the counts. Collective, and throws, as
  /// construction does: to other PEs it is another hop.
  void take_links(const hop_links* links, std::uint8_t number);

  /// From now on, items of the only kind are combined on this hop. The arguments are as for the window. Ends when the
  /// hop takes other links.
  void combine(item_combiner& combiner, std::uint32_t n_targets, bool everywhere);
  /// From the next session on, buffers to other nodes are encoded by `codec`; null: as the job does. Requires that the
  /// hop is in no session and nothing of the last one is left here.
  void encode_by(std::unique_ptr<link_codec> codec);
  /// Null: they are not.
  combining_window* window() const noexcept { return window_.get(); }

  /// Gives everything back and leaves the exchange, which ends. Nothing but destruction may follow.
  void leave() noexcept;
  bool has_left() const noexcept { return !has_joined_; }

  /// Begins the next session or superstep. Requires that nothing of the last one is left.
  void begin_session(const item_kind& kind) {
    out_.begin_session(kind);
    in_.begin_session(kind.bytes);
  }
  /// Ends the session: buffers that still arrive for it are errors of their senders.
  void end_session() noexcept { in_.end_session(); }

  /// This PE joins a wave of the superstep (docs/design/termination.md). Requires that nothing of it is unread, spilled or in an
  /// open buffer here.
  void join_wave() noexcept {
    out_.join_wave();
    in_.join_wave();
  }

  /// Whether nothing of this session is unread or spilled here. What has come for the next one does not count.
  bool is_empty() const noexcept { return in_.has_consumed_all() && !out_.has_spilled(); }

  stream_counts counts() const noexcept;
  /// Notes the memory that items larger than a buffer take on this PE now.
  void note_monsters(std::uint64_t bytes) noexcept;
  /// For the stall report: what is unsent or unread here.
  [[gnu::cold]] std::string describe_backlog() const;

private:
  void join(const hop_links* links, std::uint8_t number);

  exchange& exchange_;
  slot_pool::account account_;
  spill_vertex vertex_;
  std::unique_ptr<link_codec> codec_;  // null: the job's serves
  inbox in_;
  outbox out_;
  std::unique_ptr<combining_window> window_;
  const hop_links* links_ = nullptr;
  std::uint64_t serial_ = 0;
  bool has_joined_ = false;
  std::uint64_t monster_bytes_most_ = 0;
};

}  // namespace shoal::internal
