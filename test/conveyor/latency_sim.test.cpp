// Goal: with a latency limit, messages are posted in time while their PE keeps sending, whatever it sends and to whom;
// without a limit, they are not. Method: in the simulator, where only the program makes time pass, one PE sends now and
// then and never waits, and the others only handle; each message carries the time when it was sent.
// labels: sim
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "shoal/base/random.hpp"
#include "shoal/conveyor/conveyor.hpp"
#include "shoal/conveyor/internal/exchange.hpp"
#include "shoal/shoal.hpp"
#include "test/contract/claims.hpp"
#include "test/support/jobs.hpp"

namespace shoal::test {
namespace {

struct stamped {
  std::uint64_t sent_ns;
  std::uint64_t number;
};

// How long the sender may compute between two sends, and how much network and handling may add on the way.
constexpr std::uint64_t compute_ns_max = 1000;
constexpr std::uint64_t way_ns_max = 20'000;
constexpr std::uint64_t n_messages = 1500;

struct age {
  std::uint64_t most_ns = 0;
  void note(world& w, const stamped& m) { most_ns = std::max(most_ns, w.now_ns() - m.sent_ns); }
};

// The sender's turns: computes for a while and names a target other than itself.
struct pauses {
  world& w;
  random_engine random;

  pauses(world& home, std::uint64_t seed) : w(home), random(seed, 99) {}
  pe_id next_target() {
    w.charge_ns(1 + random.below(compute_ns_max));
    return static_cast<pe_id>(1 + random.below(static_cast<std::uint64_t>(w.n_pes() - 1)));
  }
};

std::uint64_t oldest_by_actor(world& w, std::uint64_t seed) {
  age seen;
  actor to{w, [&](const stamped& m) { seen.note(w, m); }};
  pauses p(w, seed);
  w.finish([&] {
    for (std::uint64_t i = 0; w.my_pe() == 0 && i < n_messages; ++i) {
      const pe_id target = p.next_target();
      to.send(target, stamped{w.now_ns(), i});
    }
  });
  return seen.most_ns;
}

// Two kinds alternately, long runs and single closures.
std::uint64_t oldest_by_closures(world& w, std::uint64_t seed) {
  age seen;
  lambda_actor to{w, seen};
  pauses p(w, seed);
  w.finish([&] {
    for (std::uint64_t i = 0; w.my_pe() == 0 && i < n_messages; ++i) {
      const pe_id target = p.next_target();
      const stamped m{w.now_ns(), i};
      if (i % 100 < 50 || i % 2 == 0) {
        to.send(target, [m](age& a) { a.note(world::current(), m); });
      } else {
        to.send(target, [m, number = i](age& a) { a.note(world::current(), {m.sent_ns, number}); });
      }
    }
  });
  return seen.most_ns;
}

// All sends are those of handlers, in one call of progress. One hop: nothing is passed on within a handler.
std::uint64_t oldest_by_handler(world& w, std::uint64_t seed) {
  age seen;
  actor to{w, [&](const stamped& m) { seen.note(w, m); }};
  pauses p(w, seed);
  actor passes{w, [&](std::uint64_t i) {
                 const pe_id target = p.next_target();
                 to.send(target, stamped{w.now_ns(), i});
               }};
  w.finish([&] {
    for (std::uint64_t i = 0; w.my_pe() == 0 && i < n_messages; ++i) passes.send(0, i);
  });
  return seen.most_ns;
}

std::uint64_t oldest_by_conveyor(world& w, std::uint64_t seed) {
  age seen;
  conveyor<stamped> c{w};
  pauses p(w, seed);
  c.begin();
  for (std::uint64_t i = 0; w.my_pe() == 0 && i < n_messages; ++i) {
    const pe_id target = p.next_target();
    const stamped m{w.now_ns(), i};
    while (!c.push(m, target)) c.advance(false);
    if (w.message_exchange().n_hops() > 1) c.advance(false);  // only this call runs the sender's own relay
  }
  while (c.advance(true) != progress::complete) {
    while (const stamped* m = c.pull()) seen.note(w, *m);
  }
  c.reset();
  return seen.most_ns;
}

struct way_to_send {
  const char* name;
  std::uint64_t (*oldest)(world&, std::uint64_t seed);
  std::uint64_t n_hops_max = 3;
};

class latency_in_sim : public testing::TestWithParam<way_to_send> {};

settings job_of(std::uint64_t seed, const way_to_send& way) {
  random_engine random(seed, 7);
  settings chosen = simulated(2 + static_cast<std::int64_t>(random.below(8)), seed);
  chosen.slot_bytes.value = 16 << 10;
  chosen.node_size.value = 1 + static_cast<std::int64_t>(random.below(4));
  chosen.n_hops.value = 1 + static_cast<std::int64_t>(random.below(way.n_hops_max));
  chosen.n_slots.value = 256;
  return chosen;
}

TEST_P(latency_in_sim, is_limited) {
  for_seeds(20, [&](std::uint64_t seed) {
    settings chosen = job_of(seed, GetParam());
    chosen.max_latency_us.value = 10 + static_cast<std::int64_t>(seed % 40);
    const std::uint64_t bound_ns = static_cast<std::uint64_t>(chosen.max_latency_us.value) * 1000;
    run_job(chosen, [&](world& w) {
      const std::uint64_t oldest_ns = w.max(GetParam().oldest(w, seed));
      EXPECT_GT(oldest_ns, bound_ns / 2);  // it is posted when it is due, not at once
      const auto n_hops = static_cast<std::uint64_t>(w.message_exchange().n_hops());
      EXPECT_LE(oldest_ns, n_hops * (bound_ns + compute_ns_max + way_ns_max));
    });
  });
}

TEST_P(latency_in_sim, is_not_limited_by_default) {
  for_seeds(5, [&](std::uint64_t seed) {
    const settings chosen = job_of(seed, GetParam());
    run_job(chosen, [&](world& w) {
      // Longer than the shortest limit of the other test would allow.
      const auto n_hops = static_cast<std::uint64_t>(w.message_exchange().n_hops());
      EXPECT_GT(w.max(GetParam().oldest(w, seed)), n_hops * (10'000 + compute_ns_max) + way_ns_max);
    });
  });
}

INSTANTIATE_TEST_SUITE_P(ways, latency_in_sim,
                         testing::Values(way_to_send{"actor", oldest_by_actor},
                                         way_to_send{"closures", oldest_by_closures},
                                         way_to_send{"handler", oldest_by_handler, 1},
                                         way_to_send{"conveyor", oldest_by_conveyor}),
                         claim_name{});

// As an option of one mailbox or conveyor: only its sends look at the clock.
TEST(latency_in_sim_of_one, limits_that_one_only) {
  settings chosen = simulated(2);
  chosen.slot_bytes.value = 16 << 10;
  run_job(chosen, [](world& w) {
    age soon;
    age late;
    actor limited{w, [&](const stamped& m) { soon.note(w, m); }};
    actor unlimited{w, [&](const stamped& m) { late.note(w, m); }};
    limited.limit_latency(10);
    w.finish([&] {
      for (std::uint64_t i = 0; w.my_pe() == 0 && i < n_messages; ++i) {
        w.charge_ns(100);
        limited.send(1, stamped{w.now_ns(), i});
        if (i % 100 == 0) unlimited.send(1, stamped{w.now_ns(), i});
      }
    });
    EXPECT_LE(soon.most_ns, 10'000 + compute_ns_max + way_ns_max);
    if (w.my_pe() == 1) {
      EXPECT_GT(late.most_ns, 100'000U);
    }
  });
}

// A limit that is set while messages are in open buffers applies to them, too.
TEST(latency_in_sim_of_one, holds_for_what_was_sent_before_it) {
  settings chosen = simulated(2);
  chosen.slot_bytes.value = 16 << 10;
  run_job(chosen, [](world& w) {
    age seen;
    actor to{w, [&](const stamped& m) { seen.note(w, m); }};
    w.finish([&] {
      if (w.my_pe() != 0) return;
      to.send(1, stamped{w.now_ns(), 0});
      to.limit_latency(10);
      w.charge_ns(1'000'000);
    });
    EXPECT_LE(seen.most_ns, way_ns_max);
  });
}

}  // namespace
}  // namespace shoal::test
