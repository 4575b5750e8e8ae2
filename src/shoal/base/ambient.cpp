#include "shoal/base/ambient.hpp"

#include <cstdio>
#include <cstdlib>
#include <mutex>

namespace shoal {
namespace {

void left_by_exit() {
  if (current_pe == nullptr) return;
  // A library that ends this process because another one has failed: that one reports.
  if (current_pe->context_is_in_library()) std::_Exit(status_failure);
  current_pe->end_job(status_usage,
                      "exit was called in the middle of the job; return from the function "
                      "given to shoal::run instead");
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
