/// A stream's own codec, which may keep a state for each link.
#pragma once

#include <cstddef>
#include <span>

#include "shoal/base/types.hpp"

namespace shoal::internal {

/// Serves one hop of a stream on a PE: buffers to other nodes, and from there. Buffers of a link arrive in the order in
/// which they were encoded.
class link_codec {
public:
  virtual ~link_codec() = default;

  /// As codec::encode, for a buffer of link `link`.
  virtual std::size_t encode(std::size_t link, std::span<const std::byte> items, std::span<std::byte> out) noexcept = 0;
  /// As codec::decode, for a buffer that PE `from` encoded.
  virtual bool decode(pe_id from, std::span<const std::byte> body, std::span<std::byte> items) noexcept = 0;
};

}  // namespace shoal::internal
