/// Heads of rounds: each PE describes its collective call, so that PEs with different calls get a report.
///
/// The layers above begin every contribution with a head. Here a call is only a tag; reports get its name from the
/// function passed to substrate::name_calls.
#pragma once

#include <cstdint>
#include <source_location>
#include <string>

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

/// What the round that just completed has combined. In `checked` builds, calls from different places count as different.
struct mismatch {
  pe_id pe = -1;  // one of the two PEs, or -1: all fit
  pe_id other = -1;
  bool is_of_objects = false;  // the calls are equal, but what was constructed before them is not
  bool is_of_arguments = false;  // the calls are equal, but their types, sizes or operations are not
  std::string calls;  // describes both, as far as their heads do

  explicit operator bool() const noexcept { return pe >= 0; }
  /// Replaces `calls` by what the two PEs say of their own calls (describe_call_here).
  void take_descriptions(const std::string& of_pe, const std::string& of_other);
  /// For a report, unless is_of_objects.
  std::string report() const;
};
/// Whether some of the calls differ.
bool are_calls_different(group_rounds& its);
/// Reads all contributions. `backend` names the calls.
mismatch find_mismatch(const substrate& backend, group_rounds& its);

/// Describes this PE's call in the round that just completed, as "is in sum (main.cpp:12)": with the name and the place
/// that the program gave it. `me`: its number in these rounds.
std::string describe_call_here(const substrate& backend, group_rounds& its, pe_id me);

/// What fits into a contribution after its head.
inline constexpr std::size_t round_payload_max = round_bytes_max - sizeof(round_head);

}  // namespace shoal::internal
