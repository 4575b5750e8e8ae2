// Claims: teams of PEs are worlds of their own, beside one another and beside that of the whole job.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "shoal/base/random.hpp"
#include "shoal/conveyor/conveyor.hpp"
#include "shoal/shoal.hpp"
#include "test/contract/claims.hpp"

namespace shoal::test {
namespace {

void teams_are_numbered_by_key(world& w, std::uint64_t seed) {
  const auto n_teams = static_cast<std::int64_t>(1 + seed % 4);
  const std::int64_t colour = w.my_pe() % n_teams;
  std::vector<pe_id> members;
  for (pe_id pe = colour; pe < w.n_pes(); pe += n_teams) members.push_back(pe);
  const auto expect = [&](const world& team) {
    EXPECT_TRUE(team.is_team());
    ASSERT_EQ(team.n_pes(), static_cast<pe_id>(members.size()));
    for (std::size_t i = 0; i < members.size(); ++i) {
      EXPECT_EQ(team.pe_in_job(static_cast<pe_id>(i)), w.pe_in_job(members[i]));
    }
    EXPECT_EQ(members[static_cast<std::size_t>(team.my_pe())], w.my_pe());
  };
  {
    world plain = w.split(colour - 100);
    expect(plain);
    EXPECT_EQ(plain.gather(w.my_pe()), members);
  }
  std::ranges::reverse(members);
  world reversed = w.split(colour, INT64_MAX - w.my_pe());
  expect(reversed);
  // Equal keys keep the order of the world that is split.
  world same = reversed.split(7, 7);
  expect(same);
  EXPECT_EQ(same.gather(w.my_pe()), members);
}

// The PEs as a grid, whose last row may be shorter. Messages of the job, of rows and of columns go on at once.
void rows_and_columns_go_on_beside_the_job(world& w, std::uint64_t) {
  const pe_id width = 3;
  world row = w.split(w.my_pe() / width);
  world column = w.split(w.my_pe() % width, w.my_pe());
  std::int64_t of_job = 0;
  std::int64_t of_row = 0;
  std::int64_t of_column = 0;
  actor in_job{w, [&](std::int64_t n) { of_job += n; }};
  actor in_row{row, [&](std::int64_t n) { of_row += n; }};
  actor in_column{column, [&](std::int64_t n) { of_column += n; }};
  const auto to_all = [](world& group, auto& of_group, std::int64_t n) {
    for (pe_id pe = 0; pe < group.n_pes(); ++pe) of_group.send(pe, n);
  };
  for (std::int64_t k = 1; k <= 3; ++k) {
    w.finish([&] {
      for (int i = 0; i < 10; ++i) to_all(w, in_job, 1);
      row.finish([&] {
        to_all(w, in_job, 1);
        for (int i = 0; i < 20; ++i) to_all(row, in_row, 1);
        EXPECT_EQ(column.sum(1), column.n_pes());
      });
      EXPECT_EQ(of_row, 20 * k * row.n_pes());
      column.finish([&] {
        to_all(w, in_job, 1);
        for (int i = 0; i < 30; ++i) to_all(column, in_column, 1);
      });
      EXPECT_EQ(of_column, 30 * k * column.n_pes());
      EXPECT_EQ(row.max(w.my_pe()), std::min(w.my_pe() / width * width + width, w.n_pes()) - 1);
    });
    EXPECT_EQ(of_job, 12 * k * w.n_pes());
  }
}

// A handler of a team sends to an enclosing finish: that of the job.
void handlers_of_a_team_send_to_the_job(world& w, std::uint64_t) {
  std::int64_t sum = 0;
  std::int64_t n_closures = 0;
  per_pe<std::int64_t*> count(w, &n_closures);
  actor in_job{w, [&](pe_id from, pe_id sender) {
                 EXPECT_EQ(from, sender);
                 ++sum;
               }};
  world team = w.split(w.my_pe() % 2);
  actor in_team{team, [&](pe_id to) {
                  in_job.send(to, w.my_pe());
                  w.send(to, [all = count.handle(), n = w.n_pes()](world& here) {
                    EXPECT_EQ(here.n_pes(), n);
                    ++**all;
                  });
                }};
  w.finish([&] {
    team.finish([&] {
      for (pe_id pe = 0; pe < w.n_pes(); ++pe) in_team.send(next_pe(team), pe);
    });
  });
  EXPECT_EQ(sum, w.n_pes());
  EXPECT_EQ(n_closures, w.n_pes());
}

// Whatever finish the main program is in: what a handler of the team sends in the job's world belongs to the finish of the job
// around that of the team.
void closures_of_handlers_belong_to_the_enclosing_finish(world& w, std::uint64_t) {
  per_pe<std::int64_t> count(w, 0);
  world team = w.split(w.my_pe() % 2);
  struct onward {
    pe_handle<std::int64_t> n_handled;
    pe_id n_in_job;
    std::int64_t n_left;

    void operator()(world& here) const {
      world& around = world::of_job();
      if (n_left > 0) here.send((here.my_pe() + n_left) % here.n_pes(), onward{n_handled, n_in_job, n_left - 1});
      around.send(n_left % n_in_job, [n = n_handled] { ++*n; });
    }
  };
  if (w.is_team()) return;
  w.finish([&] {
    team.finish([&] {
      team.send(0, onward{count.handle(), w.n_pes(), 30});
      for (int i = 0; i < 3; ++i) w.finish([&] { w.send(w.my_pe(), [n = count.handle()] { *n += 1000; }); });
    });
    team.finish([&] { team.send(0, onward{count.handle(), w.n_pes(), 10}); });
  });
  EXPECT_EQ(w.sum(*count), w.n_pes() * (31 + 3000 + 11));
}

// The finishes of three worlds are open, and an item of the outermost waits for room: handlers of the innermost run meanwhile. What
// they send in the middle one belongs there, and not to what the item may send to. So do what the item sends afterwards and what
// handlers of the middle one send.
void closures_belong_where_they_should_beside_work_of_outer_worlds(world& w, std::uint64_t) {
  constexpr int n_of_work = 300;
  constexpr int n_inside = 40;
  std::int64_t n_outer = 0;
  std::int64_t n_middle = 0;
  world middle = w.split(0);
  world inner = w.split(0);
  per_pe<std::int64_t*> outer_here(w, &n_outer);
  per_pe<std::int64_t*> middle_here(middle, &n_middle);
  const auto to_outer = [&] { w.send(next_pe(w), [n = outer_here.handle()] { ++**n; }); };
  const auto to_middle = [&] { middle.send(next_pe(w), [n = middle_here.handle()] { ++**n; }); };
  actor of_inner{inner, [&](int) {
                   to_middle();
                   to_outer();
                 }};
  actor of_middle{middle, [&](int) {
                    to_middle();
                    to_outer();
                  }};
  w.finish([&] {
    w.defer([&] {
      for (int i = 0; i < n_of_work; ++i) to_outer();
    });
    middle.finish([&] {
      middle.defer([&] {
        for (int i = 0; i < n_of_work; ++i) to_middle();
      });
      for (int i = 0; i < n_inside; ++i) of_middle.send(next_pe(w), i);
      inner.finish([&] {
        for (int i = 0; i < n_inside; ++i) of_inner.send(next_pe(w), i);
      });
    });
    EXPECT_EQ(n_middle, n_of_work + 2 * n_inside);
  });
  EXPECT_EQ(n_outer, n_of_work + 2 * n_inside);
}

// A PE that waits for an item in a loop of its own serves waves meanwhile. Otherwise PE 2, which is done with more mailboxes
// than it may have control messages under way to PE 0, could not meet PE 1, for whose item PE 0 waits.
void loops_of_conveyors_serve_waves(world& w, std::uint64_t) {
  if (w.n_pes() < 3) return;
  world left = w.split(w.my_pe() < 2 ? 0 : 1);
  world right = w.split(w.my_pe() == 1 || w.my_pe() == 2 ? 0 : 1);
  const auto ignore = [](int) {};
  std::vector<std::unique_ptr<actor<decltype(ignore), int>>> many;
  for (int i = 0; i < 9; ++i) many.push_back(std::make_unique<actor<decltype(ignore), int>>(w, ignore));
  for (auto& each : many) each->fed_by();
  w.finish([&] {
    if (w.my_pe() == 2) {
      for (auto& each : many) each->done();
    }
    if (w.my_pe() == 1 || w.my_pe() == 2) right.barrier();
    if (w.my_pe() > 1) return;
    conveyor<std::int64_t> items(left);
    items.begin();
    bool is_pushed = w.my_pe() == 0;
    std::int64_t n_pulled = 0;
    while (items.advance(is_pushed) != progress::complete) {
      if (!is_pushed) is_pushed = items.push(7, 0);
      while (items.pull()) ++n_pulled;
    }
    items.reset();
    EXPECT_EQ(n_pulled, w.my_pe() == 0 ? 1 : 0);
  });
}

// Arrays of a team arrive although a PE that is not in it never sleeps, so that nobody wakes the others by chance.
void arrays_arrive_beside_a_PE_in_a_loop(world& w, std::uint64_t seed) {
  if (w.n_pes() < 3) return;
  world left = w.split(w.my_pe() < 2 ? 0 : 1);
  world right = w.split(w.my_pe() == 1 || w.my_pe() == 2 ? 0 : 1);
  for (std::size_t k = 0; k < 4; ++k) {
    const std::vector<std::int64_t> mine(150 + (seed + 37 * k) % 300, w.my_pe());
    if (w.my_pe() < 2) {
      const arrays_by_pe<std::int64_t> all = left.gather(std::span<const std::int64_t>(mine));
      EXPECT_EQ(all.values().size(), left.n_pes() * mine.size());
    }
    if (w.my_pe() == 1 || w.my_pe() == 2) {
      conveyor<std::int64_t> items(right);
      items.begin();
      bool is_pushed = w.my_pe() == 2;
      while (items.advance(is_pushed) != progress::complete) {
        if (!is_pushed) is_pushed = items.push(7, 1);
        while (items.pull()) {
        }
      }
      items.reset();
    }
  }
}

// A sum fits if the sum of all values does, in ascending order, as for the job.
void sums_of_a_team_fit_as_those_of_the_job(world& w, std::uint64_t) {
  world team = w.split(0);
  const std::int64_t mine = team.my_pe() == 0 ? -1 : team.my_pe() == 4 ? INT64_MAX : team.my_pe() == 5 ? 1 : 0;
  EXPECT_EQ(team.sum(mine), team.n_pes() > 5 ? INT64_MAX : team.n_pes() == 5 ? INT64_MAX - 1 : -1);
}

// Each team constructs another number of objects; those of the job keep the same numbers everywhere.
void objects_of_teams_have_numbers_of_their_own(world& w, std::uint64_t) {
  per_pe<std::int64_t> before(w, 0);
  world team = w.split(w.my_pe() % 3);
  std::vector<std::optional<per_pe<std::int64_t>>> its(static_cast<std::size_t>(1 + w.my_pe() % 3));
  for (auto& one : its) one.emplace(team, 0);
  per_pe<std::int64_t> after(w, 0);
  {
    per_pe<std::int64_t> other(team, 100);
    EXPECT_EQ(*other.handle(), 100);
  }
  w.finish([&] {
    team.finish([&] {
      for (auto& one : its) {
        team.send(next_pe(team), [handle = one->handle()](world& here, pe_id from) {
          EXPECT_TRUE(here.is_team());
          *handle += 1 + from;
        });
      }
    });
    w.send(next_pe(w), [b = before.handle(), a = after.handle()] {
      ++*b;
      *a += 2;
    });
  });
  const pe_id previous = (team.my_pe() + team.n_pes() - 1) % team.n_pes();
  for (auto& one : its) EXPECT_EQ(**one, 1 + previous);
  EXPECT_EQ(*before, 1);
  EXPECT_EQ(*after, 2);
}

// Questions, promises, work and coroutines of several worlds: each runs in its own, and is counted there.
void what_waits_runs_in_its_own_world(world& w, std::uint64_t) {
  per_pe<std::vector<promise<std::int64_t>>> waiting(w);
  world team = w.split(w.my_pe() % 2, -w.my_pe());
  std::int64_t n_answers = 0;
  std::int64_t n_work = 0;
  per_pe<std::int64_t*> work(w, &n_work);
  w.finish([&] {
    team.finish([&] {
      // A coroutine of the team asks the job, and its answer goes back over the team.
      auto answer = team.ask(next_pe(team), [n = w.n_pes()](world& here) -> future<std::int64_t> {
        EXPECT_EQ(&world::current(), &here);
        const std::int64_t number = co_await world::of_job().ask(n - 1, [](world& there) {
          EXPECT_FALSE(there.is_team());
          EXPECT_EQ(&world::current(), &there);
          return there.my_pe();
        });
        EXPECT_EQ(&world::current(), &here);
        co_return number + here.my_pe();
      });
      answer.then([&](std::int64_t n) {
        EXPECT_EQ(&world::current(), &team);
        EXPECT_EQ(n, w.n_pes() - 1 + next_pe(team));
        ++n_answers;
      });
      // What a handler of the team leaves with the job's `defer` counts for the team.
      team.send(next_pe(team), [n = work.handle()] { world::of_job().defer([n] { ++**n; }); });
    });
    EXPECT_EQ(n_answers, 1);
    EXPECT_EQ(n_work, 1);
    // A promise of the team's handler gets its value from a handler of the job.
    team.finish([&] {
      auto later = team.ask(next_pe(team), [all = waiting.handle()](world&) {
        all->emplace_back();
        return all->back().get_future();
      });
      w.finish([&] {
        w.barrier();
        later.then([&](std::int64_t n) {
          EXPECT_EQ(&world::current(), &w);
          EXPECT_EQ(n, 5);
          ++n_answers;
        });
        while (waiting->empty()) w.progress();
        w.send(w.my_pe(), [all = waiting.handle()] {
          all->front().set(5);
          all->clear();
        });
      });
    });
  });
  EXPECT_EQ(n_answers, 2);
}

// Sums of a team are the same on all its PEs and every time.
void sums_of_a_team_are_reproducible(world& w, std::uint64_t seed) {
  world team = w.split(w.my_pe() % 2);
  random_engine random(seed, static_cast<std::uint64_t>(w.my_pe()));
  const double mine = (random.uniform() - 0.5) * static_cast<double>(1ULL << random.below(60));
  const double first = team.sum(mine);
  for (int i = 0; i < 3; ++i) EXPECT_EQ(team.sum(mine), first);
  EXPECT_EQ(team.min(first), team.max(first));
}

// Teams that live for a moment, in one finish after the other, and conveyors in them.
void many_teams_come_and_go(world& w, std::uint64_t seed) {
  random_engine random(seed, 5);
  for (int k = 0; k < 12; ++k) {
    const auto n_teams = static_cast<std::int64_t>(1 + random.below(4));
    world team = w.split(w.my_pe() % n_teams);
    conveyor<std::int64_t> c(team);
    c.begin();
    std::int64_t n_pushed = 0;
    std::int64_t sum = 0;
    while (c.advance(n_pushed == team.n_pes()) != progress::complete) {
      while (n_pushed < team.n_pes() && c.push(k, n_pushed)) ++n_pushed;
      while (const auto item = c.pull()) sum += *item;
    }
    c.reset();
    EXPECT_EQ(sum, k * team.n_pes());
    EXPECT_EQ(team.inclusive_scan(std::int64_t{1}), team.my_pe() + 1);
  }
}

}  // namespace

std::vector<claim> team_claims() {
  return {
      {"teams_are_numbered_by_key", teams_are_numbered_by_key},
      {"rows_and_columns_go_on_beside_the_job", rows_and_columns_go_on_beside_the_job, 6},
      {"handlers_of_a_team_send_to_the_job", handlers_of_a_team_send_to_the_job, 4},
      {"closures_of_handlers_belong_to_the_enclosing_finish", closures_of_handlers_belong_to_the_enclosing_finish, 4,
       128},
      {"closures_belong_where_they_should_beside_work_of_outer_worlds",
       closures_belong_where_they_should_beside_work_of_outer_worlds, 5, 192},
      {"loops_of_conveyors_serve_waves", loops_of_conveyors_serve_waves, 11, 192},
      {"arrays_arrive_beside_a_PE_in_a_loop", arrays_arrive_beside_a_PE_in_a_loop, 3},
      {"sums_of_a_team_fit_as_those_of_the_job", sums_of_a_team_fit_as_those_of_the_job},
      {"objects_of_teams_have_numbers_of_their_own", objects_of_teams_have_numbers_of_their_own, 2},
      of_job({"what_waits_runs_in_its_own_world", what_waits_runs_in_its_own_world, 4, 128}),
      {"sums_of_a_team_are_reproducible", sums_of_a_team_are_reproducible},
      {"many_teams_come_and_go", many_teams_come_and_go},
  };
}

}  // namespace shoal::test
