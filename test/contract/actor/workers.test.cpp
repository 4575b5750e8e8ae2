// Goal: tasks keep the actor layer's contract on several workers of a PE. Method: PEs and workers are threads, more of them
// than there are cores, so that the thread sanitizer sees all that they share.
// labels: threads
// processors: 2
#include "test/contract/runs.hpp"

namespace shoal::test {
namespace {

std::vector<claim> claims_of_tasks() {
  std::vector<claim> all = task_claims();
  for (const claim& each : worker_claims()) all.push_back(each);
  for (const claim& each : waiting_worker_claims()) all.push_back(each);
  for (const claim& each : background_claims()) all.push_back(each);
  for (const claim& each : parallel_claims()) all.push_back(each);
  return all;
}

}  // namespace

[[maybe_unused]] const bool are_declared = check_on_workers("actors_on_workers", claims_of_tasks());

}  // namespace shoal::test
