/// All waves of a PE.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "shoal/control/wave.hpp"
#include "shoal/control/wave_protocol.hpp"
#include "shoal/substrate/control.hpp"

namespace shoal::internal {

/// At most so many waves exist at once on a PE: as many as mailboxes.
inline constexpr std::size_t n_waves_max = 512;

/// All waves of a PE. Lives as long as its substrate, longer than a world.
///
/// Called by its PE only, from the main program or a handler, and not from itself. Everything is local and nonblocking.
class control_plane {
public:
  explicit control_plane(control_transport& machine) noexcept : machine_(machine) {}
  control_plane(const control_plane&) = delete;
  control_plane& operator=(const control_plane&) = delete;
  ~control_plane();  // no wave may exist

  /// Takes in control messages, passes on and sends again what is owed, runs on_call. True if anything happened.
  bool progress();

  /// Whether a generation is called or under way here, or something is owed: somebody waits for this PE, so that its naps
  /// must stay short, and it must not leave the job.
  bool is_busy() const noexcept;

  /// Begins the next opening of the job. No wave may exist; what those of the last opening still owe is sent on.
  void reopen() noexcept;

  // --- For waves

  /// A new wave; takes in what came for it before. Ends the job if one of this name exists or there are too many.
  wave_protocol& attach(std::shared_ptr<const group> among, wave_name name, wave_options options);

  /// The wave's program has ended: deletes it, at once or when nothing is owed any more.
  void detach(wave_protocol& ended);

  /// Looks after the wave at the next progress, if it has work.
  void wake(wave_protocol& changed);

private:
  void take_in(const control_message& arrived);

  control_transport& machine_;
  std::map<wave_key, std::unique_ptr<wave_protocol>> waves_;
  std::vector<std::unique_ptr<wave_protocol>> ended_;  // those that still owe results
  std::vector<wave_protocol*> with_work_;  // served in turn
  std::vector<wave_protocol*> in_turn_;  // those that the current progress serves
  std::vector<control_message> early_;  // for waves or an opening that do not exist here yet
  std::uint16_t opening_ = 0;
  bool is_in_progress_ = false;
};

}  // namespace shoal::internal
