// Claims: messages and conveyors of teams that overlap, whose PEs take turns with both.
#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include "shoal/actor/combining_actor.hpp"
#include "shoal/base/random.hpp"
#include "shoal/conveyor/kinds/biconveyor.hpp"
#include "shoal/conveyor/kinds/exstack.hpp"
#include "shoal/conveyor/kinds/exstack2.hpp"
#include "shoal/shoal.hpp"
#include "test/contract/claims.hpp"

namespace shoal::test {
namespace {

// The PEs as a grid: each is in a row and in a column, and no other PE is in the same two.
struct grid {
  explicit grid(world& w) : rows(w.split(w.my_pe() / width)), columns(w.split(w.my_pe() % width, -w.my_pe())) {}

  static constexpr pe_id width = 3;
  world rows;
  world columns;
};

// One PE's queries in a team, each answered with its square.
class squares_of_team {
public:
  squares_of_team(world& team, std::uint64_t n) : team_(team), squares_(team, {.window = 3}), n_(n) {
    squares_.begin([this](std::int64_t x, pe_id) {
      ++n_answered_;
      return x * x;
    });
  }

  bool turn() {
    if (squares_.advance(n_pushed_ == n_) == progress::complete) return false;
    while (n_pushed_ < n_ && squares_.push(static_cast<std::int64_t>(n_pushed_), target_of(n_pushed_))) ++n_pushed_;
    while (const std::int64_t* square = squares_.pull()) {
      EXPECT_EQ(*square, static_cast<std::int64_t>(n_pulled_ * n_pulled_));
      ++n_pulled_;
    }
    return true;
  }

  void end() {
    squares_.reset();
    EXPECT_EQ(n_pulled_, n_);
    EXPECT_EQ(team_.sum(n_answered_), team_.sum(n_pulled_));
  }

private:
  pe_id target_of(std::uint64_t i) const { return static_cast<pe_id>(i % static_cast<std::uint64_t>(team_.n_pes())); }

  world& team_;
  biconveyor<std::int64_t, std::int64_t> squares_;
  std::uint64_t n_;
  std::uint64_t n_pushed_ = 0;
  std::uint64_t n_pulled_ = 0;
  std::uint64_t n_answered_ = 0;
};

// Those of a PE's row and column take turns, with other numbers of queries on each PE.
void biconveyors_of_overlapping_teams_take_turns(world& w, std::uint64_t seed) {
  grid teams(w);
  random_engine random(seed, static_cast<std::uint64_t>(w.my_pe()));
  for (int k = 0; k < 2; ++k) {
    squares_of_team in_row(teams.rows, random.below(60));
    squares_of_team in_column(teams.columns, random.below(60));
    for (bool is_row_on = true, is_column_on = true; is_row_on || is_column_on;) {
      is_row_on = is_row_on && in_row.turn();
      is_column_on = is_column_on && in_column.turn();
    }
    in_row.end();
    in_column.end();
  }
}

// Each item that a PE pops goes back to its sender. Of one team after the other, since an exchange is a collective call.
void exstacks_of_overlapping_teams_bring_back_what_they_took(world& w, std::uint64_t seed) {
  grid teams(w);
  random_engine random(seed, static_cast<std::uint64_t>(w.my_pe()));
  for (int k = 0; k < 3; ++k) {
    for (world* const team : {&teams.rows, &teams.columns}) {
      exstack<std::int64_t> items(*team, 4);
      const auto n_pes = static_cast<std::uint64_t>(team->n_pes());
      const std::uint64_t n = random.below(30);
      std::uint64_t n_pushed = 0;
      std::uint64_t n_back = 0;
      while (items.proceed(n_pushed == n)) {
        while (n_pushed < n && items.push(w.my_pe(), static_cast<pe_id>(n_pushed % n_pes)) != 0) ++n_pushed;
        items.exchange();
        std::int64_t item = 0;
        for (pe_id from = 0; items.pop(item, from);) EXPECT_NE(items.push(item, from), 0U);
        items.exchange();
        for (; items.pop(item); ++n_back) EXPECT_EQ(item, w.my_pe());
      }
      EXPECT_EQ(n_back, n);
    }
  }
}

// Exstacks whose loops take turns: a PE may be through with its row while its column goes on.
void exstack2s_of_overlapping_teams_take_turns(world& w, std::uint64_t seed) {
  grid teams(w);
  random_engine random(seed, static_cast<std::uint64_t>(w.my_pe()));
  exstack2<std::int64_t> in_row(teams.rows, 4);
  exstack2<std::int64_t> in_column(teams.columns, 4);
  for (int k = 0; k < 2; ++k) {
    std::int64_t n_popped[] = {0, 0};
    std::int64_t n_left[] = {static_cast<std::int64_t>(random.below(50)), static_cast<std::int64_t>(random.below(50))};
    const std::int64_t n_pushed[] = {n_left[0], n_left[1]};
    const auto turn = [&](exstack2<std::int64_t>& items, world& team, std::size_t at) {
      if (!items.proceed(n_left[at] == 0)) return false;
      while (n_left[at] > 0 && items.push(team.my_pe(), n_left[at] % team.n_pes()) != 0) --n_left[at];
      pe_id from = 0;
      for (std::int64_t item = 0; items.pop(item, from); ++n_popped[at]) EXPECT_EQ(item, from);
      return true;
    };
    for (bool is_row_on = true, is_column_on = true; is_row_on || is_column_on;) {
      is_row_on = is_row_on && turn(in_row, teams.rows, 0);
      is_column_on = is_column_on && turn(in_column, teams.columns, 1);
    }
    in_row.reset();
    in_column.reset();
    EXPECT_EQ(teams.rows.sum(n_popped[0]), teams.rows.sum(n_pushed[0]));
    EXPECT_EQ(teams.columns.sum(n_popped[1]), teams.columns.sum(n_pushed[1]));
  }
}

// Messages of three worlds with the same keys, on the same links: none is merged with one of another world.
void messages_of_overlapping_teams_are_combined_apart(world& w, std::uint64_t seed) {
  struct count {
    std::int32_t key;
    std::int32_t team;
    std::int64_t n;
  };
  std::int64_t sums[] = {0, 0, 0};
  grid teams(w);
  const auto key = [](const count& c) { return c.key; };
  const auto add = [](count& into, const count& c) {
    EXPECT_EQ(into.team, c.team);
    into.n += c.n;
  };
  const combining where = seed % 2 == 0 ? combining::everywhere : combining::where_it_pays;
  combining_actor in_job{w, [&](count c) { sums[c.team] += c.n; }, key, add, "job", where};
  const auto pass_on = [&](count c) {
    sums[c.team] += c.n;
    in_job.send(c.key % w.n_pes(), {c.key, 0, c.n});
  };
  combining_actor in_row{teams.rows, pass_on, key, add, "row", where};
  combining_actor in_column{teams.columns, pass_on, key, add, "column", where};
  random_engine random(seed, static_cast<std::uint64_t>(w.my_pe()));
  const std::int64_t n = 100;
  for (int k = 0; k < 3; ++k) {
    const auto next_key = [&] { return static_cast<std::int32_t>(random.below(7)); };
    w.finish([&] {
      teams.rows.finish([&] {
        teams.columns.finish([&] {
          for (std::int64_t i = 0; i < n; ++i) {
            in_row.send(i % teams.rows.n_pes(), {next_key(), 1, 1});
            in_column.send(i % teams.columns.n_pes(), {next_key(), 2, 1});
            in_job.send(i % w.n_pes(), {next_key(), 0, 1});
          }
        });
      });
    });
  }
  EXPECT_EQ(w.sum(sums[1]), 3 * n * w.n_pes());
  EXPECT_EQ(w.sum(sums[2]), 3 * n * w.n_pes());
  EXPECT_EQ(w.sum(sums[0]), 9 * n * w.n_pes());
}

}  // namespace

std::vector<claim> overlapping_team_claims() {
  return {
      {"biconveyors_of_overlapping_teams_take_turns", biconveyors_of_overlapping_teams_take_turns, 4},
      {"exstacks_of_overlapping_teams_bring_back_what_they_took",
       exstacks_of_overlapping_teams_bring_back_what_they_took},
      {"exstack2s_of_overlapping_teams_take_turns", exstack2s_of_overlapping_teams_take_turns, 2},
      {"messages_of_overlapping_teams_are_combined_apart", messages_of_overlapping_teams_are_combined_apart, 6},
  };
}

}  // namespace shoal::test
