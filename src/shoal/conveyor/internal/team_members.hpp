/// Which PEs of the job are a team.
#pragma once

#include <cstdint>
#include <vector>

#include "shoal/base/types.hpp"

namespace shoal::internal {

/// The same on all members but for my_pe.
struct team_members {
  std::uint64_t number = 0;  // at least 1; on each PE, greater than those of its earlier teams
  std::vector<pe_id> pes;  // their numbers in the job, by their numbers in the team
  pe_id my_pe = 0;  // in the team
};

/// The numbers of a team's hops on the wire begin here. So a later world, whose numbers begin above all teams of the
/// earlier ones, recognises what they left in transit.
constexpr std::uint64_t first_hop_of_team(std::uint64_t number) noexcept { return number << 40; }
constexpr std::uint64_t team_of_hop(std::uint64_t serial) noexcept { return serial >> 40; }
inline constexpr std::uint64_t n_teams_ever_max = (std::uint64_t{1} << 24) - 1;

}  // namespace shoal::internal
