/// PEs that have nothing to do take actors from others.
///
/// A PE whose last due actor has acted asks some other PE. That one keeps the question in mind, and offers actors when this would
/// bring the loads of both nearer to each other: the shares of time that acts took lately. The first takes up one offer at a time, and
/// says what its load is then, so that those who offer at the same time do not overwhelm it. (The thesis's PEs steal in the same
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
  /// The last actor of this PE has finished, or is on its way to another PE. On any worker.
  void note_last();

  // --- In handlers

  /// Nothing was to do some time ago.
  void on_idle();
  /// PE `thief` has nothing to do; its load is `load`.
  void on_question(pe_id thief, double load);
  /// Looks at the questions that were kept in mind.
  void look();
  /// PE `victim` offers actors.
  void on_offer(pe_id victim);
  /// PE `thief` takes up the offer.
  void on_acceptance(pe_id thief, double load);
  /// The actors that come are a load of `given`.
  void on_gift(double given);

private:
  struct question {
    pe_id thief;
    double load;
  };

  void ask(pe_id other);
  void ask_some_pe();
  void ask_many();
  void keep(const question& its);
  bool has_for(const question& its, double least_movable) const noexcept;
  double give(pe_id thief, double difference);
  void measure();
  std::vector<actor_node*> movable() const;

  graph_part& part_;
  bool is_on_ = false;
  random_engine victims_;
  std::atomic<std::uint64_t> asked_ns_{0};
  std::atomic<std::uint64_t> looked_ns_{0};
  std::atomic<bool> has_questions_{false};
  std::vector<question> questions_;
  bool takes_ = false;  // what another PE gives
  std::vector<pe_id> offers_;  // of others, meanwhile
  std::uint64_t measured_ns_ = 0;  // begin of the time that is measured now
  double load_ = 0;
};

}  // namespace shoal::internal
