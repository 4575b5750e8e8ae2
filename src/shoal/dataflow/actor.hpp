/// Actors of a graph: objects with ports, which act when a port changes.
#pragma once

#include <cstdint>
#include <string>

#include "shoal/dataflow/internal/actor_node.hpp"

namespace shoal {
class world;
}

namespace shoal::dataflow {

class graph;

/// When an actor acts. It has one act at the beginning, too, if the rule lets it.
enum class firing : std::uint8_t {
  on_change,  // a token has arrived, or a channel has more free capacity
  // A token lies at each connected in-port. Again at once, if an act has read or written and that is still so.
  on_all_inputs,
};

/// Derive from it, with ports for members, and say in `act` what it does:
///
///     class doubler final : public shoal::dataflow::actor {
///       shoal::dataflow::in_port<long> in{*this, "in"};
///       shoal::dataflow::out_port<long> out{*this, "out"};
///       void act() override {
///         while (in.available() > 0 && out.free_capacity() > 0) out.write(2 * in.read());
///       }
///     };
///
/// `act` runs in a task (task.hpp) of the PE where the actor lives: one at a time for an actor, beside those of others
/// where the PE has several workers. So it may send messages of actors and closures, wait for futures and make tasks;
/// collective calls and constructions of mailboxes are errors in it. It should return when its ports let it do no more.
/// An exception that leaves it ends the job. (Poeppl's actor model: "An Actor Library for MPI", 2019, chapter 4.)
class actor {
public:
  virtual ~actor();
  actor(const actor&) = delete;
  actor& operator=(const actor&) = delete;

  /// As the graph knows it; empty in the constructor.
  const std::string& name() const noexcept { return node_.name(); }
  bool has_finished() const noexcept { return node_.has_finished(); }

  /// For ports and the graph.
  internal::actor_node& node() noexcept { return node_; }

protected:
  explicit actor(firing rule = firing::on_change) noexcept;

  virtual void act() = 0;
  /// Called once, before the first act, when all channels are there: the place to write the first tokens of cycles.
  virtual void start() {}

  /// Enters the final state: there are no further acts. What others write to its in-ports is dropped from now on. A
  /// graph has ended when all its actors have finished. In `act` and `start`; local, does not wait.
  void finish();

  /// Finishes, and is destroyed soon: its memory comes back while the graph runs, and nobody finds it afterwards. Its name
  /// is not used again. As finish.
  void leave();

  /// The world of the PE where it lives, and the graph. Not in the constructor.
  world& home() const;
  graph& its_graph() const;

private:
  void require_act(const char* call) const;
  internal::graph_part& part(const char* call) const;
  static void act_of(actor& its, bool is_first) { is_first ? its.start() : its.act(); }

  internal::actor_node node_;
};

}  // namespace shoal::dataflow
