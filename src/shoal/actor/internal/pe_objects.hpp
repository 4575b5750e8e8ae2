/// Numbered objects of a PE. The numbers are the same on every PE, so a handle may be sent. per_pe.hpp builds on it.
#pragma once

#include <cstdint>
#include <vector>

namespace shoal::internal {

class pe_objects {
public:
  /// Numbers a new object. All PEs enlist theirs in the same order. Numbers are never reused, so a destroyed object
  /// costs 8 bytes until the world ends, and the object after the 2^32nd ends the job.
  std::uint32_t enlist(void* object);
  void delist(std::uint32_t id) noexcept;
  bool holds(std::uint32_t id, const void* object) const noexcept {
    return id < objects_.size() && objects_[id] == object;
  }

  /// The object of this PE. Ends the job if it is not yet constructed here or already destroyed.
  void* at(std::uint32_t id) const noexcept {
    if (id >= objects_.size() || objects_[id] == nullptr) [[unlikely]]
      no_such_object();
    return objects_[id];
  }

private:
  [[noreturn]] static void no_such_object() noexcept;

  std::vector<void*> objects_;  // by number; null: destroyed
};

}  // namespace shoal::internal
