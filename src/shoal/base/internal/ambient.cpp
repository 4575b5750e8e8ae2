#include "shoal/base/internal/ambient.hpp"

#include <stdlib.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <mutex>

#include "shoal/base/internal/quoting.hpp"

namespace shoal::internal {
namespace {

// The process that watches exit: a forked child has another id.
std::atomic<pid_t> exits_of{0};

}  // namespace

constinit thread_local pe_context* current_pe = nullptr;

void pe_context::context_left_by_exit(int) noexcept {
  end_job(status_usage,
          "exit was called in the middle of the job; return from the function given to shoal::run instead");
}

void pe_context::struck_by(int, const void*) noexcept {}

void pe_context::asked(bool) noexcept {}

void end_job(int status, std::string_view report) noexcept {
  if (current_pe != nullptr) current_pe->end_job(status, report);
  // Of several threads, one reports, and the others do not come back.
  static std::atomic_flag is_ending;
  while (is_ending.test_and_set()) ::pause();
  std::fprintf(stderr, "shoal: %s\n", printable(report).c_str());
  std::_Exit(status);
}

void refuse_thread(pe_context* whose) noexcept {
  const bool is_foreign = current_pe == nullptr;
  const std::string report =
      is_foreign ? "a send by a thread that Shoal has not started; only the PE's own thread and tasks send, so let "
                   "world.post call what sends"
                 : "PE " + std::to_string(current_pe->context_pe()) +
                       " sends by an object of another PE of its process; let each PE construct its own";
  if (whose != nullptr) whose->end_job(status_usage, report);
  end_job(status_usage, report);
}

void print_report(pe_id pe, std::string_view report) noexcept {
  if (report.empty()) return;
  std::fflush(stdout);
  std::fprintf(stderr, "shoal: PE %d: %s\n", static_cast<int>(pe), printable(report).c_str());
}

std::string one_line(std::string_view text) {
  std::string line(text);
  for (char& c : line) {
    if (static_cast<unsigned char>(c) < 0x20) c = ' ';
  }
  return line;
}

void refuse_exit() {
  exits_of.store(::getpid(), std::memory_order_relaxed);
  static std::once_flag is_registered;
  // atexit(3) would not pass the status.
  std::call_once(is_registered, [] { ::on_exit([](int status, void*) { answer_exit(status); }, nullptr); });
}

void answer_exit(int status) noexcept {
  pe_context* const leaving = pe_of_this_process();
  if (leaving == nullptr) return;
  // A library ends this process because another process failed; that one reports.
  if (leaving->context_is_in_library()) std::_Exit(status_failure);
  leaving->context_left_by_exit(status);
}

pe_context* pe_of_this_process() noexcept { return is_process_of_pes() ? current_pe : nullptr; }

bool is_process_of_pes() noexcept { return exits_of.load(std::memory_order_relaxed) == ::getpid(); }

}  // namespace shoal::internal
