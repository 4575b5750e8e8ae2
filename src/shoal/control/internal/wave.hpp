/// Small answers from all PEs of a group, while the program continues.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "shoal/control/internal/group.hpp"
#include "shoal/substrate/internal/substrate.hpp"

namespace shoal::internal {

class control_plane;
class wave_protocol;

/// What a wave is used for.
enum class wave_kind : std::uint8_t { world, scope, mailbox, team, background };

/// Names a wave of a group in messages: the same on all members.
struct wave_name {
  wave_kind kind{};
  std::uint32_t number = 0;  // less than 2^24
};

/// "mailbox 12", for reports.
std::string to_string(wave_name name);

/// The options of a wave. All members give the same, except for on_call.
struct wave_options {
  std::size_t bytes = 0;  // of each contribution and of the result, at most round_bytes_max
  /// Folds a child's contribution into ours; needed unless bytes is 0. With is_ordered, it runs only after this PE has
  /// contributed.
  std::function<void(std::byte* into, const std::byte* from, std::size_t bytes)> combine = {};
  bool is_ordered = false;  // folds in the order of the tree by rank; otherwise combine must be commutative

  /// If set, the wave is a called one: on_call runs when some member has called, and asks this PE to contribute, now or
  /// soon. It runs inside control_plane::progress, and must not throw, call progress, or make or destroy waves. If
  /// empty, the wave cannot be called, and members contribute on their own.
  std::function<void()> on_call = {};
};

/// One PE's part of a wave. A wave goes through generations: every member contributes once, the contributions are
/// folded, every member takes the result, and the next generation begins.
///
/// States of each generation: open --contribute--> under way --result arrives--> complete --take--> open, the next
/// generation. All functions are local and nonblocking; control_plane::progress advances the wave. Misuse ends the job
/// with a line that names the wave.
///
///     wave least(plane, group, {wave_kind::team, 7}, {.bytes = sizeof step, .combine = lesser});
///     least.contribute(std::as_bytes(std::span(&step, 1)));
///     while (!least.is_complete()) work_on(), plane.progress();
///     std::memcpy(&step, least.take().data(), sizeof step);
class wave {
public:
  /// Members make their waves in any order, early or late. On a PE each name in a group has at most one wave at a time;
  /// n_waves_max limits all of them. The name of a destroyed wave may be reused if that wave ended a generation and was
  /// not a called one.
  wave(control_plane& plane, std::shared_ptr<const group> among, wave_name name, wave_options options);
  wave(const wave&) = delete;
  wave& operator=(const wave&) = delete;

  /// Destroy it while open or complete and not called, on all members in the same generation. The plane forwards what
  /// this PE still owes.
  ~wave();

  /// Contributes `bytes` bytes to the open generation. A called wave takes contributions only after on_call began.
  void contribute(std::span<const std::byte> mine);

  /// Whether `contribute` is legal. A called wave is open also before it is called.
  bool is_open() const noexcept;

  /// Whether a result is ready to be taken.
  bool is_complete() const noexcept;

  /// Whether this PE still has to pass on a result, or something else, which the plane does.
  bool owes() const noexcept;

  /// For reports: the children in the tree whose subtrees have not contributed yet. Empty unless this PE has contributed and
  /// waits for them.
  [[gnu::cold]] std::vector<pe_id> lacking() const;

  /// Takes the fold over all members and opens the next generation. Valid until this PE contributes again.
  std::span<const std::byte> take() noexcept;

  /// Makes every member's on_call run, in a generation to which this PE contributes after this moment. Calls merge.
  void call();

private:
  control_plane& plane_;
  wave_protocol& protocol_;
};

}  // namespace shoal::internal
