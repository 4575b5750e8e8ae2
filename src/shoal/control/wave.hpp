/// Small answers from all PEs of a group, while the program goes on.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>

#include "shoal/control/group.hpp"
#include "shoal/substrate/substrate.hpp"

namespace shoal::internal {

class control_plane;
class wave_protocol;

/// What a wave serves.
enum class wave_kind : std::uint8_t { world, scope, mailbox, team };

/// Names a wave of a group in messages: the same on all members.
struct wave_name {
  wave_kind kind{};
  std::uint32_t number = 0;  // less than 2^24
};

/// "mailbox 12", for reports.
std::string to_string(wave_name name);

/// What all members say of a wave, in the same words but for on_call.
struct wave_options {
  std::size_t bytes = 0;  // of each contribution and of the result, at most round_bytes_max
  combine_function combine = nullptr;  // folds a child's contribution into ours; needed unless bytes is 0
  bool is_ordered = false;  // folds in the order of the tree by rank; otherwise combine must not mind the order

  /// Makes the wave one that is called: some member has called, so contribute, now or soon. Runs inside
  /// control_plane::progress; it must not throw, call progress, or make or destroy waves. Empty: the wave is not called,
  /// and members contribute by themselves.
  std::function<void()> on_call = {};
};

/// One PE's part of a wave, which goes through generations: every member contributes once, the contributions are folded,
/// every member takes the result, and the next generation begins.
///
/// States, for each generation: open --contribute--> under way --result arrives--> complete --take--> open, the next
/// generation. All functions are local and nonblocking; control_plane::progress moves the wave on. Misuse ends the job
/// with a line that names the wave.
///
///     wave least(plane, group, {wave_kind::team, 7}, {.bytes = sizeof step, .combine = lesser});
///     least.contribute(std::as_bytes(std::span(&step, 1)));
///     while (!least.is_complete()) work_on(), plane.progress();
///     std::memcpy(&step, least.take().data(), sizeof step);
class wave {
public:
  /// Members make their waves in any order, and early or late. A PE has one wave of a name in a group at a time, and
  /// n_waves_max in all. The name of a destroyed wave may be used again if that wave has ended a generation and was not
  /// one that is called.
  wave(control_plane& plane, std::shared_ptr<const group> among, wave_name name, wave_options options);
  wave(const wave&) = delete;
  wave& operator=(const wave&) = delete;

  /// While open or complete, and not called; all members destroy it in the same generation. What this PE still has to
  /// pass on, the plane does.
  ~wave();

  /// Gives this PE's contribution to the open generation: `bytes` bytes. To a called wave, only from on_call on.
  void contribute(std::span<const std::byte> mine);

  /// Whether contribute may come. A called wave is open also before it is called.
  bool is_open() const noexcept;

  /// Whether there is a result to take.
  bool is_complete() const noexcept;

  /// The fold over all members; opens the next generation. Valid until this PE next contributes.
  std::span<const std::byte> take() noexcept;

  /// Has every member's on_call run in a generation to which this PE contributes after this moment. Calls merge.
  void call();

private:
  control_plane& plane_;
  wave_protocol& protocol_;
};

}  // namespace shoal::internal
