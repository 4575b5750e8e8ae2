/// The part of an outbox that sends write into: for each link, an open buffer with a cursor and a limit.
///
/// Adding an item takes a compare, a store and an increment. This is inlined into programs, which need no other part of
/// a hop. Everything else happens once per buffer, in outbox.hpp.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "shoal/base/internal/contract.hpp"
#include "shoal/base/internal/owner.hpp"
#include "shoal/base/internal/watched.hpp"
#include "shoal/base/types.hpp"
#include "shoal/conveyor/internal/buffer_queue.hpp"
#include "shoal/conveyor/internal/item_kind.hpp"
#include "shoal/conveyor/internal/link_buffer.hpp"
#include "shoal/conveyor/internal/link_end.hpp"
#include "shoal/conveyor/internal/record.hpp"
#include "shoal/conveyor/internal/run.hpp"

namespace shoal::internal {

class worker_links;

/// The part of a link's state that is used once per buffer.
struct link_state {
  link_buffer items;  // the open buffer: none, a slot, or a spill block
  std::uint32_t next_span = 0;  // initial span of the next buffer
  bool is_spill = false;  // the open buffer is a spill block
  bool has_sent_last = false;
  // With a latency limit: when the open buffer must be posted; 0 if it is empty. Without one: when it may be posted
  // although it is not full.
  std::uint64_t due_ns = 0;
  buffer_queue spilled;  // closed spill blocks, oldest first
};

/// A stream holds those of its last hop by value, so that a send reaches a link with one load. The hop's outbox opens,
/// posts and closes the buffers.
struct open_links {
  // First, because every send reads it. Sends only read these members, so that sends of a PE's other workers, which write
  // elsewhere, do not wait for those of its own thread. A stream keeps them in one cache line.
  array_owner<link_end> ends;
  array_owner<link_state> states;
  std::size_t n_links = 0;
  item_kind only_kind;  // of all items; its size is 0 if items come in runs of several kinds or are records
  std::uint32_t tag_bytes = 0;  // of each item
  std::uint64_t number = 0;  // of the hop

  // Sends write these: in a stream the next line.
  held_item<8> held_8;
  held_item<4> held_4;

  worker_links* of_workers = nullptr;  // null: of the PE's own thread
  watched<std::uint64_t> n_sent = 0;  // items in closed buffers
  std::atomic<int> n_at_workers{0};  // buffers that other workers fill for these links, until they are sent

  /// Writes one item at the cursor of a link with room.
  ///
  /// An item that is one word of 4 or 8 bytes is held back: its bytes are stored one call later. The store's address is a
  /// cursor that was just loaded, and the next call's load of another cursor must wait for it if the processor cannot
  /// predict that the two differ: so if targets come in random order. One call later the address is long known. That takes
  /// 1.9 instead of 2.9 ns an item, for four instructions (docs/performance.md). Items of several members are stored at
  /// once: to load them back before those stores leave the store buffer costs more than the delay gains.
  template <item T>
  void write(link_end& link, const T& value) noexcept {
    constexpr bool is_one_word = sizeof(T) == alignof(T);
    if constexpr (is_one_word && sizeof(T) == 4) {
      held_4.replace(link.cursor, &value);
    } else if constexpr (is_one_word && sizeof(T) == 8) {
      held_8.replace(link.cursor, &value);
    } else {
      store_item(link.cursor, value);
    }
    link.cursor += sizeof(T);
  }

  /// Writes the tag of the item just written, if items of this hop have tags. Tags grow down from the end of the
  /// buffer, so that items lie side by side for handlers.
  void write_tag(std::size_t link, std::uint32_t tag) noexcept { states[link].items.write_tag(tag, tag_bytes); }

  /// Writes an item as a run of its own, if the link's last run has one item so far. False if that is not possible;
  /// then find room for the item first. If kinds alternate at random, every item comes here: so no branch depends on
  /// which kind follows which, and the link is touched once. Not for hops with tags.
  template <item T>
  bool write_run(link_end& link, const item_kind& kind, const T& value) noexcept {
    SHOAL_ASSERT(tag_bytes == 0);
    return states[index_of(link)].items.write_run(link, kind, value);
  }

  /// Writes the header of a record that stands between runs and returns where its bytes go, if the link's last run has
  /// one item so far. Null: not possible; ask stream::make_record. Not for hops with tags.
  std::byte* write_record(link_end& link, std::size_t bytes) noexcept {
    SHOAL_ASSERT(tag_bytes == 0);
    return states[index_of(link)].items.write_record(link, bytes);
  }

  /// Begins a record of `bytes` bytes and returns where they go. Null: the link has no room before its limit; ask
  /// stream::make_record. For streams of records aligned to 8, on a hop without tags. `IsPadded`: all their sizes are
  /// multiples of 8.
  template <bool IsPadded>
  std::byte* begin_record(link_end& link, std::size_t bytes) noexcept {
    std::byte* const begin = IsPadded ? link.cursor + sizeof(run_header) : after_run_header(link.cursor);
    // As numbers: without an open buffer, cursor and limit are null.
    if (reinterpret_cast<std::uintptr_t>(begin) + bytes > reinterpret_cast<std::uintptr_t>(link.limit)) [[unlikely]]
      return nullptr;
    write_run_header(begin, {static_cast<std::uint32_t>(record_kind::item), static_cast<std::uint32_t>(bytes)});
    link.cursor = begin + bytes;
    ++link.n_records;
    return begin;
  }

  /// Stores the held items. Called before anyone else reads an open buffer.
  void store_held_items() noexcept {
    held_4.store();
    held_8.store();
  }

  std::size_t index_of(const link_end& link) const noexcept {
    SHOAL_ASSERT(&link >= ends.get() && &link < ends.get() + n_links);
    return static_cast<std::size_t>(&link - ends.get());
  }
};

}  // namespace shoal::internal
