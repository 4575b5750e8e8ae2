#include "shoal/conveyor/internal/slot_pool.hpp"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <new>
#include <utility>

#include "shoal/base/internal/ambient.hpp"
#include "shoal/base/internal/contract.hpp"

namespace shoal::internal {

namespace {

// What its contents need: a sender that waits posts buffers that are hardly filled.
std::size_t bytes_of_copy(const buffer_header& header) noexcept {
  return (sizeof(buffer) + header.bytes + cache_line_bytes - 1) / cache_line_bytes * cache_line_bytes;
}

}  // namespace

void slot_pool::free_block::operator()(buffer* block) const noexcept { std::free(block); }

slot_pool::slot_pool(substrate& backend, const slot_pool_options& options)
    : backend_(backend), options_(options), holders_(backend.n_slots()) {
  reclaim();
}

slot_pool::~slot_pool() {
  if (!is_followed()) return;
  for (buffer* slot : free_) backend_.release(*slot);
}

// --- Accounts

void slot_pool::open(account& a, std::size_t n_links) {
  SHOAL_ASSERT(can_open());
  a = {.slots_of_link = std::vector<std::uint32_t>(n_links)};
  ++n_idle_reserves_;
  set_n_accounts(n_accounts_ + 1);
}

void slot_pool::close(account& a) noexcept {
  reclaim();
  SHOAL_ASSERT(a.n_blocks == 0);
  if (a.n_slots == 0) {
    --n_idle_reserves_;
  } else {
    for (holder& h : holders_) {
      if (h.held_by == &a) h.held_by = nullptr;
    }
    n_shared_taken_ -= a.n_slots - 1;
  }
  a = {};
  set_n_accounts(n_accounts_ - 1);
  SHOAL_ASSERT(is_balanced());
}

void slot_pool::set_n_accounts(std::size_t n) noexcept {
  n_accounts_ = n;
  n_shared_ = std::min(options_.n_shared_slots, n_slots() - n);
  n_of_link_max_ = std::max<std::size_t>(1, n_shared_ / 2);
}

// --- Slots

bool slot_pool::may_take(const account& a, std::size_t link) const noexcept {
  if (free_.empty()) return false;
  if (a.n_slots == 0) return true;  // the reserve
  return free_.size() > n_idle_reserves_ && n_shared_taken_ < n_shared_ && a.slots_of_link[link] < n_of_link_max_;
}

buffer* slot_pool::acquire(account& a, std::size_t link) noexcept {
  if (!may_take(a, link)) {
    reclaim();
    if (!may_take(a, link)) return nullptr;
  }
  buffer& slot = *free_.front();
  free_.pop_front();
  // The next slot's header is needed then, and another PE may have written it.
  if (!free_.empty()) __builtin_prefetch(free_.front(), 1);
  SHOAL_ASSERT(backend_.owns(slot) && !holder_of(slot).is_in_use);
  holder_of(slot) = {&a, static_cast<std::uint32_t>(link), true};
  ++n_in_use_;
  if (a.n_slots++ == 0) {
    --n_idle_reserves_;
  } else {
    ++n_shared_taken_;
  }
  ++a.slots_of_link[link];
  note_memory(a);
  SHOAL_ASSERT(is_balanced());
  return &slot;
}

void slot_pool::unhold(buffer& slot) noexcept {
  holder& h = holder_of(slot);
  n_in_use_ -= h.is_in_use;
  h.is_in_use = false;
  if (h.held_by == nullptr) return;
  account& a = *std::exchange(h.held_by, nullptr);
  SHOAL_ASSERT(a.n_slots != 0 && a.slots_of_link[h.link] != 0);
  --a.slots_of_link[h.link];
  if (--a.n_slots == 0) {
    ++n_idle_reserves_;
  } else {
    --n_shared_taken_;
  }
}

void slot_pool::reclaim() noexcept {
  while (buffer* slot = backend_.try_acquire()) {
    unhold(*slot);
    // To the back: slots that other PEs read are reused last, when their lines have left those caches.
    free_.push_back(slot);
  }
}

void slot_pool::give_back(buffer& b) noexcept {
  if (is_copy(b)) [[unlikely]] {
    copy_bytes_ -= bytes_of_copy(b.header);
    std::free(&b);
    return;
  }
  if (!backend_.owns(b)) {
    backend_.release(b);
    return;
  }
  unhold(b);
  // To the front: this PE read its own message, so the slot is in its cache.
  free_.push_front(&b);
}

// Counts what the accounts hold and compares it with the pool's running totals.
bool slot_pool::is_balanced() const noexcept {
  return n_in_use_ + free_.size() <= n_slots() && n_idle_reserves_ <= n_accounts_ &&
         n_shared_taken_ + (n_accounts_ - n_idle_reserves_) <= n_in_use_;
}

// --- Blocks beyond the credits

buffer* slot_pool::new_block(account& a, bool is_apart) {
  if (!is_apart && !is_in_budget(block_bytes())) return nullptr;
  buffer* block = nullptr;
  if (!spare_blocks_.empty()) {
    block = spare_blocks_.back().release();
    spare_blocks_.pop_back();
  } else {
    void* const memory = std::aligned_alloc(cache_line_bytes, block_bytes());
    if (memory == nullptr) end_job(status_failure, "out of memory for what handlers sent");
    block = new (memory) buffer;
  }
  block->slot = is_apart ? slot_of_block_apart : slot_of_block;
  ++n_blocks_;
  ++a.n_blocks;
  n_budgeted_ += !is_apart;
  a.n_budgeted += !is_apart;
  note_memory(a);
  a.n_apart_most = std::max(a.n_apart_most, a.n_blocks - a.n_budgeted);
  return block;
}

void slot_pool::recycle_block(account& a, buffer& block) noexcept {
  SHOAL_ASSERT(n_blocks_ != 0 && a.n_blocks != 0);
  const bool is_apart = block.slot == slot_of_block_apart;
  SHOAL_ASSERT(n_budgeted_ >= !is_apart && a.n_budgeted >= !is_apart);
  --n_blocks_;
  --a.n_blocks;
  n_budgeted_ -= !is_apart;
  a.n_budgeted -= !is_apart;
  constexpr std::size_t n_spare_max = 64;
  std::unique_ptr<buffer, free_block> owned(&block);
  if (spare_blocks_.size() < n_spare_max) spare_blocks_.push_back(std::move(owned));
}

// --- Copies

buffer* slot_pool::copy_of(const buffer& arrived) noexcept {
  const std::size_t bytes = bytes_of_copy(arrived.header);
  void* const memory = is_in_budget(bytes) ? std::aligned_alloc(cache_line_bytes, bytes) : nullptr;
  if (memory == nullptr) return nullptr;
  buffer* const copy = new (memory) buffer;
  copy->slot = slot_of_copy;
  copy->header = arrived.header;
  std::memcpy(copy->payload(), arrived.payload(), arrived.header.bytes);
  copy_bytes_ += bytes;
  copy_bytes_most_ = std::max(copy_bytes_most_, copy_bytes_);
  return copy;
}

}  // namespace shoal::internal
