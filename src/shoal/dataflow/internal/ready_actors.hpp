/// The actors of a PE whose act is due, the one that has waited longest first.
#pragma once

#include "shoal/base/internal/spin_lock.hpp"
#include "shoal/dataflow/internal/actor_node.hpp"

namespace shoal::internal {

/// A list through the actors, so that it needs no memory. `is_shared`: the PE has several workers.
class ready_actors {
public:
  explicit ready_actors(bool is_shared) noexcept : is_shared_(is_shared) {}

  void push(actor_node& due) noexcept {
    due.next_ready = nullptr;
    const spin_lock::holder holds(lock_, is_shared_);
    (last_ == nullptr ? first_ : last_->next_ready) = &due;
    last_ = &due;
  }
  /// Null: there is none.
  actor_node* pop() noexcept {
    const spin_lock::holder holds(lock_, is_shared_);
    actor_node* const its = first_;
    if (its == nullptr) return nullptr;
    first_ = its->next_ready;
    if (first_ == nullptr) last_ = nullptr;
    return its;
  }

  bool is_empty() noexcept {
    const spin_lock::holder holds(lock_, is_shared_);
    return first_ == nullptr;
  }
  /// False: it is not there, or not yet.
  bool remove(const actor_node& its) noexcept {
    const spin_lock::holder holds(lock_, is_shared_);
    actor_node* before = nullptr;
    for (actor_node* each = first_; each != nullptr; before = each, each = each->next_ready) {
      if (each != &its) continue;
      (before == nullptr ? first_ : before->next_ready) = each->next_ready;
      if (last_ == each) last_ = before;
      return true;
    }
    return false;
  }

private:
  const bool is_shared_;
  actor_node* first_ = nullptr;
  actor_node* last_ = nullptr;
  spin_lock lock_;
};

}  // namespace shoal::internal
