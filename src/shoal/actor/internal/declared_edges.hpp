/// The edges of the termination graph, as the program declares them; a send along another one is refused.
///
/// Each mailbox keeps the list of those that feed it (superstep_part). Which mailboxes accept a send now follows from whose
/// code runs, and is set when that changes. So a send asks no more than one to an undeclared mailbox.
#pragma once

#include <span>
#include <vector>

namespace shoal::internal {

class superstep_part;

/// Those of a PE. All functions are local and do not wait.
class declared_edges {
public:
  bool is_empty() const noexcept { return declared_.empty(); }

  /// Only main programs and the handlers of these mailboxes send to `fed`. Adds to what was declared before. Ends the job
  /// if its place in the graph is fixed already.
  void declare(superstep_part& fed, std::span<superstep_part* const> feeders);

  /// A mailbox ends its life.
  void forget(const superstep_part& gone) noexcept;

  /// Lets the code that runs now send to the mailboxes that `sender` feeds: to no others if it is null. `is_main`: and to
  /// those with which this PE's main program is not done.
  void let_send(const superstep_part* sender, bool is_main) const noexcept;

private:
  std::vector<superstep_part*> declared_;  // mailboxes whose feeders are declared
};

}  // namespace shoal::internal
