#include "shoal/conveyor/internal/hop_choice.hpp"

#include <algorithm>

#include "shoal/conveyor/internal/relay.hpp"

namespace shoal::internal {
namespace {

// Cost of a buffer between two PEs of a node, and of passing a byte on (docs/performance.md).
constexpr double ns_per_buffer_here = 300;
constexpr double ns_per_byte = 0.1;

// Each hop adds one buffer latency to a superstep, on every PE; in units of what a buffer costs its PEs.
constexpr double buffers_a_way = 8;

// Sums of past costs decay by this factor with each superstep. They are costs, so one long superstep outweighs many
// short ones.
constexpr double memory = 0.75;
// The part of a correction that fades with each superstep.
constexpr double fading = 0.01;
// A change must promise to cut the cost to this part; otherwise routes would flip for nothing.
constexpr double worthwhile = 0.9;

double& at(std::array<double, n_hops_max>& by_hops, int n_hops) {
  return by_hops[static_cast<std::size_t>(n_hops - 1)];
}

double up(double n, double by) { return static_cast<double>(static_cast<std::uint64_t>((n + by - 1) / by)); }

}  // namespace

hop_choice::hop_choice(const node_layout& nodes, const hop_choice_options& options) noexcept
    : options_(options), n_pes_(static_cast<double>(nodes.n_pes())), now_(options.least) {
  const auto on_node = static_cast<double>(nodes.largest_node());
  const auto n_nodes = static_cast<double>(nodes.n_nodes());
  // With fewer nodes than PEs per node, three hops pass through a few PEs of each node, and the others wait for them.
  const double n_passes_of_three = 2 * std::max(1.0, on_node / n_nodes);
  links_ = {links{on_node, n_pes_ - on_node, 0}, links{on_node, n_nodes - 1, 1},
            links{2 * on_node, up(n_nodes, on_node), n_passes_of_three}};
  // On one node, or with one PE on each, a route of several hops saves no links.
  int most = options.least;
  for (int n = options.least + 1; n <= options.most; ++n) {
    if (links_of(n).n() < links_of(most).n()) most = n;
  }
  options_.most = most;
}

// Full buffers would be full with any hop count, once per hop. The others were posted because their PE had nothing more
// to send: in each such round at most one per link, and with another hop count at most one per link of that route. A
// buffer that is divided or passed on becomes at most two, and each holds at least one message.
double hop_choice::cost_ns(const superstep_traffic& last, int seen, int n_hops) const noexcept {
  const auto n_items = static_cast<double>(last.n_items);
  const auto n_bytes = static_cast<double>(last.n_bytes);
  const double n_full_a_hop = n_bytes / static_cast<double>(options_.slot_bytes);
  const double n_partial_seen = std::max(0.0, static_cast<double>(last.n_buffers) - seen * n_full_a_hop);
  const double n_first_partial = std::max(0.0, static_cast<double>(last.n_first_buffers) - n_full_a_hop);

  double n_partial = n_partial_seen;
  if (n_hops != seen) {
    const double n_first_links = seen == 1 ? links_of(1).n() : links_of(1).n_here;
    const double n_rounds = std::max(1.0, n_first_partial / (n_pes_ * n_first_links));
    const double n_most = n_hops > seen ? n_partial_seen * (n_hops - seen + 1) : n_items;
    n_partial = std::min(n_most, n_rounds * n_pes_ * links_of(n_hops).n());
  }

  const links& with = links_of(n_hops);
  const double ns_per_buffer =
      (with.n_here * ns_per_buffer_here + with.n_away * options_.ns_per_buffer) / (with.n_here + with.n_away);
  return (n_hops * n_full_a_hop + n_partial) * ns_per_buffer +
         (n_hops - 1) * n_pes_ * buffers_a_way * options_.ns_per_buffer +
         with.n_passes * (n_items * ns_per_item_passed_on + n_bytes * ns_per_byte);
}

// Corrects estimates that measurements have refuted. If messages wait for one another and few are under way, a buffer
// holds one message on any route, which cost_ns cannot see. A correction fades, since the traffic may change.
void hop_choice::learn(const superstep_traffic& last) noexcept {
  const auto n_items = static_cast<double>(last.n_items);
  const double cost_now = cost_ns(last, now_, now_);
  if (seen_ != now_) {
    if (seen_ != 0) at(corrections_, now_) = std::clamp(cost_now / n_items / at(estimates_, now_), 1.0 / 16, 16.0);
    seen_ = now_;
  }
  for (int n = options_.least; n <= options_.most; ++n) {
    const double estimate = cost_ns(last, now_, n);
    at(estimates_, n) = estimate / n_items;
    double& correction = at(corrections_, n);
    correction = 1 + (correction - 1) * (1 - fading);
    at(costs_, n) = at(costs_, n) * memory + (n == now_ ? cost_now : estimate * correction);
  }
  const auto best = std::min_element(costs_.begin() + options_.least - 1, costs_.begin() + options_.most);
  if (*best < worthwhile * at(costs_, now_)) take(static_cast<int>(best - costs_.begin()) + 1);
}

}  // namespace shoal::internal
