/// What links cost, and items at their ends, for settings.
#pragma once

#include <cstdint>

namespace shoal {

/// What a link costs, by LogGP (Alexandrov et al., SPAA 1995), and LogGOPS (Hoefler et al., HPDC 2010), which adds the bytes' part
/// of the overhead.
struct link_figures {
  std::uint64_t latency_ns = 1000;
  std::uint64_t overhead_ns = 200;  // of a buffer, at each end
  std::uint64_t gap_ns = 100;  // between buffers
  double gap_per_byte_ns = 0.1;
  double overhead_per_byte_ns = 0;  // at each end: copying a byte
  bool operator==(const link_figures&) const = default;
};

/// What an 8-byte item costs the processor of its PE, besides what its buffer costs.
struct item_figures {
  double push_ns = 0;
  double relay_ns = 8;  // passing it on: its tags, and one more copy
  double handling_ns = 0;
  bool operator==(const item_figures&) const = default;
};

/// Processor time that a network made of software takes on the machine of the PEs, such as the lab's switch.
struct carrier_figures {
  double ns = 0;  // of a buffer
  double ns_per_byte = 0;
  bool operator==(const carrier_figures&) const = default;
};

}  // namespace shoal
