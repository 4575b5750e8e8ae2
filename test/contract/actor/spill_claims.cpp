// Storms: handlers that send more than all credits. In each of them the numbering of checked_actor verifies that
// spilled messages kept their order.
#include <gtest/gtest.h>

#include "test/contract/actor/checked_actor.hpp"
#include "test/contract/claims.hpp"

namespace shoal::test {
namespace {

// The random choices of a storm: the same number of messages on every schedule, to any targets.
class storm {
public:
  storm(world& w, std::uint64_t seed) : world_(w), random_(seed, 200 + static_cast<std::uint64_t>(w.my_pe())) {}
  pe_id any_pe() { return static_cast<pe_id>(random_.below(static_cast<std::uint64_t>(world_.n_pes()))); }

private:
  world& world_;
  random_engine random_;
};

void a_handler_may_send_more_than_all_credits(world& w, std::uint64_t seed) {
  pe_watch watch;
  storm s(w, seed);
  checked_actor<int>* self = nullptr;
  checked_actor<int> a(w, watch, [&](int depth, pe_id) {
    for (int i = 0; depth > 0 && i < 30; ++i) self->send(s.any_pe(), depth - 1);
  });
  self = &a;
  w.finish([&] { a.send(s.any_pe(), 2); });
  EXPECT_EQ(w.sum(a.n_handled()), static_cast<std::uint64_t>(w.n_pes()) * (1 + 30 + 900));
  a.expect_all_handled();
}

void a_chain_of_mailboxes_swells_and_drains(world& w, std::uint64_t seed) {
  pe_watch watch;
  storm s(w, seed);
  checked_actor<char> c(w, watch, [](char, pe_id) {});
  checked_actor<char> b(w, watch, [&](char, pe_id) {
    for (int i = 0; i < 7; ++i) c.send(s.any_pe(), 'c');
  });
  checked_actor<char> a(w, watch, [&](char, pe_id) {
    for (int i = 0; i < 7; ++i) b.send(s.any_pe(), 'b');
  });
  w.finish([&] {
    for (int i = 0; i < 10; ++i) {
      a.send(s.any_pe(), 'a');
      if (i % 3 == 0) c.send(s.any_pe(), 'c');
      if (i % 5 == 0) b.send(s.any_pe(), 'b');
    }
  });
  EXPECT_EQ(w.sum(a.n_handled() + b.n_handled() + c.n_handled()),
            static_cast<std::uint64_t>(w.n_pes()) * (10 * (1 + 7 + 49) + 4 + 2 * (1 + 7)));
  a.expect_all_handled();
  b.expect_all_handled();
  c.expect_all_handled();
}

void mailboxes_that_send_to_each_other_make_progress(world& w, std::uint64_t seed) {
  pe_watch watch;
  storm s(w, seed);
  checked_actor<int>* pongs = nullptr;
  checked_actor<int> ping(w, watch, [&](int depth, pe_id) {
    for (int i = 0; depth > 0 && i < 6; ++i) pongs->send(s.any_pe(), depth - 1);
  });
  checked_actor<int> pong(w, watch, [&](int depth, pe_id) {
    for (int i = 0; depth > 0 && i < 6; ++i) ping.send(s.any_pe(), depth - 1);
  });
  pongs = &pong;
  w.finish([&] { ping.send(s.any_pe(), 3); });
  EXPECT_EQ(w.sum(ping.n_handled() + pong.n_handled()), static_cast<std::uint64_t>(w.n_pes()) * (1 + 6 + 36 + 216));
  ping.expect_all_handled();
  pong.expect_all_handled();
}

// No PE ever sees both halves of the cycle: the first handles only pings, the last only pongs.
void a_cycle_that_no_PE_sees_whole_makes_progress(world& w, std::uint64_t) {
  pe_watch watch;
  const pe_id last = w.n_pes() - 1;
  checked_actor<int>* pongs = nullptr;
  checked_actor<int> ping(w, watch, [&](int depth, pe_id) {
    for (int i = 0; depth > 0 && i < 5; ++i) pongs->send(last, depth - 1);
  });
  checked_actor<int> pong(w, watch, [&](int depth, pe_id) {
    for (int i = 0; depth > 0 && i < 5; ++i) ping.send(0, depth - 1);
  });
  pongs = &pong;
  w.finish([&] {
    if (w.my_pe() == 0) ping.send(0, 2);
    if (w.my_pe() == last) pong.send(last, 2);
  });
  EXPECT_EQ(w.sum(ping.n_handled() + pong.n_handled()), 2U * (1 + 5 + 25));
  ping.expect_all_handled();
  pong.expect_all_handled();
}

// The main program waits for handlers by itself, not in finish.
void a_cycle_makes_progress_while_the_main_program_polls(world& w, std::uint64_t) {
  pe_watch watch;
  const pe_id next = (w.my_pe() + 1) % w.n_pes();
  checked_actor<int>* self = nullptr;
  checked_actor<int> a(w, watch, [&](int depth, pe_id) {
    for (int i = 0; depth > 0 && i < 12; ++i) self->send(next, depth - 1);
  });
  self = &a;
  w.finish([&] {
    a.send(next, 2);
    while (a.n_handled() != 1 + 12 + 144) w.progress();
  });
  a.expect_all_handled();
}

// Handlers of one mailbox flood PE 0, to which all main programs send, too.
void a_flooded_PE_is_no_dead_end(world& w, std::uint64_t) {
  pe_watch watch;
  checked_actor<char> sea(w, watch, [](char, pe_id) {});
  checked_actor<char> rain(w, watch, [&](char, pe_id) {
    for (int i = 0; i < 40; ++i) sea.send(0, 'd');
  });
  w.finish([&] {
    for (int i = 0; i < 5; ++i) {
      rain.send((w.my_pe() + i) % w.n_pes(), 'r');
      sea.send(0, 'd');
    }
  });
  EXPECT_EQ(w.sum(sea.n_handled()), static_cast<std::uint64_t>(w.n_pes()) * (5 * 40 + 5));
  sea.expect_all_handled();
  rain.expect_all_handled();
}

}  // namespace

std::vector<claim> spill_claims() {
  return {
      {"a_handler_may_send_more_than_all_credits", a_handler_may_send_more_than_all_credits, 2},
      {"a_chain_of_mailboxes_swells_and_drains", a_chain_of_mailboxes_swells_and_drains, 4},
      {"mailboxes_that_send_to_each_other_make_progress", mailboxes_that_send_to_each_other_make_progress, 3},
      {"a_cycle_that_no_PE_sees_whole_makes_progress", a_cycle_that_no_PE_sees_whole_makes_progress, 3},
      {"a_cycle_makes_progress_while_the_main_program_polls", a_cycle_makes_progress_while_the_main_program_polls, 2},
      {"a_flooded_PE_is_no_dead_end", a_flooded_PE_is_no_dead_end, 3},
  };
}

}  // namespace shoal::test
