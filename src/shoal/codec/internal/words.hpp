/// Encodes words of 8 bytes against earlier words, for payloads whose item sizes the codec does not know.
///
/// Records and runs begin with an 8-byte header and are aligned to words of 8 bytes. Headers and fields repeat after as
/// many words as a record has, the *stride*. The body:
///
///     [stride: 1 byte][mask: 1 byte][bytes]…[what fills no word]
///
/// Each word is replaced by the bits in which it differs from the word one stride before, or from zero if there is none
/// or the stride is 0. `mask` says which bytes of the result are not zero; those bytes follow.
#pragma once

#include <cstddef>
#include <span>

namespace shoal::internal {

/// Returns the number of bytes written, or 0 if they might not fit. Finds the stride by the first words, and gives up
/// early on noise. Never writes outside `out`.
std::size_t encode_words(std::span<const std::byte> payload, std::span<std::byte> out) noexcept;

/// Fills all of `payload`; false if `body` is not what encode_words writes for that many bytes.
bool decode_words(std::span<const std::byte> body, std::span<std::byte> payload) noexcept;

}  // namespace shoal::internal
