/// Reading and checking options, for several kernels.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "shoal/actor/world.hpp"

namespace shoal::kernels {

/// Parses a whole number in [low, high], or throws setup_error: "--updates=x is not a whole number …".
std::uint64_t whole_number(std::string_view option, std::string_view text, std::uint64_t low, std::uint64_t high);

/// Throws setup_error, the same on every PE, if this machine does not have `bytes` for each PE: a line about the option
/// that asked for them, instead of the system's out-of-memory killer. `advice`: what to do with the option.
void require_memory(const world& w, std::string_view option, std::uint64_t bytes, std::string_view advice = "lower it");

/// Size of a core's cache of level 2 or 3, or 0 if the system does not report it.
std::size_t cache_bytes(int level);

}  // namespace shoal::kernels
