/// Actors in declared form: states, and what leads from one to another.
#pragma once

#include <functional>
#include <utility>
#include <vector>

#include "shoal/dataflow/actor.hpp"

namespace shoal::dataflow {

/// An actor whose acts the library derives from transitions: from a state, if a guard holds, do an action and enter
/// another state. This is the automaton of the formal model ("An Actor Library for MPI", 2019, section 4.1):
///
///     enum class phase { open, closed };
///     class gate final : public shoal::dataflow::state_machine<phase> {
///       shoal::dataflow::in_port<int> in{*this, "in"};
///       shoal::dataflow::out_port<int> out{*this, "out"};
///     public:
///       gate() : state_machine(phase::open) {
///         transition(phase::open, [this] { return in.available() > 0 && in.peek() < 0; },
///                    [this] { in.read(); }, phase::closed);
///         transition(phase::open, [this] { return in.available() > 0 && out.free_capacity() > 0; },
///                    [this] { out.write(in.read()); }, phase::open);
///         final_state(phase::closed);
///       }
///     };
///
/// An act takes transitions until no guard of the state holds; of several whose guards hold, the one that was declared
/// first. In a final state the actor finishes. `State` can be compared: an enumeration, or a number.
template <class State>
class state_machine : public actor {
public:
  const State& state() const noexcept { return state_; }

protected:
  explicit state_machine(State first, firing rule = firing::on_change) : actor(rule), state_(std::move(first)) {}

  /// Guards look at ports and members, and change nothing. In the constructor.
  void transition(State from, std::function<bool()> guard, std::function<void()> action, State to) {
    of(std::move(from)).leave.push_back({std::move(guard), std::move(action), std::move(to)});
  }
  void final_state(State its) { of(std::move(its)).is_final = true; }

  /// For machines that move (graph::move): archives the state, beside members of their own.
  void serialize_state(auto& archive) { archive(state_); }

private:
  struct way {
    std::function<bool()> guard;
    std::function<void()> action;
    State to;
  };
  struct declared_state {
    State its;
    std::vector<way> leave;
    bool is_final = false;
  };

  // Machines have few states, so a search is as fast as a table.
  declared_state& of(State its) {
    for (declared_state& each : states_) {
      if (each.its == its) return each;
    }
    return states_.emplace_back(declared_state{std::move(its), {}, false});
  }

  void act() final {
    for (;;) {
      const declared_state& now = of(state_);
      if (now.is_final) return finish();
      const way* const next = first_open(now.leave);
      if (next == nullptr) return;
      next->action();
      state_ = next->to;
    }
  }

  static const way* first_open(const std::vector<way>& ways) {
    for (const way& each : ways) {
      if (each.guard()) return &each;
    }
    return nullptr;
  }

  State state_;
  std::vector<declared_state> states_;
};

}  // namespace shoal::dataflow
