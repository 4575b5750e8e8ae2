#include "shoal/conveyor/internal/link_buffer.hpp"

namespace shoal::internal {

void link_buffer::widen(std::size_t span) noexcept {
  std::byte* const begin = open_->payload();
  const auto n_tag_bytes = static_cast<std::size_t>(begin + span_ - end_);
  std::byte* const end = begin + span - n_tag_bytes;
  if (n_tag_bytes != 0) std::memmove(end, end_, n_tag_bytes);
  span_ = static_cast<std::uint32_t>(span);
  end_ = end;
}

void link_buffer::move_to(link_end& link, buffer& other, item_layout layout) noexcept {
  const auto moved = [&](std::byte* p) { return p == nullptr ? p : other.payload() + (p - open_->payload()); };
  std::memcpy(other.payload(), open_->payload(), static_cast<std::size_t>(link.cursor - open_->payload()));
  const auto end_offset = static_cast<std::size_t>(end_ - open_->payload());
  std::memcpy(other.payload() + end_offset, end_, span_ - end_offset);
  link.cursor = moved(link.cursor);
  link.limit = moved(link.limit);
  if (layout != item_layout::records) link.run_begin = moved(link.run_begin);
  end_ = moved(end_);
  open_ = &other;
}

// Handles what write_run leaves: a run of several items begins, continues or ends, a buffer was just opened, or an item
// needs a wide alignment. There is room for the item, but perhaps not for a header before it; then it returns false.
bool link_buffer::switch_run(link_end& link, const item_kind& kind, std::uint32_t tag_bytes) noexcept {
  const std::byte* const end = end_ - tag_bytes;
  if (link.kind != &kind) {
    n_repeats_ = 0;
  } else if (link.cursor != open_->payload()) {
    if (link.run_begin == nullptr) link.run_begin = link.cursor - kind.bytes;
    return take_rest(link, tag_bytes);
  }
  // The old run's header lies before its first item, so the new header may be prepared first.
  std::byte* const begin = after_run_header(link.cursor, end, kind.align);
  if (begin == nullptr || end - begin < static_cast<std::ptrdiff_t>(kind.bytes)) return false;
  close_run(link);
  write_run_header(begin, {kind.number, 1});
  ++n_items_;
  link.cursor = begin;
  link.kind = &kind;
  if (n_repeats_ >= n_repeats_max) {
    link.run_begin = begin;
    return take_rest(link, tag_bytes);
  }
  link.limit = begin + kind.bytes;
  return true;
}

// Writes the item count of a run that has more than one; in a stream of records, counts those that begin_record wrote.
void link_buffer::close_run(link_end& link) noexcept {
  if (link.run_begin == nullptr) return;
  if (link.kind == nullptr) {
    n_items_ += static_cast<std::uint32_t>(link.n_records);
    link.n_records = 0;
    return;
  }
  const auto n_items = static_cast<std::uint32_t>(link.cursor - link.run_begin) / link.kind->bytes;
  write_run_header(link.run_begin, {link.kind->number, n_items});
  n_items_ += n_items - 1;
  link.run_begin = nullptr;
}

std::byte* link_buffer::make_record(link_end& link, const run_header& header, std::uint32_t align,
                                    std::uint32_t tag_bytes, item_layout layout, bool lets_begin) noexcept {
  SHOAL_ASSERT(is_consistent(link, layout, tag_bytes));
  std::byte* const end = end_ - tag_bytes;
  std::byte* const begin = after_run_header(link.cursor, end, align);
  if (begin == nullptr || end - begin < static_cast<std::ptrdiff_t>(header.n_items)) return nullptr;
  if (layout == item_layout::runs) {
    close_run(link);
    link.kind = nullptr;  // the next item begins a run
    n_repeats_ = 0;
  }
  write_run_header(begin, header);
  link.cursor = begin + header.n_items;
  link.limit = lets_begin ? end : link.cursor;
  ++n_items_;
  return begin;
}

bool link_buffer::is_consistent(const link_end& link, item_layout layout, std::uint32_t tag_bytes) const noexcept {
  if (open_ == nullptr) return link.cursor == nullptr && link.limit == nullptr && end_ == nullptr;
  const std::byte* const begin = open_->payload();
  const auto n_tag_bytes = begin + span_ - end_;
  if (link.cursor < begin || link.cursor > link.limit || link.limit > end_ || n_tag_bytes < 0) return false;
  if (tag_bytes != 0 && n_tag_bytes % tag_bytes != 0) return false;
  if (layout == item_layout::records) return link.kind == nullptr;
  const bool has_runs = layout == item_layout::runs;
  // The kind may be gone: it is that of an earlier buffer, and its plugin may have been closed since.
  if (has_runs && link.cursor == begin) return link.limit == begin && link.run_begin == nullptr;
  if (link.kind == nullptr || link.kind->bytes == 0) return true;
  if (!has_runs && link.room_end > end_) return false;
  const std::byte* const items = has_runs ? link.run_begin : begin;
  return (link.limit - link.cursor) % link.kind->bytes == 0 &&
         (items == nullptr || (link.cursor - items) % link.kind->bytes == 0);
}

}  // namespace shoal::internal
