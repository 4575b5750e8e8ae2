/// When transfers arrive: LogGP (Alexandrov, Ionescu, Schauser and Scheiman, SPAA 1995) and hostile links.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "shoal/base/random.hpp"
#include "shoal/base/settings.hpp"
#include "shoal/base/types.hpp"
#include "shoal/substrate/internal/buffer.hpp"
#include "shoal/substrate/internal/link_costs.hpp"

namespace shoal::internal::sim {

/// The network of one simulation. There are links of one class, or of two: those within a node (`sim_settings::node_link`)
/// and those between nodes. Every transfer leaves through an output port and arrives through an input port. A port carries
/// one transfer at a time and rests for the gap in between. Every PE has ports of its own; with two classes, these are for
/// its node, and the PEs of a node share one network interface, the ports to other nodes. A port serves PEs in the order in
/// which they are simulated, so one that runs ahead may have it before another one's earlier transfer. The overhead at both
/// ends is time of the PEs, which they charge themselves. At a time that the user sets, links between nodes may change.
class network {
public:
  /// `node_size`: PEs of a node.
  network(const sim_settings& model, pe_id n_pes, pe_id node_size);

  /// When the first byte of a transfer, passed at `now_ns`, reaches the port of `target`. Transfers from one PE to
  /// another reach it in the order in which they were passed, at increasing times, even if some are held back. Never
  /// earlier than the latency allows.
  std::uint64_t send(pe_id source, pe_id target, std::size_t bytes, std::uint64_t now_ns);

  /// When the last byte of a transfer is in `target`'s memory. Must be called in the order in which first bytes reach
  /// that port.
  std::uint64_t receive(pe_id source, pe_id target, std::size_t bytes, std::uint64_t reached_ns) noexcept;

  /// Processor time that carrying a transfer takes. `latency_ns` has that of an empty one in it.
  std::uint64_t carrier_ns(pe_id source, pe_id target, std::size_t bytes) const noexcept;

  /// A message within one PE: `now_ns` itself, unless it or an earlier one is held back.
  std::uint64_t send_to_self(pe_id pe, std::uint64_t now_ns);

  /// As send and send_to_self, for transfers that need no order: each is held back by itself.
  std::uint64_t send_alone(pe_id source, pe_id target, std::size_t bytes, std::uint64_t now_ns);
  std::uint64_t send_alone_to_self(std::uint64_t now_ns);

  /// When the return of a slot, passed at `now_ns`, reaches its owner. Uses no port.
  std::uint64_t send_credit(pe_id source, pe_id owner, std::uint64_t now_ns);

  /// When the data of a put have been written. What is sent later from one PE to the other reaches it later.
  std::uint64_t send_put(pe_id source, pe_id target, std::size_t bytes, std::uint64_t now_ns);

  /// As send_put, for puts that keep no order.
  std::uint64_t send_put_alone(pe_id source, pe_id target, std::size_t bytes, std::uint64_t now_ns) {
    return send_alone(source, target, bytes, now_ns) + bytes_ns(link(source, target), bytes);
  }

  /// When the data of a get that reached `source` at `asked_ns` have come back. Uses no port, like a blocking get.
  std::uint64_t send_answer(pe_id source, pe_id asker, std::size_t bytes, std::uint64_t asked_ns) {
    return send_credit(source, asker, asked_ns) + bytes_ns(link(source, asker), bytes);
  }

  /// What a buffer or a control message with this many bytes occupies on the network.
  static std::size_t wire_bytes(std::size_t bytes) noexcept { return sizeof(buffer_header) + bytes; }

  /// Whether they are on different nodes, by number.
  bool are_apart(pe_id a, pe_id b) const noexcept { return a / node_size_ != b / node_size_; }

  std::uint64_t latency_ns(pe_id source, pe_id target) const noexcept { return link(source, target).latency_ns; }
  std::uint64_t overhead_ns(pe_id source, pe_id target, std::size_t bytes = 0) const noexcept {
    const link_figures& on = link(source, target);
    return on.overhead_ns + static_cast<std::uint64_t>(static_cast<double>(bytes) * on.overhead_per_byte_ns);
  }

  /// Of links between nodes, or within the only node.
  std::uint64_t usual_latency_ns() const noexcept { return usual().latency_ns; }

  /// What a PE does reaches no other PE sooner: the least latency of all links, less the jitter.
  std::uint64_t least_latency_ns() const noexcept;

  /// One way of a one-sided operation: overhead, latency, overhead, and the gap for its bytes.
  std::uint64_t one_way_ns(pe_id source, pe_id target, std::size_t bytes) const noexcept {
    return one_way_ns(link(source, target), bytes);
  }
  std::uint64_t usual_one_way_ns() const noexcept { return one_way_ns(usual(), 0); }

  /// A round to which each PE contributes so many bytes. With one class of links it is a reduction up a binary tree and a
  /// broadcast down it. With two, each node gathers, the nodes exchange all contributions (Bruck et al. 1997), and each
  /// node publishes (network/node_rounds.hpp).
  std::uint64_t round_ns(std::size_t bytes) const noexcept;

  /// To be called with each call of a PE. The first one at or after sim_settings::shift_ns changes the links between nodes for
  /// all PEs, also for those that are behind, by the lookahead at most.
  void reach(std::uint64_t now_ns) noexcept {
    if (now_ns >= shift_ns_) [[unlikely]]
      shift();
  }

private:
  void shift() noexcept;
  bool has_two_classes() const noexcept { return model_.node_link.has_value(); }
  bool is_in_node(pe_id a, pe_id b) const noexcept { return has_two_classes() && !are_apart(a, b); }
  const link_figures& link(pe_id a, pe_id b) const noexcept {
    return is_in_node(a, b) ? *model_.node_link : model_.link;
  }
  const link_figures& usual() const noexcept { return link(0, n_pes_ - 1); }
  static std::uint64_t bytes_ns(const link_figures& on, std::size_t bytes) noexcept {
    return static_cast<std::uint64_t>(static_cast<double>(bytes) * on.gap_per_byte_ns);
  }
  static std::uint64_t one_way_ns(const link_figures& on, std::size_t bytes) noexcept {
    return way_ns(on) + bytes_ns(on, bytes);
  }
  // When a port is free again.
  struct port {
    std::uint64_t out_ns = 0;
    std::uint64_t in_ns = 0;
  };
  port& port_of(pe_id pe, bool is_for_node) noexcept;
  std::uint64_t latency_now(pe_id source, pe_id target) noexcept;
  std::uint64_t leave_port(pe_id source, pe_id target, std::size_t bytes, std::uint64_t now_ns) noexcept;
  std::uint64_t hold_ns() noexcept;
  std::uint64_t in_link_order(pe_id source, pe_id target, std::uint64_t reach_ns);

  sim_settings model_;
  std::uint64_t shift_ns_;  // UINT64_MAX: never, or it has happened
  pe_id n_pes_;
  pe_id node_size_;
  random_engine holds_;
  random_engine jitter_;
  std::vector<port> of_pes_;
  std::vector<port> of_nodes_;  // empty with one class
  // By sender: when the last transfer on each link reaches its target. Empty unless latencies differ, since only a held
  // buffer can block a link. Looked up, never iterated.
  std::vector<std::unordered_map<pe_id, std::uint64_t>> link_last_ns_;
};

}  // namespace shoal::internal::sim
