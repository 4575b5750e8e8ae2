// The claims of each area.
#include "test/contract/claims.hpp"

namespace shoal::test {
namespace {

std::vector<claim> joined(const std::vector<std::vector<claim>>& parts) {
  std::vector<claim> all;
  for (const std::vector<claim>& part : parts) all.insert(all.end(), part.begin(), part.end());
  return all;
}

}  // namespace

std::vector<claim> conveyor_claims() { return joined({fixed_claims(), elastic_claims()}); }

std::vector<claim> kind_claims() {
  return joined({biconveyor_claims(), exstack_claims(), simple_conveyor_claims(), lifetime_claims()});
}

std::vector<claim> actor_claims() {
  return joined({handler_claims(),        spill_claims(),
                 finish_claims(),         selector_claims(),
                 closure_claims(),        call_claims(),
                 answer_claims(),         future_claims(),
                 coroutine_claims(),      promise_claims(),
                 task_claims(),           worker_claims(),
                 waiting_worker_claims(), parallel_claims(),
                 closing_claims(),        guard_claims(),
                 combining_claims(),      work_claims(),
                 background_claims(),     collective_claims(),
                 array_claims(),          one_sided_claims(),
                 list_claims(),           value_claims(),
                 team_claims(),           overlapping_team_claims()});
}

}  // namespace shoal::test
