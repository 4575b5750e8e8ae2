/// The codecs by number, and the only table of those that users can choose.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "shoal/base/named.hpp"

namespace shoal {

/// Identifies a codec on the wire. Programs own the numbers from first_user to 254, Shoal owns the others. `best` lets
/// each link choose among Shoal's own codecs and never appears on the wire.
enum class codec_number : std::uint8_t { none = 0, squeeze = 1, delta = 2, zstd = 3, first_user = 64, best = 255 };

struct codec_entry {
  codec_number id;
  std::string_view name;
  std::string_view help;
  std::string_view package = {};  // the Debian package that Shoal must be built with; empty: none
};

inline constexpr std::array<codec_entry, 5> known_codecs = {{
    {codec_number::none, "none", "buffers travel as they are"},
    {codec_number::best, "best", "each link takes what gains most there"},
    {codec_number::squeeze, "squeeze", "bits that all items of a buffer have in common travel once"},
    {codec_number::delta, "delta", "ascending ids travel as differences"},
    {codec_number::zstd, "zstd", "the library, for payloads that are opaque", "libzstd-dev"},
}};

constexpr std::string_view name_of(codec_number codec) noexcept { return entry_of(known_codecs, codec).name; }

/// Whether this Shoal was built with the library that the codec needs.
bool is_built(const codec_entry& codec) noexcept;

/// Throws setup_error, beginning with `origin`, if this Shoal was built without the library that the codec needs.
void require_built(codec_number codec, const std::string& origin);

}  // namespace shoal
