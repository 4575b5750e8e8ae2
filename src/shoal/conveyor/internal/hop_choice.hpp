/// Chooses how many hops an actor's messages take: the fewest at first, then the hop count with which the supersteps so
/// far would have cost least.
///
/// With one hop, a superstep with little traffic sends a nearly empty buffer to each PE. With two or three hops it
/// sends few buffers, and pays for passing each message on. docs/design/adaptation.md has the model and the
/// measurements that test it.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "shoal/base/types.hpp"
#include "shoal/conveyor/internal/node_layout.hpp"
#include "shoal/conveyor/internal/route.hpp"
#include "shoal/conveyor/internal/superstep_traffic.hpp"
#include "shoal/substrate/internal/link_costs.hpp"

namespace shoal::internal {

struct hop_choice_options {
  int least = 1;  // hops that the memory budget asks for; the first choice
  int most = n_hops_max;
  std::size_t slot_bytes = 0;
  link_costs costs = {};
};

class hop_choice {
public:
  hop_choice(const node_layout& nodes, const hop_choice_options& options) noexcept;

  /// False if there is only one choice, hence nothing to learn.
  bool is_open() const noexcept { return options_.least < options_.most; }

  int n_hops() const noexcept { return now_; }
  int n_changes() const noexcept { return n_changes_; }

  /// Overrides the choice until the next `learn`. Called with the same value on all PEs.
  void take(int n_hops) noexcept {
    n_changes_ += n_hops != now_;
    now_ = n_hops;
  }

  /// Takes other figures for links between nodes. Called with the same ones on all PEs.
  void follow(std::uint64_t overhead_ns, double gap_per_byte_ns) noexcept {
    options_.costs.network.overhead_ns = overhead_ns;
    options_.costs.network.gap_per_byte_ns = gap_per_byte_ns;
  }

  /// Records a superstep whose messages took n_hops() hops, and decides for the next one. All PEs pass the same
  /// supersteps, so all decide the same.
  void learn(const superstep_traffic& last) noexcept;

  /// Estimated time with `n_hops` hops of a superstep that was run with `seen` hops, in ns. What the program computes is
  /// not part of it.
  double cost_ns(const superstep_traffic& last, int seen, int n_hops) const noexcept;

private:
  // Neighbours of a PE, by hop count.
  struct links {
    double n_here = 0;  // on its node
    double n_away = 0;
    double n_passes = 0;  // how often a message is passed on by the PEs that do this most
    double n() const noexcept { return n_here + n_away; }
  };

  double n_partial(const superstep_traffic& last, int seen, int n_hops) const noexcept;
  const links& links_of(int n_hops) const noexcept { return links_[static_cast<std::size_t>(n_hops - 1)]; }

  hop_choice_options options_;
  double n_pes_;
  std::array<links, n_hops_max> links_;
  std::array<double, n_hops_max> costs_{};  // of the supersteps so far, with decreasing weight
  std::array<double, n_hops_max> estimates_{};  // per message of the last superstep
  std::array<double, n_hops_max> corrections_{1, 1, 1};
  int seen_ = 0;  // hops of the last superstep; 0 if there was none
  int now_;
  int n_changes_ = 0;
};

}  // namespace shoal::internal
