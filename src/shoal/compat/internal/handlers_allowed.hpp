/// Lets handlers of selectors run.
#pragma once

#include "shoal/compat/internal/far_calls.hpp"
#include "shoal/compat/internal/reach.hpp"
#include "shoal/conveyor/internal/dispatch.hpp"

namespace shoal::internal::compat {

/// During its lifetime handlers may run on this PE, if `are_allowed`; else as before. In a handler it changes nothing.
class handlers_allowed {
public:
  explicit handlers_allowed(dispatch& of, bool are_allowed = true) : of_(of), held_(of.holds_handlers()) {
    if (held_ && are_allowed && here.far != nullptr) here.far->complete_before_handlers();
    of_.hold_handlers(held_ && !are_allowed);
  }
  ~handlers_allowed() { of_.hold_handlers(held_); }
  handlers_allowed(const handlers_allowed&) = delete;
  handlers_allowed& operator=(const handlers_allowed&) = delete;

private:
  dispatch& of_;
  const bool held_;
};

}  // namespace shoal::internal::compat
