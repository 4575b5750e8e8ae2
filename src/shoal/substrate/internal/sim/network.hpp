/// When transfers arrive: LogGP (Alexandrov, Ionescu, Schauser and Scheiman, SPAA 1995) and hostile links.
#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "shoal/base/random.hpp"
#include "shoal/base/settings.hpp"
#include "shoal/base/types.hpp"
#include "shoal/substrate/internal/buffer.hpp"

namespace shoal::internal::sim {

/// The network of one simulation. Every PE has an output and an input port. A port carries one transfer at a time and
/// rests for the gap in between; any two ports are `latency` apart. The overhead at both ends is time of the PEs, which
/// they charge themselves.
class network {
public:
  network(const sim_settings& model, pe_id n_pes, random_engine holds);

  /// When the first byte of a transfer, passed at `now_ns`, reaches the port of `target`. Transfers from one PE to
  /// another reach it in the order in which they were passed, at increasing times, even if some are held back. Never
  /// earlier than the latency allows.
  std::uint64_t send(pe_id source, pe_id target, std::size_t bytes, std::uint64_t now_ns);

  /// When the last byte of a transfer is in `target`'s memory. Must be called in the order in which first bytes reach
  /// that port.
  std::uint64_t receive(pe_id target, std::size_t bytes, std::uint64_t reached_ns) noexcept;

  /// A message within one PE: `now_ns` itself, unless it or an earlier one is held back.
  std::uint64_t send_to_self(pe_id pe, std::uint64_t now_ns);

  /// As send and send_to_self, for transfers that need no order: each is held back by itself.
  std::uint64_t send_alone(pe_id source, std::size_t bytes, std::uint64_t now_ns);
  std::uint64_t send_alone_to_self(std::uint64_t now_ns);

  /// When the return of a slot, passed at `now_ns`, reaches its owner. Uses no port.
  std::uint64_t send_credit(std::uint64_t now_ns);

  /// When the data of a put have been written. Puts between two PEs stay in order, also relative to buffers.
  std::uint64_t send_put(pe_id source, pe_id target, std::size_t bytes, std::uint64_t now_ns) {
    return send(source, target, bytes, now_ns) + bytes_ns(bytes);
  }

  /// As send_put, for puts that keep no order.
  std::uint64_t send_put_alone(pe_id source, std::size_t bytes, std::uint64_t now_ns) {
    return send_alone(source, bytes, now_ns) + bytes_ns(bytes);
  }

  /// When the data of a get, requested at `asked_ns`, have come back. Uses no port, like a blocking get.
  std::uint64_t send_answer(std::size_t bytes, std::uint64_t asked_ns) {
    return send_credit(asked_ns) + bytes_ns(bytes);
  }

  /// What a buffer or a control message with this many bytes occupies on the network.
  static std::size_t wire_bytes(std::size_t bytes) noexcept { return sizeof(buffer_header) + bytes; }

  std::uint64_t latency_ns() const noexcept { return model_.latency_ns; }
  std::uint64_t overhead_ns() const noexcept { return model_.overhead_ns; }

  /// Time that any buffer costs both PEs and their ports.
  std::uint64_t ns_per_buffer() const noexcept { return 2 * model_.overhead_ns + model_.gap_ns; }
  double ns_per_byte() const noexcept { return model_.gap_per_byte_ns; }

  /// One way of a one-sided operation: overhead, latency, overhead, and the gap for its bytes.
  std::uint64_t one_way_ns(std::size_t bytes) const noexcept {
    return model_.latency_ns + 2 * model_.overhead_ns + bytes_ns(bytes);
  }

  /// A round is a reduction up a binary tree and a broadcast down it.
  std::uint64_t round_ns() const noexcept;

private:
  std::uint64_t bytes_ns(std::size_t bytes) const noexcept {
    return static_cast<std::uint64_t>(static_cast<double>(bytes) * model_.gap_per_byte_ns);
  }
  std::uint64_t leave_port(pe_id source, std::size_t bytes, std::uint64_t now_ns) noexcept;
  std::uint64_t hold_ns() noexcept;
  std::uint64_t in_link_order(pe_id source, pe_id target, std::uint64_t reach_ns);

  sim_settings model_;
  pe_id n_pes_;
  random_engine holds_;
  std::vector<std::uint64_t> port_out_free_ns_;
  std::vector<std::uint64_t> port_in_free_ns_;
  // By sender: when the last transfer on each link reaches its target. Empty unless `hold` is set, since only a held
  // buffer can block a link. Looked up, never iterated.
  std::vector<std::unordered_map<pe_id, std::uint64_t>> link_last_ns_;
};

}  // namespace shoal::internal::sim
