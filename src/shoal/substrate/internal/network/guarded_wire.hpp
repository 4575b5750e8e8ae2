/// A wire that knows whether this PE is inside its library.
#pragma once

#include "shoal/substrate/internal/network/wire.hpp"

namespace shoal::internal::network {

/// A library may end the process from inside a call when another rank has failed. Then this rank must not report.
class guarded_wire {
public:
  /// `between` outlives this object.
  explicit guarded_wire(wire& between) noexcept : wire_(between) {}

  /// Calls `action(wire)`. All calls that may enter the library go through this.
  template <class Action>
  auto call(const Action& action) noexcept {
    const visit now(is_inside_);
    return action(wire_);
  }

  /// What the wire knows without a call of the library.
  const wire& facts() const noexcept { return wire_; }

  bool is_inside() const noexcept { return is_inside_; }

  /// Called when this PE ends the job. Whatever ends the process from here on, even a call of exit by the library,
  /// needs no report.
  wire& enter_for_good() noexcept {
    is_inside_ = true;
    return wire_;
  }

private:
  struct visit {
    explicit visit(bool& flag) noexcept : is_inside(flag) { is_inside = true; }
    ~visit() { is_inside = false; }
    visit(const visit&) = delete;
    visit& operator=(const visit&) = delete;
    bool& is_inside;
  };

  wire& wire_;
  bool is_inside_ = false;
};

}  // namespace shoal::internal::network
