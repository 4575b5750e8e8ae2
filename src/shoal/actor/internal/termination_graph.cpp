#include "shoal/actor/internal/termination_graph.hpp"

#include <algorithm>
#include <set>

namespace shoal::internal {
namespace {

// Those that feed a node, directly or not. It is among them if it lies on a cycle.
std::vector<bool> ancestors_of(std::size_t node, const std::vector<graph_node>& nodes) {
  std::vector<bool> found(nodes.size());
  std::vector<std::size_t> to_follow = nodes[node].feeders;
  while (!to_follow.empty()) {
    const std::size_t next = to_follow.back();
    to_follow.pop_back();
    if (found[next]) continue;
    found[next] = true;
    to_follow.insert(to_follow.end(), nodes[next].feeders.begin(), nodes[next].feeders.end());
  }
  return found;
}

}  // namespace

// A few mailboxes with a few feeders each. So every node is asked for its ancestors, which is plain.
std::vector<graph_knot> knots_of(const std::vector<graph_node>& nodes) {
  std::vector<std::vector<bool>> ancestors;
  for (std::size_t i = 0; i < nodes.size(); ++i) ancestors.push_back(ancestors_of(i, nodes));
  // An undeclared mailbox may be fed by all, among them those that it feeds.
  const auto closes = [&](std::size_t i) {
    bool are_declared = nodes[i].is_declared;
    for (std::size_t j = 0; j < nodes.size(); ++j)
      are_declared = are_declared && (nodes[j].is_declared || !ancestors[i][j]);
    return are_declared;
  };

  std::vector<graph_knot> knots;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    if (!closes(i)) continue;
    graph_knot knot;
    std::set<std::size_t> feeders;
    for (std::size_t j = 0; j < nodes.size(); ++j) {
      if (i != j && (!ancestors[i][j] || !ancestors[j][i])) continue;
      knot.members.push_back(j);
      feeders.insert(nodes[j].feeders.begin(), nodes[j].feeders.end());
    }
    if (knot.members.front() != i) continue;  // its first member has made it
    knot.is_cyclic = ancestors[i][i];
    for (const std::size_t member : knot.members) feeders.erase(member);
    knot.feeders.assign(feeders.begin(), feeders.end());
    knots.push_back(std::move(knot));
  }
  // A knot has more ancestors than one that feeds it, if it counts itself: those of the other one, and its own members.
  const auto n_ancestors = [&](const graph_knot& knot) {
    const std::size_t one = knot.members.front();
    return std::ranges::count(ancestors[one], true) + (ancestors[one][one] ? 0 : 1);
  };
  std::ranges::stable_sort(knots, {}, n_ancestors);
  return knots;
}

}  // namespace shoal::internal
