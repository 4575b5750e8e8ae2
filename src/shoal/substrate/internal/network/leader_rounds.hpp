/// Exchanges the contributions to a round among the leaders of all nodes.
///
/// Every leader provides a block of bytes and gets those of all leaders, in ceil(log2 n) exchanges (Bruck et al., IEEE
/// TPDS 8(11), 1997, section 3.1, all-to-all broadcast). In step k a leader passes its 2^k blocks to the leader 2^k
/// before it, and gets as many from the leader 2^k after it. Blocks may differ in length. No call waits: the leader
/// polls.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "shoal/substrate/internal/network/guarded_wire.hpp"

namespace shoal::internal::network {

class leader_rounds {
public:
  /// `leaders`: the rank of each node's leader, by node; this rank is that of `my_node`. No block may be longer than
  /// `block_bytes_max`.
  leader_rounds(guarded_wire& between, std::vector<int> leaders, std::size_t my_node, std::size_t block_bytes_max);

  /// What the wire must be opened for: exchanges of `exchange_bytes(…)`; at step s at most that, shifted right by
  /// n_steps - 1 - s.
  static int n_steps(std::size_t n_nodes) noexcept;
  static std::size_t exchange_bytes(std::size_t n_nodes, std::size_t block_bytes_max) noexcept;

  /// Passes this node's block for the next round. Nonblocking.
  void start(std::span<const std::byte> block);

  /// Continues the round; true once all blocks have arrived. Nonblocking.
  bool is_complete();

  /// The block of a node in the completed round, until the next start.
  std::span<const std::byte> block(std::size_t node) const noexcept;

private:
  void exchange_next();
  void take_in(std::size_t n_bytes);
  std::size_t n_nodes() const noexcept { return leaders_.size(); }

  guarded_wire& wire_;
  std::vector<int> leaders_;
  std::size_t my_node_;
  std::vector<std::byte> held_;  // a header and a block per node, from my_node_ on, wrapping around
  std::vector<std::size_t> offsets_;  // of the headers in it; then the end of the last block
  int step_ = 0;
  int n_steps_;
  std::uint64_t round_ = 0;
  bool is_exchanging_ = false;
};

}  // namespace shoal::internal::network
