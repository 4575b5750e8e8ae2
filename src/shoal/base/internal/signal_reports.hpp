/// What PEs tell when a signal strikes: what they handled when they crashed, and on request what they wait for.
///
/// How a process acts on signals is a property of the process, so the state behind these functions is, too: which
/// actions were there before, which threads answer, and how often somebody has asked.
#pragma once

#include <signal.h>

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "shoal/base/internal/questions.hpp"

namespace shoal::internal {

/// A set of signals among those that Shoal handles: errors (SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT) and questions
/// (SIGQUIT, SIGUSR1).
using signal_set = std::uint32_t;

/// Those that have their default action now. Local.
signal_set signals_by_default() noexcept;

/// Lets the current PE answer these signals: pe_context::struck_by for an error, after which the action of before
/// follows; pe_context::asked for a question. A question that reaches a thread without a PE is left to the waits of this
/// process's PEs; if it has none, the action of before follows. From there it goes on to all answering_threads. Has no
/// effect on signals that it was called for before.
/// `allowed`: those that had their default action before a library came that handles errors itself. Other signals are
/// the program's. Called by one thread at a time, before this process's first world.
void answer_signals(signal_set allowed);

/// While it lives, a question that reaches another thread of this process reaches the thread that constructed it, too. For
/// PEs that are threads: one that computes cannot answer in a wait. Beyond 4096 at a time they have no effect.
class answering_thread {
public:
  answering_thread() noexcept;
  ~answering_thread();
  answering_thread(const answering_thread&) = delete;
  answering_thread& operator=(const answering_thread&) = delete;

private:
  std::atomic<int>* place_;  // null: all are taken
};

/// While it lives, signals of errors on the thread that constructed it are handled on a stack of its own, so that an overflow of
/// the thread's stack can be reported. For threads that start after answer_signals.
class own_handler_stack {
public:
  own_handler_stack();
  ~own_handler_stack();
  own_handler_stack(const own_handler_stack&) = delete;
  own_handler_stack& operator=(const own_handler_stack&) = delete;

private:
  std::byte* const memory_;
};

/// While it lives, threads that are started take no signals but those of errors. Others are for the PE's own thread.
class signals_for_others {
public:
  signals_for_others() noexcept;
  ~signals_for_others();
  signals_for_others(const signals_for_others&) = delete;
  signals_for_others& operator=(const signals_for_others&) = delete;

private:
  sigset_t before_;
};

/// Counts the worlds of this process: one more, or one less.
void note_world(int change) noexcept;

/// "segmentation fault"
const char* name_of_error(int signal) noexcept;

}  // namespace shoal::internal
