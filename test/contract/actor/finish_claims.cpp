#include <gtest/gtest.h>

#include <memory>
#include <optional>

#include "test/contract/actor/checked_actor.hpp"
#include "test/contract/claims.hpp"

namespace shoal::test {
namespace {

void finish_waits_for_what_handlers_send(world& w, std::uint64_t) {
  pe_watch watch;
  int n_here = 0;
  checked_actor<int>* self = nullptr;
  checked_actor<int> a(w, watch, [&](int hops, pe_id) {
    ++n_here;
    w.charge_ns(3000);
    if (hops > 0) self->send(next_pe(w), hops - 1);
  });
  self = &a;
  w.finish([&] { a.send(next_pe(w), 20); });
  EXPECT_EQ(n_here, 21) << "every PE's chain passes everywhere equally often, or ends beside it";
  w.barrier();
  EXPECT_EQ(n_here, 21) << "nothing is handled after finish";
}

// PE 0 lags behind the others. Only the runtime distinguishes for it messages of this superstep from those of the next.
void a_message_waits_until_its_receiver_has_entered_the_superstep(world& w, std::uint64_t seed) {
  pe_watch watch;
  checked_actor<char> a(w, watch, [](char, pe_id) {});
  random_engine random(seed, 300 + static_cast<std::uint64_t>(w.my_pe()));
  for (int k = 0; k < 60; ++k) {
    ++watch.step;
    w.finish([&] {
      if (random.chance(0.3)) w.charge_ns(random.below(50'000));
      for (std::uint64_t n = random.below(4); n > 0; --n) {
        a.send(static_cast<pe_id>(random.below(static_cast<std::uint64_t>(w.n_pes()))), 'x');
      }
    });
  }
  a.expect_all_handled();
}

void a_superstep_without_messages_ends(world& w, std::uint64_t) {
  actor a{w, [](int) { ADD_FAILURE(); }};
  for (int k = 0; k < 10; ++k) w.finish([] {});
  EXPECT_EQ(w.sum(a.counts().n_sent), 0U);
}

void one_sender_alone_keeps_finish_waiting(world& w, std::uint64_t) {
  int n = 0;
  actor a{w, [&](int) { ++n; }};
  w.finish([&] {
    if (w.my_pe() != w.n_pes() - 1) return;
    w.charge_ns(200'000);
    for (pe_id to = 0; to < w.n_pes(); ++to) a.send(to, 1);
  });
  EXPECT_EQ(n, 1);
}

void a_nested_finish_waits_for_its_own_mailboxes_and_leaves_the_outer_open(world& w, std::uint64_t) {
  pe_watch watch;
  int n_outer = 0;
  checked_actor<int> outer(w, watch, [&](int, pe_id) { ++n_outer; });
  w.finish([&] {
    outer.send(next_pe(w), 1);
    for (int k = 0; k < 3; ++k) {
      int n_inner = 0;
      std::optional<checked_actor<int>> inner;
      w.finish([&] {
        inner.emplace(w, watch, [&](int hops, pe_id) {
          ++n_inner;
          outer.send(next_pe(w), 2);
          if (hops > 0) inner->send(next_pe(w), hops - 1);
        });
        inner->send(next_pe(w), 2);
        outer.send(next_pe(w), 3);
      });
      EXPECT_EQ(w.sum(n_inner), 3 * w.n_pes()) << "the inner one is over";
      inner->expect_all_handled();
      inner.reset();
      outer.send(next_pe(w), 4);
    }
  });
  EXPECT_EQ(w.sum(n_outer), w.n_pes() * (1 + 3 * (1 + 1 + 3)));
  outer.expect_all_handled();
}

// A message of the outer superstep that never rests does not keep the inner one from ending.
void a_nested_finish_ends_although_the_outer_mailboxes_stay_busy(world& w, std::uint64_t) {
  bool must_stop = false;
  checked_actor<char>* self = nullptr;
  pe_watch watch;
  checked_actor<char> token(w, watch, [&](char, pe_id) {
    if (!must_stop) self->send(next_pe(w), 't');
  });
  checked_actor<char> own(w, watch, [&](char, pe_id) {
    if (!must_stop) token.send(w.my_pe(), 't');
  });
  self = &token;
  int n_inner = 0;
  w.finish([&] {
    token.send(next_pe(w), 't');
    own.send(w.my_pe(), 'o');
    w.finish([&] {
      actor inner{w, [&](int) { ++n_inner; }};
      inner.send(next_pe(w), 1);
    });
    EXPECT_EQ(w.sum(n_inner), static_cast<int>(w.n_pes()));
    must_stop = true;
  });
  token.expect_all_handled();
}

void finish_nests_to_any_depth(world& w, std::uint64_t) {
  std::vector<int> n_handled(4);
  const std::function<void(std::size_t)> descend = [&](std::size_t depth) {
    if (depth == n_handled.size()) return;
    const int n_before = n_handled[depth];
    w.finish([&] {
      actor mine{w, [&, depth](std::int64_t) { ++n_handled[depth]; }};
      mine.send(next_pe(w), 1);
      descend(depth + 1);
      mine.send(next_pe(w), 1);
    });
    EXPECT_EQ(n_handled[depth], n_before + 2);
  };
  descend(0);
  descend(1);
  EXPECT_EQ(n_handled, (std::vector<int>{2, 4, 4, 4}));
}

// An actor that is constructed while no finish is open belongs to each outermost one, even if it is used deeper inside.
void an_outer_actor_used_in_a_nested_finish_belongs_to_the_outer_one(world& w, std::uint64_t) {
  int n = 0;
  actor a{w, [&](int) {
            w.charge_ns(20'000);
            ++n;
          }};
  for (int k = 1; k <= 3; ++k) {
    w.finish([&] {
      w.finish([&] { a.send(next_pe(w), 1); });
      w.finish([&] { a.send(next_pe(w), 1); });
    });
    EXPECT_EQ(n, 2 * k);
  }
}

// The destructor waits until all messages of this actor are handled everywhere.
void an_actor_may_live_within_one_superstep(world& w, std::uint64_t seed) {
  pe_watch watch;
  checked_actor<char> outer(w, watch, [](char, pe_id) {});
  for (int k = 0; k < 5; ++k) {
    ++watch.step;
    w.finish([&] {
      int n_first = 0;
      {
        checked_actor<int>* self = nullptr;
        checked_actor<int> first(w, watch, [&](int hops, pe_id) {
          ++n_first;
          if (hops > 0) self->send(next_pe(w), hops - 1);
        });
        self = &first;
        for (const pe_id to : targets_of(seed, w.my_pe(), w.n_pes(), 10)) first.send(to, 1);
        outer.send(next_pe(w), 'o');
      }
      EXPECT_EQ(w.sum(n_first), static_cast<int>(20 * w.n_pes()));
      outer.send(next_pe(w), 'o');
    });
  }
  outer.expect_all_handled();
}

void many_actors_are_alive_at_once(world& w, std::uint64_t seed) {
  pe_watch watch;
  std::vector<std::unique_ptr<checked_actor<char>>> actors;
  for (int i = 0; i < 6; ++i) {
    actors.push_back(std::make_unique<checked_actor<char>>(w, watch, [](char, pe_id) {}));
  }
  random_engine random(seed, 400 + static_cast<std::uint64_t>(w.my_pe()));
  for (int k = 0; k < 3; ++k) {
    ++watch.step;
    w.finish([&] {
      for (const pe_id to : targets_of(seed, w.my_pe(), w.n_pes(), 60)) actors[random.below(6)]->send(to, 'x');
    });
  }
  for (const auto& each : actors) each->expect_all_handled();
}

// done applies to this PE's main program and this superstep; handlers may continue, and the mailbox is open again in
// the next.
void done_closes_the_main_program_only_and_for_one_superstep(world& w, std::uint64_t) {
  pe_watch watch;
  checked_actor<int>* self = nullptr;
  checked_actor<int> a(w, watch, [&](int hops, pe_id) {
    if (hops > 0) self->send(next_pe(w), hops - 1);
  });
  checked_actor<int> b(w, watch, [&](int, pe_id) {});
  self = &a;
  for (int k = 0; k < 4; ++k) {
    ++watch.step;
    w.finish([&] {
      a.send(next_pe(w), 5);
      if (w.my_pe() % 2 == k % 2) a.done();
      for (int i = 0; i < 10; ++i) {
        b.send(next_pe(w), 1);
        w.progress();
      }
      b.done();
    });
  }
  EXPECT_EQ(w.sum(a.n_handled()), static_cast<std::uint64_t>(4 * 6 * w.n_pes()));
  a.expect_all_handled();
  b.expect_all_handled();
}

// The first mailbox passes messages to the second, while another is busy until told to stop. close means that all is
// handled everywhere, and the next finish opens closed mailboxes again.
void mailboxes_close_one_after_another(world& w, std::uint64_t seed) {
  const auto n_pes = static_cast<std::uint64_t>(w.n_pes());
  random_engine random(seed, 400 + static_cast<std::uint64_t>(w.my_pe()));
  const auto anyone = [&] { return static_cast<pe_id>(random.below(n_pes)); };
  pe_watch watch;
  bool must_stop = false;
  checked_actor<char>* self = nullptr;
  checked_actor<char> token(w, watch, [&](char, pe_id) {
    if (!must_stop) self->send(next_pe(w), 't');
  });
  self = &token;
  checked_actor<int> second(w, watch, [&](int, pe_id) { w.charge_ns(1 + random.below(2000)); });
  checked_actor<int> first(w, watch, [&](int n, pe_id) {
    for (int i = 0; i < 3; ++i) second.send(anyone(), n);
  });
  constexpr std::uint64_t n_first = 40;
  for (std::uint64_t k = 1; k <= 3; ++k) {
    ++watch.step;
    must_stop = false;
    w.finish([&] {
      token.send(next_pe(w), 't');
      for (std::uint64_t i = 0; i < n_first; ++i) first.send(anyone(), static_cast<int>(i));
      first.close();
      EXPECT_EQ(first.current_state(), mailbox::state::dormant);
      EXPECT_EQ(w.sum(first.n_handled()), k * n_first * n_pes);
      second.close();
      EXPECT_EQ(w.sum(second.n_handled()), 3 * k * n_first * n_pes);
      EXPECT_EQ(token.current_state(), mailbox::state::open);
      must_stop = true;
    });
  }
  first.expect_all_handled();
  second.expect_all_handled();
  token.expect_all_handled();
}

void a_mailbox_says_its_state(world& w, std::uint64_t) {
  using state = mailbox::state;
  actor a{w, [](int) {}};
  EXPECT_EQ(a.current_state(), state::dormant);
  w.finish([&] {
    EXPECT_EQ(a.current_state(), state::open);
    a.done();
    EXPECT_EQ(a.current_state(), state::done);
  });
  EXPECT_EQ(a.current_state(), state::dormant);
}

}  // namespace

std::vector<claim> finish_claims() {
  return {
      {"finish_waits_for_what_handlers_send", finish_waits_for_what_handlers_send, 2},
      {"a_message_waits_until_its_receiver_has_entered_the_superstep",
       a_message_waits_until_its_receiver_has_entered_the_superstep, 2},
      {"a_superstep_without_messages_ends", a_superstep_without_messages_ends, 2},
      {"one_sender_alone_keeps_finish_waiting", one_sender_alone_keeps_finish_waiting, 2},
      {"a_nested_finish_waits_for_its_own_mailboxes_and_leaves_the_outer_open",
       a_nested_finish_waits_for_its_own_mailboxes_and_leaves_the_outer_open, 4},
      {"a_nested_finish_ends_although_the_outer_mailboxes_stay_busy",
       a_nested_finish_ends_although_the_outer_mailboxes_stay_busy, 5},
      {"finish_nests_to_any_depth", finish_nests_to_any_depth, 8},
      {"an_outer_actor_used_in_a_nested_finish_belongs_to_the_outer_one",
       an_outer_actor_used_in_a_nested_finish_belongs_to_the_outer_one, 3},
      {"an_actor_may_live_within_one_superstep", an_actor_may_live_within_one_superstep, 3},
      {"many_actors_are_alive_at_once", many_actors_are_alive_at_once, 7},
      {"done_closes_the_main_program_only_and_for_one_superstep",
       done_closes_the_main_program_only_and_for_one_superstep, 3},
      {"mailboxes_close_one_after_another", mailboxes_close_one_after_another, 4},
      {"a_mailbox_says_its_state", a_mailbox_says_its_state, 2},
  };
}

}  // namespace shoal::test
