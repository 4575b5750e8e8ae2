/// PEs that have nothing to do take actors from others.
///
/// A PE whose last due actor has acted asks some other PE. That one gives actors away if this brings both nearer to each other, by
/// the share of time that acts took lately; else it keeps the question in mind. (The thesis's PEs steal in the same
/// situation: "An Actor Library for MPI", 2019, chapter 5.)
#pragma once

#include <atomic>
#include <cstdint>
#include <vector>

#include "shoal/base/random.hpp"
#include "shoal/base/types.hpp"

namespace shoal::internal {

class actor_node;
class graph_part;

class work_balance {
public:
  explicit work_balance(graph_part& part);

  /// Local, before the graph runs.
  void turn_on() noexcept { is_on_ = true; }
  bool is_on() const noexcept { return is_on_; }

  /// The graph runs from now on. On the PE's own thread.
  void begin();
  /// An act has ended on some worker. `is_idle`: no actor is due.
  void note_act(bool is_idle);

  /// Nothing was to do some time ago. In a handler, as the next two.
  void on_idle();
  /// PE `thief` has nothing to do; of its time, acts have taken `load` lately.
  void on_question(pe_id thief, double load);
  /// Looks at the questions that were kept in mind.
  void look();

private:
  struct question {
    pe_id thief;
    double load;
    std::uint64_t asked_ns;
  };

  void ask_some_pe();
  void measure();
  bool answer(const question& its);

  graph_part& part_;
  bool is_on_ = false;
  random_engine victims_;
  std::atomic<std::uint64_t> asked_ns_{0};
  std::atomic<std::uint64_t> looked_ns_{0};
  std::atomic<bool> has_questions_{false};
  std::vector<question> questions_;
  std::uint64_t measured_ns_ = 0;  // begin of the time that is measured now
  double load_ = 0;  // time of acts in the last one, as a share of it
};

}  // namespace shoal::internal
