#include <gtest/gtest.h>

#include <array>
#include <numeric>

#include "shoal/actor/per_pe.hpp"
#include "test/contract/actor/account.hpp"
#include "test/contract/claims.hpp"

namespace shoal::test {
namespace {

template <std::size_t Bytes, std::size_t Align>
struct alignas(Align) captured {
  std::array<std::uint8_t, Bytes> bytes;

  static captured numbered(std::uint64_t number) {
    random_engine random(number, Bytes);
    captured c;
    for (std::uint8_t& byte : c.bytes) byte = static_cast<std::uint8_t>(random());
    return c;
  }
};

template <std::size_t Bytes, std::size_t Align>
void send_capture(world& w, account_handle mine, pe_id to, std::uint64_t number) {
  w.send(to, [mine, number, value = captured<Bytes, Align>::numbered(number)](world& there, pe_id from) {
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(&value) % Align, 0U);
    EXPECT_EQ(value.bytes, (captured<Bytes, Align>::numbered(number).bytes))
        << Bytes << " bytes on PE " << there.my_pe();
    mine->expect_next(from, number);
  });
}

// Sizes and alignments in random order, so that runs of every length meet every gap.
void captures_of_every_size_and_alignment_arrive_in_order(world& w, std::uint64_t seed) {
  using send_function = void (*)(world&, account_handle, pe_id, std::uint64_t);
  constexpr std::array<send_function, 14> senders{
      send_capture<1, 1>,    send_capture<3, 1>,   send_capture<8, 8>,   send_capture<12, 4>, send_capture<16, 16>,
      send_capture<31, 1>,   send_capture<32, 32>, send_capture<64, 64>, send_capture<72, 8>, send_capture<100, 4>,
      send_capture<128, 64>, send_capture<150, 2>, send_capture<180, 1>, send_capture<200, 8>};
  per_pe<account> here(w, w.n_pes());
  const account_handle mine = here.handle();
  numbering sent(w.n_pes());
  random_engine random(seed, 600 + static_cast<std::uint64_t>(w.my_pe()));
  const std::vector<pe_id> targets = targets_of(seed, w.my_pe(), w.n_pes(), 120);
  w.finish([&] {
    for (std::size_t i = 0; i < targets.size();) {
      const send_function send = senders[random.below(senders.size())];
      for (std::uint64_t run = 1 + random.below(3); run > 0 && i < targets.size(); --run, ++i) {
        send(w, mine, targets[i], sent.take(targets[i]));
      }
    }
  });
  EXPECT_EQ(here->handled.all(), expected_at(seed, w.my_pe(), w.n_pes(), targets.size()));
}

void closures_without_captures_run(world& w, std::uint64_t seed) {
  static thread_local std::uint64_t n_run = 0;
  n_run = 0;
  w.barrier();
  w.finish([&] {
    for (const pe_id to : targets_of(seed, w.my_pe(), w.n_pes(), 50)) w.send(to, [] { ++n_run; });
  });
  // In the simulator all PEs share the thread's variable; elsewhere each has its own.
  const std::uint64_t most = w.max(n_run);
  EXPECT_TRUE(w.sum(n_run) == 50U * static_cast<std::uint64_t>(w.n_pes()) ||
              most == 50U * static_cast<std::uint64_t>(w.n_pes()));
  w.barrier();
}

void four_types_in_random_order_keep_it(world& w, std::uint64_t seed) {
  per_pe<account> here(w, w.n_pes());
  const account_handle mine = here.handle();
  numbering sent(w.n_pes());
  random_engine random(seed, 700 + static_cast<std::uint64_t>(w.my_pe()));
  w.finish([&] {
    for (const pe_id to : targets_of(seed, w.my_pe(), w.n_pes(), 200)) {
      const std::uint64_t i = sent.take(to);
      const std::array<std::uint64_t, 4> more{i, i, i, i};
      switch (random.below(4)) {
        case 0: w.send(to, [mine, i](world&, pe_id from) { mine->expect_next(from, i); }); break;
        case 1: w.send(to, [mine, i, more](world&, pe_id from) { mine->expect_next(from, i * 2 - more[3]); }); break;
        case 2:
          w.send(to, [mine, n = static_cast<std::uint32_t>(i)](world&, pe_id from) { mine->expect_next(from, n); });
          break;
        default:
          w.send(to, [i, mine, x = 'x'](world&, pe_id from) {
            EXPECT_EQ(x, 'x');
            mine->expect_next(from, i);
          });
      }
    }
  });
  EXPECT_EQ(here->handled.all(), expected_at(seed, w.my_pe(), w.n_pes(), 200));
}

void handles_name_const_objects(world& w, std::uint64_t seed) {
  const per_pe<const pe_id> next(w, (w.my_pe() + 1) % w.n_pes());
  per_pe<account> here(w, w.n_pes());
  const std::vector<pe_id> targets = targets_of(seed, w.my_pe(), w.n_pes(), 20);
  w.finish([&] {
    for (const pe_id to : targets) {
      w.send(to, [name = next.handle(), mine = here.handle(), expected = (to + 1) % w.n_pes()] {
        EXPECT_EQ(*name, expected);
        ++mine->n;
      });
    }
  });
  EXPECT_EQ(*next, (w.my_pe() + 1) % w.n_pes());
  const per_pe<account>& read_only = here;
  EXPECT_EQ(w.sum(read_only->n), 20U * static_cast<std::uint64_t>(w.n_pes()));
}

// Each reply is a closure that the closure sends: there and back, twice.
void replies_nest_to_any_depth(world& w, std::uint64_t seed) {
  per_pe<account> here(w, w.n_pes());
  const account_handle mine = here.handle();
  const std::vector<pe_id> targets = targets_of(seed, w.my_pe(), w.n_pes(), 25);
  w.finish([&] {
    for (const pe_id to : targets) {
      w.send(to, [mine, home = w.my_pe(), to](world& there, pe_id from) {
        EXPECT_EQ(from, home);
        EXPECT_EQ(there.my_pe(), to);
        const handler_mark mark(mine->watch);
        there.send(from, [mine, to](world& back, pe_id second) {
          EXPECT_EQ(second, to);
          const handler_mark inner_mark(mine->watch);
          back.send(second, [mine](world& again, pe_id third) { again.send(third, [mine] { ++mine->n; }); });
        });
      });
    }
  });
  EXPECT_EQ(here->n, targets.size());
}

// A prefetch of a closure runs ahead of the closures, on such as will run there, and on nothing else.
struct fetched_counts {
  std::array<std::uint64_t, 64> counts{};
  std::uint64_t n_fetched = 0;
};
struct counting_closure {
  std::int64_t slot;

  void operator()(fetched_counts& there) const { ++there.counts[static_cast<std::size_t>(slot)]; }
  const void* prefetch(fetched_counts& there) const {
    EXPECT_TRUE(slot >= 0 && slot < 64);
    ++there.n_fetched;
    return &there.counts[static_cast<std::size_t>(slot) % 64];
  }
};
// The same without a context: it finds what it touches by a handle.
struct counting_by_handle {
  pe_handle<fetched_counts> to;
  std::int64_t slot;

  void operator()() const { counting_closure{slot}(*to); }
  const void* prefetch() const { return counting_closure{slot}.prefetch(*to); }
};
void a_prefetch_of_closures_sees_what_will_run(world& w, std::uint64_t seed) {
  fetched_counts by_context;
  per_pe<fetched_counts> by_handle(w);
  lambda_actor updates{w, by_context};
  w.finish([&] {
    std::int64_t i = 0;
    for (const pe_id to : targets_of(seed, w.my_pe(), w.n_pes(), 300)) {
      updates.send(to, counting_closure{++i % 64});
      w.send(to, counting_by_handle{by_handle.handle(), i % 64});
    }
  });
  const auto expect = [&](const fetched_counts& its) {
    const std::uint64_t n_run = std::accumulate(its.counts.begin(), its.counts.end(), std::uint64_t{0});
    EXPECT_EQ(w.sum(n_run), 300U * static_cast<std::uint64_t>(w.n_pes()));
    EXPECT_LE(its.n_fetched, n_run);
  };
  expect(by_context);
  expect(*by_handle);
}

// A mutable closure changes a copy: a closure that is sent twice arrives unchanged both times.
void a_mutable_closure_changes_only_its_own_captures(world& w, std::uint64_t) {
  per_pe<account> here(w, w.n_pes());
  const account_handle mine = here.handle();
  w.finish([&] {
    const auto count = [mine, left = 3]() mutable {
      EXPECT_EQ(left, 3);
      while (left-- > 0) ++mine->n;
    };
    for (pe_id to = 0; to < w.n_pes(); ++to) {
      w.send(to, count);
      w.send(to, count);
    }
  });
  EXPECT_EQ(here->n, static_cast<std::uint64_t>(6 * w.n_pes()));
}

void a_closure_may_take_the_world_and_its_sender(world& w, std::uint64_t) {
  per_pe<account> here(w, w.n_pes());
  const account_handle mine = here.handle();
  w.finish([&] {
    const pe_id next = (w.my_pe() + 1) % w.n_pes();
    w.send(next, [mine] { mine->n += 1; });
    w.send(next, [mine, next](world& there) {
      EXPECT_EQ(there.my_pe(), next);
      mine->n += 10;
    });
    w.send(next, [mine, me = w.my_pe()](world&, pe_id from) {
      EXPECT_EQ(from, me);
      mine->n += 100;
    });
  });
  EXPECT_EQ(here->n, 111U);
}

void a_handle_means_the_object_of_the_PE_where_it_is_used(world& w, std::uint64_t) {
  per_pe<std::int64_t> first(w, w.my_pe() * 10);
  per_pe<std::int64_t> second(w, -1);
  w.finish([&] { w.send((w.my_pe() + 1) % w.n_pes(), [a = first.handle(), b = second.handle()] { *b = *a; }); });
  EXPECT_EQ(*second, w.my_pe() * 10);
  EXPECT_EQ(*second.handle(), *second);
}

void a_lambda_actor_runs_closures_on_its_context(world& w, std::uint64_t seed) {
  std::vector<std::int64_t> counts(16);
  lambda_actor update{w, counts};
  const std::vector<pe_id> targets = targets_of(seed, w.my_pe(), w.n_pes(), 100);
  for (int k = 0; k < 3; ++k) {
    w.finish([&] {
      for (std::size_t i = 0; i < targets.size(); ++i) {
        update.send(targets[i], [slot = i % 16](auto& there) { ++there[slot]; });
        update.send(targets[i], [](std::vector<std::int64_t>& there, pe_id) { ++there[0]; });
      }
      update.done();
    });
  }
  std::int64_t sum = 0;
  for (const std::int64_t n : counts) sum += n;
  EXPECT_EQ(w.sum(sum), 600 * w.n_pes());
}

// A closure of the outer superstep is handled while its PE is in the inner one, and replies. The reply belongs to the
// outer superstep.
void a_reply_belongs_to_the_superstep_of_what_it_answers(world& w, std::uint64_t seed) {
  per_pe<account> here(w, w.n_pes());
  const account_handle mine = here.handle();
  random_engine random(seed, 800 + static_cast<std::uint64_t>(w.my_pe()));
  const std::vector<pe_id> targets = targets_of(seed, w.my_pe(), w.n_pes(), 20);
  for (int k = 0; k < 3; ++k) {
    w.finish([&] {
      for (const pe_id to : targets) {
        w.send(to, [mine](world& there, pe_id from) {
          there.charge_ns(2000);
          there.send(from, [mine] { ++mine->n; });
        });
        if (random.chance(0.1)) w.progress();
      }
      w.finish([&] {
        if (w.my_pe() == 0) w.send(w.n_pes() - 1, [] {});
      });
      w.finish([] {});
    });
    EXPECT_EQ(here->n, static_cast<std::uint64_t>(k + 1) * targets.size());
  }
}

void closures_and_actors_send_to_each_other(world& w, std::uint64_t seed) {
  per_pe<account> here(w, w.n_pes());
  const account_handle mine = here.handle();
  actor a{w, [&](std::int64_t, pe_id from) { w.send(from, [mine] { ++mine->n; }); }};
  per_pe<decltype(a)*> there(w, &a);
  const std::vector<pe_id> targets = targets_of(seed, w.my_pe(), w.n_pes(), 50);
  w.finish([&] {
    for (const pe_id to : targets) w.send(to, [a = there.handle(), me = w.my_pe()] { (*a)->send(me, 1); });
  });
  EXPECT_EQ(w.sum(here->n), 50U * static_cast<std::uint64_t>(w.n_pes()));
}

void closures_may_storm(world& w, std::uint64_t seed) {
  per_pe<account> here(w, w.n_pes());
  const account_handle mine = here.handle();
  const auto last = [mine](world&, pe_id) { ++mine->n; };
  w.finish([&] {
    const pe_id to = targets_of(seed, w.my_pe(), w.n_pes(), 1)[0];
    w.send(to, [mine, last](world& one) {
      for (pe_id i = 0; i < 30; ++i) {
        one.send(i % one.n_pes(), [mine, last](world& two) {
          ++mine->n;
          for (pe_id k = 0; k < 10; ++k) two.send(k % two.n_pes(), last);
        });
      }
    });
  });
  EXPECT_EQ(w.sum(here->n), 330U * static_cast<std::uint64_t>(w.n_pes()));
}

// As try_send_keeps_order_and_never_spills, with closures of two types and calls.
void try_send_of_closures_keeps_order(world& w, std::uint64_t seed) {
  per_pe<account> mine(w, w.n_pes());
  lambda_actor<account> a{w, *mine};
  per_pe<lambda_actor<account>*> here{w, &a};
  std::int64_t n_answers = 0;
  per_pe<std::int64_t*> answers{w, &n_answers};
  std::vector<std::uint64_t> n_sent(static_cast<std::size_t>(w.n_pes()));
  std::uint64_t n_tried = 0;
  w.finish([&, its = here.handle(), count = answers.handle()] {
    for (const pe_id to : targets_of(seed, w.my_pe(), w.n_pes(), 100)) {
      const std::uint64_t i = n_sent[static_cast<std::size_t>(to)]++;
      const auto try_one = [&] {
        ++n_tried;
        switch (i % 3) {
          case 0: return a.try_send(to, [i](account& there, pe_id from) { there.expect_next(from, i); });
          case 1:
            return a.try_send(to, [i, its, count](account& there, pe_id from) {
              there.expect_next(from, i);
              **count += (*its)->try_send(from, [] {}) ? 1 : 0;
            });
          default:
            return a.try_send(
                to,
                [](account& there, pe_id from, std::uint64_t number, std::string_view text) {
                  there.expect_next(from, number);
                  EXPECT_EQ(text.size(), number % 7);
                },
                i, std::string_view("1234567").substr(0, i % 7));
        }
      };
      while (!try_one()) w.progress();
    }
  });
  EXPECT_EQ(a.counts().n_spills, 0U);
  EXPECT_GE(n_tried, 100U);
  EXPECT_EQ(w.sum(a.counts().n_sent), 100U * static_cast<std::uint64_t>(w.n_pes()) + w.sum<std::uint64_t>(n_answers));
}

void a_limit_of_unsent_closures_makes_try_send_refuse(world& w, std::uint64_t) {
  std::uint64_t n_handled = 0;
  lambda_actor<std::uint64_t> a{w, n_handled};
  a.limit_unsent(3);
  std::uint64_t n_sent = 0;
  w.finish([&] {
    while (n_sent < 15) {
      while (a.try_send(next_pe(w), [](std::uint64_t& n) { ++n; })) ++n_sent;
      EXPECT_LE(n_sent - a.counts().n_sent, 3U) << "three at most lie here";
      w.progress();
    }
  });
  EXPECT_GE(n_sent, 15U);
  EXPECT_EQ(w.sum(n_handled), w.sum(n_sent));
}

}  // namespace

std::vector<claim> closure_claims() {
  constexpr std::size_t large = 384;
  return {
      {"captures_of_every_size_and_alignment_arrive_in_order", captures_of_every_size_and_alignment_arrive_in_order, 1,
       large},
      of_job({"closures_without_captures_run", closures_without_captures_run}),
      {"four_types_in_random_order_keep_it", four_types_in_random_order_keep_it},
      {"replies_nest_to_any_depth", replies_nest_to_any_depth},
      {"a_mutable_closure_changes_only_its_own_captures", a_mutable_closure_changes_only_its_own_captures},
      {"a_closure_may_take_the_world_and_its_sender", a_closure_may_take_the_world_and_its_sender},
      {"a_handle_means_the_object_of_the_PE_where_it_is_used", a_handle_means_the_object_of_the_PE_where_it_is_used},
      {"handles_name_const_objects", handles_name_const_objects},
      {"a_lambda_actor_runs_closures_on_its_context", a_lambda_actor_runs_closures_on_its_context, 2},
      {"a_prefetch_of_closures_sees_what_will_run", a_prefetch_of_closures_sees_what_will_run, 2},
      {"a_reply_belongs_to_the_superstep_of_what_it_answers", a_reply_belongs_to_the_superstep_of_what_it_answers, 2},
      {"closures_and_actors_send_to_each_other", closures_and_actors_send_to_each_other, 2},
      {"closures_may_storm", closures_may_storm},
      {"try_send_of_closures_keeps_order", try_send_of_closures_keeps_order, 2},
      {"a_limit_of_unsent_closures_makes_try_send_refuse", a_limit_of_unsent_closures_makes_try_send_refuse, 2},
  };
}

}  // namespace shoal::test
