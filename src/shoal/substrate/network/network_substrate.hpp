/// The network substrates: shared memory within a node, a wire between nodes.
///
/// Buffers between PEs of one node go through the `local` code over a segment of the node, as under shoalrun. Buffers
/// for other nodes leave the PE's slot through the wire as soon as the receiver's credits allow, wait in a queue for
/// each target until then, and keep the slot until the receiver has released them (acknowledgements.hpp). Rounds are
/// gathered on each node, exchanged by the nodes' leaders, and read by every PE from the node's memory. A job on one
/// node never touches the wire. docs/design/network-substrate.md.
#pragma once

#include <atomic>
#include <memory>
#include <string>
#include <vector>

#include "shoal/substrate/local/local_substrate.hpp"
#include "shoal/substrate/local/segment.hpp"
#include "shoal/substrate/network/acknowledgements.hpp"
#include "shoal/substrate/network/leader_ring.hpp"
#include "shoal/substrate/network/leader_rounds.hpp"
#include "shoal/substrate/network/node_map.hpp"
#include "shoal/substrate/network/peer_watch.hpp"
#include "shoal/substrate/network/wire.hpp"
#include "shoal/substrate/substrate.hpp"

namespace shoal::network {

/// What the leader of a node writes for its PEs at the end of a round, twice in turn.
struct published_round {
  alignas(cache_line_bytes) std::atomic<std::uint64_t> number{0};  // of the round that is complete
  alignas(cache_line_bytes) std::byte result[round_bytes_max];
};

class network_substrate final : public substrate {
public:
  /// All outlive this object. `memory` has `extra_bytes` to spare; the wire is open if there are several nodes. If it
  /// made a heap, that is the heap, of `heap_bytes`; else it is in `memory`. `ring` may be null.
  network_substrate(wire& between, const node_map& nodes, local::segment& memory, leader_ring* ring,
                    std::size_t payload_bytes, std::size_t heap_bytes, substrate_kind kind);
  static std::size_t extra_bytes(std::size_t n_pes) noexcept;
  /// The longest contribution of a node to a round.
  static std::size_t block_bytes_max(const node_map& nodes) noexcept;

  /// A barrier of all PEs in which none is in the library. After the last round. Waits.
  void meet() noexcept;
  /// For the same end, where PEs cannot meet: takes longer than they differ in leaving a barrier, mostly.
  static void let_others_leave() noexcept;

  /// Touches this PE's slots, and on one node maps the heap at one address for all. Collective, waits.
  void prepare_memory();

  substrate_kind kind() const noexcept override { return kind_; }
  std::span<const std::uint32_t> nodes() const noexcept override { return nodes_.node_of; }

  std::size_t n_free() noexcept override;
  buffer* try_acquire() noexcept override;
  void post(buffer& full, pe_id target) noexcept override;
  buffer* poll() noexcept override;
  bool owns(const buffer& b) const noexcept override { return memory_.is_of(b, nodes_.my_local); }
  void release(buffer& done) noexcept override;
  /// The PEs of a node share its network.
  double ns_per_byte() const noexcept override {
    return is_one_node() ? 0 : wire_.ns_per_byte() * static_cast<double>(nodes_.my_members().size());
  }

  double ns_per_buffer() const noexcept override {
    return is_one_node() ? substrate::ns_per_buffer() : wire_.ns_per_buffer();
  }

  void arrive(std::span<const std::byte> contribution, combine_function combine) noexcept override;
  bool is_round_complete() noexcept override;
  const std::byte* round_result() noexcept override;
  const std::byte* round_contribution(pe_id pe) noexcept override;

  void wait(unsigned& patience) noexcept override;
  void pause(unsigned& patience) noexcept override;

  std::byte* peer_heap(pe_id pe) noexcept override;
  bool is_one_sided() const noexcept override { return is_one_node() || wire_.is_one_sided(); }
  void get(void* target, std::size_t offset, std::size_t bytes, pe_id pe) noexcept override;
  void start_get(void* target, std::size_t offset, std::size_t bytes, pe_id pe) noexcept override;
  void put(std::size_t offset, const void* source, std::size_t bytes, pe_id pe) noexcept override;
  std::uint64_t atomic(atomic_op op, std::size_t offset, std::uint64_t operand, std::uint64_t expected,
                       pe_id pe) noexcept override;
  void start_add(std::size_t offset, std::uint64_t operand, pe_id pe) noexcept override;
  void quiet() noexcept override;

  std::uint64_t now_ns() noexcept override { return inside_.now_ns(); }
  [[noreturn]] void end_job(int status, std::string_view report) noexcept override;
  bool is_in_library() const noexcept override { return is_inside_wire_; }
  void finished() noexcept override;

private:
  bool is_one_node() const noexcept { return nodes_.n_nodes() == 1; }
  bool is_here(pe_id pe) const noexcept { return nodes_.node_of[static_cast<std::size_t>(pe)] == nodes_.my_node; }
  static int rank_of(pe_id pe) noexcept { return static_cast<int>(pe); }
  pe_id local_of(pe_id pe) const noexcept { return local_of_[static_cast<std::size_t>(pe)]; }
  /// Whether heap accesses to `pe` go through the wire. Ends the job if they would have to and cannot.
  bool crosses_wire(pe_id pe) const noexcept;

  void outlive_reporter() noexcept;
  void look_for_dead() noexcept;

  void send_queued() noexcept;
  void take_sent() noexcept;
  bool try_send(buffer& full, pe_id target) noexcept;
  buffer* poll_all() noexcept;
  buffer* poll_inside() noexcept;
  buffer* poll_wire() noexcept;
  void acknowledge(bool all) noexcept;
  std::span<const std::byte> gather_node() noexcept;
  void publish() noexcept;
  published_round& published(std::uint64_t round) const noexcept;
  std::byte* published_contribution(std::uint64_t round, pe_id pe) const noexcept;

  // Libraries end the process from inside a call when another rank has failed; then this rank has nothing to say.
  template <class Call>
  auto cross(const Call& call) noexcept {
    struct inside_wire {
      bool& flag;
      explicit inside_wire(bool& f) : flag(f) { flag = true; }
      ~inside_wire() { flag = false; }
    } const guard(is_inside_wire_);
    return call();
  }

  // Buffers that wait for a credit of their target, oldest first, chained through buffer::next_pending.
  struct target_queue {
    buffer* first = nullptr;
    buffer* last = nullptr;
  };

  wire& wire_;
  const node_map& nodes_;
  local::segment& memory_;
  leader_ring* ring_;  // or null
  substrate_kind kind_;
  std::vector<pe_id> local_of_;  // by PE: its position on its node
  local::local_substrate inside_;

  std::vector<target_queue> queues_;  // by PE
  std::vector<pe_id> waiting_;  // PEs whose queue is not empty, in the order of their turns
  acknowledgements acknowledgements_;
  std::vector<std::size_t> n_landed_;  // by PE: its buffers that lie in the wire's memory, unreleased
  buffer_store copies_;  // of buffers that would have kept their sender's credit too long
  bool is_inside_wire_ = false;
  bool is_wires_turn_ = false;  // so that a busy node does not keep us from the wire, nor it from the node

  std::unique_ptr<leader_rounds> leaders_;  // of a node's leader, where there are several nodes
  std::uint64_t round_ = 0;  // rounds that this PE has arrived at
  bool is_round_open_ = false;  // this PE has not seen the end of the last
  std::size_t contribution_bytes_ = 0;  // of the round under way
  combine_function combine_ = nullptr;
  std::vector<std::byte> node_block_;  // contributions of this node, one behind the other
  enum class leader_step : std::uint8_t { idle, gathering, exchanging } step_ = leader_step::idle;
  unsigned n_naps_ = 0;  // sleeps in sequence: each may be longer than the last

  peer_watch watch_;
  unsigned n_empty_polls_ = 0;
};

}  // namespace shoal::network
