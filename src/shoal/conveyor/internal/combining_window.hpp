/// Combining on one hop: finds the item with the same key among those in the open buffers, so that another one can be
/// merged into it instead of being sent.
///
/// The open buffers are the cache. An item that waits there may change; counts, latency limits, flushes, credits and
/// spills do not see that it does, so none of them has a rule of its own for it (docs/design/combining.md).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "shoal/base/internal/owner.hpp"
#include "shoal/base/types.hpp"
#include "shoal/conveyor/internal/open_links.hpp"

namespace shoal::internal {

class item_combiner;
class node_layout;

/// Remembers where items of the open buffers lie, by their keys, and decides whether to look for them.
///
/// What it remembers is only a hint. It counts if it names a place in the filled part of the open buffer of the link in
/// question, and then the item that is there now is compared. So it does not matter that buffers leave, move, or are
/// filled again, or that the place was noted for another link.
///
/// A hint is a place in a buffer's first mebibyte, and some bits of the key's hash beside it. All hints take 32 KiB at
/// most, and nearly every look for a key that is not there ends at its hint.
class combining_window {
public:
  /// Where the place of an item is noted, once it is written.
  struct note {
    std::uint32_t* hint;  // null: the item has been merged
    std::uint32_t hash_bits;
  };

  /// What a send needs of one link. Half a cache line.
  struct alignas(32) part {
    const link_state* state = nullptr;
    std::uint64_t salt = 0;  // part of the hash, so that links share the table
    std::uint32_t n_written = 0;  // since these two were added to those of the trial
    std::uint32_t n_merged = 0;
    bool is_looked_at = false;  // otherwise items are written without a look
    bool is_remote = false;

    /// The address at which the payload of the open buffer begins; there is none below the cursor if no buffer is open.
    std::uintptr_t begin() const noexcept { return state->items.begin(); }
  };

  struct options {
    std::span<const pe_id> neighbours = {};  // where the links lead to; empty: to every PE
    std::size_t payload_bytes = 0;
    double ns_per_byte = 0;  // to another node
    // A tag modulo this number, or with 0 the whole tag, tells apart to which PEs a link's items go.
    std::uint32_t n_targets = 1;
    bool everywhere = false;  // looks for all items always
  };
  /// For a hop whose items have one size. `combiner` merges what relays pass on.
  combining_window(item_combiner& combiner, const open_links& links, const node_layout& nodes, pe_id my_pe,
                   const options& chosen);

  item_combiner& combiner() noexcept { return combiner_; }
  part& part_of(std::size_t link) noexcept { return parts_[link]; }

  /// Which of the PEs to which a link's items go gets an item with this tag.
  std::uint32_t target_of(std::uint32_t tag) const noexcept {
    return n_targets_ == 1 ? 0 : n_targets_ == 0 ? tag : tag % n_targets_;
  }
  /// Where to note an item of this link with this hash of its key and its target.
  note note_of(std::uint64_t hash, const part& of) noexcept {
    constexpr std::uint64_t spread = 0x9e3779b97f4a7c15;  // Knuth's multiplicative hash, for keys that are close
    const std::uint64_t spread_hash = (hash + of.salt) * spread;
    return {&hints_[spread_hash >> shift_], static_cast<std::uint32_t>(spread_hash >> 32) & hash_mask};
  }
  /// For an item that is not looked for.
  note no_note() noexcept { return {&no_hint_, 0}; }
  /// Notes the item that is about to be written at the cursor.
  static void note_written(const note& of_item, part& of, const link_end& link) noexcept {
    const std::uintptr_t offset = reinterpret_cast<std::uintptr_t>(link.cursor) - of.begin();
    // What lies further back cannot be noted. Any place where an item may lie will do instead.
    const auto noted = offset < offset_end ? static_cast<std::uint32_t>(offset) : 0;
    *of_item.hint = noted << n_hash_bits | of_item.hash_bits;
    ++of.n_written;
  }
  /// Whether there may be an item with this key now, and where.
  static bool has_item(const note& of_item, const part& of, const link_end& link) noexcept {
    if (((*of_item.hint ^ of_item.hash_bits) & hash_mask) != 0) return false;
    return reinterpret_cast<std::uintptr_t>(item_at(of_item, of)) < reinterpret_cast<std::uintptr_t>(link.cursor);
  }
  static std::byte* item_at(const note& of_item, const part& of) noexcept {
    return reinterpret_cast<std::byte*>(of.begin() + offset_at(of_item));
  }
  static std::uint32_t offset_at(const note& of_item) noexcept { return *of_item.hint >> n_hash_bits; }
  /// Whether an item with this tag goes to the same PE as item `i` of the link's open buffer.
  bool has_target(std::uint32_t tag, const part& of, std::uint32_t i) const noexcept {
    return n_targets_ == 1 || target_of(of.state->items.tag_of(i, links_.tag_bytes)) == target_of(tag);
  }

  /// Counts a merged item. True once in a while: a program whose items are merged makes no room, and must let others go
  /// on.
  bool count_merged(part& of) noexcept {
    ++of.n_merged;
    if (--n_until_turn_ != 0) [[likely]]
      return false;
    n_until_turn_ = n_between_turns;
    review(of);
    return true;
  }
  /// The same for one that may not be merged if it is its turn.
  bool is_turn() noexcept {
    if (n_until_turn_ != 1) [[likely]]
      return false;
    n_until_turn_ = n_between_turns;
    return true;
  }
  /// Called once a buffer, or more often: decides anew, if enough has been written, whether items are looked for.
  void review(part& of) noexcept;

  /// Items merged into others here.
  std::uint64_t n_merged() const noexcept;

private:
  static constexpr int n_hints_log2_max = 13;
  static constexpr int n_hash_bits = 12;
  static constexpr std::uint32_t hash_mask = (1 << n_hash_bits) - 1;
  static constexpr std::uintptr_t offset_end = std::uintptr_t{1} << (32 - n_hash_bits);
  static constexpr std::uint32_t n_between_turns = 1 << 14;

  // Items are looked for as long as that pays.
  struct trial {
    std::uint64_t n_written = 0;  // since the last decision
    std::uint64_t n_merged = 0;
    std::uint64_t n_merged_remote = 0;  // of these, on links to other nodes
    std::uint64_t n_sent_before = 0;  // what the hop had sent at that time
    bool is_on = true;
  };

  void decide(bool is_on) noexcept;
  void look(bool at_all) noexcept;

  item_combiner& combiner_;
  const open_links& links_;
  int shift_;
  array_owner<std::uint32_t> hints_;
  array_owner<part> parts_;  // by link
  std::uint32_t no_hint_ = 0;
  trial trial_;
  std::uint32_t n_until_turn_ = n_between_turns;
  double remote_ns_;  // what a merged message to another node saves
  std::uint64_t n_merged_ = 0;  // that parts do not count any more
  std::uint32_t n_targets_;
  std::uint32_t period_;
  bool is_everywhere_;
};

/// Merges items of one stream: what does not depend on their type.
class item_combiner {
public:
  item_combiner() = default;
  item_combiner(const item_combiner&) = delete;
  item_combiner& operator=(const item_combiner&) = delete;

  /// Merges an item on its way to a link, with the tag that it would get there, into one that lies there. Otherwise
  /// the caller writes the item, and the note that this returns. Local, does not wait.
  virtual combining_window::note combine_passing(combining_window& window, std::size_t link_index, const link_end& link,
                                                 std::uint32_t tag, const std::byte* bytes) = 0;
  /// Sends combine by this window from now on.
  void send_by(combining_window& window) noexcept { first_window_ = &window; }

protected:
  ~item_combiner() = default;
  combining_window& first_window() const noexcept { return *first_window_; }

private:
  combining_window* first_window_ = nullptr;
};

}  // namespace shoal::internal
