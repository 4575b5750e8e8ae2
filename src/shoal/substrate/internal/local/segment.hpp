/// The memory that the PEs of a node share: a page per PE, control messages, buffers, rounds, symmetric heap.
///
/// One layout serves PEs as processes (a memfd, mapped by each) and as threads (one anonymous mapping). It contains no
/// addresses, so it may be mapped anywhere in each process.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>

#include "shoal/base/types.hpp"
#include "shoal/substrate/internal/buffer.hpp"
#include "shoal/substrate/internal/control.hpp"
#include "shoal/substrate/internal/local/job_page.hpp"
#include "shoal/substrate/internal/local/slot_stack.hpp"
#include "shoal/substrate/internal/substrate.hpp"

namespace shoal::internal::local {

/// A place for one control message, in the page of its owner. The owner fills it; the target copies the message out and
/// returns the cell. A cell's number is its owner's times n_controls_max plus its place in the page.
struct control_cell {
  alignas(cache_line_bytes) std::atomic<std::uint32_t> next{0};  // link in a stack
  std::uint32_t bytes = 0;
  alignas(cache_line_bytes) std::byte data[control_bytes_max];
};

/// What other PEs write for a PE. Each kind of word has its own line, since different PEs write them. Control messages
/// are rare; their stacks share the lines that a poll of buffers loads anyway.
struct pe_page {
  alignas(cache_line_bytes) slot_stack inbox{0};  // buffers posted to this PE, newest first
  slot_stack controls{0};  // control messages sent to this PE, in their senders' cells
  alignas(cache_line_bytes) slot_stack returned{0};  // slots of this PE that receivers released
  slot_stack returned_controls{0};  // this PE's cells whose messages have been polled

  // 1 while the PE sleeps or is about to; its futex word. See local_substrate::wait.
  alignas(cache_line_bytes) std::atomic<std::uint32_t> asleep{0};

  // Contributions to rounds, in two alternating sets: a PE may write to round r+1 while a slow one still reads round r,
  // but no PE can be at r+2 before all have left r.
  alignas(cache_line_bytes) std::byte contribution[2][round_bytes_max];

  control_cell cells[n_controls_max];
};

/// Rounds: who has arrived, and the result of the last one.
struct round_page {
  alignas(cache_line_bytes) std::atomic<std::uint32_t> n_arrived[2] = {};
  alignas(cache_line_bytes) std::atomic<std::uint64_t> n_completed{0};
  alignas(cache_line_bytes) std::byte result[round_bytes_max];
};

/// How a job's memory is divided. A pure function of five numbers, so all PEs agree without communication.
struct segment_layout {
  segment_layout(pe_id n_pes, std::size_t n_slots, std::size_t payload_bytes, std::size_t heap_bytes,
                 std::size_t extra_bytes = 0);

  pe_id n_pes;
  std::size_t n_slots;
  std::size_t slot_stride;  // bytes from slot to slot
  std::size_t pool_bytes;  // all slots of one PE, page aligned
  std::size_t heap_bytes;  // symmetric heap of one PE, page aligned

  std::size_t round_offset;
  std::size_t pages_offset;
  std::size_t pools_offset;
  std::size_t heaps_offset;
  std::size_t extra_offset;  // for a substrate that builds on this one
  std::size_t total_bytes;
};

/// The segment as mapped by this process. Owns the mapping.
class segment {
public:
  /// Maps the job's memfd, after growing it to size. Every PE does so, in any order. A descriptor below 0 gives memory
  /// of this process alone. Throws setup_error.
  segment(const segment_layout& layout, int job_fd);
  /// Memory private to this process: for a job of one PE, or with PEs as threads.
  explicit segment(const segment_layout& layout);
  ~segment();
  segment(const segment&) = delete;
  segment& operator=(const segment&) = delete;

  const segment_layout& layout() const noexcept { return layout_; }
  int fd() const noexcept { return fd_; }

  job_page& job() const noexcept { return *reinterpret_cast<job_page*>(base_); }
  round_page& rounds() const noexcept { return *reinterpret_cast<round_page*>(base_ + layout_.round_offset); }
  pe_page& page(pe_id pe) const noexcept { return reinterpret_cast<pe_page*>(base_ + layout_.pages_offset)[pe]; }
  std::byte* pool(pe_id pe) const noexcept {
    return base_ + layout_.pools_offset + static_cast<std::size_t>(pe) * layout_.pool_bytes;
  }
  std::byte* heap(pe_id pe) const noexcept {
    return base_ + layout_.heaps_offset + static_cast<std::size_t>(pe) * layout_.heap_bytes;
  }

  std::byte* extra() const noexcept { return base_ + layout_.extra_offset; }

  /// Whether a buffer is a slot of this segment; and whether it is one of PE `pe`.
  bool contains(const buffer& b) const noexcept { return is_between(b, 0, layout_.n_pes); }
  bool is_of(const buffer& b, pe_id pe) const noexcept { return is_between(b, pe, pe + 1); }

  /// A slot by its number, counted over all PEs.
  buffer& slot(std::uint32_t number) const noexcept {
    const auto n = static_cast<std::uint32_t>(layout_.n_slots);
    return *reinterpret_cast<buffer*>(pool(number / n) + (number % n) * layout_.slot_stride);
  }

private:
  void map_alone();
  bool is_between(const buffer& b, pe_id first, pe_id end) const noexcept {
    const auto* const at = reinterpret_cast<const std::byte*>(&b);
    return !std::less<>{}(at, pool(first)) && std::less<>{}(at, pool(end));
  }

  segment_layout layout_;
  std::byte* base_ = nullptr;
  int fd_ = -1;
};

}  // namespace shoal::internal::local
