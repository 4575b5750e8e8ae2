/// Delta: sends ascending ids as their differences.
///
/// An item begins with its key, an integer of 4 or 8 bytes, signed or not. Each key is replaced by its difference from
/// the previous key, and the result is squeezed: small differences share their high bits, and what follows the keys may
/// share bits, too. The body:
///
///     [key_bytes: 1 byte][first key: 8 bytes][body of squeeze]
///
/// Differences are modulo 2^bits, so any items can be restored. If keys do not ascend, encoding merely does not pay.
/// Items whose sizes only the receiver knows are squeezed.
#pragma once

#include <vector>

#include "shoal/codec/internal/squeeze.hpp"

namespace shoal::internal {

/// For items of 4 bytes, or of 8 and more. Whether the latter have keys of 8 or 4 bytes is decided for each buffer by
/// its first items.
class delta_codec final : public codec {
public:
  /// `use` must be supported here.
  explicit delta_codec(instruction_set use = best_instruction_set()) noexcept;

  std::string_view name() const noexcept override { return name_of(codec_number::delta); }
  std::size_t encode(std::span<const std::byte> items, std::size_t item_bytes,
                     std::span<std::byte> out) noexcept override;
  bool decode(std::span<const std::byte> body, std::size_t item_bytes, std::span<std::byte> items) noexcept override;
  double ns_per_byte(std::size_t item_bytes) const noexcept override { return item_bytes == 0 ? 1 : 0.13; }

private:
  squeeze_codec squeeze_;
  std::vector<std::byte> differences_;  // the items with their keys replaced
};

}  // namespace shoal::internal
