/// What PEs are told if their calls in a round differ. Each contribution begins with a head (round_head.hpp).
#pragma once

#include <string>

#include "shoal/base/types.hpp"
#include "shoal/substrate/internal/substrate.hpp"

namespace shoal::internal {

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

}  // namespace shoal::internal
