#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "shoal/actor/closure.hpp"
#include "shoal/actor/per_pe.hpp"
#include "test/contract/actor/any_size.hpp"
#include "test/contract/actor/checked_actor.hpp"
#include "test/contract/actor/expected_answer.hpp"
#include "test/contract/claims.hpp"

namespace shoal::test {
namespace {

// Each answer is followed by a question to the next PE, and that by a value, in handlers.
void what_follows_an_answer_runs_as_a_handler(world& w, std::uint64_t seed) {
  per_pe<pe_watch> watch(w);
  const auto mine = watch.handle();
  const auto twice = [mine](std::uint64_t n) {
    const handler_mark mark(*mine);
    return 2 * n;
  };
  std::uint64_t n_followed = 0;
  std::vector<expected_answer> open;
  w.finish([&] {
    std::uint64_t i = seed;
    for (const pe_id to : targets_of(seed, w.my_pe(), w.n_pes(), 40)) {
      future<std::uint64_t> last = w.ask(to, twice, ++i)
                                       .then([&, to](std::uint64_t n) {
                                         const handler_mark mark(*watch);
                                         return w.ask((to + 1) % w.n_pes(), twice, n + 1);
                                       })
                                       .then([&](std::uint64_t n) {
                                         const handler_mark mark(*watch);
                                         return n + 3;
                                       });
      if (i % 2 == 0) {
        open.push_back({std::move(last), 4 * i + 5});
        continue;
      }
      last.then([&, expected = 4 * i + 5](std::uint64_t n) {
            const handler_mark mark(*watch);
            EXPECT_EQ(n, expected);
          })
          .then([&] { ++n_followed; });
    }
  });
  EXPECT_EQ(n_followed, 20U);
  for (expected_answer& each : open) {
    EXPECT_TRUE(each.answer.is_ready());
    // What is there needs no handler.
    std::uint64_t n = 0;
    each.answer.then([&](std::uint64_t value) { n = value; });
    EXPECT_EQ(n, each.value);
  }
}

// Before the answer comes or after it, by its end, by another one in its place, or by an end of what follows.
void futures_may_be_dropped(world& w, std::uint64_t seed) {
  per_pe<std::uint64_t> n_asked(w, 0);
  const auto give_text = [count = n_asked.handle()](std::uint64_t n) {
    ++*count;
    return text_of(n, n);
  };
  random_engine random(seed, 1030 + static_cast<std::uint64_t>(w.my_pe()));
  std::uint64_t n_followed = 0;
  std::vector<future<std::string>> kept;
  w.finish([&] {
    future<std::string> last;
    for (const pe_id to : targets_of(seed, w.my_pe(), w.n_pes(), 60)) {
      const std::uint64_t n = random.below(100);
      future<std::string> answer = w.ask(to, give_text, n);
      switch (random.below(5)) {
        case 0: break;
        case 1: last = std::move(answer); break;
        case 2: answer.then([&](const std::string&) { ++n_followed; }); break;
        case 3:
          while (!answer.is_ready()) w.progress();
          break;
        default: kept.push_back(std::move(answer));
      }
    }
    if (random.below(2) == 0) kept.clear();
  });
  EXPECT_EQ(w.sum(*n_asked), 60U * static_cast<std::uint64_t>(w.n_pes()));
  for (const future<std::string>& each : kept) EXPECT_TRUE(each.is_ready());
  EXPECT_LE(n_followed, 60U);
}

// While the function runs that makes the answer, and when it has returned a future that is not there yet.
void the_future_of_a_result_may_be_dropped_at_any_time(world& w, std::uint64_t seed) {
  std::uint64_t n_steps = 0;
  std::vector<expected_answer> open;
  w.finish([&] {
    future<std::uint64_t> next;
    std::function<std::uint64_t(pe_id)> step = [&](pe_id pe) {
      const pe_id to = (pe + 1) % w.n_pes();
      if (++n_steps < 20) next = w.ask(to, [](world& there) { return there.my_pe(); }).then(step);
      return seed;
    };
    next = w.ask(w.my_pe(), [](world& there) { return there.my_pe(); }).then(step);
    promise<std::uint64_t> later;
    bool has_run = false;
    future<std::uint64_t> result = w.ask(w.my_pe(), [] {}).then([&] {
      has_run = true;
      return later.get_future();
    });
    while (!has_run || n_steps < 20) w.progress();
    result = {};
    const auto ask_on = [&] {
      for (const pe_id to : targets_of(seed, w.my_pe(), w.n_pes(), 10)) {
        const std::uint64_t i = open.size();
        open.push_back({w.ask(to, [i](world& there) { return answer_of(i, there.my_pe()); }), answer_of(i, to)});
      }
    };
    ask_on();
    later.set(seed);
    w.progress();
    ask_on();
  });
  for (expected_answer& each : open) each.check();
}

// Which moves the one that the main program waits with.
void handlers_may_add_futures_where_get_waits(world& w, std::uint64_t seed) {
  std::vector<future<std::string>> all;
  lambda_actor at{w, all};
  w.finish([&] {
    all.push_back(w.ask<&text_of>(w.my_pe(), seed, 100).then([&](const std::string& text) {
      return w.ask((w.my_pe() + 1) % w.n_pes(), [](std::string its) { return its; }, text);
    }));
    for (std::size_t i = 0; i < 20; ++i) {
      at.send(w.my_pe(), [](std::vector<future<std::string>>& its) { its.emplace_back("there"); });
    }
    EXPECT_EQ(all.front().get(), text_of(seed, 100));
    EXPECT_FALSE(all.front().is_valid());
  });
}

}  // namespace

std::vector<claim> future_claims() {
  return {
      {"what_follows_an_answer_runs_as_a_handler", what_follows_an_answer_runs_as_a_handler},
      {"futures_may_be_dropped", futures_may_be_dropped},
      {"the_future_of_a_result_may_be_dropped_at_any_time", the_future_of_a_result_may_be_dropped_at_any_time},
      {"handlers_may_add_futures_where_get_waits", handlers_may_add_futures_where_get_waits, 2},
  };
}

}  // namespace shoal::test
