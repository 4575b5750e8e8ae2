#include "shoal/conveyor/internal/hop_choice.hpp"

#include <algorithm>

#include "shoal/substrate/internal/buffer.hpp"

namespace shoal::internal {
namespace {

// Cost of passing a byte on (docs/performance.md).
constexpr double ns_per_byte_passed_on = 0.1;

// What Shoal itself does for a buffer on its two PEs, beside the calls of the substrate that move it.
constexpr double ns_per_buffer_of_shoal = 100;

// Sums of past costs decay by this factor with each superstep. They are costs, so one long superstep outweighs many
// short ones.
constexpr double memory = 0.75;
// The part of a correction that fades with each superstep.
constexpr double fading = 0.01;
// A change must promise to cut the cost to this part; otherwise routes would flip for nothing.
constexpr double worthwhile = 0.95;

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
double hop_choice::n_partial(const superstep_traffic& last, int seen, int n_hops) const noexcept {
  const double n_full_a_hop = static_cast<double>(last.n_bytes) / static_cast<double>(options_.slot_bytes);
  const double n_partial_seen = std::max(0.0, static_cast<double>(last.n_buffers) - seen * n_full_a_hop);
  const double n_first_partial = std::max(0.0, static_cast<double>(last.n_first_buffers) - n_full_a_hop);
  if (n_hops == seen) return n_partial_seen;
  const double n_first_links = seen == 1 ? links_of(1).n() : links_of(1).n_here;
  const double n_rounds = std::max(1.0, n_first_partial / (n_pes_ * n_first_links));
  const double n_most = n_hops > seen ? n_partial_seen * (n_hops - seen + 1) : static_cast<double>(last.n_items);
  return std::min(n_most, n_rounds * n_pes_ * links_of(n_hops).n());
}

// The PEs and the interfaces of nodes work at the same time, so what counts is the busier of the two. A PE's time passes
// at both ends of its buffers. After that, the last message still has its way to go. On any route a message leaves its node
// once, and not at all if it stays there.
double hop_choice::cost_ns(const superstep_traffic& last, int seen, int n_hops) const noexcept {
  const auto n_items = static_cast<double>(last.n_items);
  const auto n_bytes = static_cast<double>(last.n_bytes);
  const links& with = links_of(n_hops);
  const double away = with.n_away / with.n();
  const double n_full = n_bytes / static_cast<double>(options_.slot_bytes);
  const double n_partial_buffers = n_partial(last, seen, n_hops);
  const double items_away = links_of(1).n_away / links_of(1).n();
  const double n_full_away = n_full * items_away;
  const double n_away = n_full_away + n_partial_buffers * away;
  const double n_here = n_hops * n_full - n_full_away + n_partial_buffers * (1 - away);

  const link_figures& node = options_.costs.node;
  const link_figures& network = options_.costs.network;
  const double of_pes =
      2 * (n_here * static_cast<double>(node.overhead_ns) + n_away * static_cast<double>(network.overhead_ns)) +
      (n_here + n_away) * ns_per_buffer_of_shoal +
      with.n_passes * (n_items * options_.costs.item.relay_ns + n_bytes * ns_per_byte_passed_on);
  const double bytes_away = n_bytes * items_away + n_away * static_cast<double>(sizeof(buffer_header));
  const double of_interfaces = static_cast<double>(options_.costs.n_sharing) *
                               (n_away * static_cast<double>(network.gap_ns) + bytes_away * network.gap_per_byte_ns);
  const auto ways = static_cast<double>(way_ns(network)) + (n_hops - 1) * static_cast<double>(way_ns(node));
  return std::max(of_pes, of_interfaces) / n_pes_ + ways;
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
