/// A queue of events in virtual time.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace shoal::internal::sim {

inline constexpr std::uint64_t never_ns = std::numeric_limits<std::uint64_t>::max();

/// Entries in order of time. Entries of equal time are ordered by `tie`, a random word drawn when the entry was made,
/// so the seed decides and not an address or the order of insertion. Entry has members time_ns and tie. Operations take
/// O(log n) and allocate only while the queue grows.
template <class Entry>
class time_queue {
public:
  bool is_empty() const noexcept { return entries_.empty(); }
  std::size_t size() const noexcept { return entries_.size(); }
  const Entry& first() const noexcept { return entries_.front(); }
  std::uint64_t first_time_ns() const noexcept { return is_empty() ? never_ns : first().time_ns; }
  const std::vector<Entry>& unordered() const noexcept { return entries_; }

  void push(const Entry& entry) {
    entries_.push_back(entry);
    std::push_heap(entries_.begin(), entries_.end(), is_later);
  }

  Entry pop() noexcept {
    std::pop_heap(entries_.begin(), entries_.end(), is_later);
    const Entry earliest = entries_.back();
    entries_.pop_back();
    return earliest;
  }

private:
  static bool is_later(const Entry& a, const Entry& b) noexcept {
    return a.time_ns != b.time_ns ? a.time_ns > b.time_ns : a.tie > b.tie;
  }

  std::vector<Entry> entries_;
};

}  // namespace shoal::internal::sim
