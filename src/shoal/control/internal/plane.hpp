/// All waves of a PE.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "shoal/control/internal/wave.hpp"
#include "shoal/control/internal/wave_protocol.hpp"
#include "shoal/substrate/internal/control.hpp"

namespace shoal::internal {

/// The maximum number of waves on a PE at once: as many as mailboxes.
inline constexpr std::size_t n_waves_max = 512;

/// All waves of a PE. Lives as long as its substrate, longer than a world.
///
/// Only its PE calls it, from the main program or a handler, and not recursively. All functions are local and
/// nonblocking.
class control_plane {
public:
  explicit control_plane(control_transport& transport) noexcept : transport_(transport) {}
  control_plane(const control_plane&) = delete;
  control_plane& operator=(const control_plane&) = delete;
  ~control_plane();  // no wave may exist

  /// Receives control messages, forwards and resends what is owed, runs on_call. True if anything happened.
  bool progress();

  /// Whether a generation is called or under way here, or a message is owed. If so, other PEs wait for this one: its
  /// sleeps must stay short, and it must not leave the job.
  bool is_busy() const noexcept;

  /// What has gone through this PE for waves of the program: all but those of kind `world`, which look for stalls.
  struct traffic {
    std::uint64_t n_sent = 0;
    std::uint64_t n_received = 0;
    bool is_any_owed = false;  // a message will be sent without anything else happening
  };
  traffic traffic_of_program() const noexcept;
  /// How many messages that are, sent and received.
  std::uint64_t n_messages_of_program() const noexcept { return n_sent_ + n_received_; }

  /// Begins the next opening of the job. No wave may exist; what waves of the last opening still owe will be sent.
  void reopen() noexcept;

  /// The job is over for this PE: from now on its waves may be destroyed in any state, and nothing is sent any more.
  void close() noexcept { is_closed_ = true; }

  // --- For waves

  /// Makes a wave and delivers what arrived for it earlier. Ends the job if a wave of this name exists or there are too
  /// many.
  wave_protocol& attach(std::shared_ptr<const group> among, wave_name name, wave_options options);

  /// The program destroys a wave: deletes it at once, or as soon as it owes nothing.
  void detach(wave_protocol& ended);

  /// Whether no further wave can be made.
  bool is_full() const noexcept { return waves_.size() >= n_waves_max; }

  /// Serves the wave at the next progress, if it has work.
  void wake(wave_protocol& changed);

private:
  void take_in(const control_message& arrived);
  static bool is_of_program(const wave_key& key) noexcept { return kind_of_wave(key) != wave_kind::world; }

  control_transport& transport_;
  std::map<wave_key, std::unique_ptr<wave_protocol>> waves_;
  std::vector<std::unique_ptr<wave_protocol>> ended_;  // those that still owe results
  std::vector<wave_protocol*> with_work_;  // served in round-robin order
  std::vector<wave_protocol*> in_turn_;  // those that the current call of progress serves
  std::vector<control_message> early_;  // for waves or an opening that does not exist here yet
  std::uint64_t n_sent_ = 0;
  std::uint64_t n_received_ = 0;
  std::uint16_t opening_ = 0;
  bool is_in_progress_ = false;
  bool is_closed_ = false;
};

}  // namespace shoal::internal
