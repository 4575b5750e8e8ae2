/// Heads of rounds: each PE describes its collective call, so that PEs with different calls get a report.
///
/// The layers above begin every contribution with a head. Here a call is only a tag; reports get its name from the
/// function passed to substrate::name_calls.
#pragma once

#include <cstdint>
#include <source_location>

#include "shoal/base/types.hpp"
#include "shoal/substrate/internal/substrate.hpp"

namespace shoal::internal {

/// The fold of a round compares the heads of all PEs and records the first PE that differs from those before it.
struct round_head {
  call_tag tag = 0;
  std::uint32_t line = 0;  // line of the call; 0: unknown
  std::uint64_t digest = 0;  // of the call's types, sizes and operation, or the number of its object
  std::uint64_t objects = 0;  // digest of what the PE has constructed, on which the meaning of numbers depends
  std::int32_t mismatched_pe = -1;  // set by the fold
  std::int32_t pe = 0;
#if SHOAL_CHECKED
  char file[104] = {};  // the end of the path
#endif
};

/// Folds heads. The combine_function of every round with heads calls it first. False: some differ, so what follows the
/// heads must not be folded.
bool combine_heads(std::byte* into, const std::byte* from) noexcept;

/// The combine_function of a round whose payloads are not folded.
inline void combine_only_heads(std::byte* into, const std::byte* from, std::size_t) noexcept {
  combine_heads(into, from);
}

round_head make_head(call_tag tag, std::uint64_t digest, std::uint64_t objects, const std::source_location& where,
                     pe_id pe) noexcept;

/// What fits into a contribution after its head.
inline constexpr std::size_t round_payload_max = round_bytes_max - sizeof(round_head);

}  // namespace shoal::internal
