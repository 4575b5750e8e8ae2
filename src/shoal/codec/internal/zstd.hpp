/// zstd, for payloads whose contents only the receiver knows: text, large records.
#pragma once

#include <memory>

#include "shoal/codec/codec.hpp"

namespace shoal::internal {

/// Whether this Shoal was built with libzstd.
bool has_zstd() noexcept;

/// A codec whose body is one zstd frame; null if this Shoal was built without libzstd. Level 1 is fast and negative
/// levels are faster; above 3 it is rarely worth a link's time. Payloads below 512 bytes do not pay. Throws setup_error
/// if there is no memory for its state.
std::unique_ptr<codec> make_zstd_codec(int level = 1);

}  // namespace shoal::internal
