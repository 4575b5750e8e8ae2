#include "shoal/base/ambient.hpp"

#include <sys/syscall.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <mutex>

namespace shoal {
namespace {

void left_by_exit() {
  if (current_pe == nullptr) return;
  // A library that ends this process because another one has failed: that one reports.
  if (current_pe->context_is_in_library()) std::_Exit(status_failure);
  current_pe->end_job(status_usage, "exit was called in the middle of the job; return from the function "
                                    "given to shoal::run instead");
}

// Signal handlers may come here, so nothing but plain system calls is allowed.
int refuse_exit_at_once(pe_id pe) noexcept {
  char line[128];
  const int length = std::snprintf(line, sizeof line,
                                   "shoal: PE %d: _exit was called in the middle of the job; return from the function "
                                   "given to shoal::run instead\n",
                                   static_cast<int>(pe));
  const auto n_written = ::write(STDERR_FILENO, line, static_cast<std::size_t>(length));
  return n_written < 0 ? status_failure : status_usage;
}

}  // namespace

constinit thread_local pe_context* current_pe = nullptr;

void end_job(int status, std::string_view report) noexcept {
  if (current_pe != nullptr) current_pe->end_job(status, report);
  std::fprintf(stderr, "shoal: %.*s\n", static_cast<int>(report.size()), report.data());
  std::_Exit(status);
}

void print_report(pe_id pe, std::string_view report) noexcept {
  std::fflush(stdout);
  std::fprintf(stderr, "shoal: PE %d: %.*s\n", static_cast<int>(pe), static_cast<int>(report.size()), report.data());
}

std::string one_line(std::string_view text) {
  std::string line(text);
  for (char& c : line) {
    if (static_cast<unsigned char>(c) < 0x20) c = ' ';
  }
  return line;
}

void refuse_exit() {
  static std::once_flag is_registered;
  std::call_once(is_registered, [] { std::atexit(left_by_exit); });
}

}  // namespace shoal

// In place of the C library's: no handler of exit is asked, and a launcher that is told of success may believe it and
// end the other PEs as if they had finished.
extern "C" void _exit(int status) {
  if (status == 0 && shoal::current_pe != nullptr && shoal::current_pe->context_refuses_exit_at_once()) {
    status = shoal::refuse_exit_at_once(shoal::current_pe->context_pe());
  }
  for (;;) ::syscall(SYS_exit_group, status);
}

extern "C" void _Exit(int status) noexcept { _exit(status); }
