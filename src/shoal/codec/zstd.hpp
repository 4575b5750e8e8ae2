/// zstd, for payloads of which only their receiver knows what is in them: text, large records.
#pragma once

#include <memory>

#include "shoal/codec/codec.hpp"

namespace shoal {

/// Whether this Shoal was built with libzstd.
bool has_zstd() noexcept;

/// A codec whose body is one zstd frame; null if this Shoal was built without libzstd. Level 1 is fast and
/// negative ones are faster; more than 3 is rarely worth a link's time. Payloads of less than 512 bytes do
/// not pay. Throws setup_error if there is no memory for its state.
std::unique_ptr<codec> make_zstd_codec(int level = 1);

}  // namespace shoal
