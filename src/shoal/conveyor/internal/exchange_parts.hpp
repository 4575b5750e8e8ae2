/// What the exchanges of a PE share: that of the whole job, and one for each of its teams.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "shoal/control/internal/plane.hpp"
#include "shoal/conveyor/internal/back_pressure.hpp"
#include "shoal/conveyor/internal/buffer_codec.hpp"
#include "shoal/conveyor/internal/delivery.hpp"
#include "shoal/conveyor/internal/departures.hpp"
#include "shoal/conveyor/internal/dispatch.hpp"
#include "shoal/conveyor/internal/route_tables.hpp"
#include "shoal/conveyor/internal/slot_pool.hpp"
#include "shoal/conveyor/internal/spare_work.hpp"
#include "shoal/conveyor/internal/stopwatch.hpp"
#include "shoal/conveyor/stream_counts.hpp"
#include "shoal/substrate/internal/substrate.hpp"

namespace shoal::internal {

class exchange;
struct exchange_options;
class stall_watch;
class worker_links;

/// So many teams of a job have rows of their own in the statistics. Streams of later ones share a row for each name.
inline constexpr std::uint64_t n_teams_with_rows = 64;

/// Orders records of teams that differ in nothing but their names: teams without a common PE may have equal numbers.
std::uint64_t place_of_name(std::string_view name) noexcept;

class exchange_parts {
public:
  exchange_parts(substrate& pe, const exchange_options& options);
  ~exchange_parts();
  exchange_parts(const exchange_parts&) = delete;
  exchange_parts& operator=(const exchange_parts&) = delete;

  /// The control plane of this PE; made by the first call, unless the watch for stalls has one.
  control_plane& plane();
  /// From now on the waits of this PE serve the plane, since other PEs wait for waves that it passes on.
  void serve_waves();
  /// Keeps waves that an exception left under way, until the job ends.
  void keep_broken(std::vector<std::unique_ptr<wave>> waves) noexcept;

  /// Number of mailboxes and conveyors on this PE.
  std::size_t n_streams() const noexcept;

  // --- Counts

  /// Whether `record` wants counts; otherwise callers need not build names.
  bool keeps_records() const noexcept { return keeps_records_; }
  /// Records the counts of a hop that is about to end or to take other links: hop `position` of a route, or 0 of a stream
  /// without one. Adds to earlier counts of the same hop. Requires keeps_records.
  void record(const stream_counts& counts, const std::string& name, std::uint64_t serial, std::uint32_t position);
  /// All records of this PE, ordered by number, position and place_of_name: the same on all PEs that have destroyed the
  /// same streams, but for those of teams.
  std::vector<stream_record> take_records();

  // --- The parts

  substrate& backend;
  const std::shared_ptr<route_tables> tables;  // of the job; shared by PEs that take turns in one memory
  const node_layout& nodes;
  slot_pool slots;
  buffer_codec codec;
  delivery now;
  stopwatch watch;
  departures leaving;
  dispatch arriving;
  back_pressure pressure;
  spare_work_place spare;
  std::unique_ptr<kept_work> tasks;  // null until the layer above makes it
  worker_links* of_workers = nullptr;  // that layer's, if the PE has several workers
  const bool has_workers;  // it will have, if there are tasks
  std::vector<exchange*> exchanges;  // that of the whole job first
  std::uint64_t next_team = 1;  // number of the next team; any that is not less will do

private:
  // Serves waves in the waits of the main program.
  class wave_service final : public spare_work {
  public:
    explicit wave_service(control_plane& plane) noexcept : plane_(plane) {}
    bool run() override { return settle(); }
    // The watch for stalls uses the plane, too. If its messages counted as a move, it would find no stall.
    bool settle() override {
      const std::uint64_t n_before = plane_.n_messages_of_program();
      plane_.progress();
      return plane_.n_messages_of_program() != n_before;
    }

  private:
    control_plane& plane_;
  };

  stall_watch* const stalls_;
  const bool keeps_records_;
  // By number, position and place_of_name.
  std::map<std::tuple<std::uint64_t, std::uint32_t, std::uint64_t>, stream_record> records_;
  std::unique_ptr<control_plane> own_plane_;
  std::unique_ptr<wave_service> service_;
  std::vector<std::unique_ptr<wave>> broken_;
};

}  // namespace shoal::internal
