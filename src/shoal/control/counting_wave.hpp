/// Finds out when what the PEs of a group send each other has ended: the counting waves of docs/design/termination.md.
#pragma once

#include <cstdint>
#include <memory>

#include "shoal/control/wave.hpp"

namespace shoal::internal {

/// A scope's end, superstep by superstep. All functions are local and nonblocking.
///
/// The first member that learns the end may begin the next superstep while others have yet to learn it; what it sends
/// then must wait there for their begin.
class counting_wave {
public:
  counting_wave(control_plane& plane, std::shared_ptr<const group> among, wave_name name);

  /// Begins the next superstep: counts start from zero. Once the last one has ended; the first has begun already.
  void begin();

  /// To be called at each turn. `is_idle`: this PE has nothing of the scope left to do, has posted all that it sent, and
  /// will send nothing unless it is sent something. `sent` and `handled` are its messages since begin; a message counts
  /// as handled when its handler has ended. True once the scope has ended on all members.
  bool advance(bool is_idle, std::uint64_t sent, std::uint64_t handled);

private:
  struct counts {
    std::uint64_t sent = 0;
    std::uint64_t handled = 0;
  };
  static void add(std::byte* into, const std::byte* from, std::size_t bytes);
  void judge(const counts& all);

  wave wave_;
  std::uint64_t last_handled_ = 0;  // in all, by the generation before
  bool has_last_ = false;
  bool is_over_ = false;
};

}  // namespace shoal::internal
