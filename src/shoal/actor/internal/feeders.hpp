/// The mailboxes that feed a mailbox, as its program has declared them.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "shoal/base/internal/spin_lock.hpp"

namespace shoal::internal {

class superstep_part;

/// Only the PE's own thread changes them; tasks on other workers may look at any time.
class feeders {
public:
  bool has(const superstep_part& sender) const noexcept {
    const spin_lock::holder lock(changing_, true);
    return is_in(sender);
  }
  /// False: it is there.
  bool add(superstep_part& next) {
    const spin_lock::holder lock(changing_, true);
    if (is_in(next)) return false;
    all_.push_back(&next);
    return true;
  }
  void forget(const superstep_part& gone) noexcept {
    const spin_lock::holder lock(changing_, true);
    std::erase(all_, &gone);
  }
  /// For the PE's own thread.
  std::span<superstep_part* const> all() const noexcept { return all_; }

private:
  bool is_in(const superstep_part& one) const noexcept {
    return std::find(all_.begin(), all_.end(), &one) != all_.end();
  }

  std::vector<superstep_part*> all_;
  mutable spin_lock changing_;
};

}  // namespace shoal::internal
