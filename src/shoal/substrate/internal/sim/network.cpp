#include "shoal/substrate/internal/sim/network.hpp"

#include <algorithm>
#include <bit>

namespace shoal::internal::sim {

network::network(const sim_settings& model, pe_id n_pes, random_engine holds)
    : model_(model),
      n_pes_(n_pes),
      holds_(holds),
      port_out_free_ns_(static_cast<std::size_t>(n_pes)),
      port_in_free_ns_(static_cast<std::size_t>(n_pes)),
      link_last_ns_(model.hold > 0 ? static_cast<std::size_t>(n_pes) : 0) {}

// When the first byte reaches the other end, unless it is held back.
std::uint64_t network::leave_port(pe_id source, std::size_t bytes, std::uint64_t now_ns) noexcept {
  std::uint64_t& port_free_ns = port_out_free_ns_[static_cast<std::size_t>(source)];
  const std::uint64_t start_ns = std::max(now_ns, port_free_ns);
  // At least one nanosecond, so that a port's transfers have distinct times and stay in order.
  port_free_ns = start_ns + std::max<std::uint64_t>(1, bytes_ns(bytes) + model_.gap_ns);
  return start_ns + model_.latency_ns;
}

std::uint64_t network::send(pe_id source, pe_id target, std::size_t bytes, std::uint64_t now_ns) {
  const std::uint64_t reach_ns = leave_port(source, bytes, now_ns);
  return model_.hold > 0 ? in_link_order(source, target, reach_ns + hold_ns()) : reach_ns;
}

std::uint64_t network::send_alone(pe_id source, std::size_t bytes, std::uint64_t now_ns) {
  const std::uint64_t reach_ns = leave_port(source, bytes, now_ns);
  return model_.hold > 0 ? reach_ns + hold_ns() : reach_ns;
}

std::uint64_t network::send_alone_to_self(std::uint64_t now_ns) {
  const std::uint64_t held_ns = model_.hold > 0 ? hold_ns() : 0;
  return held_ns == 0 ? now_ns : now_ns + model_.latency_ns + held_ns;  // no event may lie in another PE's past
}

std::uint64_t network::receive(pe_id target, std::size_t bytes, std::uint64_t reached_ns) noexcept {
  std::uint64_t& port_free_ns = port_in_free_ns_[static_cast<std::size_t>(target)];
  const std::uint64_t done_ns = std::max(reached_ns, port_free_ns) + bytes_ns(bytes);
  port_free_ns = done_ns + model_.gap_ns;
  return done_ns;
}

std::uint64_t network::send_to_self(pe_id pe, std::uint64_t now_ns) {
  if (model_.hold <= 0) return now_ns;
  const std::uint64_t held_ns = hold_ns();
  const auto& links = link_last_ns_[static_cast<std::size_t>(pe)];
  const auto last = links.find(pe);
  if (held_ns == 0 && (last == links.end() || last->second < now_ns)) return now_ns;
  // Other PEs may have run ahead by up to the latency; an event must not lie in their past.
  return in_link_order(pe, pe, now_ns + model_.latency_ns + held_ns);
}

std::uint64_t network::send_credit(std::uint64_t now_ns) {
  return now_ns + model_.latency_ns + (model_.hold > 0 ? hold_ns() : 0);
}

std::uint64_t network::hold_ns() noexcept {
  if (!holds_.chance(model_.hold) || model_.hold_ns == 0) return 0;
  return 1 + holds_.below(model_.hold_ns);
}

std::uint64_t network::in_link_order(pe_id source, pe_id target, std::uint64_t reach_ns) {
  std::uint64_t& last_ns = link_last_ns_[static_cast<std::size_t>(source)][target];
  last_ns = std::max(reach_ns, last_ns + 1);
  return last_ns;
}

std::uint64_t network::round_ns() const noexcept {
  const auto levels = static_cast<std::uint64_t>(std::bit_width(static_cast<std::uint64_t>(n_pes_ - 1)));
  return 2 * levels * one_way_ns(0);
}

}  // namespace shoal::internal::sim
