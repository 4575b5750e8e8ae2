/// Mailboxes that close by themselves, in the order of the termination graph.
///
/// A mailbox whose feeders are declared closes as soon as those have closed everywhere, every main program is done with
/// it, and its messages are handled. docs/design/termination.md has the proof.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "shoal/actor/internal/main_program.hpp"
#include "shoal/control/internal/group.hpp"

namespace shoal::internal {

class control_plane;
class exchange;
class superstep_part;

/// Those of a PE. All functions are local and do not wait.
class closings final : public reporting_part {
public:
  /// `through` outlives this object.
  explicit closings(exchange& through);
  ~closings();
  closings(const closings&) = delete;
  closings& operator=(const closings&) = delete;

  /// Fixes the places of a superstep's mailboxes in the graph: from now on they close when their turn comes. Those that
  /// have a place keep it. Ends the job if one is fed by a mailbox of another superstep.
  void fix(std::span<superstep_part* const> mailboxes);
  /// Some of a superstep's mailboxes were closed explicitly, and these are left. Those whose places are fixed already close
  /// by themselves now if only those kept them from it.
  void fix_again(std::span<superstep_part* const> mailboxes);
  /// Whether a mailbox whose place is fixed closes by itself: all that feed it, directly or not, are declared.
  bool closes_by_itself(const superstep_part& m) const noexcept;
  /// The last of these to close; null if none of them closes by itself.
  superstep_part* last_to_close(std::span<superstep_part* const> some) const noexcept;
  /// Takes part in the waves and closes what is due. Appends what it has closed. Returns whether anything happened.
  bool advance(std::vector<superstep_part*>& closed);
  /// Whether all knots of a superstep have closed.
  bool have_closed(std::size_t depth) const noexcept;
  /// The superstep has ended. `is_broken`: by an exception, so that waves may be under way.
  void end_superstep(std::size_t depth, bool is_broken) noexcept;

  /// A mailbox ends its life.
  void forget(const superstep_part& gone) noexcept;
  /// Whether there are knots, so that `advance` has something to do.
  bool are_any() const noexcept { return !knots_.empty(); }

  /// For reports: what keeps mailboxes open. Empty if there are none.
  [[gnu::cold]] std::string describe() const override;

private:
  struct knot;

  void place(std::span<superstep_part* const> mailboxes);
  void make_knot(std::vector<superstep_part*> members, std::vector<superstep_part*> feeders, bool is_cyclic);
  const knot* knot_of(const superstep_part& m) const noexcept;

  exchange& exchange_;
  control_plane* plane_ = nullptr;  // null: not used yet
  std::vector<std::unique_ptr<knot>> knots_;  // of open supersteps, in the order in which they may close
  std::vector<std::unique_ptr<knot>> broken_;  // by exceptions: their waves may be under way until the job ends
  unsigned n_turns_ = 0;  // calls of advance
};

}  // namespace shoal::internal
