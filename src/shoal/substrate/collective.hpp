/// Collective calls: what travels with a round so that a mismatch between PEs is told, not suffered.
#pragma once

#include <cstdint>
#include <source_location>
#include <string>

#include "shoal/base/types.hpp"
#include "shoal/substrate/substrate.hpp"

namespace shoal::detail {

enum class collective : std::uint32_t {
  finish,
  close_mailbox,
  barrier,
  reduce,
  scan,
  broadcast,
  gather,
  allocate,
  deallocate,
  end_of_body,
  // Of an object, whose number is the head's type:
  exstack_proceed,
  simple_conveyor_advance,
};

/// Opens every contribution. The fold compares the heads of all PEs; the first that differs from its
/// predecessors is noted.
struct round_head {
  collective kind{};
  std::uint32_t line = 0;
  std::uint64_t type = 0;  // digest of element type, size and operation
  std::int32_t mismatched_pe = -1;  // in the fold
  std::int32_t pe = 0;
#if SHOAL_CHECKED
  char file[104] = {};  // the end of the path
#endif
};

/// Whether two heads may meet in one round. In `checked` builds they must come from the same place.
bool fits(const round_head& a, const round_head& b) noexcept;

/// Folds heads; every combine_function of a collective begins with it.
void combine_heads(std::byte* into, const std::byte* from) noexcept;

round_head make_head(collective kind, std::uint64_t type, const std::source_location& where, pe_id pe) noexcept;

/// "barrier (main.cpp:12)".
std::string describe(const round_head& head);

/// Ends the job if the round that just completed brought together different calls.
void check_heads(substrate& machine);

inline constexpr std::size_t round_payload_max = round_bytes_max - sizeof(round_head);

}  // namespace shoal::detail
