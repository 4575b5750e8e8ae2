/// Proves that nothing can move any more in a job, and then says what each PE waits for.
///
/// A PE that has waited for some time calls a wave of all PEs. Each contributes from the loop in which it waits: its
/// counts, and whether anything has happened here since it last contributed. A time only starts the proof, counts
/// decide; a PE that computes or is stopped contributes nothing. docs/design/stall-report.md has the proof.
#pragma once

#include <array>
#include <cstdint>

#include "shoal/base/stall_action.hpp"
#include "shoal/control/internal/message.hpp"
#include "shoal/control/internal/plane.hpp"
#include "shoal/control/internal/wave.hpp"
#include "shoal/substrate/internal/substrate.hpp"

namespace shoal::internal {

/// PEs that wait in the same way.
struct stall_group {
  std::uint64_t digest = 0;  // of how they wait
  pe_id first = 0;  // lowest of them
  pe_id n = 0;  // number of them; 0: no group
};

/// What one PE contributes to a generation, and the fold over all.
struct stall_share {
  std::uint64_t n_posted = 0;  // buffers, and messages of the program's waves
  std::uint64_t n_received = 0;
  std::uint64_t n_released = 0;
  std::uint64_t n_returned = 0;
  std::uint64_t n_rounds_least = UINT64_MAX;  // at which a PE has arrived
  std::uint64_t n_awaited_least = UINT64_MAX;  // number of a round that a PE awaits; UINT64_MAX: none does
  pe_id latest = 0;  // the first PE that has arrived at n_rounds_least rounds only
  pe_id n_latest = 0;  // number of such PEs
  pe_id n_awake = 0;  // PEs where something has happened, or where something will without others
  pe_id n_looping = 0;  // PEs whose program loops around progress or advance
  pe_id n_in_rounds = 0;
  pe_id n_in_no_group = 0;  // PEs for which no group is left
  std::array<stall_group, 5> groups{};  // of the PEs that are not awake
};
static_assert(sizeof(stall_share) <= piece_bytes_max);

/// Folds another share into a first one.
void add_share(stall_share& into, const stall_share& from) noexcept;

/// Whether all PEs wait and nothing is in transit, given the shares of a generation before which all contributed once.
bool proves_stall(const stall_share& all) noexcept;

/// The watch of a PE. Lives as long as its substrate, across worlds. All functions are local and do not wait.
class stall_watch {
public:
  /// Every PE of the job makes one, with the same options. `backend` outlives it.
  stall_watch(substrate& backend, stall_action action, std::uint64_t patience_ns);
  ~stall_watch();
  stall_watch(const stall_watch&) = delete;
  stall_watch& operator=(const stall_watch&) = delete;

  /// The only plane of this PE, for other waves: two would take each other's messages.
  control_plane& plane() noexcept { return plane_; }

  /// Where a PE waits. In a call of Shoal, only what other PEs do can end the wait. In a loop of the program, anything.
  enum class place : std::uint8_t { call, loop };

  /// Notes that a PE has found nothing to do, `patience` times in a row. True if it is time to look.
  bool note(unsigned patience) noexcept {
    if (patience == 0) ++n_waits_;
    // Most waits end before they sleep.
    if (patience < least_patience_) [[likely]]
      return false;
    // A patience that stays means that the waits sleep.
    const bool is_time = patience == last_patience_ || (patience & look_mask_) == look_mask_;
    last_patience_ = patience;
    return is_time;
  }

  /// Serves the wave, and contributes if that is due. `may_continue`: this PE may go on by itself, in time. May end the
  /// job.
  [[gnu::cold]] void look(place where, bool may_continue);

private:
  enum class phase : std::uint8_t { watching, telling, done };

  static constexpr unsigned waits_between_looks = 64;  // a power of two

  bool is_at_work(place where) noexcept;
  void call_in_time(bool is_working);
  void contribute(place where, bool may_continue);
  void judge(const stall_share& all, place where);
  void tell(place where) const;
  void conclude();

  substrate& backend_;
  const stall_action action_;
  const std::uint64_t patience_ns_;
  const unsigned look_mask_;
  const unsigned least_patience_;
  control_plane plane_;
  wave wave_;

  std::uint64_t n_waits_ = 0;  // begun
  unsigned last_patience_ = 0;  // perhaps of an earlier wait, so that a look may come early

  std::uint64_t watched_wait_ = 0;  // the wait that began at since_ns_
  std::uint64_t since_ns_ = 0;
  std::uint64_t cpu_ns_ = 0;  // time that this thread had run at the last look
  unsigned n_calls_left_ = 0;  // generations that this PE will still call
  bool has_called_ = false;
  bool is_called_ = false;

  // At the last contribution.
  std::uint64_t shared_wait_ = UINT64_MAX;
  flow_counts shared_flow_;
  bool might_continue_ = false;

  phase phase_ = phase::watching;
  stall_share found_;  // the proof; valid unless watching
  bool has_warned_ = false;
};

}  // namespace shoal::internal
