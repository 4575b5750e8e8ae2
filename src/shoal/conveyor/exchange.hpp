/// The exchange of a PE: all its streams' hops, and the parts that they share.
///
///     stream        one flow of items: route, relays, hops, targets, sessions
///     back_pressure finds room for a send: gives up, waits, or spills
///     dispatch      arrived buffers to inboxes, ready inboxes to their sinks
///     departures    what is done with all outboxes together
///     outbox, inbox the two ends of a hop
///     slot_pool, buffer_codec, delivery  credits; compression; whose code runs now
///
/// Each uses only those below it. docs/architecture.md follows a buffer through them.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "shoal/conveyor/back_pressure.hpp"
#include "shoal/conveyor/buffer_codec.hpp"
#include "shoal/conveyor/delivery.hpp"
#include "shoal/conveyor/departures.hpp"
#include "shoal/conveyor/dispatch.hpp"
#include "shoal/conveyor/node_layout.hpp"
#include "shoal/conveyor/route.hpp"
#include "shoal/conveyor/slot_pool.hpp"
#include "shoal/conveyor/stream_counts.hpp"
#include "shoal/substrate/substrate.hpp"

namespace shoal {

class stream_hop;

struct exchange_options {
  slot_pool_options slots = {};
  pe_id node_size = 0;  // PEs of a node where the substrate knows of none; 0: all on one
  int n_hops = 1;  // of streams that say nothing else
  codec_number codec = codec_number::none;  // of buffers to other nodes; best: whichever gains most on a link
  double ns_per_byte = 0;  // what a byte to another node costs; 0: encoding never pays
  std::uint64_t latency_ns = 0;  // outbox::limit_latency of streams that say nothing else
  fetch_ahead ahead = {};  // of outboxes with many links
  bool keeps_records = false;  // of streams whose life is over
};

class exchange {
public:
  exchange(substrate& machine, const exchange_options& options);
  exchange(const exchange&) = delete;
  exchange& operator=(const exchange&) = delete;

  substrate& machine() const noexcept { return machine_; }
  pe_id my_pe() const noexcept { return machine_.my_pe(); }
  pe_id n_pes() const noexcept { return machine_.n_pes(); }
  std::size_t payload_bytes() const noexcept { return machine_.payload_bytes(); }
  const node_layout& nodes() const noexcept { return nodes_; }

  // --- Progress; see dispatch and departures.

  bool progress() { return arriving_.progress(); }
  bool flush() noexcept { return leaving_.flush(); }
  void idle(unsigned& patience) { arriving_.idle(patience); }
  bool is_quiet() const noexcept { return arriving_.is_quiet(); }
  /// The same for a PE that may only look around for work to end, as in a collective call: makes progress or posts what
  /// is partly filled, and passes time if there is neither.
  void progress_or_idle(unsigned& patience);

  // --- Streams

  /// This PE's route of `n_hops` hops, 0: as many as the job's settings say. It lives as long as the exchange. Collective
  /// in the sense that all PEs ask for the same.
  const route& route_of(int n_hops);
  /// Hops of streams that say nothing else.
  int n_hops() const noexcept { return options_.n_hops; }
  /// Latency limit of streams that say nothing else.
  std::uint64_t latency_ns() const noexcept { return options_.latency_ns; }

  /// From now on, streams that are constructed encode buffers to other nodes; as buffer_codec::use. Collective in the
  /// sense that all PEs do it before they construct the same streams.
  void use_codec(codec_number number, std::unique_ptr<codec> own = nullptr) { codec_.use(number, std::move(own)); }

  /// From now on, outboxes that are constructed fetch ahead so. Local; what it changes is speed alone.
  void fetch(const fetch_ahead& ahead) noexcept { options_.ahead = ahead; }

  /// From now on hops get numbers from `first` on; buffers under lower ones are of an earlier world of this substrate,
  /// and dropped. Before the first hop. Collective in the sense that all PEs give the same.
  void begin_numbers(std::uint32_t first) noexcept;

  /// Gives a hop its number. Throws setup_error if no slot is left to reserve for it.
  std::uint32_t enlist(stream_hop& hop);
  void delist(stream_hop& hop) noexcept;

  /// All hops, oldest first. For reports.
  const std::vector<stream_hop*>& hops() const noexcept { return hops_; }
  /// Mailboxes and conveyors: last hops.
  std::size_t n_streams() const noexcept;
  /// Hops that were ever constructed, or took other links. The same on every PE between two constructions.
  std::uint32_t n_constructed() const noexcept { return next_serial_ - first_serial_; }
  /// The number that the next one gets.
  std::uint32_t next_number() const noexcept { return next_serial_; }

  // --- The parts, for hops and streams

  slot_pool& slots() noexcept { return slots_; }
  buffer_codec& codec() noexcept { return codec_; }
  delivery& now() noexcept { return now_; }
  const delivery& now() const noexcept { return now_; }
  departures& leaving() noexcept { return leaving_; }
  dispatch& arriving() noexcept { return arriving_; }
  back_pressure& pressure() noexcept { return pressure_; }
  const back_pressure& pressure() const noexcept { return pressure_; }
  sending_parts sending() noexcept { return {machine_, slots_, codec_, nodes_, leaving_.next_due(), options_.ahead}; }

  // --- Counts

  /// As slot_pool::bytes_most.
  std::uint64_t buffer_bytes_most() const noexcept { return slots_.bytes_most(); }

  /// Whether `record` is wanted; otherwise nobody needs to make up names for it.
  bool keeps_records() const noexcept { return options_.keeps_records; }
  /// Keeps what a hop carried that is about to end or to take other links; added to what was kept under the same name and
  /// number before. Requires keeps_records.
  void record(const stream_counts& counts, std::string name, std::uint32_t serial);
  /// In the order of their numbers, the same on all PEs.
  std::vector<stream_record> take_records();

private:
  substrate& machine_;
  exchange_options options_;
  node_layout nodes_;
  std::unique_ptr<const route> routes_[n_hops_max];  // made when first asked for
  slot_pool slots_;
  buffer_codec codec_;
  delivery now_;
  departures leaving_;
  dispatch arriving_;
  back_pressure pressure_;
  std::vector<stream_hop*> hops_;  // oldest first
  std::uint32_t first_serial_ = 0;  // of this exchange
  std::uint32_t next_serial_ = 0;
  std::map<std::pair<std::uint32_t, std::string>, stream_counts> records_;  // by number and name
};

}  // namespace shoal
