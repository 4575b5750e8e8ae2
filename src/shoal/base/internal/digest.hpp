/// 64-bit digests, to compare what PEs or runs have without sending it. Not cryptographic.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace shoal::internal {

/// FNV-1a: each step mixes one byte, or one whole word, into the value.
///
///     digest all;
///     all.add(std::as_bytes(std::span(numbers)));
///     all.add("text");
///     return all.value();
class digest {
public:
  constexpr digest() noexcept = default;

  /// Continues from the value of another digest.
  constexpr explicit digest(std::uint64_t value) noexcept : value_(value) {}

  constexpr void add(std::string_view text) noexcept {
    for (const char c : text) add_word(static_cast<unsigned char>(c));
  }

  constexpr void add(std::span<const std::byte> bytes) noexcept {
    for (const std::byte b : bytes) add_word(static_cast<std::uint64_t>(b));
  }

  /// One step for all 64 bits: faster than adding its bytes, with a different result.
  constexpr void add_word(std::uint64_t word) noexcept { value_ = (value_ ^ word) * prime; }

  constexpr std::uint64_t value() const noexcept { return value_; }

private:
  static constexpr std::uint64_t offset_basis = 0xcbf29ce484222325;
  static constexpr std::uint64_t prime = 0x100000001b3;

  std::uint64_t value_ = offset_basis;
};

}  // namespace shoal::internal
