#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <numeric>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "shoal/actor/per_pe.hpp"
#include "shoal/actor/when.hpp"
#include "shoal/task/task.hpp"
#include "test/contract/actor/any_size.hpp"
#include "test/contract/actor/checked_actor.hpp"
#include "test/contract/claims.hpp"

namespace shoal::test {
namespace {

// 800 bytes: longer than a short wave. 2400: longer than a long one.
struct hundred_numbers {
  std::array<std::int64_t, 100> numbers;
};
struct many_numbers {
  std::array<std::int64_t, 300> numbers;
};
struct sums_of_hundred {
  hundred_numbers operator()(hundred_numbers a, const hundred_numbers& b) const {
    for (std::size_t i = 0; i < a.numbers.size(); ++i) a.numbers[i] += b.numbers[i];
    return a;
  }
};

template <class Numbers>
Numbers numbers_from(std::int64_t first) {
  Numbers made;
  std::iota(made.numbers.begin(), made.numbers.end(), first);
  return made;
}

std::int64_t sum_of_pes(const world& w) { return w.n_pes() * (w.n_pes() - 1) / 2; }

void calls_in_the_background_give_what_others_give(world& w, std::uint64_t seed) {
  const std::int64_t n = w.n_pes();
  const std::int64_t me = w.my_pe();
  const auto s = static_cast<std::int64_t>(seed);
  EXPECT_EQ(w.start_sum(me + s).get(), sum_of_pes(w) + n * s);
  EXPECT_EQ(w.start_min(me + 5).get(), 5);
  EXPECT_EQ(w.start_max(static_cast<std::int8_t>(me)).get(), n - 1);
  EXPECT_EQ(w.start_all_reduce(me == n - 1, std::logical_or<>{}).get(), true);
  w.start_barrier().get();
  for (pe_id root = 0; root < n; ++root) {
    EXPECT_EQ(w.start_broadcast(me * 10 + s, root).get(), root * 10 + s);
    const many_numbers its = w.start_broadcast(numbers_from<many_numbers>(me * 1000), root).get();
    EXPECT_EQ(its.numbers, numbers_from<many_numbers>(root * 1000).numbers);
  }
  const hundred_numbers sums = w.start_all_reduce(numbers_from<hundred_numbers>(me), sums_of_hundred{}).get();
  for (std::int64_t i = 0; i < 100; ++i) EXPECT_EQ(sums.numbers[static_cast<std::size_t>(i)], sum_of_pes(w) + n * i);
  const std::vector<std::int64_t> small = w.start_gather(me * me).get();
  const std::vector<hundred_numbers> large = w.start_gather(numbers_from<hundred_numbers>(me * 100)).get();
  const std::vector<bool> flags = w.start_gather(me % 2 == 0).get();
  ASSERT_EQ(small.size(), static_cast<std::size_t>(n));
  ASSERT_EQ(large.size(), static_cast<std::size_t>(n));
  for (std::int64_t pe = 0; pe < n; ++pe) {
    const auto at = static_cast<std::size_t>(pe);
    EXPECT_EQ(small[at], pe * pe);
    EXPECT_EQ(large[at].numbers, numbers_from<hundred_numbers>(pe * 100).numbers);
    EXPECT_EQ(flags[at], pe % 2 == 0);
  }
}

// Short and long ones, begun at different times on each PE, taken in any order, or not at all.
void any_number_may_be_under_way_in_the_background(world& w, std::uint64_t seed) {
  random_engine random(seed, 1500 + static_cast<std::uint64_t>(w.my_pe()));
  std::vector<future<std::int64_t>> sums;
  std::vector<future<hundred_numbers>> longer;
  for (std::int64_t k = 0; k < 40; ++k) {
    w.charge_ns(random.below(5000));
    sums.push_back(w.start_sum(w.my_pe() * k));
    if (k % 7 == 3) longer.push_back(w.start_broadcast(numbers_from<hundred_numbers>(w.my_pe() + k), k % w.n_pes()));
    if (k % 5 == 0) w.start_max(k);  // nobody wants it
    if (random.below(4) == 0) w.progress();
  }
  std::vector<std::size_t> order(sums.size());
  std::iota(order.begin(), order.end(), 0U);
  for (std::size_t i = order.size() - 1; i > 0; --i) std::swap(order[i], order[random.below(i + 1)]);
  for (const std::size_t k : order) {
    if (random.below(4) == 0) {
      sums[k] = {};
    } else {
      EXPECT_EQ(sums[k].get(), sum_of_pes(w) * static_cast<std::int64_t>(k));
    }
  }
  for (std::size_t i = 0; i < longer.size(); ++i) {
    const auto k = static_cast<std::int64_t>(7 * i + 3);
    EXPECT_EQ(longer[i].get().numbers, numbers_from<hundred_numbers>(k % w.n_pes() + k).numbers);
  }
}

// x -> a x + b: its composition is associative, and not commutative.
struct affine {
  std::uint64_t a;
  std::uint64_t b;
};
struct composition {
  affine operator()(const affine& f, const affine& g) const { return {f.a * g.a, f.a * g.b + f.b}; }
};

// The parent of a PE has its lowest digit that is not zero, in base 4, set to zero. A PE's own value comes first, then its
// children's in ascending order.
double tree_sum(pe_id pe, pe_id n_pes, const std::function<double(pe_id)>& value_of) {
  double sum = value_of(pe);
  for (pe_id unit = 1; pe / unit % 4 == 0 && pe + unit < n_pes; unit *= 4) {
    for (pe_id child = pe + unit; child <= pe + 3 * unit && child < n_pes; child += unit) {
      sum += tree_sum(child, n_pes, value_of);
    }
  }
  return sum;
}

void folds_in_the_background_keep_the_order_of_PEs(world& w, std::uint64_t seed) {
  const auto value_of = [&](pe_id pe) {
    random_engine random(seed, static_cast<std::uint64_t>(pe));
    return (random.uniform() - 0.5) * static_cast<double>(1ULL << random.below(60));
  };
  const auto map_of = [&](pe_id pe) {
    random_engine random(seed, 50 + static_cast<std::uint64_t>(pe));
    return affine{random() | 1, random()};
  };
  affine all = map_of(0);
  for (pe_id pe = 1; pe < w.n_pes(); ++pe) all = composition{}(all, map_of(pe));
  for (int i = 0; i < 3; ++i) {
    future<double> sum = w.start_sum(value_of(w.my_pe()));
    const affine whole = w.start_all_reduce(map_of(w.my_pe()), composition{}).get();
    EXPECT_EQ(whole.a, all.a);
    EXPECT_EQ(whole.b, all.b);
    EXPECT_EQ(sum.get(), tree_sum(0, w.n_pes(), value_of));
  }
}

// Each PE has others of its calls before, between and after those in the background.
void calls_in_the_background_go_on_beside_messages_and_other_calls(world& w, std::uint64_t seed) {
  pe_watch watch;
  checked_actor<int>* self = nullptr;
  random_engine random(seed, 1600 + static_cast<std::uint64_t>(w.my_pe()));
  checked_actor<int> a(w, watch, [&](int hops, pe_id) {
    if (hops > 0) self->send((w.my_pe() + 1) % w.n_pes(), hops - 1);
  });
  self = &a;
  std::vector<future<std::int64_t>> sums;
  std::int64_t n_started = 0;
  const auto start_some = [&](std::int64_t until) {
    while (n_started < until) sums.push_back(w.start_sum(++n_started));
  };
  w.finish([&] {
    for (std::int64_t k = 1; k <= 10; ++k) {
      start_some(2 * k - static_cast<std::int64_t>(random.below(3)));
      for (std::uint64_t i = random.below(10); i > 0; --i) {
        a.send(static_cast<pe_id>(random.below(static_cast<std::uint64_t>(w.n_pes()))), 4);
      }
      if (random.below(2) == 0) start_some(2 * k);
      EXPECT_EQ(w.sum(k), k * w.n_pes());
    }
    start_some(20);
    EXPECT_EQ(sums[static_cast<std::size_t>(seed % 20)].get(), static_cast<std::int64_t>(seed % 20 + 1) * w.n_pes());
  });
  a.expect_all_handled();
  for (std::size_t i = 0; i < sums.size(); ++i) {
    if (i == seed % 20) continue;
    EXPECT_EQ(sums[i].get(), static_cast<std::int64_t>(i + 1) * w.n_pes());
  }
}

// In the main program's `then`, in a handler's, in a coroutine, and after several of them.
void finish_waits_for_what_waits_for_calls_in_the_background(world& w, std::uint64_t seed) {
  per_pe<pe_watch> watch(w);
  per_pe<std::int64_t> n_handled(w, 0);
  std::int64_t n_ran = 0;
  const std::int64_t all = sum_of_pes(w);
  const auto count = [n = n_handled.handle(), seen = watch.handle()] {
    const handler_mark mark(*seen);
    ++*n;
  };
  const pe_id next = next_pe(w);
  future<std::int64_t> by_handler;
  future<std::int64_t> by_coroutine;
  const auto wait_here = [&]() -> future<std::int64_t> { co_return co_await by_coroutine + 1; };
  future<std::int64_t> resumed;
  actor here{w, [&](int) {
               by_handler.then([&](std::int64_t sum) {
                 EXPECT_EQ(sum, 2 * all);
                 ++n_ran;
                 w.send(next, count);
               });
             }};
  w.finish([&] {
    // If the sum is there at once, this runs in the main program: then its send may wait, and handlers run.
    w.start_sum(w.my_pe()).then([&](std::int64_t sum) {
      EXPECT_EQ(sum, all);
      ++n_ran;
      w.send(next, count);
    });
    by_handler = w.start_sum(2 * w.my_pe());
    here.send(w.my_pe(), 0);
    by_coroutine = w.start_sum(3 * w.my_pe());
    resumed = wait_here();
    when_all(w.start_barrier(), w.start_max(seed), w.ask(next, [](world& there) {
      return there.my_pe();
    })).then([&](std::tuple<std::uint64_t, pe_id> both) {
      EXPECT_EQ(std::get<0>(both), seed);
      EXPECT_EQ(std::get<1>(both), next);
      ++n_ran;
    });
  });
  EXPECT_EQ(n_ran, 3);
  EXPECT_EQ(*n_handled, 2);
  EXPECT_EQ(resumed.get(), 3 * all + 1);
}

// What waits outside of finish may be wanted inside, by the main program or by what waits there; or by nobody.
void what_waits_outside_finish_runs_in_it_if_it_is_wanted_there(world& w, std::uint64_t seed) {
  const std::int64_t all = sum_of_pes(w);
  std::int64_t n_ran = 0;
  const auto twice = [&n_ran](std::int64_t sum) {
    ++n_ran;
    return 2 * sum;
  };
  future<std::int64_t> for_main = w.start_sum(w.my_pe()).then(twice);
  future<std::int64_t> for_handler = w.start_sum(w.my_pe() + 1).then(twice);
  future<std::int64_t> for_nobody = w.start_sum(w.my_pe() + 2).then(twice);
  if (seed % 3 == 0) w.progress();
  w.finish([&] {
    if (seed % 2 == 0) {
      EXPECT_EQ(for_main.get(), 2 * all);
    }
    for_handler.then([&, all](std::int64_t value) {
      EXPECT_EQ(value, 2 * (all + w.n_pes()));
      w.send(next_pe(w), [] {});
    });
  });
  if (seed % 2 != 0) {
    EXPECT_EQ(for_main.get(), 2 * all);
  }
  EXPECT_EQ(for_nobody.get(), 2 * (all + 2 * w.n_pes()));
  EXPECT_EQ(n_ran, 3);
}

// It sends if it runs inside. Nobody waits for it there, so it must not begin once its PE has joined the last wave: not even if
// messages of the next finish are there, which other PEs may have entered.
void what_waits_outside_finish_does_not_send_too_late(world& w, std::uint64_t seed) {
  random_engine random(seed, 1800 + static_cast<std::uint64_t>(w.my_pe()));
  per_pe<std::int64_t> n_handled(w, 0);
  std::int64_t n_sent = 0;
  std::int64_t n_ran = 0;
  bool is_inside = false;
  for (std::int64_t k = 1; k <= 15; ++k) {
    w.charge_ns(random.below(3000));
    w.start_sum(k).then([&, k](std::int64_t sum) {
      EXPECT_EQ(sum, k * w.n_pes());
      ++n_ran;
      if (!is_inside || &world::current() != &w) return;  // in a team, perhaps in a message of the job
      ++n_sent;
      w.send(any_pe(w, random), [its = n_handled.handle()] { ++*its; });
    });
    for (int i = 0; i < 2; ++i) {
      w.finish([&] {
        is_inside = true;
        for (pe_id pe = 0; i == 1 && pe < w.n_pes(); ++pe) w.send(pe, [its = n_handled.handle()] { ++*its; });
        n_sent += i * w.n_pes();
        w.charge_ns(random.below(3000));
      });
      is_inside = false;
    }
    EXPECT_EQ(w.sum(*n_handled), w.sum(n_sent));
  }
  w.start_barrier().get();
  while (n_ran < 15) w.progress();
}

void tasks_wait_for_calls_in_the_background(world& w, std::uint64_t) {
  constexpr std::int64_t n = 12;
  per_pe<std::int64_t> n_handled(w, 0);
  std::vector<future<std::int64_t>> sums;
  std::vector<std::int64_t> got(n, -1);
  const std::int64_t all = sum_of_pes(w);
  for (std::int64_t k = 0; k < n / 2; ++k) sums.push_back(w.start_sum(w.my_pe() + k));
  {
    // Outside finish: tasks of a scope.
    task_scope scope;
    async([&] { got[0] = sums[0].get(); });
    async([&] { got[1] = sums[1].get(); });
  }
  w.finish([&] {
    for (std::int64_t k = n / 2; k < n; ++k) sums.push_back(w.start_sum(w.my_pe() + k));
    for (std::int64_t k = 2; k < n; ++k) {
      async([&, k] {
        const auto at = static_cast<std::size_t>(k);
        got[at] = sums[at].get();
        w.send(next_pe(w), [its = n_handled.handle()] { ++*its; });
      });
    }
  });
  for (std::int64_t k = 0; k < n; ++k) EXPECT_EQ(got[static_cast<std::size_t>(k)], all + k * w.n_pes());
  EXPECT_EQ(*n_handled, n - 2);
}

// Rows and columns that overlap, and the world around them; each PE takes turns among them in its own way.
void worlds_have_calls_in_the_background_of_their_own(world& w, std::uint64_t seed) {
  const pe_id width = 1 + static_cast<pe_id>(seed % 3);
  world row = w.split(w.my_pe() / width);
  world column = w.split(w.my_pe() % width, -w.my_pe());
  random_engine random(seed, 1700 + static_cast<std::uint64_t>(w.my_pe()));
  std::array<world*, 3> worlds = {&w, &row, &column};
  std::array<std::vector<future<std::int64_t>>, 3> sums;
  for (std::size_t n_left = 30; n_left > 0; --n_left) {
    std::size_t which = random.below(3);
    while (sums[which].size() == 10) which = (which + 1) % 3;
    const auto k = static_cast<std::int64_t>(sums[which].size());
    sums[which].push_back(worlds[which]->start_sum(worlds[which]->my_pe() * k));
    if (random.below(5) == 0) w.progress();
  }
  for (std::size_t which = 0; which < 3; ++which) {
    for (std::size_t k = 0; k < 10; ++k) {
      EXPECT_EQ(sums[which][k].get(), sum_of_pes(*worlds[which]) * static_cast<std::int64_t>(k));
    }
  }
  // What a team's call lets run belongs to where it was left.
  std::int64_t n_ran = 0;
  w.finish([&] {
    row.finish([&] {
      column.start_sum(1).then([&](int n) {
        EXPECT_EQ(n, column.n_pes());
        ++n_ran;
        row.send(0, [] {});
      });
    });
    EXPECT_EQ(n_ran, 1);
    w.start_sum(1).then([&](int) { ++n_ran; });
  });
  EXPECT_EQ(n_ran, 2);
}

// A result for which something waits outside finish is wanted in a finish of a team, which is empty on the PE that has it.
void a_finish_of_a_team_may_wait_for_a_result_of_another_pe(world& w, std::uint64_t) {
  world team = w.split(0);
  const std::int64_t twice = 2 * sum_of_pes(w);
  per_pe<future<std::int64_t>> doubled(w, w.start_sum(w.my_pe()).then([](std::int64_t sum) { return 2 * sum; }));
  std::int64_t got = -1;
  w.finish([&] {
    future<std::int64_t> answer =
        w.my_pe() == w.n_pes() - 1
            ? w.ask(0, [its = doubled.handle()](world&) -> future<std::int64_t> { return std::move(*its); })
            : future<std::int64_t>(twice);
    team.finish([&] { answer.then([&](std::int64_t value) { got = value; }); });
  });
  EXPECT_EQ(got, twice);
}

// Those of the team go on beside the world's, though the team has gone.
void an_exception_may_end_a_team_beside_its_calls(world& w, std::uint64_t seed) {
  struct end_of_team {};
  random_engine random(seed, 1900 + static_cast<std::uint64_t>(w.my_pe()));
  for (int i = 0; i < 3; ++i) {
    try {
      world team = w.split(0);
      std::array<std::int64_t, 50> large{};
      w.charge_ns(random.below(5000));
      future<std::int64_t> sum = team.start_sum(team.my_pe() + i);
      if (team.my_pe() != 0 && i != 1) {  // it may come after PE 0 has gone
        EXPECT_EQ(sum.get(), sum_of_pes(team) + i * team.n_pes());
      }
      static_cast<void>(team.start_gather(large));
      if (random.below(2) == 0) w.progress();
      throw end_of_team();
    } catch (const end_of_team&) {
    }
    EXPECT_EQ(w.start_sum(w.my_pe()).get(), sum_of_pes(w));
  }
  w.barrier();
}

// The end of the world, or of the team, waits for calls that nobody has taken.
void calls_in_the_background_may_be_left_alone(world& w, std::uint64_t seed) {
  world team = w.split(w.my_pe() % 2);
  for (std::uint64_t i = 0; i < 6; ++i) {
    team.start_sum(i);
    if ((i + seed) % 2 == 0) w.start_gather(i);
  }
  team.start_barrier().then([] {});
}

}  // namespace

std::vector<claim> background_claims() {
  return {
      {"calls_in_the_background_give_what_others_give", calls_in_the_background_give_what_others_give},
      {"any_number_may_be_under_way_in_the_background", any_number_may_be_under_way_in_the_background},
      {"folds_in_the_background_keep_the_order_of_PEs", folds_in_the_background_keep_the_order_of_PEs},
      {"calls_in_the_background_go_on_beside_messages_and_other_calls",
       calls_in_the_background_go_on_beside_messages_and_other_calls, 2},
      {"finish_waits_for_what_waits_for_calls_in_the_background",
       finish_waits_for_what_waits_for_calls_in_the_background, 2},
      {"what_waits_outside_finish_runs_in_it_if_it_is_wanted_there",
       what_waits_outside_finish_runs_in_it_if_it_is_wanted_there},
      {"what_waits_outside_finish_does_not_send_too_late", what_waits_outside_finish_does_not_send_too_late},
      {"tasks_wait_for_calls_in_the_background", tasks_wait_for_calls_in_the_background},
      {"worlds_have_calls_in_the_background_of_their_own", worlds_have_calls_in_the_background_of_their_own, 2},
      {"a_finish_of_a_team_may_wait_for_a_result_of_another_pe", a_finish_of_a_team_may_wait_for_a_result_of_another_pe,
       2},
      {"an_exception_may_end_a_team_beside_its_calls", an_exception_may_end_a_team_beside_its_calls},
      {"calls_in_the_background_may_be_left_alone", calls_in_the_background_may_be_left_alone},
  };
}

}  // namespace shoal::test
