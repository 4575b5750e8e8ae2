/// The source of a PE's buffers: its slots, which are its credits, and memory beyond the credits.
///
/// All links of all streams of a PE share one pool, so depth is where the traffic is. Each hop of a stream has an
/// account. Its first slot is its reserve, which no other account takes. An account that opens while others hold all
/// slots gets its reserve as soon as one slot comes back. Slots beyond the reserves of all accounts are shared; no link
/// may hold more than half of them. The reserves alone suffice for progress: docs/design/back-pressure.md has the
/// proof, test/conveyor a test without shared slots.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <vector>

#include "shoal/substrate/internal/substrate.hpp"

namespace shoal::internal {

struct slot_pool_options {
  std::size_t n_shared_slots = SIZE_MAX;  // slots that may be taken beyond the reserves
  std::size_t spill_bytes_max = SIZE_MAX;  // limit for blocks beyond the credits
  bool is_followed = false;  // another pool may follow on the same substrate
};

class slot_pool {
public:
  /// What one hop of a stream holds.
  struct account {
    std::vector<std::uint32_t> slots_of_link;  // open or in transit
    std::size_t n_slots = 0;  // sum of slots_of_link
    std::size_t n_blocks = 0;  // spill blocks, including open ones
    std::size_t n_budgeted = 0;  // those of them that are part of the budget
    std::size_t n_apart_most = 0;  // peak of the others
    std::size_t n_most = 0;  // peak of slots and blocks since it was opened
  };

  slot_pool(substrate& backend, const slot_pool_options& options);
  /// If another pool follows, returns its free slots to the substrate; receivers return the others.
  ~slot_pool();
  slot_pool(const slot_pool&) = delete;
  slot_pool& operator=(const slot_pool&) = delete;

  bool is_followed() const noexcept { return options_.is_followed; }

  /// False if no slot is left that could be its reserve.
  [[nodiscard]] bool can_open() const noexcept { return n_accounts_ < n_slots(); }
  void open(account& a, std::size_t n_links);
  /// Closes an account. Slots of it that receivers still hold come back without an owner.
  void close(account& a) noexcept;

  std::size_t n_slots() const noexcept { return holders_.size(); }
  std::size_t n_accounts() const noexcept { return n_accounts_; }
  /// Of those that this pool has.
  std::size_t n_free() const noexcept { return free_.size(); }

  /// Whether `acquire` would succeed, judged without asking the substrate.
  bool may_take(const account& a, std::size_t link) const noexcept;
  /// A slot for a link of an account; null: not now. Local, nonblocking.
  buffer* acquire(account& a, std::size_t link) noexcept;
  /// Collects the slots that receivers released.
  void reclaim() noexcept;
  /// Returns a consumed or unused buffer to its sender, or to our free slots.
  void give_back(buffer& b) noexcept;

  /// A block for what is sent beyond the credits; null if `spill_bytes_max` is reached. With `is_apart` it counts apart,
  /// without a limit: for fragments of an item that is larger than a buffer. Ends the job if there is no memory.
  buffer* new_block(account& a, bool is_apart);
  void recycle_block(account& a, buffer& block) noexcept;
  std::size_t n_blocks() const noexcept { return n_blocks_; }
  std::size_t block_bytes() const noexcept { return sizeof(buffer) + backend_.payload_bytes(); }

  /// A copy of an arrived buffer in memory of this PE, so that its sender gets the slot back. give_back takes the copy, too.
  /// Null if the limit for blocks or memory itself does not allow one.
  buffer* copy_of(const buffer& arrived) noexcept;
  bool is_copy(const buffer& b) const noexcept { return b.slot == slot_of_copy; }
  std::size_t copy_bytes() const noexcept { return copy_bytes_; }

  /// Peak memory of this PE's buffers: slots filled or in transit, blocks and copies, headers included. A job's memory budget
  /// limits it.
  std::uint64_t bytes_most() const noexcept { return n_most_ * block_bytes() + copy_bytes_most_; }

private:
  // The holder of one of our slots: a link of an account; or none, if it is free.
  struct holder {
    account* held_by = nullptr;  // also null if that account was closed
    std::uint32_t link = 0;
    bool is_in_use = false;
  };
  // A block has no number of a slot; instead it notes whether it counts apart.
  static constexpr std::uint32_t slot_of_block = 0;
  static constexpr std::uint32_t slot_of_block_apart = 1;
  // Of a copy, which has no slot either, but meets buffers that have.
  static constexpr std::uint32_t slot_of_copy = UINT32_MAX - 2;
  struct free_block {
    void operator()(buffer* block) const noexcept;
  };

  // In 32 bits: each buffer asks several times, and a 64-bit division is slow.
  holder& holder_of(const buffer& slot) noexcept { return holders_[slot.slot % static_cast<std::uint32_t>(n_slots())]; }
  void set_n_accounts(std::size_t n) noexcept;
  void unhold(buffer& slot) noexcept;
  // Updates the peaks after an account took a slot or block.
  void note_memory(account& a) noexcept {
    n_most_ = std::max(n_most_, n_in_use_ + n_budgeted_);
    a.n_most = std::max(a.n_most, a.n_slots + a.n_budgeted);
  }
  bool is_balanced() const noexcept;
  bool is_in_budget(std::size_t more_bytes) const noexcept {
    return n_budgeted_ * block_bytes() + copy_bytes_ + more_bytes <= options_.spill_bytes_max;
  }

  substrate& backend_;
  slot_pool_options options_;
  std::deque<buffer*> free_;  // our free slots; the front is the next to be taken
  std::vector<holder> holders_;  // by slot of our pool
  std::size_t n_accounts_ = 0;
  std::size_t n_shared_ = 0;  // slots beyond the reserves of all accounts
  std::size_t n_of_link_max_ = 1;  // limit of slots per link
  std::size_t n_idle_reserves_ = 0;  // accounts that hold no slot
  std::size_t n_shared_taken_ = 0;  // slots held beyond the first of each account
  std::size_t n_in_use_ = 0;  // slots taken and not yet back, those of closed accounts included
  std::size_t n_blocks_ = 0;  // in use
  std::size_t n_budgeted_ = 0;  // those of them that do not count apart
  std::size_t copy_bytes_ = 0;  // memory of copies
  std::size_t n_most_ = 0;  // peak of slots and blocks in use
  std::size_t copy_bytes_most_ = 0;
  std::vector<std::unique_ptr<buffer, free_block>> spare_blocks_;
};

}  // namespace shoal::internal
