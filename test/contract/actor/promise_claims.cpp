#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "shoal/actor/per_pe.hpp"
#include "test/contract/actor/any_size.hpp"
#include "test/contract/actor/checked_actor.hpp"
#include "test/contract/claims.hpp"

namespace shoal::test {
namespace {

struct counter_with_lock {
  std::uint64_t value = 0;
  bool is_locked = false;
  std::uint64_t n_tickets = 0;
  std::uint64_t n_granted = 0;
  std::deque<promise<std::uint64_t>> waiting;

  future<std::uint64_t> lock() {
    ++n_tickets;
    if (!is_locked) {
      is_locked = true;
      return n_granted++;
    }
    return waiting.emplace_back().get_future();
  }
  void unlock() {
    is_locked = false;
    if (waiting.empty()) return;
    is_locked = true;
    waiting.front().set(n_granted++);
    waiting.pop_front();
  }
};
using locked_handle = pe_handle<counter_with_lock>;

// Reads and writes in two messages, so that an increment is lost if another PE has the lock, too.
future<void> count_under_lock(world& here, locked_handle its, pe_id at, std::uint64_t& next_ticket) {
  const std::uint64_t ticket = co_await here.ask(at, [its] { return its->lock(); });
  EXPECT_GE(ticket, next_ticket) << "who came first is served first";
  next_ticket = ticket + 1;
  const std::uint64_t value = co_await here.ask(at, [its] { return its->value; });
  EXPECT_EQ(value, ticket);
  co_await here.ask(at, [its](std::uint64_t n) { its->value = n; }, value + 1);
  here.send(at, [its] { its->unlock(); });
}

void a_lock_is_granted_in_order(world& w, std::uint64_t seed) {
  per_pe<counter_with_lock> counter(w);
  std::vector<std::uint64_t> next_ticket(static_cast<std::size_t>(w.n_pes()), 0);
  w.finish([&] {
    for (const pe_id at : targets_of(seed, w.my_pe(), w.n_pes(), 12)) {
      count_under_lock(w, counter.handle(), at, next_ticket[static_cast<std::size_t>(at)]);
    }
  });
  EXPECT_FALSE(counter->is_locked);
  EXPECT_EQ(counter->n_tickets, counter->value);
  EXPECT_EQ(w.sum(counter->value), 12U * static_cast<std::uint64_t>(w.n_pes()));
}

// Those who have come, on PE 0.
struct rendezvous {
  std::uint64_t n_rounds = 0;
  std::vector<promise<std::uint64_t>> waiting;
  std::uint64_t n_come = 0;  // of the owner's own coroutine, on each PE

  future<std::uint64_t> come(world& here) {
    future<std::uint64_t> all_are_there = waiting.emplace_back().get_future();
    if (waiting.size() == static_cast<std::size_t>(here.n_pes())) {
      for (promise<std::uint64_t>& each : std::exchange(waiting, {})) each.set(n_rounds);
      ++n_rounds;
    }
    return all_are_there;
  }
};

future<void> meet_often(world& here, pe_handle<rendezvous> its, std::uint64_t n_rounds, std::uint64_t salt) {
  random_engine random(salt);
  for (std::uint64_t k = 0; k < n_rounds; ++k) {
    ++its->n_come;
    EXPECT_EQ(co_await here.ask(0, [its](world& there) { return its->come(there); }), k);
    EXPECT_GE(co_await here.ask(any_pe(here, random), [its] { return its->n_come; }), k + 1);
  }
}

void nobody_goes_on_before_all_have_come(world& w, std::uint64_t seed) {
  per_pe<rendezvous> all(w);
  w.finish([&] { meet_often(w, all.handle(), 8, random_of(w, seed)()); });
  EXPECT_EQ(all->n_rounds, w.my_pe() == 0 ? 8U : 0U);
  EXPECT_EQ(all->n_come, 8U);
}

// By the main program, a handler, deferred work or a coroutine; before or after somebody waits. What waits is never run
// inside the one that gives the value.
void anybody_may_keep_a_promise(world& w, std::uint64_t seed) {
  per_pe<pe_watch> watch(w);
  std::vector<promise<std::unique_ptr<std::uint64_t>>> promises;
  [[maybe_unused]] std::array<promise<void>, 2> never_kept{};
  std::uint64_t n_kept = 0;
  const auto wait_for = [&](promise<std::unique_ptr<std::uint64_t>>& from, std::uint64_t expected) {
    return from.get_future().then([&, expected](const std::unique_ptr<std::uint64_t>& value) {
      const handler_mark mark(*watch);
      EXPECT_EQ(*value, expected);
      ++n_kept;
    });
  };
  const auto give = [&](std::uint64_t i) { promises[i].set(std::make_unique<std::uint64_t>(i * i)); };
  const auto give_in_handler = [&](std::uint64_t i) {
    const handler_mark mark(*watch);
    give(i);
  };
  actor giving{w, give_in_handler};
  for (int i = 0; i < 32; ++i) promises.emplace_back();
  random_engine random(seed, 1110 + static_cast<std::uint64_t>(w.my_pe()));
  wait_for(promises[30], 900);
  promises[31].set(std::make_unique<std::uint64_t>(961));
  EXPECT_EQ(*promises[31].get_future().get(), 961U);
  w.finish([&] {
    std::vector<bool> waits(30);
    const auto begin_to_wait = [&](std::uint64_t i) {
      if (!waits[i]) wait_for(promises[i], i * i);
      waits[i] = true;
    };
    for (std::uint64_t i = 0; i < 30; ++i) {
      if (random.below(4) != 0) begin_to_wait(i);
    }
    for (std::uint64_t i = 0; i < 30; ++i) {
      begin_to_wait(i);
      switch (random.below(4)) {
        case 0: give(i); break;
        case 1: giving.send(w.my_pe(), i); break;
        case 2: w.defer([&, i] { give(i); }); break;
        default:
          [](world& here, auto give_later, std::uint64_t number) -> future<void> {
            co_await here.ask(next_pe(here), [] {});
            give_later(number);
          }(w, give_in_handler, i);
      }
    }
  });
  EXPECT_EQ(n_kept, 30U);
  promises[30].set(std::make_unique<std::uint64_t>(900));
  EXPECT_EQ(n_kept, 31U) << "outside finish at once";
}

// What waits in an inner superstep runs when a handler of the outer one has kept the promise, and sends what the inner
// one waits for.
void what_waits_stays_in_its_superstep(world& w, std::uint64_t) {
  per_pe<std::uint64_t> n(w, 0);
  std::optional<promise<std::uint64_t>> given;
  actor outer{w, [&](std::uint64_t k) { given->set(k); }};
  w.finish([&] {
    for (std::uint64_t k = 1; k <= 3; ++k) {
      given.emplace();
      w.finish([&] {
        [](world& here, future<std::uint64_t> comes, pe_handle<std::uint64_t> sum) -> future<void> {
          const std::uint64_t value = co_await comes;
          here.send(next_pe(here), [sum, value] { *sum += value; });
          co_await here.ask(next_pe(here), [sum, value] { *sum += value; });
          here.send(next_pe(here), [sum, value] { *sum += value; });
        }(w, given->get_future(), n.handle());
        outer.send(w.my_pe(), k);
      });
      EXPECT_EQ(w.sum(*n), 3 * k * (k + 1) / 2 * static_cast<std::uint64_t>(w.n_pes()));
    }
  });
}

}  // namespace

std::vector<claim> promise_claims() {
  return {
      {"a_lock_is_granted_in_order", a_lock_is_granted_in_order},
      {"nobody_goes_on_before_all_have_come", nobody_goes_on_before_all_have_come},
      of_job({"anybody_may_keep_a_promise", anybody_may_keep_a_promise, 2}),
      {"what_waits_stays_in_its_superstep", what_waits_stays_in_its_superstep, 3},
  };
}

}  // namespace shoal::test
