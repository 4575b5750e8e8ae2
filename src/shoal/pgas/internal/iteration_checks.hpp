/// What checked builds look for in loops whose iterations the runtime runs in its own order and more than once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>

#include "shoal/base/types.hpp"

namespace shoal::internal {

inline constexpr bool are_iterations_checked = SHOAL_CHECKED != 0;

/// An element in the symmetric heap of its owner.
struct element_place {
  pe_id pe;
  std::uint64_t offset;  // in the heap

  friend bool operator==(const element_place&, const element_place&) = default;
};

enum class element_use : std::uint8_t { read, put, add };

/// Which iterations of this PE have used which elements, since `clear`.
class iteration_checks {
public:
  /// Notes it. Another iteration whose use of the element does not go with this one; -1: there is none.
  std::int64_t note(const element_place& at, element_use use, std::int64_t iteration);
  void clear() noexcept { uses_.clear(); }

private:
  static constexpr std::int64_t nobody = -1;
  // Two are enough to know of another one.
  struct users {
    std::int64_t first = nobody;
    std::int64_t second = nobody;

    void add(std::int64_t iteration) noexcept;
    std::int64_t other_than(std::int64_t iteration) const noexcept;
  };
  struct uses_of_element {
    users of[3];  // by element_use
  };
  struct hash {
    std::size_t operator()(const element_place& at) const noexcept {
      return static_cast<std::size_t>((static_cast<std::uint64_t>(at.pe) ^ (at.offset << 16)) * 0x9e3779b97f4a7c15);
    }
  };

  std::unordered_map<element_place, uses_of_element, hash> uses_;
};

/// A number that depends on what a closure has captured, and on the first bytes of what it has captured by reference
/// from the stack above: so a counter or a vector that has changed is noticed.
std::uint64_t digest_of_captured(const void* closure, std::size_t bytes) noexcept;

}  // namespace shoal::internal
