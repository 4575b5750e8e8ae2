/// The result of a run of `shoal conveyor-bench`.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "shoal/base/types.hpp"
#include "shoal/codec/internal/known_codecs.hpp"
#include "shoal/substrate/substrate_kind.hpp"

namespace shoal::cli {

struct timed_run {
  double item_bytes = 0;  // on average
  double seconds = 0;  // virtual on `sim`
  double memcpy_seconds = 0;  // of a plain copy of as many items; 0 on `sim`
};

/// What the timed runs sent between PEs, all together.
struct transfer_counts {
  std::uint64_t n_buffers = 0;
  std::uint64_t n_bytes = 0;  // as sent
  std::uint64_t n_encoded = 0;  // of the buffers
  std::uint64_t n_spared = 0;  // bytes that encoding saved

  void add(const transfer_counts& more) noexcept;
  transfer_counts since(const transfer_counts& before) const noexcept;
};

struct bench_result {
  substrate_kind substrate = substrate_kind::local;
  pe_id n_pes = 0;
  pe_id node_size = 0;
  std::size_t slot_bytes = 0;
  std::size_t n_slots = 0;
  int n_hops = 0;
  std::size_t n_links = 0;  // of the PE that has most, over all hops
  double items_per_pe = 0;  // in one run; replies count, too
  std::vector<timed_run> runs;
  std::optional<codec_number> codec;  // of buffers to other nodes; empty if there are none, or if they are not encoded
  double ns_per_byte = 0;  // cost of a byte to another node
  transfer_counts sent;
  std::optional<double> handoff_ns;
  std::string fault;  // empty if verified
  std::string verified;  // what was verified
  std::string pairs;  // text of --point-to-point
  std::string settings;  // text of --config
  std::vector<std::string> hosts;  // of --hosts, by PE
};

}  // namespace shoal::cli
