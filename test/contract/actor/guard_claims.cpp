// Claims: a disabled mailbox keeps its messages until it is enabled; of those that have messages, the one of the greatest
// priority goes first.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>

#include "shoal/shoal.hpp"
#include "test/contract/claims.hpp"

namespace shoal::test {
namespace {

// Main programs send more than there is room for, and wait; a message that they sent before opens the gate.
void a_handler_enables_a_mailbox(world& w, std::uint64_t) {
  bool is_open = false;
  std::int64_t n_handled = 0;
  actor data{w,
             [&](std::int64_t i) {
               EXPECT_TRUE(is_open);
               EXPECT_EQ(i, n_handled % 40) << "out of order";  // it has one sender
               ++n_handled;
             },
             "data"};
  actor gate{w,
             [&](int) {
               is_open = true;
               data.enable();
             },
             "gate"};
  data.disable();  // before its superstep begins
  for (std::int64_t k = 1; k <= 3; ++k) {
    w.finish([&] {
      data.disable();
      EXPECT_FALSE(data.is_enabled());
      is_open = false;
      gate.send(next_pe(w), 0);
      for (std::int64_t i = 0; i < 40; ++i) data.send(next_pe(w), i);
    });
    EXPECT_EQ(n_handled, 40 * k);
    EXPECT_TRUE(data.is_enabled());
  }
}

// The main program enables it itself, and has not seen any message before.
void the_main_program_enables_a_mailbox(world& w, std::uint64_t) {
  bool is_open = false;
  int n_handled = 0;
  actor data{w, [&](const std::string& text) {
               EXPECT_TRUE(is_open);
               EXPECT_EQ(text, "abc");
               ++n_handled;
             }};
  w.finish([&] {
    data.disable();
    data.send(next_pe(w), "abc");
    for (int i = 0; i < 100; ++i) w.progress();
    EXPECT_EQ(n_handled, 0);
    is_open = true;
    data.enable();
  });
  EXPECT_EQ(n_handled, 1);
}

// All PEs wait for room at the disabled mailbox while the other one closes.
void an_end_enables_a_mailbox(world& w, std::uint64_t) {
  int n_entries = 0;
  int n_lookups = 0;
  bool are_there = false;
  actor entries{w, [&](int) { ++n_entries; }, "entries"};
  actor lookups{w,
                [&](int) {
                  EXPECT_TRUE(are_there);
                  EXPECT_EQ(n_entries, 10);
                  ++n_lookups;
                },
                "lookups"};
  entries.fed_by();
  w.finish([&] {
    lookups.disable();
    entries.closed().then([&] {
      are_there = true;
      lookups.enable();
    });
    for (int i = 0; i < 10; ++i) entries.send(next_pe(w), i);
    entries.done();
    for (int i = 0; i < 50; ++i) lookups.send(next_pe(w), i);
  });
  EXPECT_EQ(n_lookups, 50);
}

// Messages of both have arrived when the handler of the first one disables the second one: the first guard on this PE.
void the_first_guard_counts_at_once(world& w, std::uint64_t) {
  bool may_run = true;
  int n_handled = 0;
  mailbox* to_disable = nullptr;
  actor first{w, [&](int) {
                to_disable->disable();
                may_run = n_handled != 0;  // it may have come earlier
              }};
  actor second{w, [&](int) {
                 EXPECT_TRUE(may_run);
                 ++n_handled;
               }};
  to_disable = &second;
  w.finish([&] {
    first.send(w.my_pe(), 0);
    second.send(w.my_pe(), 0);
    for (int i = 0; i < 100; ++i) w.progress();
    while (second.is_enabled()) w.progress();
    may_run = true;
    second.enable();
  });
  EXPECT_EQ(n_handled, 1);
}

struct release {};
struct one_at_a_time : selector<one_at_a_time, std::int64_t, tagged<release, int>> {
  explicit one_at_a_time(world& w) : selector(w), home(w) {}
  void process(std::int64_t) {
    EXPECT_FALSE(is_taken);
    is_taken = true;
    ++n_handled;
    mailbox_at<0>().disable();
    send<release>(home.my_pe(), 0);
  }
  void process(release, int) {
    EXPECT_TRUE(is_taken);
    is_taken = false;
    mailbox_at<0>().enable();
  }

  world& home;
  bool is_taken = false;
  std::int64_t n_handled = 0;
};

void a_handler_disables_its_own_mailbox(world& w, std::uint64_t) {
  one_at_a_time box(w);
  w.finish([&] {
    for (int i = 0; i < 20; ++i) {
      for (pe_id pe = 0; pe < w.n_pes(); ++pe) box.send(pe, std::int64_t{i});
    }
  });
  EXPECT_EQ(box.n_handled, 20 * w.n_pes());
}

// It closes by itself only after it has been enabled.
void a_disabled_mailbox_stays_open(world& w, std::uint64_t) {
  bool is_open = false;
  bool has_closed = false;
  int n_handled = 0;
  actor data{w, [&](int) { ++n_handled; }, "data"};
  actor gate{w,
             [&](int) {
               EXPECT_FALSE(has_closed);
               is_open = true;
               data.enable();
             },
             "gate"};
  data.fed_by();
  w.finish([&] {
    data.disable();
    data.send(next_pe(w), 1);
    data.closed().then([&] {
      EXPECT_TRUE(is_open);
      EXPECT_EQ(n_handled, 1);
      has_closed = true;
    });
    data.done();
    for (int i = 0; i < 100; ++i) w.progress();
    EXPECT_FALSE(has_closed);
    gate.send(next_pe(w), 1);
  });
  EXPECT_TRUE(has_closed);
}

// All have a message when they are enabled, and the last to be enabled goes first.
void the_greatest_priority_goes_first(world& w, std::uint64_t) {
  if (w.n_hops() != 1) return;  // what this PE sends to itself may come by way of others, and later
  std::string order;
  actor high{w, [&](int) { order += 'h'; }, "high"};
  actor middle{w, [&](int) { order += 'm'; }, "middle"};
  actor low{w, [&](int) { order += 'l'; }, "low"};
  mailbox* const all[] = {&low, &middle, &high};
  high.set_priority(3);
  low.set_priority(-1);
  w.finish([&] {
    for (mailbox* each : all) each->disable();
    low.send(w.my_pe(), 0);
    middle.send(w.my_pe(), 0);
    high.send(w.my_pe(), 0);
    for (int i = 0; i < 100; ++i) w.progress();
    for (mailbox* each : all) each->enable();
  });
  EXPECT_EQ(order, "hml");
}

}  // namespace

std::vector<claim> guard_claims() {
  return {
      {"a_handler_enables_a_mailbox", a_handler_enables_a_mailbox, 3},
      {"the_main_program_enables_a_mailbox", the_main_program_enables_a_mailbox, 2},
      {"an_end_enables_a_mailbox", an_end_enables_a_mailbox, 3},
      {"the_first_guard_counts_at_once", the_first_guard_counts_at_once, 3},
      {"a_handler_disables_its_own_mailbox", a_handler_disables_its_own_mailbox, 3},
      {"a_disabled_mailbox_stays_open", a_disabled_mailbox_stays_open, 3},
      {"the_greatest_priority_goes_first", the_greatest_priority_goes_first, 4},
  };
}

}  // namespace shoal::test
