/// The exchange of a PE: the hops of all its streams and the parts that they share.
///
///     stream        one flow of items: route, relays, hops, targets, sessions
///     back_pressure finds room for a send: gives up, waits, or spills
///     dispatch      arrived buffers to inboxes, ready inboxes to their sinks
///     departures    flushes, drains and posts all outboxes
///     outbox, inbox the two ends of a hop
///     slot_pool, buffer_codec, delivery, stopwatch  credits; compression; whose code runs now, and for how long
///
/// Each uses only those below it. docs/architecture.md follows a buffer through them.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "shoal/conveyor/internal/back_pressure.hpp"
#include "shoal/conveyor/internal/buffer_codec.hpp"
#include "shoal/conveyor/internal/constructions.hpp"
#include "shoal/conveyor/internal/delivery.hpp"
#include "shoal/conveyor/internal/departures.hpp"
#include "shoal/conveyor/internal/dispatch.hpp"
#include "shoal/conveyor/internal/node_layout.hpp"
#include "shoal/conveyor/internal/route.hpp"
#include "shoal/conveyor/internal/slot_pool.hpp"
#include "shoal/conveyor/internal/spare_work.hpp"
#include "shoal/conveyor/internal/stopwatch.hpp"
#include "shoal/conveyor/stream_counts.hpp"
#include "shoal/substrate/internal/substrate.hpp"

namespace shoal::internal {

class stall_watch;
class stream_hop;

struct exchange_options {
  slot_pool_options slots = {};
  pe_id node_size = 0;  // PEs per node if the substrate knows no nodes; 0: one node
  int n_hops = 1;  // default hop count of streams
  codec_number codec = codec_number::none;  // for buffers to other nodes; best: for each link the one that gains most
  double ns_per_byte = 0;  // cost of sending a byte to another node; with 0, encoding never pays
  std::uint64_t latency_ns = 0;  // default of outbox::limit_latency
  fetch_ahead ahead = {};  // for outboxes with many links
  bool keeps_records = false;  // keep the counts of streams after their destruction, and measure times
  stall_watch* stalls = nullptr;  // looks for stalls where this PE waits; null: nobody does
};

class exchange {
public:
  exchange(substrate& backend, const exchange_options& options);
  /// Hops that are left belong to static or leaked objects, whose destructors then do nothing.
  ~exchange();
  exchange(const exchange&) = delete;
  exchange& operator=(const exchange&) = delete;

  substrate& backend() const noexcept { return backend_; }
  pe_id my_pe() const noexcept { return backend_.my_pe(); }
  pe_id n_pes() const noexcept { return backend_.n_pes(); }
  std::size_t payload_bytes() const noexcept { return backend_.payload_bytes(); }
  const node_layout& nodes() const noexcept { return nodes_; }

  /// What this PE has constructed through it: each constructor notes its object.
  constructions& objects() noexcept { return objects_; }

  // --- Progress, as in dispatch and departures.

  bool progress() { return arriving_.progress(); }
  bool flush() noexcept { return leaving_.flush(); }
  void idle(unsigned& patience) { arriving_.idle(patience); }
  /// Notes that a call of a program that may loop until something happens has found nothing new. If the program has
  /// nothing else to do, waits for a moment. `n_idle_calls` counts such calls in a row; a wait adds one.
  void note_idle_call(unsigned& n_idle_calls, bool waits);
  /// What the main program does beside its waits.
  spare_work_place& spare() noexcept { return spare_; }
  /// One step of a wait that also ends work, as in a collective call: makes progress and does spare work; if there was
  /// nothing, posts partly filled buffers; if there are none, idles.
  /// `may_go_on`: the caller may go on without what it waits for, so this returns soon, and never sleeps.
  void progress_or_idle(unsigned& patience, bool may_go_on = false);

  // --- Streams

  /// This PE's route of `n_hops` hops; 0: the job's setting. Lives as long as the exchange. All PEs call it with the
  /// same values.
  const route& route_of(int n_hops);
  /// Default hop count of streams.
  int n_hops() const noexcept { return options_.n_hops; }
  /// Default latency limit of streams.
  std::uint64_t latency_ns() const noexcept { return options_.latency_ns; }

  /// Streams constructed from now on encode buffers to other nodes, as buffer_codec::use says. All PEs call it before
  /// they construct the same streams.
  void use_codec(codec_number number, std::unique_ptr<codec> own = nullptr) { codec_.use(number, std::move(own)); }

  /// Outboxes constructed from now on fetch ahead as given. Local; affects speed only.
  void fetch(const fetch_ahead& ahead) noexcept { options_.ahead = ahead; }

  /// Numbers hops from `first` on. Buffers with lower numbers belong to an earlier world on this substrate and are
  /// dropped. Called before the first hop, with the same value on all PEs.
  void begin_numbers(std::uint64_t first) noexcept;

  /// Numbers a hop. Throws setup_error if no slot is left to reserve for it.
  std::uint64_t enlist(stream_hop& hop);
  void delist(stream_hop& hop) noexcept;

  /// For reports: all hops, oldest first.
  const std::vector<stream_hop*>& hops() const noexcept { return hops_; }
  /// Number of mailboxes and conveyors, counted by their last hops.
  std::size_t n_streams() const noexcept;
  /// How many times a hop was constructed or took other links. Equal on all PEs between two constructions.
  std::uint64_t n_constructed() const noexcept { return next_serial_ - first_serial_; }
  /// The number that the next hop gets.
  std::uint64_t next_number() const noexcept { return next_serial_; }

  // --- The parts, for hops and streams

  slot_pool& slots() noexcept { return slots_; }
  buffer_codec& codec() noexcept { return codec_; }
  delivery& now() noexcept { return now_; }
  const delivery& now() const noexcept { return now_; }
  stopwatch& watch() noexcept { return watch_; }
  departures& leaving() noexcept { return leaving_; }
  dispatch& arriving() noexcept { return arriving_; }
  back_pressure& pressure() noexcept { return pressure_; }
  const back_pressure& pressure() const noexcept { return pressure_; }
  sending_parts sending() noexcept { return {backend_, slots_, codec_, nodes_, leaving_.next_due(), options_.ahead}; }

  // --- Counts

  /// As slot_pool::bytes_most.
  std::uint64_t buffer_bytes_most() const noexcept { return slots_.bytes_most(); }

  /// Whether `record` wants counts; otherwise callers need not build names.
  bool keeps_records() const noexcept { return options_.keeps_records; }
  /// Records the counts of a hop that is about to end or to take other links: hop `position` of a route, or 0 of a stream
  /// without one. Adds to earlier counts of the same hop. Requires keeps_records.
  void record(const stream_counts& counts, const std::string& name, std::uint64_t serial, std::uint32_t position);
  /// All records, ordered by number and position: the same on all PEs that have destroyed the same streams. Names may
  /// differ.
  std::vector<stream_record> take_records();

private:
  substrate& backend_;
  exchange_options options_;
  node_layout nodes_;
  std::unique_ptr<const route> routes_[n_hops_max];  // each made on first use
  constructions objects_;
  slot_pool slots_;
  buffer_codec codec_;
  delivery now_;
  stopwatch watch_;
  departures leaving_;
  dispatch arriving_;
  back_pressure pressure_;
  spare_work_place spare_;
  std::vector<stream_hop*> hops_;  // oldest first
  std::uint64_t first_serial_ = 0;  // of this exchange's hops
  std::uint64_t next_serial_ = 0;
  std::map<std::pair<std::uint64_t, std::uint32_t>, stream_record> records_;  // by number and position
};

}  // namespace shoal::internal
