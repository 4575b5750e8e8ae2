#include <gtest/gtest.h>

#include <cstddef>
#include <memory>
#include <vector>

#include "shoal/conveyor/kinds/simple_conveyor.hpp"
#include "test/contract/claims.hpp"
#include "test/support/traffic.hpp"

namespace shoal::test {
namespace {

struct session_parcel {
  std::int64_t from;
  std::uint64_t number;
  std::int64_t session;
};

// One PE's part of a session of parcels, checked on arrival.
void carry_parcels(world& w, simple_conveyor<session_parcel>& c, std::uint64_t seed, std::int64_t session,
                   std::size_t n) {
  const pe_id me = w.my_pe();
  const std::vector<pe_id> targets = targets_of(seed, me, w.n_pes(), n);
  numbering sent(w.n_pes());
  numbering pulled(w.n_pes());
  random_engine random(seed, 500 + static_cast<std::uint64_t>(me));
  std::size_t i = 0;
  c.begin();
  while (c.advance(i == n) != progress::complete) {
    for (std::uint64_t k = random.below(30); k > 0 && i < n; --k, ++i) {
      const pe_id to = targets[i];
      if (!c.push({me, sent.next(to), session}, to)) break;
      sent.take(to);
    }
    for (std::uint64_t k = random.below(30); k > 0; --k) {
      pe_id from = -1;
      const session_parcel* item = c.pull(from);
      if (item == nullptr) break;
      EXPECT_EQ(item->from, from);
      EXPECT_EQ(item->session, session);
      EXPECT_EQ(item->number, pulled.next(from)) << "from PE " << from;
      if (random.chance(0.2)) {
        EXPECT_TRUE(c.unpull());
        EXPECT_FALSE(c.unpull()) << "one level only";
      } else {
        pulled.take(from);
      }
    }
    if (random.chance(0.02)) w.charge_ns(random.below(20'000));
  }
  EXPECT_EQ(pulled.all(), expected_at(seed, me, w.n_pes(), n));
  EXPECT_EQ(c.pull(), nullptr);
  EXPECT_FALSE(c.unpull());
  c.reset();
}

void simple_items_arrive_once_in_push_order(world& w, std::uint64_t seed) {
  for (const bool steady : {false, true}) {
    for (const std::size_t capacity : {1, 2, 40}) {
      const int n_hops = capacity == 2 ? 2 : 0;
      simple_conveyor<session_parcel> c{w, {.capacity_items = capacity, .steady = steady, .n_hops = n_hops}};
      carry_parcels(w, c, seed, 0, 60);
      EXPECT_EQ(c.counts().n_pushed, 60U);
      EXPECT_EQ(w.sum(c.counts().n_pushed), w.sum(c.counts().n_pulled));
    }
  }
}

void simple_sessions_follow_each_other(world& w, std::uint64_t seed) {
  simple_conveyor<session_parcel> c{w, {.capacity_items = 3}};
  random_engine random(seed, 7);
  for (std::int64_t k = 0; k < 10; ++k) {
    carry_parcels(w, c, seed + static_cast<std::uint64_t>(k), k, random.below(20));
  }
  EXPECT_EQ(c.counts().n_sessions, 10U);
}

void a_simple_session_in_which_nobody_pushes_ends(world& w, std::uint64_t) {
  simple_conveyor<std::int64_t> c{w};
  for (int k = 0; k < 5; ++k) {
    c.begin();
    while (c.advance(true) != progress::complete) EXPECT_EQ(c.pull(), nullptr);
    c.reset();
  }
  EXPECT_EQ(c.counts().n_buffers, 0U) << "there was nothing to exchange";
}

void items_of_one_exchange_come_by_ascending_PE(world& w, std::uint64_t) {
  simple_conveyor<std::int64_t> c{w, {.capacity_items = 2}};
  c.begin();
  for (pe_id to = 0; to < w.n_pes(); ++to) {
    EXPECT_TRUE(c.push(w.my_pe(), to));
    EXPECT_TRUE(c.push(w.my_pe(), to));
    EXPECT_FALSE(c.push(w.my_pe(), to)) << "full";
  }
  EXPECT_EQ(c.advance(true), progress::cleanup) << "one exchange, the last";
  pe_id from = -1;
  for (pe_id source = 0; source < w.n_pes(); ++source) {
    for (int k = 0; k < 2; ++k) {
      const std::int64_t* item = c.pull(from);
      ASSERT_NE(item, nullptr);
      EXPECT_EQ(*item, source);
      EXPECT_EQ(from, source);
    }
  }
  EXPECT_EQ(c.advance(true), progress::complete);
  c.reset();
}

// A token goes round the PEs, and no PE is done before it has come round three times.
void a_steady_simple_conveyor_delivers_although_nobody_is_done(world& w, std::uint64_t) {
  const pe_id next = (w.my_pe() + 1) % w.n_pes();
  simple_conveyor<std::int64_t> c{w, {.steady = true}};
  c.begin();
  const std::int64_t n_steps = 3 * w.n_pes();
  std::int64_t to_send = w.my_pe() == 0 ? 1 : 0;  // the token; 0: elsewhere
  std::int64_t n_to_come = 3;
  while (c.advance(n_to_come == 0 && to_send == 0) != progress::complete) {
    if (to_send != 0 && c.push(to_send, next)) to_send = 0;
    if (const std::int64_t* token = c.pull()) {
      --n_to_come;
      if (*token < n_steps) to_send = *token + 1;
    }
  }
  EXPECT_EQ(n_to_come, 0);
  c.reset();
}

// Several objects advance in step as long as all PEs call them in the same order.
void two_simple_conveyors_advance_together(world& w, std::uint64_t seed) {
  const std::vector<pe_id> targets = targets_of(seed, w.my_pe(), w.n_pes(), 30);
  simple_conveyor<session_parcel> ask{w, {.capacity_items = 3, .steady = true}};
  simple_conveyor<session_parcel> tell{w, {.capacity_items = 2, .steady = true}};
  ask.begin();
  tell.begin();
  std::size_t i = 0;
  std::vector<int> n_told(targets.size());
  // In cleanup, PEs may differ in whether queries may still come, so both objects advance until both are complete
  // everywhere.
  for (;;) {
    const bool is_asking = ask.advance(i == targets.size()) != progress::complete;
    if (tell.advance(!is_asking) == progress::complete) break;
    for (; i < targets.size() && ask.push({w.my_pe(), i, 0}, targets[i]); ++i) {
    }
    pe_id from = -1;
    while (const session_parcel* asked = ask.pull(from)) {
      if (tell.push({w.my_pe(), asked->number, 1}, from)) continue;
      EXPECT_TRUE(ask.unpull());
      break;
    }
    while (const session_parcel* told = tell.pull()) {
      EXPECT_EQ(told->from, targets[told->number]);
      ++n_told[told->number];
    }
  }
  EXPECT_EQ(n_told, std::vector<int>(targets.size(), 1));
  ask.reset();
  tell.reset();
}

void a_simple_pull_is_readable_until_the_next_advance(world& w, std::uint64_t) {
  simple_conveyor<std::int64_t> c{w, {.capacity_items = 4}};
  c.begin();
  for (pe_id to = 0; to < w.n_pes(); ++to) EXPECT_TRUE(c.push(10 + w.my_pe(), to));
  std::vector<const std::int64_t*> held;
  EXPECT_EQ(c.advance(true), progress::cleanup);
  while (const std::int64_t* item = c.pull()) held.push_back(item);
  ASSERT_EQ(held.size(), static_cast<std::size_t>(w.n_pes()));
  for (std::size_t k = 0; k < held.size(); ++k) EXPECT_EQ(*held[k], 10 + static_cast<std::int64_t>(k));
  while (c.advance(true) != progress::complete) {
  }
  c.reset();
}

}  // namespace

std::vector<claim> simple_conveyor_claims() {
  return {
      {"simple_items_arrive_once_in_push_order", simple_items_arrive_once_in_push_order, 2},
      {"simple_sessions_follow_each_other", simple_sessions_follow_each_other},
      {"a_simple_session_in_which_nobody_pushes_ends", a_simple_session_in_which_nobody_pushes_ends},
      {"items_of_one_exchange_come_by_ascending_PE", items_of_one_exchange_come_by_ascending_PE},
      {"a_steady_simple_conveyor_delivers_although_nobody_is_done",
       a_steady_simple_conveyor_delivers_although_nobody_is_done},
      {"two_simple_conveyors_advance_together", two_simple_conveyors_advance_together, 2},
      {"a_simple_pull_is_readable_until_the_next_advance", a_simple_pull_is_readable_until_the_next_advance},
  };
}

}  // namespace shoal::test
