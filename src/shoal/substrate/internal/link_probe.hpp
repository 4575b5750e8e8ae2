/// Measures what a link between two PEs costs, by LogGP (Alexandrov, Ionescu, Schauser and Scheiman, SPAA 1995).
///
/// What counts is a buffer as a program meets it: from post on one PE to poll on the other, with all waiting in between. So
/// the figures hold for the substrate, not for the library or the wire below.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "shoal/base/settings.hpp"
#include "shoal/base/types.hpp"

namespace shoal::internal {

class substrate;

struct link_probe_options {
  pe_id near = 0;  // the PE that measures
  pe_id far = 1;
  int n_blocks = 15;  // repetitions, of which medians are taken
  std::uint64_t block_ns = 2'000'000;  // time of each measurement in a block, roughly
  std::vector<std::size_t> payloads = {};  // sizes to measure; none: the smallest, half of a slot, and a slot
};

/// A median, and half of its 90 % interval by order statistics.
struct measured_value {
  double median = 0;
  double error = 0;
};

/// Of several measurements.
measured_value median_of(std::vector<double> values);

struct link_point {
  std::size_t payload_bytes = 0;
  measured_value one_way_ns;  // half of a round trip
  measured_value stream_ns;  // a buffer, where many follow one another
};

struct link_measurement {
  measured_value latency_ns, overhead_ns;
  measured_value gap_ns;  // of small buffers in a stream: the gap of the link, or the overhead if that is longer
  measured_value ns_per_byte;
  measured_value overhead_ns_per_byte;
  std::vector<link_point> points;

  link_figures figures() const noexcept;
};

/// Collective over all PEs; those that are neither near nor far wait until it ends. No other buffer may be under way. Only
/// `near` gets a result.
link_measurement measure_link(substrate& machine, const link_probe_options& options);

}  // namespace shoal::internal
