/// A lock for a few instructions, which most objects do not need.
#pragma once

#include <atomic>

namespace shoal::internal {

class spin_lock {
public:
  /// Holds the lock while it lives, if `is_needed`.
  class holder {
  public:
    holder(spin_lock& lock, bool is_needed) noexcept : held_(is_needed ? &lock.is_held_ : nullptr) {
      if (held_ != nullptr && held_->exchange(true, std::memory_order_acquire)) [[unlikely]]
        lock.wait();
    }
    ~holder() {
      if (held_ != nullptr) [[unlikely]]
        held_->store(false, std::memory_order_release);
    }
    holder(const holder&) = delete;

  private:
    std::atomic<bool>* const held_;
  };

private:
  [[gnu::cold]] void wait() noexcept;

  std::atomic<bool> is_held_{false};
};

}  // namespace shoal::internal
