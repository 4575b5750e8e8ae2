/// Words of 8 bytes against the words before them: for payloads whose items have sizes that a codec is not told.
///
/// Records and runs begin with a header of 8 bytes, and all of it lies on words of 8. Headers and fields come again
/// after as many words as a record has, the *stride*. The body:
///
///     [stride: 1 byte][mask: 1 byte][bytes]…[what fills no word]
///
/// A word is taken as the bits in which it differs from the one a stride before (from nothing, where there is none or
/// the stride is 0). Of that, `mask` says which bytes are not zero, and those follow.
#pragma once

#include <cstddef>
#include <span>

namespace shoal::detail {

/// Returns the bytes written, or 0 if they might not fit. A look at the first words finds the stride, and gives up on
/// noise. Never writes outside `out`.
std::size_t encode_words(std::span<const std::byte> payload, std::span<std::byte> out) noexcept;

/// Fills all of `payload`; false if `body` is not what encode_words writes for so many bytes.
bool decode_words(std::span<const std::byte> body, std::span<std::byte> payload) noexcept;

}  // namespace shoal::detail
