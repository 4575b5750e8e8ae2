/// Control messages between many PEs in one thread, as badly as the seam allows: refused, held, out of order.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <deque>
#include <functional>
#include <span>
#include <utility>
#include <vector>

#include "shoal/base/random.hpp"
#include "shoal/base/types.hpp"
#include "shoal/substrate/internal/control.hpp"

namespace shoal::test {

struct control_network_options {
  pe_id n_pes = 1;
  std::vector<std::uint32_t> nodes = {};  // by PE; empty: unknown
  std::uint64_t seed = 1;
  double refuse = 0;  // probability that a send is refused
  double hold = 0;  // probability that a message is held
  std::uint64_t hold_polls_max = 0;  // how long, in polls of all PEs
};

class control_network {
public:
  class endpoint final : public internal::control_transport {
  public:
    endpoint(control_network& network, pe_id my_pe, pe_id n_pes) noexcept
        : internal::control_transport(my_pe, n_pes), network_(network) {}

    std::span<const std::uint32_t> nodes() const noexcept override { return network_.options_.nodes; }
    bool try_send_control(std::span<const std::byte> bytes, pe_id target) noexcept override {
      return network_.take(bytes, *this, target);
    }
    bool poll_control(internal::control_message& into) noexcept override { return network_.give(into, *this); }

    std::uint64_t n_sent = 0;
    std::uint64_t n_received = 0;
    std::uint64_t bytes_sent = 0;

  private:
    friend control_network;
    struct arrival {
      std::uint64_t due;  // in polls
      internal::control_message message;
    };
    control_network& network_;
    std::vector<arrival> arrivals_;
    std::size_t n_under_way_ = 0;
  };

  explicit control_network(control_network_options options)
      : options_(std::move(options)), random_(options_.seed, 0x6e6574) {
    for (pe_id pe = 0; pe < options_.n_pes; ++pe) endpoints_.emplace_back(*this, pe, options_.n_pes);
  }

  endpoint& at(pe_id pe) { return endpoints_[static_cast<std::size_t>(pe)]; }
  std::size_t n_under_way() const noexcept { return n_under_way_; }
  std::uint64_t n_refused() const noexcept { return n_refused_; }

  /// Called with each message that is taken: source, target.
  std::function<void(pe_id, pe_id)> on_send = {};

private:
  bool take(std::span<const std::byte> bytes, endpoint& source, pe_id target) noexcept {
    if (bytes.size() > internal::control_bytes_max || source.n_under_way_ == internal::n_controls_max ||
        random_.chance(options_.refuse)) {
      ++n_refused_;
      return false;
    }
    ++source.n_under_way_;
    ++n_under_way_;
    ++source.n_sent;
    source.bytes_sent += bytes.size();
    endpoint::arrival& sent = at(target).arrivals_.emplace_back();
    sent.due = now_ + (random_.chance(options_.hold) ? random_.below(options_.hold_polls_max + 1) : 0);
    sent.message.source = source.my_pe();
    sent.message.bytes = bytes.size();
    std::memcpy(sent.message.data, bytes.data(), bytes.size());
    if (on_send) on_send(source.my_pe(), target);
    return true;
  }

  // Returns any message that is due.
  bool give(internal::control_message& into, endpoint& target) noexcept {
    ++now_;
    std::vector<endpoint::arrival>& arrivals = target.arrivals_;
    for (std::size_t n = arrivals.size(); n > 0; --n) {
      endpoint::arrival& picked = arrivals[random_.below(arrivals.size())];
      if (picked.due > now_) continue;
      into = picked.message;
      picked = arrivals.back();
      arrivals.pop_back();
      --at(into.source).n_under_way_;
      --n_under_way_;
      ++target.n_received;
      return true;
    }
    return false;
  }

  control_network_options options_;
  random_engine random_;
  std::deque<endpoint> endpoints_;
  std::uint64_t now_ = 0;
  std::uint64_t n_refused_ = 0;
  std::size_t n_under_way_ = 0;
};

/// PEs' nodes: `per_node` to each, neighbours or dealt out in turn.
inline std::vector<std::uint32_t> nodes_of(pe_id n_pes, pe_id per_node, bool is_cyclic = false) {
  const pe_id n_nodes = (n_pes + per_node - 1) / per_node;
  std::vector<std::uint32_t> nodes;
  for (pe_id pe = 0; pe < n_pes; ++pe) {
    nodes.push_back(static_cast<std::uint32_t>(is_cyclic ? pe % n_nodes : pe / per_node));
  }
  return nodes;
}

}  // namespace shoal::test
