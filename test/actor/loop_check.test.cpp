// Goal: of two turns that touch one element, each pair that depends on their order ends the job, in both orders of their
// coming; no other does.
#include "shoal/actor/loop_check.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "shoal/base/internal/ambient.hpp"
#include "test/support/jobs.hpp"

namespace shoal {
namespace {

#if SHOAL_CHECKED

struct table_of_two {
  loop_check check{"x.cpp:7"};
  std::array<std::int64_t, 2> cells = {};

  void read(loop_turn t) { check.reads(cells[0], t); }
  void write(std::int64_t value, loop_turn t) {
    check.writes(cells[0], value, t);
    cells[0] = value;
  }
  void update(char operation, loop_turn t) { check.updates(cells[0], operation, t); }
  void write_all(std::vector<std::int64_t> values, loop_turn t) {
    check.writes_all(cells.data(), values, t);
    for (std::size_t i = 0; i < values.size(); ++i) cells[i] = values[i];
  }
};

// What the job says if turns 1 and 2 of a PE do this.
std::string said_of(const std::function<void(table_of_two&, loop_turn, loop_turn)>& body) {
  const test::outcome seen = test::outcome_of(test::simulated(1), [&](world&) {
    table_of_two table;
    const loop_turn first = table.check.next();
    body(table, first, table.check.next());
  });
  EXPECT_EQ(seen.status, seen.error.empty() ? 0 : internal::status_usage);
  return seen.error;
}

TEST(loop_check, the_report_names_the_loop_the_turns_and_the_ways_out) {
  const std::string said = said_of([](table_of_two& table, loop_turn a, loop_turn b) {
    table.write(5, a);
    table.read(b);
  });
  EXPECT_EQ(
      said,
      "shoal: PE 0: x.cpp:7: turn 2 of PE 0 reads an element that turn 1 of PE 0 writes, so turns of this loop depend "
      "on each other; remove `#pragma shoal independent`, or write `#pragma shoal independent unchecked` if the "
      "result is right in any order of the turns" +
          test::simulated_by(test::simulated(1)));
}

TEST(loop_check, turns_that_depend_on_their_order_end_the_job) {
  using turns = std::function<void(table_of_two&, loop_turn, loop_turn)>;
  const turns all[] = {
      [](auto& t, auto a, auto b) { t.read(a), t.write(1, b); },
      [](auto& t, auto a, auto b) { t.write(1, a), t.write(2, b); },
      [](auto& t, auto a, auto b) { t.write(0, a), t.write(2, b); },
      [](auto& t, auto a, auto b) { t.write(1, a), t.update('+', b); },
      [](auto& t, auto a, auto b) { t.update('+', a), t.write(0, b); },
      [](auto& t, auto a, auto b) { t.update('+', a), t.read(b); },
      [](auto& t, auto a, auto b) { t.read(a), t.update('|', b); },
      [](auto& t, auto a, auto b) { t.update('+', a), t.update('^', b); },
      [](auto& t, auto a, auto b) { t.read(a), t.read(b), t.write(3, a); },  // the first one again
      [](auto& t, auto a, auto b) { t.write(3, a), t.write(3, b), t.write(4, a); },
      [](auto& t, auto a, auto b) { t.check.reads_all(t.cells.data(), 2, a), t.check.writes(t.cells[1], 9, b); },
      [](auto& t, auto a, auto b) { t.check.writes(t.cells[1], 9, a), t.write_all({0, 8}, b); },
      [](auto& t, auto a, auto b) { t.check.compare_swaps(t.cells[0], 0, 4, a), t.read(b); },
      [](auto& t, auto a, auto) { t.write(1, a), t.read({a.number, 1}); }};  // of another PE
  for (const turns& each : all) EXPECT_NE(said_of(each), "") << &each - all;
}

TEST(loop_check, other_turns_go_on) {
  EXPECT_EQ(said_of([](table_of_two& t, loop_turn a, loop_turn b) {
              const loop_turn c = t.check.next();
              t.read(a);
              t.read(b);
              t.read(c);
              t.write(0, c);  // as it was
              t.check.compare_swaps(t.cells[0], 5, 4, b);
              t.write_all({0, 6}, b);
              t.check.writes(t.cells[1], 6, a);
            }),
            "");
  EXPECT_EQ(said_of([](table_of_two& t, loop_turn a, loop_turn b) {
              t.update('+', b);
              t.update('+', a);
              t.update('+', b);
            }),
            "");
  EXPECT_EQ(said_of([](table_of_two& t, loop_turn a, loop_turn b) {
              t.read(a);
              t.write(1, a);
              t.write(2, a);
              t.read(a);
              t.write(2, b);
            }),
            "");
}

TEST(loop_check, each_execution_of_a_loop_begins_anew) {
  EXPECT_EQ(said_of([](table_of_two& t, loop_turn a, loop_turn b) {
              t.write(1, a);
              loop_check again{"x.cpp:7"};
              again.reads(t.cells[0], b);
            }),
            "");
}

#else

TEST(loop_check, takes_no_room_in_a_message) {
  struct with {
    std::int64_t value;
    [[no_unique_address]] loop_turn turn;
  };
  static_assert(sizeof(with) == sizeof(std::int64_t));
}

#endif

}  // namespace
}  // namespace shoal
