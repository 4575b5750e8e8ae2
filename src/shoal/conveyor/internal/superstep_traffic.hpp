/// What supersteps send: the input of hop_choice.
#pragma once

#include <cstdint>

namespace shoal::internal {

/// What a superstep sent, summed over all PEs.
struct superstep_traffic {
  std::uint64_t n_items = 0;  // messages, as sent by the program
  std::uint64_t n_bytes = 0;  // their size
  std::uint64_t n_first_buffers = 0;  // buffers posted by the messages' senders
  std::uint64_t n_buffers = 0;  // buffers posted on all hops

  friend superstep_traffic operator+(const superstep_traffic& a, const superstep_traffic& b) noexcept {
    return {a.n_items + b.n_items, a.n_bytes + b.n_bytes, a.n_first_buffers + b.n_first_buffers,
            a.n_buffers + b.n_buffers};
  }
  friend superstep_traffic operator-(const superstep_traffic& a, const superstep_traffic& b) noexcept {
    return {a.n_items - b.n_items, a.n_bytes - b.n_bytes, a.n_first_buffers - b.n_first_buffers,
            a.n_buffers - b.n_buffers};
  }
};

}  // namespace shoal::internal
