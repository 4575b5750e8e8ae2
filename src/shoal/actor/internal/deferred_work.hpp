/// Work that was left for later on this PE: who left it, and when it is done. docs/design/deferred-work.md
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "shoal/actor/internal/work_owner.hpp"
#include "shoal/conveyor/internal/spare_work.hpp"

namespace shoal {
class world;
}

namespace shoal::internal {

class deferred_work;
class exchange;
class main_program;
class superstep_part;
class supersteps;

/// Items of one kind that wait to be done. Local: other PEs need not have it.
///
/// An item counts for the mailbox whose handler left it: as sent when it is left, as handled when it is done. What the
/// main program leaves counts for the closures of its superstep. What an item leaves counts for the mailbox of that item.
class work_queue {
public:
  work_queue(const work_queue&) = delete;
  work_queue& operator=(const work_queue&) = delete;

  const std::string& name() const noexcept { return name_; }

  /// Does up to `n_most` items. Returns whether one could begin, or go on.
  virtual bool run(std::size_t n_most) = 0;
  virtual bool is_empty() const noexcept = 0;
  /// Forgets all items: their superstep was broken off.
  virtual void drop() noexcept = 0;

  // --- For deferred_work: whether it stands in the list there.

  bool is_listed() const noexcept { return is_listed_; }
  void list(bool is_listed) noexcept { is_listed_ = is_listed; }

protected:
  /// Local, in the main program.
  work_queue(world& home, std::string name);
  /// The same anywhere.
  work_queue(deferred_work& all, std::string name) : all_(all), name_(std::move(name)) {}
  ~work_queue();

  /// Counts an item that is left now; returns for whom. Ends the job outside finish. `is_by_program`: by what runs now; or by
  /// somebody else, as whom no main program may count it.
  work_owner leave_one(bool is_by_program = true);
  /// Lets the queue run, though nothing is counted.
  void enter_list();
  /// The mailbox for which work counts that is left now; null outside finish.
  superstep_part* sender_now() const noexcept;
  /// For whom work counts that is left now, in a superstep.
  work_owner owner_now() const noexcept;
  /// Between the two, an item runs that counts for `whose`. It sends as handlers of that mailbox do, or as the main program,
  /// and may wait.
  void begin_item(work_owner whose);
  void end_item(work_owner whose) noexcept;
  /// Whether work that is left now would not count for `whose`.
  bool is_of_another(work_owner whose) const noexcept;
  /// As leave_one, but only if its owner is not in `counted`; adds it there.
  void leave_one_of_many(std::vector<work_owner>& counted);
  [[noreturn]] void refuse_key(std::size_t key, std::size_t n_keys) const;
  /// Ends the job unless there are fewer than `n_keys_max`.
  void require_keys(std::size_t n_keys, std::size_t n_keys_max) const;
  /// Called by the destructor of a derived class. Ends the job if items are left, except while an exception unwinds.
  void end_life() noexcept;

private:
  deferred_work& all_;
  std::string name_;
  bool is_listed_ = false;
};

/// All that was left for later on this PE.
class deferred_work final : public spare_work {
public:
  /// All outlive this object.
  deferred_work(exchange& through, supersteps& steps, main_program& caller);
  ~deferred_work();
  deferred_work(const deferred_work&) = delete;
  deferred_work& operator=(const deferred_work&) = delete;

  /// Does work, and closes mailboxes that are due.
  bool run() override;
  /// The latter alone.
  bool settle() override;

  /// Forgets everything.
  void drop() noexcept;

  // --- For queues

  main_program& caller() const noexcept { return caller_; }
  /// Puts a queue that has items into the list.
  void enter(work_queue& with_items);
  void leave(work_queue& queue) noexcept;
  /// As team_worlds::sender_now.
  superstep_part* sender_now() const noexcept;
  /// Whether the main program runs, or what it has left.
  bool is_main_now() const noexcept;
  /// An item begins that counts for `whose`.
  void begin_item(work_owner whose);
  /// What runs from now on counts for no mailbox.
  void end_items() noexcept;

private:
  bool run_next();

  exchange& exchange_;
  supersteps& steps_;
  main_program& caller_;
  std::vector<work_queue*> listed_;  // those that may have items; they take turns
  std::size_t next_ = 0;  // whose turn it is
  work_owner owner_of_item_;  // valid while the next is not null
  supersteps* of_item_ = nullptr;  // those for which the item counts that runs, or ran last in this turn
};

}  // namespace shoal::internal
