/// Whole jobs inside one test: in the simulator or on threads, under many seeds, in a child process.
///
/// A job that cannot go on ends its process (a stall, a handler that throws, a broken contract), so jobs
/// run in a child where that is to be survived: `for_seeds` says which seed it was and how to replay it,
/// `outcome_of` hands back what the child said.
#pragma once

#include <cstdint>
#include <functional>
#include <string>

#include "shoal/actor/run.hpp"
#include "shoal/actor/world.hpp"
#include "shoal/base/settings.hpp"
#include "shoal/substrate/substrate_kind.hpp"

namespace shoal::test {

using job_body = std::function<void(world&)>;

/// A simulated job with a small heap and pool, so that a thousand of them take seconds.
settings simulated(std::int64_t n_pes, std::uint64_t seed = 1);

/// PEs as threads of this process. Buffers of 64 bytes and no slot beyond the reserves if `is_tight`.
settings on_threads(std::int64_t n_pes, bool is_tight = false, std::size_t n_mailboxes = 8);

/// What a program under hostile conditions needs at least.
struct needs {
  std::size_t n_mailboxes = 1;  // streams alive at once, including those for the closures of each depth of finish
  std::size_t slot_bytes = 64;
  std::int64_t n_pes_max = 9;
};

/// A simulated job whose shape and every hostile knob follow from the seed: 1 to 9 PEs, often buffers of
/// one item, often just a slot for each mailbox and one more, often no shared slots; refused sends, held
/// buffers, slow PEs, preemption. With seed 8 and every 16th after it, stacks of PEs that do not run are locked.
settings hostile(std::uint64_t seed, const needs& least);

/// Runs `body` on every PE. A job that ends with a status other than 0 is a failure of the test.
void run_job(const settings& chosen, const job_body& body);

/// Calls `one` with the seeds 1 to `n` in a child process. Where it fails, or ends or outlasts its process,
/// the test fails with the seed and a line that replays it; the other seeds run all the same, until three
/// have failed. SHOAL_TEST_SEED=17 runs that seed only, in this process, so that a debugger can be there;
/// SHOAL_TEST_SEEDS=10 runs ten times as many, SHOAL_TEST_SHARE=3 the first third. Of these, builds with a sanitizer run the
/// first fifth. SHOAL_TEST_AFTER_ASAN=1 leaves that fifth out of the tests that `make test` runs with the address sanitizer
/// (SHOAL_TEST_ASAN=1).
void for_seeds(std::uint64_t n, const std::function<void(std::uint64_t)>& one);

/// The number in environment variable `name`, or `otherwise`.
std::uint64_t number_from_environment(const char* name, std::uint64_t otherwise);

/// How a child process ended.
struct outcome {
  int status = -1;  // exit status, or -1
  int signal = 0;  // signal that killed it, or 0
  std::string error;  // what it wrote to stderr
};

/// Runs `job` in a child process; what it returns is the exit status.
outcome outcome_of(const std::function<int()>& job);

/// Runs `body` as a job in a child process.
outcome outcome_of(const settings& chosen, const job_body& body);

/// What follows a report of a simulated job: " (sim: seed 1, 2 PEs)\n".
std::string simulated_by(const settings& chosen);

}  // namespace shoal::test
