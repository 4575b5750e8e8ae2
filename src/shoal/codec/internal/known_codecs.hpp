/// The one table of the codecs that users can choose.
#pragma once

#include <array>
#include <string>
#include <string_view>

#include "shoal/base/internal/named.hpp"
#include "shoal/codec/codec.hpp"

namespace shoal::internal {

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

}  // namespace shoal::internal
