/// What `finish` of HClib waits for, on one PE.
#pragma once

#include <cstdint>

#include "shoal/compat/internal/waiter.hpp"

namespace shoal::internal::compat {

/// Counts what a finish waits for: tasks made in it, and mailboxes started in it. Lives until it is ended and empty.
class finish_scope {
public:
  void hold() noexcept { ++n_held_; }
  void release() noexcept {
    if (--n_held_ == 0 && waiter_ != nullptr) note_empty();
  }
  bool is_empty() const noexcept { return n_held_ == 0; }

  /// Wakes `its` once, when the scope is empty, which it is not now.
  void add(waiter& its) noexcept { waiter_ = &its; }

private:
  void note_empty() noexcept;

  std::int64_t n_held_ = 0;
  waiter* waiter_ = nullptr;
};

/// The innermost finish of the task that runs now; null outside of hclib::launch.
finish_scope* current_finish() noexcept;

/// While it lives, tasks that this code makes belong to `scope`: for handlers, whose tasks belong to the finish that their
/// mailbox belongs to. Null: to the root. What it encloses does not wait.
class in_finish {
public:
  explicit in_finish(finish_scope* scope) noexcept;
  ~in_finish();
  in_finish(const in_finish&) = delete;
  in_finish& operator=(const in_finish&) = delete;

private:
  finish_scope* const around_;
};

}  // namespace shoal::internal::compat
