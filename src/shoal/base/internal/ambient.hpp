/// The one piece of ambient state: which PE this thread runs now.
///
/// A substrate that runs several PEs on one thread (`sim`) changes it at every fiber switch. It serves C interfaces,
/// per-PE handles and error reports. Code that has a world never reads it.
#pragma once

#include <string>
#include <string_view>

#include "shoal/base/types.hpp"

namespace shoal::internal {

/// What base needs from the world of a PE, without knowing what a world is.
class pe_context {
public:
  virtual pe_id context_pe() const noexcept = 0;

  /// Ends the job on every PE with one report; never returns. Local, does not wait.
  [[noreturn]] virtual void end_job(int status, std::string_view report) noexcept = 0;

  /// Whether the PE is inside a call of a communication library, which may end the process.
  virtual bool context_is_in_library() const noexcept = 0;

  /// Called if the program calls exit with `status` while the PE runs. The default ends the job with a report. If it
  /// returns, the PE is gone.
  virtual void context_left_by_exit(int status) noexcept;

  // Called in signal handlers (signal_reports.hpp), so they take no memory from the heap and no locks.

  /// An error strikes the PE, at `address` if that is not null. Says what it did, if that explains the error.
  virtual void struck_by(int signal, const void* address) noexcept;
  /// Says what the PE does, or lets its next wait say it. `is_passed_on`: another thread has counted the question.
  virtual void asked(bool is_passed_on) noexcept;

protected:
  ~pe_context() = default;
};

// initial-exec: one load relative to the thread pointer. If dlopen loads Shoal, it fits into the few TLS bytes that the
// C library reserves for such libraries.
extern constinit thread_local pe_context* current_pe __attribute__((tls_model("initial-exec")));

/// Ends the job of PE `whose`, since this thread does not run it.
[[noreturn]] void refuse_thread(pe_context* whose) noexcept;

/// In checked builds: ends the job unless this thread runs PE `whose`, or a task of it.
inline void require_thread_of([[maybe_unused]] pe_context* whose) noexcept {
#if SHOAL_CHECKED
  if (current_pe != whose) [[unlikely]]
    refuse_thread(whose);
#endif
}

/// Exit statuses of a job that Shoal itself ended.
inline constexpr int status_failure = 1;  // the program failed: a handler threw, a transport broke
inline constexpr int status_usage = 2;  // the user can fix it: an option, an input, a misuse of the API

/// Ends the job of the current PE, or this process if no PE runs, with one line on stderr: "shoal: PE 3: <report>".
/// Local, does not wait.
[[noreturn]] void end_job(int status, std::string_view report) noexcept;

/// Prints the job's only report, after what the program has printed: "shoal: PE 3: <report>". Prints nothing if it is
/// empty.
void print_report(pe_id pe, std::string_view report) noexcept;

/// Makes a foreign text (such as an exception's) part of a one-line report: control characters become spaces.
std::string one_line(std::string_view text);

/// From now on, a call of exit while this thread runs a PE goes to that PE (context_left_by_exit). Otherwise it would
/// leave the other PEs waiting or, in `sim`, end them all with success. A forked child may exit freely. Once per
/// process is enough.
void refuse_exit();

/// What refuse_exit does at exit. For an exit handler that runs before and then does more. Local.
void answer_exit(int status) noexcept;

/// The PE that this thread runs; null if there is none, or in a process forked after refuse_exit. Local.
pe_context* pe_of_this_process() noexcept;

/// Whether refuse_exit was called here, and not in the process that forked this one. Local.
bool is_process_of_pes() noexcept;

}  // namespace shoal::internal
