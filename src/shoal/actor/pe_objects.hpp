/// Objects of a PE by number; the numbers are the same on every PE, so a handle may be sent. per_pe.hpp is built on it.
#pragma once

#include <cstdint>
#include <vector>

namespace shoal {

class pe_objects {
public:
  /// The number of a new object; all PEs enlist theirs in the same order. Numbers are never used again.
  std::uint32_t enlist(void* object);
  void delist(std::uint32_t id) noexcept;

  /// The object of this PE. Ends the job if it is not constructed yet, or gone.
  void* at(std::uint32_t id) const noexcept {
    if (id >= objects_.size() || objects_[id] == nullptr) [[unlikely]]
      no_such_object();
    return objects_[id];
  }

private:
  [[noreturn]] static void no_such_object() noexcept;

  std::vector<void*> objects_;  // by number; null: gone
};

}  // namespace shoal
