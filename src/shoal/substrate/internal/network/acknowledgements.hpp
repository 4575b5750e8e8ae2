/// Tracks which of this PE's slots receivers on other nodes have not released, and which releases this PE owes to
/// others.
///
/// Within a node, a slot is lent until its receiver releases it. Back-pressure relies on that: a mailbox whose buffers
/// nobody consumes runs out of slots and leaves the other mailboxes their reserves. Between nodes, the bytes leave the
/// slot long before that. So the slot is held here until the receiver says that it has released a buffer of the same
/// mailbox.
///
/// The receiver says so in acknowledgements: small buffers of pairs (mailbox, count), which no mailbox ever sees. A
/// mailbox's buffers are released in the order in which they were sent, so a count identifies them. An acknowledgement also
/// says how long this PE held buffers that their sender times (link_meter.hpp).
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <unordered_map>
#include <vector>

#include "shoal/base/types.hpp"
#include "shoal/substrate/internal/buffer.hpp"
#include "shoal/substrate/internal/link_meter.hpp"
#include "shoal/substrate/internal/network/buffer_store.hpp"

namespace shoal::internal::network {

class acknowledgements {
public:
  acknowledgements(std::size_t n_pes, std::size_t n_slots, std::size_t payload_bytes);

  /// Whether a buffer is an acknowledgement, by its header.
  static bool is_one(const buffer& b) noexcept { return b.header.mailbox == mailbox_; }

  // --- Sent by this PE

  /// Records that `slot` has been passed to the wire for `target`.
  void hold(buffer& slot, pe_id target);
  /// Records that the wire has returned a slot, or an acknowledgement, which is kept. True if it is a slot and free.
  bool has_left(buffer& sent);
  /// Reads an acknowledgement, and calls `free` with every slot that is now free, and `note_held` for timed buffers.
  void take_in(const buffer& acknowledgement, const std::function<void(buffer&)>& free,
               const std::function<void(link_meter::size, std::uint32_t held_ns)>& note_held);

  // --- Received by this PE

  /// Records that a buffer from PE `source` for `mailbox` has been released.
  void owe(pe_id source, std::uint64_t mailbox);
  /// Records that a buffer was one that `source` times, or a probe of it, and what holding_times wrote into it.
  void owe_time(pe_id source, link_meter::size which, std::uint32_t since_ns);
  bool owes_time(pe_id target) const noexcept { return peers_[static_cast<std::size_t>(target)].awaits_time(); }
  /// The next PE that is owed enough releases to be told; with `all`, the next that is owed any; -1 if there is none.
  pe_id next_due(bool all) noexcept;
  /// Writes what `target` is owed, as much as one buffer holds. Call `has_been_sent` once it is sent, otherwise
  /// `give_back`. `now_ns` does not matter unless this PE owes times.
  buffer& compose(pe_id target, std::uint64_t now_ns);
  void has_been_sent(const buffer& acknowledgement, pe_id target);
  void give_back(buffer& acknowledgement) { store_.give_back(acknowledgement); }

private:
  static constexpr std::uint64_t mailbox_ = UINT64_MAX;

  struct count {
    std::uint64_t mailbox = 0;
    std::uint64_t n = 0;
  };
  // Per PE: what it is owed, and the slots that it must acknowledge, by mailbox, oldest first.
  struct fifo {
    buffer* first = nullptr;
    buffer* last = nullptr;
  };
  struct peer {
    std::vector<count> owed;
    std::size_t n_owed = 0;
    // By size: since when this PE may have held a buffer that the other one times, and has now released.
    std::array<std::optional<std::uint32_t>, 2> timed;

    bool awaits_time() const noexcept { return timed[0] || timed[1]; }
    bool is_owed_nothing() const noexcept { return n_owed == 0 && !awaits_time(); }
    std::unordered_map<std::uint64_t, fifo> held;
  };
  // Per slot. The link is not in the buffer, which the wire may still be reading.
  struct slot_state {
    buffer* next = nullptr;
    bool has_left = false;
    bool is_acknowledged = false;
  };

  slot_state& state_of(const buffer& slot) noexcept { return slots_[slot.slot % slots_.size()]; }

  std::vector<peer> peers_;
  std::vector<slot_state> slots_;
  std::vector<pe_id> creditors_;  // PEs that are owed any releases
  std::size_t n_due_;  // this many releases are enough to tell a PE
  std::size_t n_counts_max_;  // pairs that fit into one acknowledgement
  buffer_store store_;
};

}  // namespace shoal::internal::network
