/// Futures of the ends of mailboxes: `closed()` of a mailbox or a selector.
///
/// What the main program lets wait for an end is the last act of the mailbox: it may send where the handlers of that
/// mailbox may, and those that the mailbox feeds close only after it. What a handler lets wait keeps the handler's own
/// mailbox open, as for any answer.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <source_location>
#include <span>
#include <vector>

namespace shoal::internal {

class answers;
class closings;
struct pending_answer;
class superstep_part;

/// The end of some mailboxes: a future of it has been given out.
struct awaited_end {
  std::vector<superstep_part*> open;  // those that have not closed yet
  // Valid while some are open:
  superstep_part* whose;  // the mailbox of which what waits is the last act
  pending_answer* answer;
  std::size_t depth;  // of their finish
  std::uint64_t n_waiting = 0;  // what waits as a last act
};

/// Those of a PE. All functions are local and do not wait.
class awaited_ends {
public:
  /// Outlives this object.
  explicit awaited_ends(closings& graph) noexcept : graph_(graph) {}
  awaited_ends(const awaited_ends&) = delete;
  awaited_ends& operator=(const awaited_ends&) = delete;

  /// The place of an answer that comes when all of these have closed. At least one is open.
  pending_answer& open(answers& all, std::span<superstep_part* const> mailboxes, const std::source_location& where);

  /// Something waits at `where` for an end, or for what follows it. `sender`: the mailbox for which what runs now counts;
  /// `is_main`: that is the main program, or work that it has left. Returns the mailbox that counts it as
  /// work. Ends the job if `sender` cannot close before, or if the end does not come.
  superstep_part* attach(awaited_end& to, superstep_part* sender, bool is_main, const std::source_location& where);

  /// How many tasks of the main program that count for `m` wait for ends that come only after it is done with further
  /// mailboxes, or for what answers make of these (then, when_all).
  std::uint64_t n_tasks_that_wait_for_done(const superstep_part& m) const;

  /// Whether something waits for the end of `m` as its last act.
  bool has_last_act(const superstep_part& m) const noexcept;

  /// These have closed. Returns whether something runs now that waited for it (answers::run_ready).
  bool note_closed(answers& all, std::span<superstep_part* const> closed);

  /// A mailbox ends its life, which is closed, or which an exception destroyed in its superstep.
  void forget(const superstep_part& gone) noexcept;

  /// Ends the job if an end cannot come while the main program waits: if one of the mailboxes does not close by itself.
  /// `where`: what waits for it.
  void require_coming(const awaited_end& end, const std::source_location& where) const;

  /// The main program waits for the end of a superstep, and closes nothing more. Ends the job if something waits for an
  /// end that cannot come meanwhile.
  void begin_last_wait(std::size_t depth);
  /// The superstep has ended, and all its mailboxes with it; or, if `is_broken`, their ends never come.
  void end_superstep(std::size_t depth, bool is_broken) noexcept;

private:
  void close(const superstep_part& m);

  static constexpr std::size_t none = SIZE_MAX;

  closings& graph_;
  std::size_t depth_of_last_wait_ = none;
  std::vector<std::unique_ptr<awaited_end>> ends_;  // of open supersteps
};

}  // namespace shoal::internal
