/// A value that one thread changes while others look at it: whoever sees a change sees what the thread did before.
#pragma once

#include <atomic>

namespace shoal::internal {

/// Costs an x86 nothing. If several threads change it, changes are lost.
template <class T>
class watched {
public:
  constexpr watched(T value = {}) noexcept : value_(value) {}
  watched& operator=(T value) noexcept {
    value_.store(value, std::memory_order_release);
    return *this;
  }
  operator T() const noexcept { return value_.load(std::memory_order_acquire); }
  watched& operator+=(T change) noexcept { return *this = *this + change; }
  watched& operator++() noexcept { return *this += 1; }
  watched& operator--() noexcept { return *this += static_cast<T>(-1); }

private:
  std::atomic<T> value_;
};

}  // namespace shoal::internal
