/// All memory that the simulated PEs share: heaps, pools of slots and contributions to rounds, in one mapping.
#pragma once

#include <cstddef>
#include <cstdint>

#include "shoal/base/settings.hpp"
#include "shoal/base/types.hpp"
#include "shoal/substrate/internal/buffer.hpp"

namespace shoal::internal::sim {

/// Zero-filled pages are allocated when they are touched, so a thousand PEs with generous pools cost only what they
/// use. A slot's number is unique in the job: its owner's number times n_slots, plus its place in the owner's pool.
class world_memory {
public:
  static constexpr std::uint32_t no_slot = UINT32_MAX;

  /// Zero for a size in `chosen` means a small default. Throws setup_error.
  explicit world_memory(const settings& chosen);
  ~world_memory();
  world_memory(const world_memory&) = delete;
  world_memory& operator=(const world_memory&) = delete;

  std::size_t n_pes() const noexcept { return n_pes_; }
  std::size_t n_slots() const noexcept { return n_slots_; }
  std::size_t payload_bytes() const noexcept { return payload_bytes_; }
  std::size_t heap_bytes() const noexcept { return heap_bytes_; }

  std::byte* heap(pe_id pe) const noexcept { return base_ + static_cast<std::size_t>(pe) * heap_stride_; }

  /// The place of a slot, whether or not a buffer has been created there.
  buffer* slot(std::uint32_t number) const noexcept {
    return reinterpret_cast<buffer*>(pools_ + number * (sizeof(buffer) + payload_bytes_));
  }
  pe_id owner(std::uint32_t slot_number) const noexcept { return static_cast<pe_id>(slot_number / n_slots_); }

  /// Memory for rounds: round_bytes_max for each PE, twice, then two results.
  std::byte* rounds() const noexcept { return rounds_; }

  /// Between these two calls, AddressSanitizer reports any use of the slot's payload. Without it, they do nothing.
  void forbid_payload(buffer& slot) const noexcept;
  void allow_payload(buffer& slot) const noexcept;

private:
  std::size_t n_pes_;
  std::size_t n_slots_;
  std::size_t payload_bytes_;
  std::size_t heap_bytes_;
  std::size_t heap_stride_ = 0;
  std::size_t mapped_bytes_ = 0;
  std::byte* base_ = nullptr;
  std::byte* pools_ = nullptr;
  std::byte* rounds_ = nullptr;
};

}  // namespace shoal::internal::sim
