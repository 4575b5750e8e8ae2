#include "test/contract/runs.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "shoal/actor/per_pe.hpp"
#include "shoal/base/random.hpp"
#include "shoal/codec/internal/known_codecs.hpp"
#include "test/support/jobs.hpp"
#include "test/support/tests_on_pes.hpp"

namespace shoal::test {
namespace {

// A test that runs its own jobs.
class jobs_of_a_claim : public testing::Test {
public:
  explicit jobs_of_a_claim(std::function<void()> body) : body_(std::move(body)) {}

private:
  void TestBody() override { body_(); }

  std::function<void()> body_;
};

// Declares a test for each claim, which calls `check` with it.
bool declare_jobs(const char* suite, const std::vector<claim>& claims, const std::function<void(const claim&)>& check) {
  for (const claim& c : claims) {
    testing::RegisterTest(suite, c.name, nullptr, nullptr, __FILE__, __LINE__,
                          [=]() -> testing::Test* { return new jobs_of_a_claim([=] { check(c); }); });
  }
  return true;
}

// Over routes, each conveyor and mailbox has an outbox and an inbox for each of `n_hops` hops, and a tag next to its
// largest item.
needs needs_of(const claim& c, std::size_t n_hops = 1, std::size_t tag_bytes = 0) {
  return {.n_mailboxes = n_hops * c.n_streams, .slot_bytes = c.slot_bytes + tag_bytes};
}

settings hostile_on_routes(std::uint64_t seed, const needs& least) {
  settings chosen = hostile(seed, least);
  random_engine random(seed, 77);
  chosen.node_size.value = 1 + static_cast<std::int64_t>(random.below(5));
  chosen.n_hops.value = 2 + static_cast<std::int64_t>(random.below(2));
  constexpr codec_number codecs[] = {codec_number::none, codec_number::best, codec_number::squeeze,
                                     codec_number::delta};
  chosen.codec.value = codecs[random.below(4)];
  chosen.ns_per_byte.value = 1;
  return chosen;
}

// The seeds 1 to `n`; in a run of the suite, a seed of that run, or with SHOAL_TEST_SEEDS=2 the two that it has.
std::vector<std::uint64_t> seeds_on_pes(std::uint64_t n) {
  std::uint64_t first = 1;
  if (const std::uint64_t run = number_from_environment("SHOAL_TEST_RUN", 0); run != 0) {
    first = 2 * run - 1;
    n = std::min<std::uint64_t>(number_from_environment("SHOAL_TEST_SEEDS", 1), 2);
  }
  std::vector<std::uint64_t> seeds(n);
  std::iota(seeds.begin(), seeds.end(), first);
  return seeds;
}

// --- Teams

// Splits the world, and for some seeds the team once more; in some, a team's PEs are numbered backwards.
void in_a_team(world& w, std::uint64_t seed, const std::function<void(world&)>& f) {
  const auto n_teams = static_cast<std::int64_t>(1 + seed % 3);
  world team = w.split(w.my_pe() % n_teams, seed % 2 == 0 ? -w.my_pe() : 0);
  if (seed % 4 != 1) return f(team);
  world half = team.split(team.my_pe() / 2);
  f(half);
}

struct ball {
  pe_handle<std::int64_t> n_handled;
  std::int64_t n_left;

  void operator()(world& here) const {
    EXPECT_FALSE(here.is_team());
    ++*n_handled;
    if (n_left > 0) here.send((here.my_pe() + n_left) % here.n_pes(), ball{n_handled, n_left - 1});
  }
};

// Messages of the whole job bounce between its PEs while each team makes its own.
void check_in_a_team(const claim& c, world& w, std::uint64_t seed) {
  constexpr std::int64_t n_bounces = 200;
  per_pe<std::int64_t> n_handled(w, 0);
  w.finish([&] {
    w.send(w.my_pe(), ball{n_handled.handle(), n_bounces});
    if (seed % 2 == 0) in_a_team(w, seed, [&](world& team) { c.check(team, seed); });
  });
  if (seed % 2 != 0) in_a_team(w, seed, [&](world& team) { c.check(team, seed); });
  EXPECT_EQ(w.sum(*n_handled), w.n_pes() * (n_bounces + 1));
}

std::vector<claim> claims_of_teams(const std::vector<claim>& claims) {
  std::vector<claim> some;
  for (claim each : claims) {
    if (each.is_of_job) continue;
    each.n_streams += 2;  // those of the job
    some.push_back(each);
  }
  return some;
}

}  // namespace

bool check_in_teams_on_pes(const char* suite, const std::vector<claim>& claims, std::uint64_t n_seeds) {
  for (const claim& c : claims_of_teams(claims)) {
    add_test_on_pes(suite, c.name, __FILE__, __LINE__, [=] {
      world& w = world::of_job();
      for (const std::uint64_t seed : seeds_on_pes(n_seeds)) check_in_a_team(c, w, seed);
    });
  }
  return true;
}

bool check_in_teams_in_sim(const char* suite, const std::vector<claim>& claims, std::uint64_t n_seeds) {
  return declare_jobs(suite, claims_of_teams(claims), [=](const claim& c) {
    for_seeds(n_seeds, [&](std::uint64_t seed) {
      run_job(hostile(seed, needs_of(c)), [&](world& w) { check_in_a_team(c, w, seed); });
    });
  });
}

bool check_on_pes(const char* suite, const std::vector<claim>& claims, std::uint64_t n_seeds) {
  for (const claim& c : claims) {
    add_test_on_pes(suite, c.name, __FILE__, __LINE__, [=] {
      world& w = world::current();
      if (c.slot_bytes > w.backend().payload_bytes()) GTEST_SKIP() << "its messages need larger buffers";
      for (const std::uint64_t seed : seeds_on_pes(n_seeds)) c.check(w, seed);
    });
  }
  return true;
}

bool check_on_threads(const char* suite, const std::vector<claim>& claims) {
  return declare_jobs(suite, claims, [](const claim& c) {
    for (const std::int64_t n_pes : {1, 2, 4}) {
      for (const bool is_tight : {false, true}) {
        SCOPED_TRACE(std::to_string(n_pes) + " PEs, " + (is_tight ? "tight" : "roomy"));
        settings chosen = on_threads(n_pes, is_tight, c.n_streams);
        chosen.slot_bytes.value = std::max(chosen.slot_bytes.value, c.slot_bytes);
        run_job(chosen, [&](world& w) { c.check(w, 1); });
      }
    }
  });
}

bool check_on_workers(const char* suite, const std::vector<claim>& claims) {
  return declare_jobs(suite, claims, [](const claim& c) {
    for (const std::int64_t n_pes : {1, 3}) {
      for (const std::int64_t n_workers : {2, 4}) {
        const bool is_tight = n_workers == 4;
        SCOPED_TRACE(std::to_string(n_pes) + " PEs with " + std::to_string(n_workers) + " workers");
        settings chosen = on_threads(n_pes, is_tight, c.n_streams);
        chosen.slot_bytes.value = std::max(chosen.slot_bytes.value, c.slot_bytes);
        chosen.n_workers.value = n_workers;
        // Claims draw by the seed what they do.
        for (const std::uint64_t seed : {1U, 6U}) run_job(chosen, [&](world& w) { c.check(w, seed); });
      }
    }
  });
}

bool check_in_sim(const char* suite, const std::vector<claim>& claims, std::uint64_t n_seeds) {
  return declare_jobs(suite, claims, [=](const claim& c) {
    for_seeds(n_seeds,
              [&](std::uint64_t seed) { run_job(hostile(seed, needs_of(c)), [&](world& w) { c.check(w, seed); }); });
  });
}

bool check_on_routes_in_sim(const char* suite, const std::vector<claim>& claims, std::uint64_t n_seeds,
                            std::int64_t n_pes_max) {
  return declare_jobs(suite, claims, [=](const claim& c) {
    for_seeds(n_seeds, [&](std::uint64_t seed) {
      needs least = needs_of(c, 3, 64);
      least.n_pes_max = n_pes_max;
      run_job(hostile_on_routes(seed, least), [&](world& w) { c.check(w, seed); });
    });
  });
}

}  // namespace shoal::test
