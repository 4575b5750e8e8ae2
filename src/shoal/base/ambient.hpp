/// The one piece of ambient state: which PE does this thread run right now.
///
/// A substrate that runs several PEs on one thread (`sim`) changes it at every fiber switch. It is
/// meant for C interfaces, per-PE handles and error reports; code that has a world never reads it.
#pragma once

#include <string>
#include <string_view>

#include "shoal/base/types.hpp"

namespace shoal {

/// What base may ask of the world a PE runs in, without knowing what a world is.
class pe_context {
public:
  virtual pe_id context_pe() const noexcept = 0;

  /// Ends the job on every PE with one report; never returns. Local, never waits.
  [[noreturn]] virtual void end_job(int status, std::string_view report) noexcept = 0;

  /// Whether the PE is inside a call of a communication library, which may end the process by itself.
  virtual bool context_is_in_library() const noexcept = 0;

  /// The program calls exit with `status` while the PE runs. Here, ends the job with a report. A PE that returns is gone.
  virtual void context_left_by_exit(int status) noexcept;

protected:
  ~pe_context() = default;
};

// initial-exec: one load off the thread pointer. A Shoal loaded by dlopen fits into the few TLS bytes
// that the C library keeps for such libraries.
extern constinit thread_local pe_context* current_pe __attribute__((tls_model("initial-exec")));

/// Exit statuses of a job that Shoal itself ended.
inline constexpr int status_failure = 1;  // the program failed: a handler threw, a transport broke
inline constexpr int status_usage = 2;  // the user can mend it: an option, an input, a misuse of the API

/// Ends the job of the current PE, or this process where no PE runs, with one line on stderr:
/// "shoal: PE 3: <report>". Local, never waits.
[[noreturn]] void end_job(int status, std::string_view report) noexcept;

/// Prints a job's one report, behind what the program has printed: "shoal: PE 3: <report>". An empty one prints nothing.
void print_report(pe_id pe, std::string_view report) noexcept;

/// A text of others (an exception's) as a part of a one-line report: control characters become blanks.
std::string one_line(std::string_view text);

/// From now on, a program that calls exit while this thread runs a PE is told by that PE (context_left_by_exit), where it
/// would leave the other PEs waiting or, in `sim`, end them all with success. A child that this process forks is free to
/// exit. Once per process is enough.
void refuse_exit();

/// What refuse_exit has the process do at exit; for whoever does more then, and comes before it. Local.
void answer_exit(int status) noexcept;

/// The PE that this thread runs; null if there is none, or in a process that was forked since refuse_exit. Local.
pe_context* pe_of_this_process() noexcept;

}  // namespace shoal
