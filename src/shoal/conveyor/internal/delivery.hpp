/// Tracks whose code a PE runs now, and where a sink must stop.
#pragma once

#include <cstddef>
#include <cstdint>

#include "shoal/base/internal/contract.hpp"

namespace shoal::internal {

class inbox;

/// What a send may do when it finds no room.
enum class when_full : std::uint8_t {
  give_up,  // return false: a conveyor's push, an early-exit mailbox
  wait,  // the main program: run handlers until there is room
  spill,  // a handler: it may neither wait nor run other handlers
  spill_apart,  // the same for fragments of an item larger than a buffer: their memory counts apart
  overrun_apart,  // the main program in the middle of such an item, which it may not wait for
};

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
/// A sink announces how far it may go (proceed_to) and loops while `p < end()`. A handler whose send finds no room
/// spills and calls stop. That sets end() to null, which is below every address, so the loop ends after the current
/// item. The loop needs no second test per item. A sink may call proceed_to again for its next stretch, but not after
/// `stop`.
class delivery {
public:
  enum class state : std::uint8_t {
    main_program,  // may wait
    sink_starts,
    sink_runs,  // handlers run: they may send, never wait
    sink_stops,  // a handler spilled: the sink returns after the current item
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
  /// Hands the same sink another buffer.
  void next_buffer() noexcept {
    SHOAL_ASSERT(current() == state::sink_starts || current() == state::sink_runs);
    end_ = unset();
  }
  void finish() noexcept {
    SHOAL_ASSERT(current() != state::main_program);
    running_ = nullptr;
  }

  // --- Sinks

  /// The bound of the hot loop.
  const std::byte* end() const noexcept { return end_; }
  /// The same for loops outside of the library, which do not know this class: where the bound lies.
  const std::byte* const* end_place() const noexcept { return &end_; }
  void proceed_to(const std::byte* end) noexcept {
    SHOAL_ASSERT(current() == state::sink_starts || current() == state::sink_runs);
    end_ = end;
  }

  // --- Sends

  /// The policy for a send now: the main program waits, a handler spills.
  when_full policy_now() const noexcept { return running_ == nullptr ? when_full::wait : when_full::spill; }
  void stop() noexcept {
    SHOAL_ASSERT(current() == state::sink_runs || current() == state::sink_stops);
    end_ = nullptr;
  }

  // --- Answers. A biconveyor calls functions of the program (answers) while the main program advances it. As in a
  // handler, collective calls are errors there. Pushes give up; sends to mailboxes wait, as in the main program.

  /// For reports: the kind of conveyor whose answer runs now, or null.
  const char* answering() const noexcept { return answering_; }
  void begin_answers(const char* kind) noexcept { answering_ = kind; }
  void end_answers() noexcept { answering_ = nullptr; }

  // --- Deferred work (spare_work.hpp). The main program does work that was left for later. Its sends wait, as those of
  // the main program do; all other calls that wait are errors there.

  /// For reports: the name of the list whose work is done now, or null. `name` outlives the work.
  const char* working() const noexcept { return working_; }
  void begin_work(const char* name) noexcept {
    SHOAL_ASSERT(current() == state::main_program && working_ == nullptr);
    working_ = name;
  }
  void end_work() noexcept { working_ = nullptr; }

  // --- The main program may wait in a collective call of a conveyor, which may loop around a conveyor as programs do.

  /// For reports: that call, or null.
  const char* collective_call() const noexcept { return collective_call_; }
  /// During its lifetime, the main program waits in `call`.
  class collective_wait {
  public:
    collective_wait(delivery& now, const char* call) noexcept : now_(now) { now_.collective_call_ = call; }
    ~collective_wait() { now_.collective_call_ = nullptr; }
    collective_wait(const collective_wait&) = delete;
    collective_wait& operator=(const collective_wait&) = delete;

  private:
    delivery& now_;
  };

private:
  // Neither null nor the address of any buffer.
  static const std::byte* unset() noexcept { return reinterpret_cast<const std::byte*>(std::uintptr_t{1}); }

  inbox* running_ = nullptr;
  const std::byte* end_ = nullptr;
  const char* answering_ = nullptr;
  const char* working_ = nullptr;
  const char* collective_call_ = nullptr;
};

}  // namespace shoal::internal
