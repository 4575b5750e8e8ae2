#include "shoal/codec/internal/known_codecs.hpp"

#include "shoal/base/setup_error.hpp"
#include "shoal/codec/internal/zstd.hpp"

namespace shoal::internal {

// zstd is the only codec that needs a library.
bool is_built(const codec_entry& codec) noexcept { return codec.package.empty() || has_zstd(); }

void require_built(codec_number codec, const std::string& origin) {
  const codec_entry& wanted = entry_of(known_codecs, codec);
  if (is_built(wanted)) return;
  const std::string others = choice_of(known_codecs, [](const codec_entry& other) {
    return other.id != codec_number::none && is_built(other) ? other.name : std::string_view();
  });
  const std::string name(wanted.name);
  throw setup_error(origin + "=" + name + ": this Shoal was built without " + name + "; choose " + others +
                    ", or build it where " + name + " is installed (Debian: " + std::string(wanted.package) + ")");
}

}  // namespace shoal::internal
