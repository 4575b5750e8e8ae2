/// Codecs: shorten a buffer's payload for a link on which bytes are expensive.
///
/// A codec encodes the payload of one buffer at a time and knows nothing of links, PEs or other buffers, so
/// a receiver needs no state.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace shoal {

/// Identifies a codec on the wire. Programs own the numbers from first_user to 254, Shoal owns the others. `best` lets
/// each link choose among Shoal's own codecs and never appears on the wire.
enum class codec_number : std::uint8_t { none = 0, squeeze = 1, delta = 2, zstd = 3, first_user = 64, best = 255 };

/// A way to encode. An object serves one PE, one call at a time, and may keep scratch memory. What it writes depends
/// only on its arguments.
class codec {
public:
  virtual ~codec() = default;

  /// For reports: "squeeze".
  virtual std::string_view name() const noexcept = 0;

  /// Encodes `items`, each of `item_bytes`; 0 if their sizes are known only to the receiver. Returns the number of
  /// bytes written to `out`. Returns 0 if they do not fit (so the caller sets by `out` what pays), or if this codec
  /// does not suit such items. Never writes outside `out`, which must not overlap `items`. Local, nonblocking.
  virtual std::size_t encode(std::span<const std::byte> items, std::size_t item_bytes,
                             std::span<std::byte> out) noexcept = 0;

  /// Fills all of `items` from what encode() wrote for as many bytes. False if `body`, which may hold anything, cannot
  /// be that. Never reads outside `body` or writes outside `items`, and takes time proportional to their sizes. Local,
  /// nonblocking.
  virtual bool decode(std::span<const std::byte> body, std::size_t item_bytes, std::span<std::byte> items) noexcept = 0;

  /// Cost of encoding plus decoding per byte of such items on a fast core, for use where time cannot be measured: in
  /// the simulator.
  virtual double ns_per_byte(std::size_t /*item_bytes*/) const noexcept { return 0.1; }
};

}  // namespace shoal
