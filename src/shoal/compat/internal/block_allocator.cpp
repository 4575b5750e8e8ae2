#include "shoal/compat/internal/block_allocator.hpp"

#include <algorithm>

#include "shoal/base/types.hpp"

namespace shoal::internal::compat {

block_allocator::block_allocator(std::size_t begin, std::size_t end, std::uintptr_t address) : address_(address) {
  if (begin < end) add_gap(begin, end - begin);
}

std::optional<std::size_t> block_allocator::allocate(std::size_t bytes, std::size_t alignment) {
  const std::size_t align = std::max(alignment, cache_line_bytes);
  for (auto gap = gaps_by_bytes_.lower_bound({bytes, 0}); gap != gaps_by_bytes_.end(); ++gap) {
    const auto [gap_bytes, gap_begin] = *gap;
    const std::size_t begin = (address_ + gap_begin + align - 1) / align * align - address_;
    const std::size_t gap_end = gap_begin + gap_bytes;
    if (begin >= gap_end || bytes > gap_end - begin) continue;
    // Gaps begin and end at lines, so that the next block does.
    const std::size_t end =
        std::min(gap_end, (begin + bytes + cache_line_bytes - 1) / cache_line_bytes * cache_line_bytes);
    remove_gap(gap_begin, gap_bytes);
    if (begin > gap_begin) add_gap(gap_begin, begin - gap_begin);
    if (gap_end > end) add_gap(end, gap_end - end);
    blocks_[begin] = {.asked = bytes, .end = end};
    return begin;
  }
  return std::nullopt;
}

bool block_allocator::release(std::size_t offset) {
  const auto found = blocks_.find(offset);
  if (found == blocks_.end()) return false;
  std::size_t begin = offset;
  std::size_t end = found->second.end;
  blocks_.erase(found);
  auto after = gaps_.lower_bound(begin);
  if (after != gaps_.begin()) {
    const auto before = std::prev(after);
    if (before->first + before->second == begin) {
      begin = before->first;
      remove_gap(before->first, before->second);
    }
  }
  if (const auto next = gaps_.find(end); next != gaps_.end()) {
    end += next->second;
    remove_gap(next->first, next->second);
  }
  add_gap(begin, end - begin);
  return true;
}

std::size_t block_allocator::bytes_of(std::size_t offset) const {
  const auto found = blocks_.find(offset);
  return found == blocks_.end() ? 0 : found->second.asked;
}

std::size_t block_allocator::largest_gap() const { return gaps_by_bytes_.empty() ? 0 : gaps_by_bytes_.rbegin()->first; }

void block_allocator::add_gap(std::size_t begin, std::size_t bytes) {
  gaps_.emplace(begin, bytes);
  gaps_by_bytes_.emplace(bytes, begin);
}

void block_allocator::remove_gap(std::size_t begin, std::size_t bytes) {
  gaps_.erase(begin);
  gaps_by_bytes_.erase({bytes, begin});
}

}  // namespace shoal::internal::compat
