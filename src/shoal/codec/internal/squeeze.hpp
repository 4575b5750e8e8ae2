/// Squeeze: sends bits that are the same in all items of a buffer once.
///
/// Indices have zero high bits, keys of one part of a table share bits, structs have padding and small counters. The
/// body, for n items of s bytes:
///
///     [mask: s bytes][value: s bytes][column]…[what is left over]
///
/// A bit of `mask` is set where items differ; `value` holds the bits on which they agree. A column is one word of each
/// item, packed to the bits under its part of the mask: n * width / 64 words, rounded up. The column of the items' last
/// word comes first. Items of fewer than 8 bytes form groups of a multiple of 8 bytes; what does not fill a group is
/// left over and travels as it is.
///
/// Items whose sizes only the receiver knows have no columns; their body is that of detail/words.hpp.
#pragma once

#include "shoal/codec/internal/kernels.hpp"
#include "shoal/codec/internal/known_codecs.hpp"

namespace shoal::internal {

/// For at least three items (or groups) of fixed size, and for records and runs. Looks at 64 items before it reads the
/// rest, so that giving up on noise is cheap.
class squeeze_codec final : public codec {
public:
  /// `use` must be supported here.
  explicit squeeze_codec(instruction_set use = best_instruction_set()) noexcept;

  std::string_view name() const noexcept override { return name_of(codec_number::squeeze); }
  std::size_t encode(std::span<const std::byte> items, std::size_t item_bytes,
                     std::span<std::byte> out) noexcept override;
  bool decode(std::span<const std::byte> body, std::size_t item_bytes, std::span<std::byte> items) noexcept override;
  double ns_per_byte(std::size_t item_bytes) const noexcept override { return item_bytes == 0 ? 1 : 0.06; }

private:
  const kernels& kernels_;
};

}  // namespace shoal::internal
