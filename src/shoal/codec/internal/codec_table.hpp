/// A PE's codecs by number, and payloads that say how they are encoded.
///
/// An encoded payload is a header of 12 bytes, which names the codec by number, and the codec's body. A payload for
/// which that does not pay is sent as it is: the transfer's header says which of the two it is, so plain payloads grow
/// by nothing.
///
///     codec_table codecs = standard_codecs();
///     const std::size_t n = codecs.encode(codec_number::squeeze, items, sizeof(item), out);
///     if (n == 0) …                                              // send `items`
///     const decoded_payload d = codecs.decode(out.first(n), sizeof(item), room);
///
/// Decoding trusts nothing: for any input it stays within its arguments, and either produces some payload or says why
/// not. It does not detect every bit error; transports have their own checksums.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>

#include "shoal/codec/codec.hpp"
#include "shoal/codec/internal/instruction_set.hpp"

namespace shoal::internal {

struct encoded_header {
  static constexpr std::uint8_t current_version = 1;

  std::uint8_t codec = 0;  // a codec_number
  std::uint8_t version = current_version;
  std::uint16_t reserved = 0;
  std::uint32_t item_bytes = 0;
  std::uint32_t decoded_bytes = 0;
};
static_assert(sizeof(encoded_header) == 12);

/// The largest encoded payload that is worth its decoding: seven eighths of the plain size.
constexpr std::size_t worthwhile_bytes(std::size_t decoded_bytes) noexcept { return decoded_bytes - decoded_bytes / 8; }

enum class decode_status : std::uint8_t {
  ok,
  unknown_version,  // another Shoal's, or not an encoded payload
  unknown_codec,  // its number is not in the table
  too_large,  // more than there is room for
  damaged,  // no encoder writes this for such items
};

/// "ok", "unknown version", …
std::string_view to_text(decode_status status) noexcept;

struct decoded_payload {
  decode_status status = decode_status::ok;
  std::size_t bytes = 0;  // bytes written; 0 unless ok
};

/// The codecs that a PE knows, by number. All PEs of a job must enter the same ones.
class codec_table {
public:
  /// Throws setup_error if `number` is taken, or is `none` or `best`.
  void add(codec_number number, std::unique_ptr<codec> entry);

  /// Null if there is none. Belongs to the table.
  codec* find(codec_number number) const noexcept { return codecs_[static_cast<std::size_t>(number)].get(); }

  /// Encodes a whole payload. Returns the bytes written to `out`, header included: at most
  /// worthwhile_bytes(items.size()), or 0 if it does not pay, does not fit, or there is no such codec.
  std::size_t encode(codec_number number, std::span<const std::byte> items, std::size_t item_bytes,
                     std::span<std::byte> out) const noexcept;

  /// Decodes what encode() wrote for items of `item_bytes`. If the status is not ok, `out` may hold anything.
  decoded_payload decode(std::span<const std::byte> encoded, std::size_t item_bytes,
                         std::span<std::byte> out) const noexcept;

private:
  std::array<std::unique_ptr<codec>, 256> codecs_;
};

/// Shoal's own codecs: squeeze, delta, and zstd if it was built with that library. `use` must be supported here. Throws
/// setup_error if there is no memory for them.
codec_table standard_codecs(instruction_set use = best_instruction_set());

}  // namespace shoal::internal
