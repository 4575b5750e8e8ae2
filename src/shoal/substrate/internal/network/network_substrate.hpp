/// The network substrates: shared memory within a node, a wire between nodes.
///
/// Buffers between PEs of a node go through the `local` code over a segment of the node, as under shoalrun. Buffers to
/// other nodes go through the wire (remote_buffers.hpp), and so do the parts of rounds between nodes (node_rounds.hpp).
/// A job on one node never uses the wire. See docs/design/network-substrate.md.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "shoal/substrate/internal/local/local_substrate.hpp"
#include "shoal/substrate/internal/local/segment.hpp"
#include "shoal/substrate/internal/network/guarded_wire.hpp"
#include "shoal/substrate/internal/network/heap_access.hpp"
#include "shoal/substrate/internal/network/job_end.hpp"
#include "shoal/substrate/internal/network/leader_ring.hpp"
#include "shoal/substrate/internal/network/node_map.hpp"
#include "shoal/substrate/internal/network/node_rounds.hpp"
#include "shoal/substrate/internal/network/remote_buffers.hpp"
#include "shoal/substrate/internal/substrate.hpp"
#include "shoal/substrate/substrate_kind.hpp"

namespace shoal::internal::network {

class network_substrate final : public substrate {
public:
  /// All outlive this object. `memory` has node_rounds::memory_bytes to spare; the wire is open if there are several
  /// nodes. If the wire made a heap, that is the heap, of `heap_bytes`; otherwise the heap is in `memory`. `ring` may
  /// be null.
  network_substrate(wire& between, const node_map& nodes, local::segment& memory, leader_ring* ring,
                    std::size_t payload_bytes, std::size_t heap_bytes, const settings& chosen);

  /// Touches this PE's slots, and maps the heap at one address for all unless the wire made it. Collective, waits.
  void prepare_memory();

  /// A barrier of all PEs outside the library, after the last round. Waits.
  void meet() noexcept { end_.meet(); }

  substrate_kind kind() const noexcept override { return inside_.kind(); }
  std::span<const std::uint32_t> nodes() const noexcept override { return nodes_.node_of; }

  std::size_t n_free() noexcept override;
  buffer* try_acquire() noexcept override;
  void post(buffer& full, pe_id target) noexcept override;
  buffer* poll() noexcept override;
  bool owns(const buffer& b) const noexcept override { return memory_.is_of(b, nodes_.my_local); }
  void release(buffer& done) noexcept override;

  bool try_send_control(std::span<const std::byte> bytes, pe_id target) noexcept override;
  bool poll_control(control_message& into) noexcept override;

  void arrive(std::span<const std::byte> contribution, combine_function combine) noexcept override;
  bool is_round_complete() noexcept override;
  const std::byte* round_result() noexcept override;
  const std::byte* round_contribution(pe_id pe) noexcept override;

  void wait(unsigned& patience) noexcept override;
  void pause(unsigned& patience) noexcept override;
  pe_threads& threads() noexcept override { return inside_.threads(); }

  flow_counts flow() const noexcept override;

  symmetric_memory& heap() noexcept override { return heap_; }

  std::uint64_t now_ns() noexcept override { return inside_.now_ns(); }
  [[noreturn]] void end_job(int status, std::string_view report) noexcept override { end_.end(status, report); }
  bool claim_report() noexcept override { return inside_.claim_report(); }  // for its node
  bool is_in_library() const noexcept override { return wire_.is_inside(); }
  /// If Shoal began the library, PEs need each other until their processes end.
  void finished() noexcept override {
    if (!wire_.facts().is_ours()) bid_farewell();
  }
  /// As job_end::bid_farewell.
  void bid_farewell() noexcept { end_.bid_farewell(); }

private:
  bool is_one_node() const noexcept { return !remote_; }
  pe_id local_of(pe_id pe) const noexcept { return nodes_.local_of[static_cast<std::size_t>(pe)]; }
  buffer* poll_all() noexcept;
  bool poll_control_inside(control_message& into) noexcept;
  void sleep_or_spin(unsigned& patience) noexcept;
  void pass_time(unsigned& patience) noexcept;

  guarded_wire wire_;
  const node_map& nodes_;
  local::segment& memory_;
  local::local_substrate inside_;  // the PEs of this node
  heap_access heap_;
  job_end end_;
  const bool is_crowded_;

  // Only with several nodes.
  std::optional<remote_buffers> remote_;
  std::optional<node_rounds> rounds_;
  // Alternates, so that a busy node does not keep us from the wire, nor the wire from the node.
  bool is_wires_turn_ = false;
  bool is_wires_control_turn_ = false;

  unsigned n_naps_ = 0;  // consecutive sleeps, each possibly longer than the last
  unsigned n_empty_polls_ = 0;
  std::uint64_t n_served_ = 0;  // by the wire, at the last wait
};

}  // namespace shoal::internal::network
