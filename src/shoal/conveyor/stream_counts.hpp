/// What a stream carried. Counted once per buffer, always on; times only with SHOAL_STATS.
#pragma once

#include <cstdint>
#include <string>

namespace shoal {

struct stream_counts {
  std::uint64_t n_sent = 0;  // items in closed buffers, including those to this PE itself
  std::uint64_t n_handled = 0;  // items consumed
  std::uint64_t n_combined = 0;  // items merged here into others that had not left yet, sent or passed on by this PE
  std::uint64_t n_buffers = 0;  // buffers posted, including those to this PE itself
  std::uint64_t n_bytes = 0;  // their payload bytes
  std::uint64_t n_received = 0;  // buffers consumed
  std::uint64_t n_waits = 0;  // sends that found no room and waited
  std::uint64_t n_spills = 0;  // blocks that handlers' sends filled beyond the credits
  std::uint64_t n_encoded = 0;  // buffers that a codec shortened
  std::uint64_t n_spared = 0;  // bytes saved by that
  std::uint64_t handling_ns = 0;  // in handlers; of a hop before the last: in passing items on
  // Peak memory: in buffers (filled, in transit or spilled), and in items larger than a buffer, at either end. The sum
  // over several streams is an upper bound.
  std::uint64_t buffer_bytes_most = 0;
  std::uint64_t monster_bytes_most = 0;

  friend stream_counts operator+(const stream_counts& a, const stream_counts& b) noexcept {
    return {a.n_sent + b.n_sent,
            a.n_handled + b.n_handled,
            a.n_combined + b.n_combined,
            a.n_buffers + b.n_buffers,
            a.n_bytes + b.n_bytes,
            a.n_received + b.n_received,
            a.n_waits + b.n_waits,
            a.n_spills + b.n_spills,
            a.n_encoded + b.n_encoded,
            a.n_spared + b.n_spared,
            a.handling_ns + b.handling_ns,
            a.buffer_bytes_most + b.buffer_bytes_most,
            a.monster_bytes_most + b.monster_bytes_most};
  }
};

/// The counts of two consecutive periods.
inline stream_counts followed_by(const stream_counts& a, const stream_counts& b) noexcept {
  stream_counts all = a + b;
  all.buffer_bytes_most = a.buffer_bytes_most < b.buffer_bytes_most ? b.buffer_bytes_most : a.buffer_bytes_most;
  all.monster_bytes_most = a.monster_bytes_most < b.monster_bytes_most ? b.monster_bytes_most : a.monster_bytes_most;
  return all;
}

/// The counts of one hop of a stream during its whole life. All PEs construct the same streams in the same order, so
/// equal numbers mean the same stream.
struct stream_record {
  std::string name;
  std::uint64_t serial = 0;
  std::uint32_t position = 0;  // of the hop, from 1 on; 0: the stream took no route
  stream_counts counts;
};

}  // namespace shoal
