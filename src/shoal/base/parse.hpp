/// Parses numbers and sizes as users write them. Each function throws setup_error that begins with `what`, the name of
/// the option or variable, and says which values are accepted.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace shoal {

/// The largest size that Shoal takes for anything of one PE: 64 TiB, half the address space of a process.
inline constexpr std::size_t bytes_max = std::size_t{1} << 46;

/// Parses 65536, 64k, 64K, 16M, 1G (powers of 1024); bytes_max at most.
std::size_t parse_bytes(std::string_view text, std::string_view what);

/// Parses a whole number in [low, high].
std::int64_t parse_integer(std::string_view text, std::string_view what, std::int64_t low, std::int64_t high);

/// Parses a number in [low, high].
double parse_real(std::string_view text, std::string_view what, double low, double high);

/// Throws setup_error: "<what>=<text> <hint>".
[[noreturn]] void refuse_value(std::string_view what, std::string_view text, const std::string& hint);

}  // namespace shoal
