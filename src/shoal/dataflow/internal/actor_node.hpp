/// What a graph knows of one of its actors: its ports, and whether it is to act.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "shoal/dataflow/internal/act_cost.hpp"
#include "shoal/dataflow/internal/act_state.hpp"
#include "shoal/dataflow/internal/actor_mover.hpp"

namespace shoal::dataflow {
enum class firing : std::uint8_t;
}

namespace shoal::internal {

class graph_part;
class input_end;
class output_end;

/// What an actor takes along when it moves, but for its channels and its state. Of the PE's own thread.
struct actor_identity {
  std::string name;
  std::string added_at;  // in the program
  std::unique_ptr<actor_mover> mover;  // null: it cannot move
  std::uint32_t n_moves = 0;  // to other PEs
  // Who looks after its name knows of it. Before that, it does not move and does not go: the news would overtake each
  // other.
  bool is_known = false;
  bool has_begun = false;  // its `start` was called
};

/// Decides when an actor acts. Changes at its ports make it due; its act is a task (graph_part.hpp).
class actor_node {
public:
  actor_node(dataflow::actor& of, dataflow::firing rule, void (*act_of)(dataflow::actor&, bool is_first)) noexcept
      : of_(of), act_of_(act_of), rule_(rule) {}
  actor_node(const actor_node&) = delete;
  actor_node& operator=(const actor_node&) = delete;

  dataflow::actor& of() const noexcept { return of_; }
  const std::string& name() const noexcept { return identity_.name; }
  const std::vector<input_end*>& inputs() const noexcept { return inputs_; }
  const std::vector<output_end*>& outputs() const noexcept { return outputs_; }
  /// Null until the actor is in a graph.
  graph_part* part() const noexcept { return part_; }
  bool is_acting() const noexcept { return has_started_ && state_.is_acting(); }
  bool has_finished() const noexcept { return has_finished_; }

  // --- For ports

  void enter(input_end& its) { inputs_.push_back(&its); }
  void enter(output_end& its) { outputs_.push_back(&its); }
  void leave(const input_end& its) noexcept { std::erase(inputs_, &its); }
  void leave(const output_end& its) noexcept { std::erase(outputs_, &its); }

  /// A port of it has changed. On any worker. With several workers every change makes the actor due, even if the rule
  /// does not let it act: two ports may change at the same time, and then neither sees the other's token. `run` looks.
  void note_change() noexcept {
    if (!is_shared_ && state_.is_idle() && !may_act()) return;
    note_end();
  }
  /// The other end of a channel has ended. As note_change, whatever the rule is.
  void note_end() noexcept {
    if (state_.note_change()) become_ready();
  }
  /// The act that runs has read or written. `owes`: a writer on another PE is to be told what was read.
  void note_move(bool owes) noexcept {
    has_moved_ = true;
    owes_ |= owes;
  }

  // --- In its act

  void finish(bool leaves = false) noexcept {
    has_finished_ = true;
    is_leaving_ |= leaves;
  }
  /// Care is due after each act, until the own thread has nothing left to do.
  void want_care(bool is_wanted = true) noexcept { wants_care_.store(is_wanted, std::memory_order_relaxed); }

  // --- For the graph's part on this PE, on its own thread

  void join(graph_part& part, actor_identity identity, bool is_shared);
  actor_identity& identity() noexcept { return identity_; }
  const actor_identity& identity() const noexcept { return identity_; }
  /// Lets it begin: all its ports are connected.
  void start() noexcept;
  bool has_started() const noexcept { return has_started_; }
  /// Acts if it may. The actor is due, and has left the list. On any worker.
  void run();
  bool is_leaving() const noexcept { return is_leaving_; }
  /// It finishes and leaves. It is held, and has been taken from the list.
  void finish_for_ever();

  /// Keeps it from acting until `release`. False: it acts; care is due when that act has ended.
  bool try_hold() noexcept {
    was_started_ = has_started_;
    return !has_started_ || state_.try_hold();
  }
  void release() noexcept {
    if (was_started_ && state_.release() && !has_finished_) become_ready();
  }
  /// While it is held: it stands in the list of those that are due, or is about to.
  bool is_in_list() const noexcept { return has_started_ && !has_finished_ && state_.is_in_list(); }

  act_cost& cost() noexcept { return cost_; }  // if acts are measured
  const act_cost& cost() const noexcept { return cost_; }

  /// Empty: there is none.
  std::string port_named_twice() const;
  /// Ports that must be connected and are not.
  std::string missing_ports() const;

  actor_node* next_ready = nullptr;  // in the list of its PE

private:
  /// The firing rule, and that it has not finished.
  bool may_act() const noexcept;
  void become_ready() noexcept;
  void act(bool is_first);
  void end_act();
  void end_life();
  void act_measured(bool is_first);
  void pay_writers();

  dataflow::actor& of_;
  void (*const act_of_)(dataflow::actor&, bool is_first);
  const dataflow::firing rule_;
  bool is_shared_ = false;  // the PE has several workers
  bool has_started_ = false;
  bool was_started_ = false;  // when it was held
  bool is_measured_ = false;
  std::atomic<bool> has_finished_{false};
  bool is_leaving_ = false;
  bool has_moved_ = false;
  bool owes_ = false;
  act_state state_;
  std::atomic<bool> wants_care_{false};
  graph_part* part_ = nullptr;
  actor_identity identity_;
  std::vector<input_end*> inputs_;
  std::vector<output_end*> outputs_;
  act_cost cost_;
};

}  // namespace shoal::internal
