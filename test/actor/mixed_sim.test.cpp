// Goal: a program that mixes everything loses nothing, doubles nothing and ends no superstep early, whatever a legal
// machine does. Method: tokens wander through a selector's mailboxes and closures by a rule that is a pure function of
// the token, so each PE can compute by itself, serially, what must have reached it. A thousand seeds, each with another
// number of PEs, other buffers and other hostile conditions.
// labels: sim
#include <gtest/gtest.h>

#include <cstdint>
#include <map>
#include <tuple>
#include <vector>

#include "shoal/base/random.hpp"
#include "shoal/shoal.hpp"
#include "test/support/jobs.hpp"

namespace shoal::test::mixed_sim {
namespace {

// How a token is handled: in a mailbox of 12-byte items, in one of 32-byte items, or as a closure.
enum class place : std::uint32_t { small, large, closure };

struct token {
  std::uint32_t origin;  // the PE and the number that its main program gave it
  std::uint32_t number;
  std::uint32_t hops_left;
};

struct large_token {
  token t;
  std::uint32_t padding[5];
};

struct step {
  place where;
  pe_id target;
  token t;
};

std::uint64_t mix(std::uint64_t x) {
  x = (x ^ (x >> 31)) * 0x7fb5d329728ea185;
  x = (x ^ (x >> 27)) * 0x81dadef4bc2dd44d;
  return x ^ (x >> 33);
}

// What the handler of `t` on any PE does: up to two further tokens, one hop shorter.
std::vector<step> steps_of(const token& t, std::uint64_t seed, pe_id n_pes) {
  if (t.hops_left == 0) return {};
  std::vector<step> next;
  const std::uint64_t key = mix(seed ^ mix((std::uint64_t{t.origin} << 32) | t.number) ^ mix(t.hops_left));
  const std::uint64_t n = 1 + (key >> 60 == 0);
  for (std::uint64_t i = 0; i < n; ++i) {
    const std::uint64_t draw = mix(key + i);
    next.push_back({static_cast<place>(draw % 3),
                    static_cast<pe_id>((draw >> 8) % static_cast<std::uint64_t>(n_pes)),
                    {t.origin, t.number, t.hops_left - 1}});
  }
  return next;
}

// What a main program sends in one superstep, in order.
std::vector<step> sends_of(pe_id pe, std::uint32_t superstep, std::uint64_t seed, pe_id n_pes) {
  random_engine random(seed, static_cast<std::uint64_t>(pe) * 1000 + superstep);
  std::vector<step> sends(random.below(30));
  for (std::uint32_t i = 0; i < sends.size(); ++i) {
    sends[i] = {static_cast<place>(random.below(3)),
                static_cast<pe_id>(random.below(static_cast<std::uint64_t>(n_pes))),
                {static_cast<std::uint32_t>(pe), superstep * 1000 + i, static_cast<std::uint32_t>(random.below(8))}};
  }
  return sends;
}

using sighting = std::tuple<place, std::uint32_t, std::uint32_t, std::uint32_t>;
using sightings = std::map<sighting, int>;

// Everything that PE `here` must see in a superstep.
sightings expected_on(pe_id here, std::uint32_t superstep, std::uint64_t seed, pe_id n_pes) {
  sightings seen;
  std::vector<step> under_way;
  for (pe_id pe = 0; pe < n_pes; ++pe) {
    const std::vector<step> sends = sends_of(pe, superstep, seed, n_pes);
    under_way.insert(under_way.end(), sends.begin(), sends.end());
  }
  while (!under_way.empty()) {
    const step s = under_way.back();
    under_way.pop_back();
    if (s.target == here) ++seen[{s.where, s.t.origin, s.t.number, s.t.hops_left}];
    const std::vector<step> next = steps_of(s.t, seed, n_pes);
    under_way.insert(under_way.end(), next.begin(), next.end());
  }
  return seen;
}

struct wanderers : selector<wanderers, token, large_token> {
  wanderers(world& w, std::uint64_t the_seed) : selector(w), home(w), seed(the_seed) {}

  void process(const token& t) { take(place::small, t); }
  void process(const large_token& t) { take(place::large, t.t); }

  void take(place where, const token& t) {
    EXPECT_FALSE(is_handling) << "handlers nested";
    is_handling = true;
    ++seen[{where, t.origin, t.number, t.hops_left}];
    EXPECT_EQ(t.number / 1000, superstep) << "a message of another superstep";
    for (const step& s : steps_of(t, seed, home.n_pes())) dispatch(s);
    is_handling = false;
  }

  void dispatch(const step& s) {
    switch (s.where) {
      case place::small: send(s.target, s.t); break;
      case place::large: send(s.target, large_token{s.t, {}}); break;
      case place::closure: home.send(s.target, [t = s.t, h = *handle] { (*h)->take(place::closure, t); });
    }
  }

  world& home;
  std::uint64_t seed;
  std::uint32_t superstep = 0;
  bool is_handling = false;
  sightings seen;
  const pe_handle<wanderers*>* handle = nullptr;
};

void wander(world& w, std::uint64_t seed, std::uint32_t n_supersteps) {
  wanderers tokens{w, seed};
  per_pe<wanderers*> self{w, &tokens};
  const auto handle = self.handle();
  tokens.handle = &handle;
  for (std::uint32_t superstep = 0; superstep < n_supersteps; ++superstep) {
    tokens.superstep = superstep;
    tokens.seen.clear();
    w.finish([&] {
      for (const step& s : sends_of(w.my_pe(), superstep, seed, w.n_pes())) {
        tokens.dispatch(s);
        if (mix(seed + s.t.number) % 7 == 0) w.progress();
      }
      // A collective in the middle of a superstep, at a place that depends on the seed.
      if (seed % 3 == 0) {
        EXPECT_EQ(w.sum(std::int64_t{1}), w.n_pes());
      }
    });
    EXPECT_EQ(tokens.seen, expected_on(w.my_pe(), superstep, seed, w.n_pes()))
        << "PE " << w.my_pe() << ", superstep " << superstep;
  }
}

TEST(mixed, tokens_are_all_seen_once_and_in_their_superstep) {
  for_seeds(1000, [](std::uint64_t seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    run_job(hostile(seed, {.n_mailboxes = 3, .slot_bytes = 128}), [seed](world& w) { wander(w, seed, 3); });
  });
}

TEST(mixed, tokens_are_all_seen_once_over_routes) {
  for_seeds(60, [](std::uint64_t seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    settings chosen = hostile(seed, {.n_mailboxes = 9, .slot_bytes = 128});
    random_engine random(seed, 77);
    chosen.node_size.value = 1 + static_cast<std::int64_t>(random.below(4));
    chosen.n_hops.value = 1 + static_cast<std::int64_t>(random.below(3));
    run_job(chosen, [seed](world& w) { wander(w, seed, 3); });
  });
}

TEST(mixed, runs_on_64_pes_over_three_hops) {
  for (const std::int64_t node_size : {3, 4, 8}) {
    settings chosen = simulated(64, 7);
    chosen.slot_bytes.value = 256;
    chosen.node_size.value = node_size;
    chosen.n_hops.value = 3;
    run_job(chosen, [](world& w) { wander(w, 7, 1); });
  }
}

TEST(mixed, runs_on_a_thousand_pes) {
  settings chosen = simulated(1000, 7);
  chosen.slot_bytes.value = 128;
  chosen.n_slots.value = 32;
  chosen.heap_bytes.value = 4096;
  run_job(chosen, [](world& w) {
    // The oracle walks every PE's tokens on every PE; one superstep and sums keep that in seconds.
    wanderers tokens{w, 7};
    per_pe<wanderers*> self{w, &tokens};
    const auto handle = self.handle();
    tokens.handle = &handle;
    const auto sends = sends_of(w.my_pe(), 0, 7, w.n_pes());
    w.finish([&] {
      for (const step& s : sends) tokens.dispatch(s);
    });
    std::int64_t n_expected = 0;
    std::vector<step> under_way = sends;
    while (!under_way.empty()) {
      const step s = under_way.back();
      under_way.pop_back();
      ++n_expected;
      const std::vector<step> next = steps_of(s.t, 7, w.n_pes());
      under_way.insert(under_way.end(), next.begin(), next.end());
    }
    std::int64_t n_seen = 0;
    for (const auto& [what, n] : tokens.seen) n_seen += n;
    EXPECT_EQ(w.sum(n_seen), w.sum(n_expected));
  });
}

}  // namespace
}  // namespace shoal::test::mixed_sim
