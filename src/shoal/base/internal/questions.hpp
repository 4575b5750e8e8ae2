/// How often this process was asked what it does (signal_reports.hpp). Apart, since all programs compile it.
#pragma once

#include <atomic>
#include <cstdint>

namespace shoal::internal {

/// Questions that the PEs of this process may answer at leisure. Waits compare it with what they have answered. Constant
/// initialised, and read with one load.
extern constinit std::atomic<std::uint32_t> n_questions;

}  // namespace shoal::internal
