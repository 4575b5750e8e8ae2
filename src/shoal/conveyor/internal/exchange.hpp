/// The exchange of a PE: the hops of the streams among all PEs, and the parts that they share. Each team of the PE has an
/// exchange of its own for the streams among its members, with the same parts; its PEs are those of the team.
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
#include <memory>
#include <string>
#include <vector>

#include "shoal/conveyor/internal/constructions.hpp"
#include "shoal/conveyor/internal/exchange_parts.hpp"
#include "shoal/conveyor/internal/route.hpp"
#include "shoal/conveyor/internal/team_members.hpp"
#include "shoal/conveyor/internal/team_rounds.hpp"
#include "shoal/substrate/internal/substrate.hpp"

namespace shoal::internal {

class stall_watch;
class stream_hop;

struct exchange_options {
  slot_pool_options slots = {};
  pe_id node_size = 0;  // PEs per node if the substrate knows no nodes; 0: one node
  int n_hops = 1;  // default hop count of streams
  codec_number codec = codec_number::none;  // for buffers to other nodes; best: for each link the one that gains most
  double ns_per_byte = -1;  // as buffer_codec's
  std::uint64_t latency_ns = 0;  // default of outbox::limit_latency
  fetch_ahead ahead = {};  // for outboxes with many links
  bool has_workers = false;  // tasks of this PE may run on several workers, which all send
  bool keeps_records = false;  // keep the counts of streams after their destruction, and measure times
  stall_watch* stalls = nullptr;  // looks for stalls where this PE waits; null: nobody does
};

class exchange {
public:
  exchange(substrate& backend, const exchange_options& options);
  /// That of a team. `job`: the exchange of the whole job, which outlives it. Collective for the team; does not wait.
  exchange(exchange& job, team_members members);
  /// Hops that are left belong to static or leaked objects, whose destructors then do nothing.
  ~exchange();
  exchange(const exchange&) = delete;
  exchange& operator=(const exchange&) = delete;

  substrate& backend() const noexcept { return parts_.backend; }
  pe_id my_pe() const noexcept { return my_pe_; }
  pe_id n_pes() const noexcept { return n_pes_; }
  std::size_t payload_bytes() const noexcept { return backend().payload_bytes(); }
  const node_layout& nodes() const noexcept { return tables_.nodes(); }

  // --- Teams

  bool is_team() const noexcept { return !team_.pes.empty(); }
  const team_members& team() const noexcept { return team_; }
  /// The number of the team; that of the whole job is less than those of its teams.
  std::uint64_t number() const noexcept { return team_of_hop(first_serial_); }
  /// The number in the job of a PE.
  pe_id pe_in_job(pe_id pe) const noexcept { return is_team() ? team_.pes[static_cast<std::size_t>(pe)] : pe; }
  /// For reports: "team 2 (PEs 0, 3, 5)"; of all PEs: empty.
  std::string name() const;
  /// The same as " of team 2 (PEs 0, 3, 5)", or empty.
  std::string of_name() const { return is_team() ? " of " + name() : ""; }
  /// Collective calls are made of these.
  group_rounds& rounds() noexcept { return *rounds_; }
  /// The PEs, for waves.
  const std::shared_ptr<const group>& members();
  exchange_parts& parts() const noexcept { return parts_; }

  /// What this PE has constructed through it: each constructor notes its object.
  constructions& objects() noexcept { return objects_; }

  // --- Progress, as in dispatch and departures. For all exchanges of the PE.

  bool progress() { return parts_.arriving.progress(); }
  bool flush() noexcept { return parts_.leaving.flush(); }
  void idle(unsigned& patience) { parts_.arriving.idle(patience); }
  /// Notes that a call of a program that may loop until something happens has found nothing new. If the program has
  /// nothing else to do, waits for a moment. `n_idle_calls` counts such calls in a row; a wait adds one.
  void note_idle_call(unsigned& n_idle_calls, bool waits);
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
  void use_codec(codec_number number, std::unique_ptr<codec> own = nullptr) {
    parts_.codec.use(number, std::move(own));
  }

  /// Outboxes constructed from now on fetch ahead as given. Local; affects speed only.
  void fetch(const fetch_ahead& ahead) noexcept { options_.ahead = ahead; }

  /// Numbers hops from `first` on, and teams above that. Buffers with lower numbers belong to an earlier world on this
  /// substrate and are dropped. Called before the first hop, with the same value on all PEs; not for a team.
  void begin_numbers(std::uint64_t first) noexcept;
  /// Where the numbers of the next world on this substrate may begin.
  std::uint64_t first_number_of_next_world() const noexcept { return first_hop_of_team(parts_.next_team); }

  /// Numbers a hop. Throws setup_error if no slot is left to reserve for it.
  std::uint64_t enlist(stream_hop& hop);
  void delist(stream_hop& hop) noexcept;

  /// For reports: all hops, oldest first.
  const std::vector<stream_hop*>& hops() const noexcept { return hops_; }
  /// Number of mailboxes and conveyors of the PE, counted by their last hops; and those of this exchange alone.
  std::size_t n_streams() const noexcept { return parts_.n_streams(); }
  std::size_t n_streams_of_group() const noexcept;
  /// How many times a hop was constructed or took other links. Equal on all PEs between two constructions.
  std::uint64_t n_constructed() const noexcept { return next_serial_ - first_serial_; }
  /// The number that the next hop gets.
  std::uint64_t next_number() const noexcept { return next_serial_; }

  // --- Some of the parts, for hops and streams

  delivery& now() const noexcept { return parts_.now; }
  dispatch& arriving() const noexcept { return parts_.arriving; }
  sending_parts sending() noexcept {
    return {parts_.backend, parts_.slots, parts_.codec, parts_.nodes, parts_.leaving.next_due(),
            options_.ahead, team_,        my_pe_};
  }

private:
  const std::unique_ptr<exchange_parts> own_parts_;  // of the whole job's
  exchange_parts& parts_;
  exchange_options options_;
  const team_members team_;  // without members: all PEs
  const pe_id my_pe_;
  const pe_id n_pes_;
  const std::unique_ptr<route_tables> own_tables_;  // of a team
  route_tables& tables_;
  std::shared_ptr<const group> members_;  // made on first use
  std::unique_ptr<team_rounds> own_rounds_;
  group_rounds* const rounds_;
  std::unique_ptr<const route> routes_[n_hops_max];  // each made on first use
  constructions objects_;
  std::vector<stream_hop*> hops_;  // oldest first
  std::uint64_t first_serial_ = 0;  // of this exchange's hops
  std::uint64_t next_serial_ = 0;
};

}  // namespace shoal::internal
