#include "shoal/base/internal/signal_text.hpp"

#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstring>

namespace shoal::internal {
namespace {

constexpr std::size_t digits_most = 24;

}  // namespace

signal_text& signal_text::operator<<(std::string_view text) noexcept {
  const std::size_t n = std::min(text.size(), sizeof bytes_ - 1 - n_);  // 1 for the end of the line
  std::memcpy(bytes_ + n_, text.data(), n);
  n_ += n;
  return *this;
}

signal_text& signal_text::operator<<(std::int64_t number) noexcept {
  char digits[digits_most];
  const char* const end = std::to_chars(digits, digits + sizeof digits, number).ptr;
  return *this << std::string_view(digits, static_cast<std::size_t>(end - digits));
}

signal_text& signal_text::add_hex(std::uintptr_t number) noexcept {
  char digits[digits_most];
  const char* const end = std::to_chars(digits, digits + sizeof digits, number, 16).ptr;
  return *this << "0x" << std::string_view(digits, static_cast<std::size_t>(end - digits));
}

void signal_text::print() noexcept {
  bytes_[n_] = '\n';
  // If stderr is gone, nobody can be told.
  [[maybe_unused]] const auto n_written = ::write(STDERR_FILENO, bytes_, n_ + 1);
}

}  // namespace shoal::internal
