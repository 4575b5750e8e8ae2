#include "shoal/substrate/internal/sim/network.hpp"

#include <bit>

#include "shoal/substrate/internal/sim/chance.hpp"

namespace shoal::internal::sim {
namespace {

// If latencies shrink, a later transfer could overtake one.
bool has_equal_latencies(const sim_settings& model) {
  return model.hold <= 0 && model.jitter_ns == 0 && (model.shift_ns == 0 || model.shift_factor >= 1);
}

std::uint64_t times(double factor, std::uint64_t ns) noexcept {
  return static_cast<std::uint64_t>(factor * static_cast<double>(ns));
}

std::uint64_t levels_of(pe_id n) noexcept {
  return static_cast<std::uint64_t>(std::bit_width(static_cast<std::uint64_t>(n - 1)));
}

}  // namespace

network::network(const sim_settings& model, pe_id n_pes, pe_id node_size)
    : model_(model),
      shift_ns_(model.shift_ns == 0 ? UINT64_MAX : model.shift_ns),
      n_pes_(n_pes),
      node_size_(node_size),
      holds_(engine_of(model, chance_stream::holds)),
      jitter_(engine_of(model, chance_stream::jitter)),
      of_pes_(static_cast<std::size_t>(n_pes)),
      of_nodes_(model.node_link ? static_cast<std::size_t>((n_pes + node_size - 1) / node_size) : 0),
      link_last_ns_(has_equal_latencies(model) ? 0 : static_cast<std::size_t>(n_pes)) {}

network::port& network::port_of(pe_id pe, bool is_for_node) noexcept {
  return is_for_node || !has_two_classes() ? of_pes_[static_cast<std::size_t>(pe)]
                                           : of_nodes_[static_cast<std::size_t>(pe / node_size_)];
}

std::uint64_t network::latency_now(pe_id source, pe_id target) noexcept {
  if (model_.jitter_ns == 0 || is_in_node(source, target)) return latency_ns(source, target);
  return model_.link.latency_ns - model_.jitter_ns + jitter_.below(2 * model_.jitter_ns + 1);
}

void network::shift() noexcept {
  shift_ns_ = UINT64_MAX;
  const double factor = model_.shift_factor;
  link_figures& link = model_.link;
  link = {times(factor, link.latency_ns), times(factor, link.overhead_ns), times(factor, link.gap_ns),
          factor * link.gap_per_byte_ns, factor * link.overhead_per_byte_ns};
  model_.jitter_ns = times(factor, model_.jitter_ns);
}

std::uint64_t network::least_latency_ns() const noexcept {
  const std::uint64_t at_first = model_.link.latency_ns - model_.jitter_ns;
  const std::uint64_t between =
      shift_ns_ == UINT64_MAX ? at_first : times(std::min(1.0, model_.shift_factor), at_first);
  if (!has_two_classes()) return between;
  return n_pes_ <= node_size_ ? model_.node_link->latency_ns : std::min(between, model_.node_link->latency_ns);
}

std::uint64_t network::carrier_ns(pe_id source, pe_id target, std::size_t bytes) const noexcept {
  if (is_in_node(source, target)) return 0;
  return static_cast<std::uint64_t>(model_.carrier.ns + static_cast<double>(bytes) * model_.carrier.ns_per_byte);
}

// When the first byte reaches the other end, unless it is held back.
std::uint64_t network::leave_port(pe_id source, pe_id target, std::size_t bytes, std::uint64_t now_ns) noexcept {
  const link_figures& on = link(source, target);
  std::uint64_t& free_ns = port_of(source, is_in_node(source, target)).out_ns;
  const std::uint64_t start_ns = std::max(now_ns, free_ns);
  // At least one nanosecond, so that a port's transfers have distinct times and stay in order.
  free_ns = start_ns + std::max<std::uint64_t>(1, bytes_ns(on, bytes) + on.gap_ns);
  return start_ns + latency_now(source, target);
}

std::uint64_t network::send(pe_id source, pe_id target, std::size_t bytes, std::uint64_t now_ns) {
  const std::uint64_t reach_ns = leave_port(source, target, bytes, now_ns);
  return has_equal_latencies(model_) ? reach_ns : in_link_order(source, target, reach_ns + hold_ns());
}

std::uint64_t network::send_put(pe_id source, pe_id target, std::size_t bytes, std::uint64_t now_ns) {
  const std::uint64_t written_ns = send(source, target, bytes, now_ns) + bytes_ns(link(source, target), bytes);
  return has_equal_latencies(model_) ? written_ns : in_link_order(source, target, written_ns);
}

std::uint64_t network::send_alone(pe_id source, pe_id target, std::size_t bytes, std::uint64_t now_ns) {
  const std::uint64_t reach_ns = leave_port(source, target, bytes, now_ns);
  return reach_ns + hold_ns();
}

std::uint64_t network::send_alone_to_self(std::uint64_t now_ns) {
  const std::uint64_t held_ns = hold_ns();
  return held_ns == 0 ? now_ns : now_ns + usual_latency_ns() + held_ns;  // no event may lie in another PE's past
}

std::uint64_t network::receive(pe_id source, pe_id target, std::size_t bytes, std::uint64_t reached_ns) noexcept {
  const link_figures& on = link(source, target);
  std::uint64_t& free_ns = port_of(target, is_in_node(source, target)).in_ns;
  const std::uint64_t done_ns = std::max(reached_ns, free_ns) + bytes_ns(on, bytes);
  free_ns = done_ns + std::max<std::uint64_t>(1, on.gap_ns);  // distinct times, as above
  return done_ns;
}

std::uint64_t network::send_to_self(pe_id pe, std::uint64_t now_ns) {
  if (model_.hold <= 0) return now_ns;
  const std::uint64_t held_ns = hold_ns();
  const auto& links = link_last_ns_[static_cast<std::size_t>(pe)];
  const auto last = links.find(pe);
  if (held_ns == 0 && (last == links.end() || last->second < now_ns)) return now_ns;
  // Other PEs may have run ahead by up to the latency; an event must not lie in their past.
  return in_link_order(pe, pe, now_ns + usual_latency_ns() + held_ns);
}

std::uint64_t network::send_credit(pe_id source, pe_id owner, std::uint64_t now_ns) {
  return now_ns + latency_now(source, owner) + hold_ns();
}

std::uint64_t network::hold_ns() noexcept {
  if (model_.hold <= 0 || !holds_.chance(model_.hold) || model_.hold_ns == 0) return 0;
  return 1 + holds_.below(model_.hold_ns);
}

std::uint64_t network::in_link_order(pe_id source, pe_id target, std::uint64_t reach_ns) {
  std::uint64_t& last_ns = link_last_ns_[static_cast<std::size_t>(source)][target];
  last_ns = std::max(reach_ns, last_ns + 1);
  return last_ns;
}

std::uint64_t network::round_ns(std::size_t bytes) const noexcept {
  if (!has_two_classes()) return 2 * levels_of(n_pes_) * one_way_ns(model_.link, bytes);
  const auto of_node = static_cast<std::uint64_t>(std::min(n_pes_, node_size_));
  const auto of_others = static_cast<std::uint64_t>(n_pes_) - of_node;
  const link_figures& here = *model_.node_link;
  const std::uint64_t gathered_ns =
      of_node == 1 ? 0 : one_way_ns(here, 0) + of_node * (here.overhead_ns + bytes_ns(here, bytes));
  const std::uint64_t published_ns = of_node == 1 ? 0 : one_way_ns(here, 0);
  const std::uint64_t exchanged_ns =
      levels_of(static_cast<pe_id>(of_nodes_.size())) * (one_way_ns(model_.link, 0) + model_.link.gap_ns) +
      bytes_ns(model_.link, bytes * of_others);
  return gathered_ns + exchanged_ns + published_ns;
}

}  // namespace shoal::internal::sim
