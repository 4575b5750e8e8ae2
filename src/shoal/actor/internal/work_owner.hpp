/// For whom an item of work, or a task, counts.
#pragma once

#include <cstdint>

namespace shoal::internal {

class superstep_part;

/// The mailbox that counts it, and whether the main program has left it, or what that has left, and no handler. In one word,
/// since lists keep one for each item.
class work_owner {
public:
  work_owner() = default;
  work_owner(superstep_part& whose, bool is_of_main) noexcept
      : word_(reinterpret_cast<std::uintptr_t>(&whose) | std::uintptr_t{is_of_main}) {}

  explicit operator bool() const noexcept { return word_ != 0; }
  superstep_part& mailbox() const noexcept { return *reinterpret_cast<superstep_part*>(word_ & ~std::uintptr_t{1}); }
  bool is_of_main() const noexcept { return (word_ & 1) != 0; }

  friend bool operator==(work_owner, work_owner) = default;

private:
  std::uintptr_t word_ = 0;  // the mailbox's address, which is even
};

}  // namespace shoal::internal
