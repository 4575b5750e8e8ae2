/// Rounds of a job on several nodes.
///
/// Each node gathers its contributions through its segment. The leaders exchange them (leader_rounds.hpp). Each leader
/// folds them and publishes all of them in its node's memory, where every PE reads them. A leader takes each step when
/// it polls for completion, so no call waits.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "shoal/base/types.hpp"
#include "shoal/substrate/internal/local/local_substrate.hpp"
#include "shoal/substrate/internal/network/guarded_wire.hpp"
#include "shoal/substrate/internal/network/leader_rounds.hpp"
#include "shoal/substrate/internal/network/node_map.hpp"
#include "shoal/substrate/internal/substrate.hpp"

namespace shoal::internal::network {

class node_rounds {
public:
  /// `published`: memory_bytes of the node's memory, initially zero. `inside` provides the rounds of the node. All
  /// outlive this object.
  node_rounds(guarded_wire& wire, const node_map& nodes, local::local_substrate& inside, std::byte* published);

  static std::size_t memory_bytes(std::size_t n_pes) noexcept;

  /// The longest contribution of a node to a round.
  static std::size_t block_bytes_max(const node_map& nodes) noexcept;

  /// As in `substrate`.
  void arrive(std::span<const std::byte> contribution, combine_function combine) noexcept;
  bool is_complete() noexcept;
  const std::byte* result() noexcept { return published().result; }
  const std::byte* contribution(pe_id pe) noexcept { return place(pe); }

  /// Rounds at which this PE has arrived, and whether it has not seen the last of them complete.
  std::uint64_t n_arrived() const noexcept { return round_; }
  bool is_open() const noexcept { return is_open_; }

  /// Whether the leader has published a round that this PE has not seen complete. Changes nothing.
  bool has_news() const noexcept { return is_open_ && published().number.load() == round_; }

private:
  /// What the leader writes for its PEs at the end of a round. Two of them alternate.
  struct published_round {
    alignas(cache_line_bytes) std::atomic<std::uint64_t> number{0};  // of the completed round
    alignas(cache_line_bytes) std::byte result[round_bytes_max];
  };
  enum class leader_step : std::uint8_t { idle, gathering, exchanging };

  published_round& published() const noexcept { return reinterpret_cast<published_round*>(published_)[round_ & 1]; }
  std::byte* place(pe_id pe) const noexcept {
    const std::size_t n_pes = nodes_.node_of.size();
    return published_ + 2 * sizeof(published_round) +
           ((round_ & 1) * n_pes + static_cast<std::size_t>(pe)) * round_bytes_max;
  }
  void lead(bool is_gathered) noexcept;
  std::span<const std::byte> gather() noexcept;
  void copy_blocks() noexcept;
  void publish() noexcept;

  const node_map& nodes_;
  local::local_substrate& inside_;
  std::byte* published_;  // two published_rounds, then the contributions of all PEs to each of them

  std::uint64_t round_ = 0;  // rounds at which this PE has arrived
  bool is_open_ = false;  // this PE has not seen the last round complete
  std::size_t contribution_bytes_ = 0;  // of the round in progress
  combine_function combine_ = nullptr;

  // Only on the leader.
  std::optional<leader_rounds> leaders_;
  leader_step step_ = leader_step::idle;
  std::vector<std::byte> block_;  // this node's contributions, one after the other
};

}  // namespace shoal::internal::network
