/// The open buffer of one link: the layout of items, runs, records and tags in it. Knows nothing of slots and posting.
///
///     payload                      cursor   limit          end                 span
///     [header][item][item]…[item]  |        | (free)       | [tag]…[tag][tag]  |
///
/// Items grow up from the payload's begin. Tags grow down from the span's end, the last item's tag lowest. A link of
/// one kind has no run headers; one of records has a header before each. Cursor and limit are those of the link_end that the functions take.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "shoal/base/internal/contract.hpp"
#include "shoal/conveyor/internal/item_kind.hpp"
#include "shoal/conveyor/internal/link_end.hpp"
#include "shoal/conveyor/internal/record.hpp"
#include "shoal/conveyor/internal/run.hpp"
#include "shoal/substrate/internal/buffer.hpp"

namespace shoal::internal {

class link_buffer {
public:
  buffer* open_buffer() const noexcept { return open_; }
  /// Where its payload begins, as a number; without one, a small number.
  std::uintptr_t begin() const noexcept { return reinterpret_cast<std::uintptr_t>(open_) + sizeof(buffer); }
  std::uint32_t span() const noexcept { return span_; }

  /// Attaches an empty buffer, of which `span` bytes may be filled.
  void open(link_end& link, buffer& b, std::size_t span) noexcept;

  /// Detaches the buffer. Fills in its header from `label` and the contents. `only`: the kind of all items.
  buffer& close(link_end& link, const buffer_header& label, const item_kind& only, std::uint32_t tag_bytes) noexcept;

  /// Lets more of the buffer be filled and moves the tags to the new end.
  void widen(std::size_t span) noexcept;

  /// Moves contents and span into another buffer and gives up the open one.
  void move_to(link_end& link, buffer& other, item_layout layout) noexcept;

  /// Makes room for at least one item of `kind` before the limit; false: the span is full. `has_runs`: the link carries
  /// several kinds.
  bool make_room(link_end& link, const item_kind& kind, bool has_runs, std::uint32_t tag_bytes) noexcept;

  /// Prefetches the line of the next tags.
  void fetch_tags() const noexcept { __builtin_prefetch(end_ - cache_line_bytes, 1); }

  /// Writes the header of a record and returns where its bytes go; null if it does not fit into the span. With
  /// `lets_begin`, more records may then be written before the limit (open_links::begin_record).
  std::byte* make_record(link_end& link, const run_header& header, std::uint32_t align, std::uint32_t tag_bytes,
                         item_layout layout, bool lets_begin) noexcept;

  /// See outbox::write_run.
  template <class T>
  bool write_run(link_end& link, const item_kind& kind, const T& value) noexcept {
    // A kind that repeats still gets single-item runs, until it has repeated too often for chance.
    n_repeats_ = (n_repeats_ + 1) & -std::uint32_t{link.kind == &kind};
    std::byte* const begin = after_run_header(link.cursor);
    if (n_repeats_ >= n_repeats_max || alignof(T) > sizeof(run_header) || end_ - begin < std::ptrdiff_t{sizeof(T)})
        [[unlikely]] {
      return false;
    }
    write_run_header(begin, {kind.number, 1});
    store_item(begin, value);
    ++n_items_;
    link.cursor = begin + sizeof(T);
    link.limit = link.cursor;
    link.kind = &kind;
    return true;
  }

  /// See open_links::write_record.
  std::byte* write_record(link_end& link, std::size_t bytes) noexcept {
    std::byte* const begin = after_run_header(link.cursor);
    if (end_ - begin < static_cast<std::ptrdiff_t>(bytes)) [[unlikely]]
      return nullptr;
    write_run_header(begin, {static_cast<std::uint32_t>(record_kind::item), static_cast<std::uint32_t>(bytes)});
    ++n_items_;
    link.cursor = link.limit = begin + bytes;
    link.kind = nullptr;
    return begin;
  }

  /// See outbox::write_tag.
  void write_tag(std::uint32_t tag, std::uint32_t tag_bytes) noexcept {
    end_ -= tag_bytes;
    switch (tag_bytes) {  // the same for all items of a hop, hence well predicted
      case 0: break;
      case 1: *end_ = static_cast<std::byte>(tag); break;
      case 2: store_tag(static_cast<std::uint16_t>(tag)); break;
      default: store_tag(tag);
    }
  }

  /// The tag of item `i`, which is written.
  std::uint32_t tag_of(std::uint32_t i, std::uint32_t tag_bytes) const noexcept;

  /// For assertions: the invariants of a link and its open buffer.
  bool is_consistent(const link_end& link, item_layout layout, std::uint32_t tag_bytes) const noexcept;

private:
  // After this many repeats of a kind, a run takes all the room there is. Fewer occur by chance where kinds alternate
  // at random, and a wrong guess costs more than a header.
  static constexpr std::uint32_t n_repeats_max = 8;

  template <class Tag>
  void store_tag(Tag tag) noexcept {
    std::memcpy(end_, &tag, sizeof tag);
  }
  bool take_rest(link_end& link, std::uint32_t tag_bytes) const noexcept;
  bool switch_run(link_end& link, const item_kind& kind, std::uint32_t tag_bytes) noexcept;
  void close_run(link_end& link) noexcept;

  buffer* open_ = nullptr;  // null, a slot, or a spill block
  std::byte* end_ = nullptr;  // end of the part that may be filled, where tags begin; null without a buffer
  std::uint32_t span_ = 0;  // size of that part, tags included
  std::uint32_t n_items_ = 0;  // items in the open buffer that its run headers account for
  std::uint32_t n_repeats_ = 0;  // consecutive runs that began with the same kind as the run before
};

// --- Inline: every buffer passes each of these once or twice, and they are a few instructions long.

inline void link_buffer::open(link_end& link, buffer& b, std::size_t span) noexcept {
  SHOAL_ASSERT(open_ == nullptr && link.cursor == nullptr && link.limit == nullptr && link.run_begin == nullptr);
  open_ = &b;
  n_items_ = 0;
  span_ = static_cast<std::uint32_t>(span);
  end_ = b.payload() + span;
  link.cursor = link.limit = b.payload();
}

inline buffer& link_buffer::close(link_end& link, const buffer_header& label, const item_kind& only,
                                  std::uint32_t tag_bytes) noexcept {
  SHOAL_ASSERT(is_consistent(link, layout_of(only), tag_bytes));
  buffer& b = *open_;
  if (only.bytes == 0) {
    close_run(link);
  } else {
    n_items_ = static_cast<std::uint32_t>(link.cursor - b.payload()) / only.bytes;
  }
  const std::uint32_t all_tag_bytes = n_items_ * tag_bytes;
  SHOAL_ASSERT(all_tag_bytes == static_cast<std::size_t>(b.payload() + span_ - end_));
  if (all_tag_bytes != 0) std::memmove(link.cursor, end_, all_tag_bytes);
  b.header = label;
  b.header.n_items = n_items_;
  b.header.bytes = static_cast<std::uint32_t>(link.cursor - b.payload()) + all_tag_bytes;
  b.header.tag_bytes = all_tag_bytes;
  open_ = nullptr;
  end_ = nullptr;
  link.cursor = link.limit = link.run_begin = nullptr;
  return b;
}

// Gives the current run all the room that is left; false if that is less than one item.
inline bool link_buffer::take_rest(link_end& link, std::uint32_t tag_bytes) const noexcept {
  const std::size_t n = static_cast<std::size_t>(end_ - link.cursor) / (link.kind->bytes + tag_bytes);
  link.limit = link.cursor + n * link.kind->bytes;
  return n != 0;
}

inline bool link_buffer::make_room(link_end& link, const item_kind& kind, bool has_runs,
                                   std::uint32_t tag_bytes) noexcept {
  SHOAL_ASSERT(is_consistent(link, has_runs ? item_layout::runs : item_layout::items, tag_bytes));
  if (link.kind == &kind && link.cursor != link.limit) return true;
  // The usual case, without a division or a look at runs: the buffer is full for any kind.
  if (end_ - link.cursor < static_cast<std::ptrdiff_t>(kind.bytes + tag_bytes)) return false;
  return has_runs ? switch_run(link, kind, tag_bytes) : take_rest(link, tag_bytes);
}

/// Reads the tag of item `i`, which is one of those that end at `end`, the last item's first.
inline std::uint32_t read_tag_before(const std::byte* end, std::uint32_t i, std::uint32_t tag_bytes) noexcept {
  const std::byte* const at = end - (std::size_t{i} + 1) * tag_bytes;
  const auto load = [at]<class Tag>(Tag tag) {
    std::memcpy(&tag, at, sizeof tag);
    return std::uint32_t{tag};
  };
  switch (tag_bytes) {
    case 0: return 0;
    case 1: return load(std::uint8_t{});
    case 2: return load(std::uint16_t{});
    default: return load(std::uint32_t{});
  }
}

/// Reads the tag of item `i` of a closed buffer. Tags of `tag_bytes` each follow the items, the last item's first.
inline std::uint32_t read_tag(const buffer& b, std::uint32_t i, std::uint32_t tag_bytes) noexcept {
  return read_tag_before(b.payload() + b.header.bytes, i, tag_bytes);
}

inline std::uint32_t link_buffer::tag_of(std::uint32_t i, std::uint32_t tag_bytes) const noexcept {
  return read_tag_before(open_->payload() + span_, i, tag_bytes);
}

}  // namespace shoal::internal
