/// Where claims run. A source that calls one of these functions declares a test of each claim there; it is all that a
/// test program of the contract consists of. Each returns true.
#pragma once

#include <cstdint>
#include <vector>

#include "test/contract/claims.hpp"

namespace shoal::test {

/// On the PEs of whatever job runs the program, with the seeds 1 to `n_seeds`. The runs of the suite have their numbers in
/// SHOAL_TEST_RUN, and a seed each that no other run has, or two with SHOAL_TEST_SEEDS=2. Skips claims whose messages are
/// larger than the job's buffers.
bool check_on_pes(const char* suite, const std::vector<claim>& claims, std::uint64_t n_seeds);

/// The same in teams of those PEs, while an actor of the whole job goes on; but not what is promised of the job alone.
bool check_in_teams_on_pes(const char* suite, const std::vector<claim>& claims, std::uint64_t n_seeds);

/// On 1, 2 and 4 threads of this process, with roomy and with tight buffers.
bool check_on_threads(const char* suite, const std::vector<claim>& claims);

/// The same on 1 and 3 PEs with 2 and 4 workers each.
bool check_on_workers(const char* suite, const std::vector<claim>& claims);

/// In the simulator: each seed has another number of PEs, other buffers and other hostile conditions.
bool check_in_sim(const char* suite, const std::vector<claim>& claims, std::uint64_t n_seeds);

/// The same in teams, as check_in_teams_on_pes.
bool check_in_teams_in_sim(const char* suite, const std::vector<claim>& claims, std::uint64_t n_seeds);

/// The same over routes of two and three hops: each seed has another route, node size and codec, too.
bool check_on_routes_in_sim(const char* suite, const std::vector<claim>& claims, std::uint64_t n_seeds,
                            std::int64_t n_pes_max);

}  // namespace shoal::test
