#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "shoal/actor/selector.hpp"
#include "test/contract/actor/account.hpp"
#include "test/contract/actor/any_size.hpp"
#include "test/contract/claims.hpp"

namespace shoal::test {
namespace {

// --- Handlers that ask

// Each call asks two PEs that its salt draws.
future<std::uint64_t> fibonacci(world& here, std::uint64_t n, std::uint64_t salt) {
  if (n < 2) co_return n;
  random_engine random(salt);
  future<std::uint64_t> one = here.ask<&fibonacci>(any_pe(here, random), n - 1, random());
  future<std::uint64_t> two = here.ask<&fibonacci>(any_pe(here, random), n - 2, random());
  co_return co_await one + co_await two;
}

void handlers_ask_others_before_they_answer(world& w, std::uint64_t seed) {
  random_engine random = random_of(w, seed);
  w.finish([&] {
    future<std::uint64_t> later = w.ask<&fibonacci>(any_pe(w, random), 9, random());
    EXPECT_EQ(w.ask<&fibonacci>(any_pe(w, random), 10, random()).get(), 55U);
    EXPECT_EQ(fibonacci(w, 6, random()).get(), 8U) << "called here";
    EXPECT_EQ(later.get(), 34U);
  });
}

// A cycle over nodes of all PEs, in random order.
struct cycle {
  static constexpr std::uint64_t n_per_pe = 12;

  cycle(const world& w, std::uint64_t seed) {
    const std::uint64_t n = n_per_pe * static_cast<std::uint64_t>(w.n_pes());
    std::vector<std::uint64_t> order(n);
    for (std::uint64_t i = 0; i < n; ++i) order[i] = i;
    random_engine random(seed);
    for (std::uint64_t i = n - 1; i > 0; --i) std::swap(order[i], order[random.below(i + 1)]);
    next.resize(n_per_pe);
    for (std::uint64_t i = 0; i < n; ++i) {
      if (owner(order[i]) == w.my_pe()) next[order[i] % n_per_pe] = order[(i + 1) % n];
    }
  }
  static pe_id owner(std::uint64_t node) { return static_cast<pe_id>(node / n_per_pe); }
  std::uint64_t after(std::uint64_t node) const { return next[node % n_per_pe]; }

  std::vector<std::uint64_t> next;  // of the nodes of this PE
};
using cycle_handle = pe_handle<cycle>;

// Goes round at home, asking for one node after the other.
future<std::uint64_t> count_by_questions(world& here, cycle_handle all, std::uint64_t start) {
  std::uint64_t n = 0;
  std::uint64_t node = start;
  do {
    node = co_await here.ask(cycle::owner(node), [all](std::uint64_t at) { return all->after(at); }, node);
    ++n;
  } while (node != start);
  co_return n;
}

// Goes round from PE to PE: each node waits for all that follow it.
future<std::uint64_t> count_by_calls(world& here, cycle_handle all, std::uint64_t node, std::uint64_t start) {
  const std::uint64_t next = all->after(node);
  if (next == start) co_return 1;
  co_return 1 + co_await here.ask<&count_by_calls>(cycle::owner(next), all, next, start);
}

void a_walk_goes_over_all_PEs(world& w, std::uint64_t seed) {
  per_pe<cycle> all(w, w, seed);
  const std::uint64_t start = cycle::n_per_pe * static_cast<std::uint64_t>(w.my_pe());
  const std::uint64_t n = cycle::n_per_pe * static_cast<std::uint64_t>(w.n_pes());
  w.finish([&] {
    future<std::uint64_t> by_questions = count_by_questions(w, all.handle(), start + 1);
    future<std::uint64_t> by_calls = w.ask<&count_by_calls>(w.my_pe(), all.handle(), start, start);
    EXPECT_EQ(by_questions.get(), n);
    EXPECT_EQ(by_calls.get(), n);
  });
}

// What a coroutine closure captures and takes is there when it is resumed, and when other messages have come meanwhile.
void coroutine_closures_keep_what_they_capture_and_take(world& w, std::uint64_t seed) {
  per_pe<account> here(w, w.n_pes());
  const account_handle mine = here.handle();
  random_engine random(seed, 1100 + static_cast<std::uint64_t>(w.my_pe()));
  const auto next_of = [](world& there, pe_id from) { return from + there.my_pe(); };
  std::vector<std::pair<future<std::string>, std::string>> texts;
  w.finish([&] {
    std::uint64_t i = 0;
    for (const pe_id to : targets_of(seed, w.my_pe(), w.n_pes(), 30)) {
      ++i;
      w.send(to, [mine, next_of, i, j = i + 1](world& there, pe_id from) mutable -> future<void> {
        EXPECT_EQ(co_await there.ask(from, next_of), from + there.my_pe());
        ++i;
        EXPECT_EQ(co_await there.ask(next_pe(there), next_of), there.my_pe() + next_pe(there));
        EXPECT_EQ(i, j);
        ++mine->n;
      });
      const std::size_t n = some_bytes(random, buffer_bytes(w));
      texts.emplace_back(w.ask(
                             to,
                             [mine, n, next_of](world& there, pe_id from, std::string text) -> future<std::string> {
                               co_await there.ask(from, next_of);
                               EXPECT_EQ(text, text_of(n, n));
                               text += co_await there.ask<&text_of>(next_pe(there), n, 10);
                               ++mine->n;
                               co_return text;
                             },
                             text_of(n, n)),
                         text_of(n, n) + text_of(n, 10));
    }
  });
  for (auto& [answer, text] : texts) EXPECT_EQ(answer.get(), text);
  EXPECT_EQ(w.sum(here->n), 60U * static_cast<std::uint64_t>(w.n_pes()));
}

struct visit {
  std::uint32_t number;
  std::uint32_t n_hops;
};

struct by_name {};
struct walk_in {};

struct inn : selector<inn, question<visit, std::uint64_t>, tagged<by_name, question<std::string, std::size_t>>,
                      tagged<walk_in, visit>> {
  inn(world& w) : selector(w, "inn"), home(w) {}
  world& home;
  std::uint64_t n_guests = 0;

  future<std::uint64_t> process(visit v) {
    const std::uint64_t n_before = ++n_guests;
    if (v.n_hops > 0) co_return v.number + co_await ask<0>(next_pe(home), {v.number, v.n_hops - 1});
    EXPECT_GE(n_guests, n_before);
    co_return v.number;
  }
  future<std::size_t> process(by_name, std::string name, pe_id from) {
    const std::string again = co_await home.ask(from, [](std::string text) { return text; }, name);
    EXPECT_EQ(again, name);
    co_return again.size();
  }
  void process(walk_in, visit v) {
    ask(next_pe(home), v).then([this](std::uint64_t n) { n_guests += n; });
  }
};

void handlers_of_selectors_and_actors_wait(world& w, std::uint64_t seed) {
  inn all{w};
  actor relay{w, [&](visit v, pe_id from) -> future<std::uint64_t> {
                std::uint64_t sum = 0;
                for (std::uint32_t k = 0; k < v.n_hops; ++k) sum += co_await all.ask<0>(from, {v.number, k});
                co_return sum;
              }};
  w.finish([&] {
    std::uint32_t i = 0;
    for (const pe_id to : targets_of(seed, w.my_pe(), w.n_pes(), 15)) {
      future<std::uint64_t> visited = all.ask(to, visit{++i, 4});
      future<std::uint64_t> relayed = relay.ask(to, {i, 3});
      const std::string name = text_of(i, 30 * i);
      future<std::size_t> named = all.ask<by_name>(to, name);
      if (i % 3 == 0) all.send<walk_in>(to, {1, 2});
      EXPECT_EQ(named.get(), name.size());
      EXPECT_EQ(relayed.get(), (1U + 2U + 3U) * i);
      EXPECT_EQ(visited.get(), 5U * i);
    }
  });
  // Visits: 5 for each question, 6 for each relayed one, and for each that walks in 3, which add 3 more.
  EXPECT_EQ(w.sum(all.n_guests), 15U * 11U * static_cast<std::uint64_t>(w.n_pes()) + 5U * 6U * w.n_pes());
}

// --- What runs meanwhile

struct watched_counts {
  pe_watch watch;
  std::array<std::uint64_t, 4> copies{};
  std::uint64_t n_plain = 0;  // handlers that are no coroutines

  // In many steps, all copies the same before and after.
  void count(world& here) {
    const handler_mark mark(watch);
    const std::uint64_t first = copies.front();
    for (std::uint64_t& each : copies) {
      EXPECT_EQ(each, first);
      ++each;
      here.charge_ns(50);
      here.send(next_pe(here), [] {});
    }
  }
};
using watched_handle = pe_handle<watched_counts>;

future<std::uint64_t> count_often(world& here, watched_handle its, std::uint64_t n) {
  const auto count_there = [its](world& there) { its->count(there); };
  for (std::uint64_t k = 0; k < n; ++k) {
    its->count(here);
    co_await here.ask(next_pe(here), count_there);
    its->count(here);
    const std::uint64_t n_before = its->n_plain;
    here.send(here.my_pe(), [its] { ++its->n_plain; });
    co_await here.ask(here.my_pe(), [] {});
    EXPECT_GT(its->n_plain, n_before) << "a handler ran while this one waited";
    const auto all = its->copies;
    EXPECT_EQ(all, its->copies);
  }
  co_return n;
}

void other_handlers_run_only_while_a_coroutine_waits(world& w, std::uint64_t seed) {
  per_pe<watched_counts> counts(w);
  const auto mine = counts.handle();
  actor plain{w, [&](int) { counts->count(w); }};
  w.finish([&] {
    for (const pe_id to : targets_of(seed, w.my_pe(), w.n_pes(), 8)) {
      w.ask<&count_often>(to, mine, 3).then([&](std::uint64_t n) {
        for (; n > 0; --n) counts->count(w);
      });
      for (int i = 0; i < 6; ++i) plain.send(to, i);
    }
  });
  for (const std::uint64_t each : counts->copies) {
    EXPECT_EQ(w.sum(each), 8U * (3U * 3U + 3U + 6U) * static_cast<std::uint64_t>(w.n_pes()));
  }
}

// Its end is followed by no handler of that mailbox, also not by the rest of one.
void close_waits_for_handlers_that_wait(world& w, std::uint64_t seed) {
  std::uint64_t n_done = 0;
  std::uint64_t n_answers = 0;
  bool is_open = true;
  std::optional<actor<std::function<future<int>(int)>, int>> slow;
  slow.emplace(w, [&](int n) -> future<int> {
    for (int k = 0; k < n; ++k) co_await w.ask(next_pe(w), [] {});
    EXPECT_TRUE(is_open);
    ++n_done;
    co_return n;
  });
  w.finish([&] {
    for (const pe_id to : targets_of(seed, w.my_pe(), w.n_pes(), 10)) {
      slow->send(to, 3);
      slow->ask(to, 5).then([&](int n) { n_answers += n == 5 ? 1 : 0; });
    }
    slow->close();
    is_open = false;
    EXPECT_EQ(w.sum(n_done), 20U * static_cast<std::uint64_t>(w.n_pes()));
    slow.reset();
  });
  EXPECT_EQ(n_answers, 10U);
}

future<void> hop(world& here, pe_handle<std::uint64_t> count, int n_hops) {
  if (n_hops > 0) {
    co_await here.ask<&hop>(next_pe(here), count, n_hops - 1);
    here.send(next_pe(here), [count] { ++*count; });
  } else {
    co_await here.ask(next_pe(here), [count] { ++*count; });
  }
}

// An inner superstep waits for the coroutines that its messages began, and for what these send. Those of the outer one
// go on meanwhile.
void a_nested_finish_waits_for_its_coroutines(world& w, std::uint64_t) {
  per_pe<std::uint64_t> outer(w, 0);
  per_pe<std::uint64_t> inner(w, 0);
  w.finish([&] {
    w.send<&hop>(next_pe(w), outer.handle(), 9);
    for (std::uint64_t k = 1; k <= 3; ++k) {
      w.finish([&] {
        w.send<&hop>(next_pe(w), inner.handle(), 4);
        w.finish([] {});
        w.ask<&hop>(w.my_pe(), inner.handle(), 2);
      });
      EXPECT_EQ(w.sum(*inner), 8 * k * static_cast<std::uint64_t>(w.n_pes()));
    }
  });
  EXPECT_EQ(w.sum(*outer), 10U * static_cast<std::uint64_t>(w.n_pes()));
}

// --- Coroutines that are no handlers

future<std::unique_ptr<std::string>> local_text(world& here, std::uint64_t number) {
  co_return std::make_unique<std::string>(co_await here.ask<&text_of>(next_pe(here), number, 50));
}

future<std::uint64_t> sum_up_to(world& here, std::uint64_t n) {
  if (n == 0) co_return co_await here.ask(next_pe(here), [] { return std::uint64_t{0}; });
  co_return n + co_await sum_up_to(here, n - 1);
}

future<std::size_t> ask_many(world& here, std::uint64_t seed) {
  std::vector<std::uint64_t> queries(40);
  for (std::size_t i = 0; i < queries.size(); ++i) queries[i] = seed % 100 + i;
  std::vector<std::string> texts(queries.size());
  const auto owner = [n = here.n_pes()](std::uint64_t q) { return static_cast<pe_id>(q) % n; };
  co_await here.ask_all(queries, texts, owner, [](std::uint64_t q) { return text_of(q, q); });
  std::size_t n_right = 0;
  for (std::size_t i = 0; i < queries.size(); ++i) n_right += texts[i] == text_of(queries[i], queries[i]) ? 1U : 0U;
  co_return n_right;
}

// Their answers need not travel, and each waits for others, of which some are there at once.
void coroutines_call_one_another(world& w, std::uint64_t seed) {
  w.finish([&] {
    future<std::unique_ptr<std::string>> text = local_text(w, seed);
    future<std::uint64_t> sum = sum_up_to(w, 60);
    future<std::size_t> many = ask_many(w, seed);
    future<std::size_t> elsewhere = w.ask<&ask_many>(next_pe(w), seed);
    const auto ready = [](int n) -> future<int> {
      int all = co_await future<int>(n);
      co_await future<void>::ready();
      co_return all + 1;
    };
    const auto both = [](int n) -> future<std::pair<int, int>> { co_return {n, co_await future<int>(n + 1)}; };
    EXPECT_EQ(both(1).get(), std::pair(1, 2));
    EXPECT_TRUE(ready(1).is_ready());
    EXPECT_EQ(ready(1).get(), 2);
    EXPECT_EQ(elsewhere.get(), 40U);
    EXPECT_EQ(many.get(), 40U);
    EXPECT_EQ(sum.get(), 1830U);
    EXPECT_EQ(*text.get(), text_of(seed, 50));
  });
}

// A coroutine that is given to then or defer uses its captures after its call has returned.
void what_follows_and_deferred_work_may_be_coroutines(world& w, std::uint64_t seed) {
  std::uint64_t n_done = 0;
  const auto echo = [](std::uint64_t n) { return n; };
  std::vector<future<std::string>> texts;
  w.finish([&] {
    std::uint64_t i = 0;
    for (const pe_id to : targets_of(seed, w.my_pe(), w.n_pes(), 20)) {
      ++i;
      const auto follow = [&w, &n_done, echo, to, i, text = text_of(i, 40)](std::uint64_t n) -> future<std::string> {
        EXPECT_EQ(co_await w.ask(to, echo, n + 1), i + 1);
        EXPECT_EQ(co_await w.ask(next_pe(w), echo, n), i);
        ++n_done;
        co_return text;
      };
      texts.push_back(w.ask(to, echo, i).then(follow));
      texts.push_back(future<std::uint64_t>(i).then(follow));
      w.defer([&w, &n_done, echo, to, i, text = text_of(i, 40)]() -> future<void> {
        EXPECT_EQ(co_await w.ask(to, echo, i), i);
        EXPECT_EQ(text, text_of(i, 40));
        ++n_done;
      });
    }
  });
  EXPECT_EQ(n_done, 60U);
  for (std::size_t i = 0; i < texts.size(); ++i) EXPECT_EQ(texts[i].get(), text_of(i / 2 + 1, 40));
}

// Many coroutines wait, and many of them for one another in a row.
void thousands_of_handlers_may_wait(world& w, std::uint64_t seed) {
  per_pe<std::uint64_t> n(w, 0);
  const auto count = n.handle();
  w.finish([&] {
    for (const pe_id to : targets_of(seed, w.my_pe(), w.n_pes(), 500)) {
      w.send(to, [count](world& there, pe_id from) -> future<void> {
        co_await there.ask(from, [] {});
        ++*count;
      });
    }
    w.ask<&hop>(next_pe(w), count, 300);
  });
  EXPECT_EQ(w.sum(*n), 801U * static_cast<std::uint64_t>(w.n_pes()));
}

}  // namespace

std::vector<claim> coroutine_claims() {
  return {
      {"handlers_ask_others_before_they_answer", handlers_ask_others_before_they_answer},
      {"a_walk_goes_over_all_PEs", a_walk_goes_over_all_PEs},
      {"coroutine_closures_keep_what_they_capture_and_take", coroutine_closures_keep_what_they_capture_and_take},
      {"handlers_of_selectors_and_actors_wait", handlers_of_selectors_and_actors_wait, 5},
      {"other_handlers_run_only_while_a_coroutine_waits", other_handlers_run_only_while_a_coroutine_waits, 2},
      {"close_waits_for_handlers_that_wait", close_waits_for_handlers_that_wait, 2},
      {"a_nested_finish_waits_for_its_coroutines", a_nested_finish_waits_for_its_coroutines, 3},
      {"coroutines_call_one_another", coroutines_call_one_another},
      {"what_follows_and_deferred_work_may_be_coroutines", what_follows_and_deferred_work_may_be_coroutines},
      {"thousands_of_handlers_may_wait", thousands_of_handlers_may_wait},
  };
}

}  // namespace shoal::test
