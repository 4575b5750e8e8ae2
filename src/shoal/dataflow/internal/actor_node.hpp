/// What a graph knows of one of its actors: its ports, and whether it is to act.
#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <vector>

namespace shoal::dataflow {
class actor;
enum class firing : std::uint8_t;
}  // namespace shoal::dataflow

namespace shoal::internal {

class graph_part;
class input_end;
class output_end;

/// The act of an actor is *due* from the first change at a port until it begins, and again if a port changes meanwhile. A
/// due actor stands in the list of its PE once, whatever changes. So it acts on one worker at a time, and no change is
/// lost. Where the PE has one worker, nothing here is an atomic operation.
class actor_node {
public:
  actor_node(dataflow::actor& of, dataflow::firing rule, void (*act_of)(dataflow::actor&, bool is_first)) noexcept
      : of_(of), act_of_(act_of), rule_(rule) {}
  actor_node(const actor_node&) = delete;
  actor_node& operator=(const actor_node&) = delete;

  dataflow::actor& of() const noexcept { return of_; }
  const std::string& name() const noexcept { return name_; }
  const std::vector<input_end*>& inputs() const noexcept { return inputs_; }
  const std::vector<output_end*>& outputs() const noexcept { return outputs_; }
  /// Null until the actor is in a graph.
  graph_part* part() const noexcept { return part_; }
  bool has_finished() const noexcept { return has_finished_; }

  // --- For ports

  void enter(input_end& its) { inputs_.push_back(&its); }
  void enter(output_end& its) { outputs_.push_back(&its); }
  void leave(const input_end& its) noexcept { std::erase(inputs_, &its); }
  void leave(const output_end& its) noexcept { std::erase(outputs_, &its); }

  /// A port of it has changed. On any worker.
  void note_change() noexcept {
    if (is_shared_) return note_change_shared();
    const std::uint8_t before = state_.load(std::memory_order_relaxed);
    if (before == idle && !may_act()) return;
    state_.store(before | due, std::memory_order_relaxed);
    if (before == idle) become_ready();
  }
  /// The act that runs has read or written. `owes`: a writer on another PE is to be told what was read.
  void note_move(bool owes) noexcept {
    has_moved_ = true;
    owes_ |= owes;
  }

  // --- For the graph's part on this PE

  void join(graph_part& part, std::string name, bool is_shared);
  /// Lets it begin: all its ports are connected.
  void start() noexcept;
  bool has_started() const noexcept { return has_started_; }
  /// Acts if it may. The actor is due, and stands in no list.
  void run();
  /// In its act.
  void finish() noexcept { has_finished_ = true; }
  bool is_acting() const noexcept { return (state_.load(std::memory_order_relaxed) & acting) != 0 && has_begun_; }
  /// Empty: there is none.
  std::string port_named_twice() const;
  /// Ports that must be connected and are not.
  std::string missing_ports() const;

  actor_node* next_ready = nullptr;  // in the list of its PE

private:
  static constexpr std::uint8_t idle = 0;
  static constexpr std::uint8_t due = 1;
  static constexpr std::uint8_t acting = 2;

  void note_change_shared() noexcept;
  /// The firing rule, and that it has not finished.
  bool may_act() const noexcept;
  void become_ready() noexcept;
  void act(bool is_first);
  void pay_writers();
  void end_act() noexcept;

  dataflow::actor& of_;
  void (*const act_of_)(dataflow::actor&, bool is_first);
  const dataflow::firing rule_;
  bool is_shared_ = false;  // the PE has several workers
  bool has_started_ = false;
  bool has_begun_ = false;  // its `start` was called
  bool has_finished_ = false;
  bool has_moved_ = false;
  bool owes_ = false;
  std::atomic<std::uint8_t> state_{acting};  // until it starts, so that no change makes it ready
  graph_part* part_ = nullptr;
  std::string name_;
  std::vector<input_end*> inputs_;
  std::vector<output_end*> outputs_;
};

}  // namespace shoal::internal
