// Goal: what conveyors report in a team names it, and its objects as the program counts them; routes have 1 to 3 hops.
// Method: teams of the simulator, whose jobs must end with these lines.
// labels: sim
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <string>

#include "shoal/conveyor/conveyor.hpp"
#include "shoal/conveyor/kinds/exstack.hpp"
#include "shoal/conveyor/kinds/exstack2.hpp"
#include "shoal/conveyor/kinds/simple_conveyor.hpp"
#include "shoal/shoal.hpp"
#include "test/support/jobs.hpp"

namespace shoal::test {
namespace {

// `body` gets each of two teams of two PEs.
void expect_refusal_in_team(const std::string& text, const job_body& body) {
  SCOPED_TRACE(text);
  const outcome end = outcome_of(simulated(4), [&](world& w) {
    world team = w.split(w.my_pe() % 2, 0);
    body(team);
  });
  EXPECT_EQ(end.status, 2);
  EXPECT_NE(end.error.find(text), std::string::npos) << end.error;
}

template <class Conveyor, class... Arguments>
void expect_push_refused(const std::string& kind, const Arguments&... arguments) {
  expect_refusal_in_team(kind + ": push to PE 2, which is out of range; PEs are 0 to 1 of team ", [&](world& team) {
    Conveyor c{team, arguments...};
    if constexpr (requires { c.begin(); }) c.begin();
    static_cast<void>(c.push(1, 2));
    team.barrier();
  });
}

TEST(conveyors_of_teams, name_the_team_if_a_push_is_out_of_range) {
  expect_push_refused<conveyor<std::int64_t>>("conveyor");
  expect_push_refused<simple_conveyor<std::int64_t>>("simple_conveyor");
  expect_push_refused<exstack<std::int64_t>>("exstack", std::size_t{2});
  expect_push_refused<exstack2<std::int64_t>>("exstack2", std::size_t{2});
}

TEST(conveyors_of_teams, are_numbered_as_the_team_counts_them) {
  expect_refusal_in_team("in proceed of exstack 1", [](world& team) {
    exstack<std::int64_t> first{team, 2};
    exstack<std::int64_t> second{team, 2};
    (team.my_pe() == 0 ? first : second).proceed(true);
    team.barrier();
  });
}

TEST(conveyors, have_routes_of_one_to_three_hops) {
  for (const int n_hops : {-1, 4}) {
    const outcome end = outcome_of(simulated(2), [&](world& w) {
      conveyor<std::int64_t> c{w, conveyor_options{.n_hops = n_hops}};
      w.barrier();
    });
    EXPECT_EQ(end.status, 2);
    EXPECT_NE(end.error.find("a conveyor of " + std::to_string(n_hops) +
                             " hops: n_hops may be 1 to 3, or 0 for as many as the settings say"),
              std::string::npos)
        << end.error;
  }
}

}  // namespace
}  // namespace shoal::test
