/// The messages of waves on the wire.
#pragma once

#include <cstddef>
#include <cstdint>

#include "shoal/substrate/internal/control.hpp"

namespace shoal::internal {

enum class wave_message : std::uint8_t {
  contribution,  // up: the fold of a whole subtree
  result,  // down: the fold of the group
  request,  // up: please call the generation in which I am
  call,  // down: contribute to this generation
};

/// Generations are numbered from here, and on from 0 after 2^32 - 1. So each wave that ends three of them wraps.
inline constexpr std::uint32_t first_generation = UINT32_MAX - 1;

/// The beginning of every control message. In contributions and results a piece of the data follows.
struct wave_header {
  std::uint64_t group = 0;
  std::uint32_t name = 0;
  std::uint32_t generation = first_generation;
  std::uint16_t opening = 0;  // opening of the job
  wave_message kind{};
  std::uint8_t piece = 0;  // number of the piece that follows
  std::uint16_t bytes = 0;  // size of all pieces together
  bool is_first = false;  // its sender has ended no generation yet
  std::uint8_t unused = 0;
};
static_assert(sizeof(wave_header) == 24);

/// Longer data take several messages.
inline constexpr std::size_t piece_bytes_max = control_bytes_max - sizeof(wave_header);

/// At least 1: a contribution of no bytes is still a message.
constexpr std::size_t n_pieces_of(std::size_t bytes) noexcept {
  return bytes == 0 ? 1 : (bytes + piece_bytes_max - 1) / piece_bytes_max;
}

}  // namespace shoal::internal
