/// Whose code runs on a PE now, and where a sink must stop.
#pragma once

#include <cstddef>
#include <cstdint>

#include "shoal/base/contract.hpp"

namespace shoal {

class inbox;

/// The protocol between dispatch, which runs sinks, the sinks' loops, and sends that find no room.
///
///                     begin                 proceed_to
///     main_program --------> sink_starts -------------> sink_runs
///         ^                                               |  ^ |
///         |                     finish                    |    |
///         +-----------------------------------------------+    | stop: a handler's send went
///         +---------------------------------------- sink_stops <+ beyond the credits
///                               finish
///
/// A sink says how far it may go (proceed_to) and loops `p < end()`. A handler whose send finds no room spills and calls
/// stop: then end() is null, below every address, so the loop ends after the item it is at. The loop asks no second
/// question for each item. A sink may say proceed_to again for its next stretch, but not once it has to stop.
class delivery {
public:
  enum class state : std::uint8_t {
    main_program,  // may wait
    sink_starts,
    sink_runs,  // handlers run: they may send, never wait
    sink_stops,  // a handler spilled: the sink returns after the item it is at
  };

  state current() const noexcept {
    if (running_ == nullptr) return state::main_program;
    if (end_ == nullptr) return state::sink_stops;
    return end_ == unset() ? state::sink_starts : state::sink_runs;
  }

  /// The inbox whose sink runs; null in the main program.
  inbox* running() const noexcept { return running_; }

  // --- Dispatch

  void begin(inbox& of) noexcept {
    SHOAL_ASSERT(current() == state::main_program);
    running_ = &of;
    end_ = unset();
  }
  bool must_stop() const noexcept { return end_ == nullptr; }
  /// The same sink gets another buffer.
  void next_buffer() noexcept {
    SHOAL_ASSERT(current() == state::sink_starts || current() == state::sink_runs);
    end_ = unset();
  }
  void finish() noexcept {
    SHOAL_ASSERT(current() != state::main_program);
    running_ = nullptr;
  }

  // --- Sinks

  /// The hot loop's bound.
  const std::byte* end() const noexcept { return end_; }
  void proceed_to(const std::byte* end) noexcept {
    SHOAL_ASSERT(current() == state::sink_starts || current() == state::sink_runs);
    end_ = end;
  }

  // --- Sends

  void stop() noexcept {
    SHOAL_ASSERT(current() == state::sink_runs || current() == state::sink_stops);
    end_ = nullptr;
  }

  // --- Answers. A biconveyor calls functions of the program while the main program advances it. Collective calls are
  // errors there, as in a handler; pushes give up, and sends to mailboxes wait as the main program's do.

  /// The kind of conveyor whose answer runs now, or null. For reports.
  const char* answering() const noexcept { return answering_; }
  void begin_answers(const char* kind) noexcept { answering_ = kind; }
  void end_answers() noexcept { answering_ = nullptr; }

private:
  // An address above null that no buffer has.
  static const std::byte* unset() noexcept { return reinterpret_cast<const std::byte*>(std::uintptr_t{1}); }

  inbox* running_ = nullptr;
  const std::byte* end_ = nullptr;
  const char* answering_ = nullptr;
};

}  // namespace shoal
