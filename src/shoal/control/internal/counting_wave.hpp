/// Detects when the PEs of a group have handled all that they sent each other: the counting waves of
/// docs/design/termination.md.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>

#include "shoal/control/internal/wave.hpp"

namespace shoal::internal {

/// Options of a counting wave, the same on all members but for `digest`.
struct counting_options {
  /// A member that contributes sends nothing more in the scope, whatever arrives; it may pass on what others sent. Then
  /// the first generation in which all that was sent was handled ends the scope.
  bool are_sends_final = false;
  /// Of something on which all members have to agree.
  std::optional<std::uint64_t> digest = std::nullopt;
};

/// Detects the end of a scope, superstep by superstep. All functions are local and nonblocking.
///
/// The first member that learns of the end may begin the next superstep while others still have to learn it. What it
/// sends then must wait on those PEs until they begin.
class counting_wave {
public:
  counting_wave(control_plane& plane, std::shared_ptr<const group> among, wave_name name,
                const counting_options& options = {});

  /// Begins the next superstep, with counts from zero, after the last one has ended. The first superstep begins at
  /// construction.
  void begin();

  /// Call it in each iteration. `is_idle`: this PE has no work left in the scope, has posted all that it sent, and
  /// sends nothing more unless it gets a message. `sent` and `handled` count its messages since begin; a message counts
  /// as handled when its handler has returned. True once the scope has ended on all members.
  bool advance(bool is_idle, std::uint64_t sent, std::uint64_t handled);

  /// Whether this PE has contributed, and others have not yet.
  bool is_waiting() const noexcept { return !wave_.is_open() && !wave_.is_complete(); }
  /// Whether a generation has shown that not all members have the same digest.
  bool are_digests_different() const noexcept { return are_digests_different_; }

private:
  struct counts {
    std::uint64_t sent = 0;
    std::uint64_t handled = 0;
    std::uint64_t digests = 0;  // their sum; it travels only if there is one
  };
  static constexpr std::size_t bytes_without_digest = 2 * sizeof(std::uint64_t);
  static void add(std::byte* into, const std::byte* from, std::size_t bytes);
  void judge(const counts& all);

  const counting_options options_;
  const std::uint64_t n_members_;
  wave wave_;
  std::uint64_t last_handled_ = 0;  // total of the previous generation
  bool has_last_ = false;
  bool is_over_ = false;
  bool are_digests_different_ = false;
};

}  // namespace shoal::internal
