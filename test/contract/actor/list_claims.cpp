#include <gtest/gtest.h>

#include <array>
#include <functional>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "test/contract/actor/checked_lists.hpp"
#include "test/contract/claims.hpp"

namespace shoal::test {
namespace {

void lists_of_any_length_arrive_once_in_order(world& w, std::uint64_t seed) {
  pe_watch watch;
  random_engine random = random_of(w, seed);
  checked_lists<word> a(w, watch);
  for (std::uint64_t k = 0; k < 2; ++k) {
    watch.step = static_cast<std::int64_t>(k);
    w.barrier();
    w.finish([&] {
      for (const pe_id to : targets_of(seed + k, w.my_pe(), w.n_pes(), 20)) {
        a.send(to, some_bytes(random, buffer_bytes(w)));
      }
    });
    a.expect_all_handled();
  }
  EXPECT_EQ(w.sum(a.n_handled()), 40U * static_cast<std::uint64_t>(w.n_pes()));
}

// Each message is passed on twice by handlers, in other lengths, while the main program sends.
void handlers_send_lists_of_any_length(world& w, std::uint64_t seed) {
  pe_watch watch;
  random_engine random = random_of(w, seed);
  checked_lists<word>* self = nullptr;
  checked_lists<word> a(w, watch, [&](std::uint64_t hops, pe_id) {
    if (hops > 0) self->send(any_pe(w, random), some_bytes(random, buffer_bytes(w)), hops - 1);
  });
  self = &a;
  w.finish([&] {
    for (int i = 0; i < 12; ++i) a.send(any_pe(w, random), some_bytes(random, buffer_bytes(w)), 2);
  });
  EXPECT_EQ(w.sum(a.n_handled()), 36U * static_cast<std::uint64_t>(w.n_pes()));
  a.expect_all_handled();
}

// Main programs and handlers of all PEs, the receiver included, send large lists to one PE at once. So fragments of two
// lists of one sender alternate on a link, and several lists are incomplete there.
void large_lists_to_one_PE_do_not_mix(world& w, std::uint64_t seed) {
  pe_watch watch;
  random_engine random = random_of(w, seed);
  const auto crowded = static_cast<pe_id>(seed % static_cast<std::uint64_t>(w.n_pes()));
  checked_lists<word> large(w, watch);
  checked_lists<word> small(w, watch, [&](std::uint64_t, pe_id) {
    for (int i = 0; i < 2; ++i) large.send(crowded, large_bytes(random, buffer_bytes(w)));
  });
  w.finish([&] {
    for (const pe_id to : targets_of(seed, w.my_pe(), w.n_pes(), 6)) {
      small.send(to, 0);
      large.send(crowded, large_bytes(random, buffer_bytes(w)));
    }
  });
  const auto n = static_cast<std::uint64_t>(w.n_pes());
  EXPECT_EQ(large.n_handled(), w.my_pe() == crowded ? 18U * n : 0U);
  large.expect_all_handled();
  small.expect_all_handled();
}

void a_PE_sends_large_lists_to_itself(world& w, std::uint64_t seed) {
  pe_watch watch;
  random_engine random = random_of(w, seed);
  checked_lists<word>* self = nullptr;
  checked_lists<word> a(w, watch, [&](std::uint64_t more, pe_id) {
    for (std::uint64_t i = 0; i < more; ++i) self->send(w.my_pe(), large_bytes(random, buffer_bytes(w)), more - 1);
  });
  self = &a;
  w.finish([&] {
    for (int i = 0; i < 2; ++i) a.send(w.my_pe(), large_bytes(random, buffer_bytes(w)), 3);
  });
  EXPECT_EQ(a.n_handled(), 2U * (1 + 3 + 6 + 6));
  a.expect_all_handled();
}

template <class Element, std::size_t HeaderAlign>
void exchange_lists(world& w, std::uint64_t seed) {
  pe_watch watch;
  random_engine random = random_of(w, seed);
  checked_lists<Element, HeaderAlign>* self = nullptr;
  checked_lists<Element, HeaderAlign> a(w, watch, [&](std::uint64_t hops, pe_id from) {
    if (hops > 0) self->send(from, some_bytes(random, buffer_bytes(w)), 0);
  });
  self = &a;
  w.finish([&] {
    for (const pe_id to : targets_of(seed, w.my_pe(), w.n_pes(), 8)) a.send(to, some_bytes(random, buffer_bytes(w)), 1);
  });
  a.expect_all_handled();
}

void elements_are_aligned(world& w, std::uint64_t seed) {
  exchange_lists<block<1, 1>, 8>(w, seed);
  exchange_lists<block<2, 2>, 8>(w, seed);
  exchange_lists<block<3, 1>, 8>(w, seed);
  exchange_lists<block<4, 4>, 16>(w, seed);
  exchange_lists<block<12, 4>, 8>(w, seed);
  exchange_lists<block<24, 8>, 16>(w, seed);
  exchange_lists<block<16, 16>, 8>(w, seed);
  exchange_lists<block<96, 32>, 8>(w, seed);
}

// In buffers of 64 bytes no such element would fit beside its head.
void elements_are_aligned_to_cache_lines(world& w, std::uint64_t seed) {
  exchange_lists<block<64, 64>, 8>(w, seed);
  exchange_lists<block<192, 64>, 16>(w, seed);
  exchange_lists<block<4, 4>, 64>(w, seed);
}

// Lists without a header, from all that is contiguous; without a header, none is read.
void lists_need_no_header(world& w, std::uint64_t seed) {
  std::vector<std::int32_t> all;
  pe_id last_from = -1;
  actor a{w, [&](list<std::int32_t> m, pe_id from) {
            EXPECT_EQ(reinterpret_cast<std::uintptr_t>(m.begin()) % alignof(std::int32_t), 0U);
            all.insert(all.end(), m.begin(), m.end());
            last_from = from;
          }};
  const pe_id me = w.my_pe();
  std::vector<std::int32_t> expected{1, 2, 3, 4, 5, 7, 8};
  std::vector<std::int32_t> large(3 * buffer_bytes(w) + seed % 7);
  for (std::size_t i = 0; i < large.size(); ++i) large[i] = static_cast<std::int32_t>(i * seed + 5);
  w.finish([&] {
    a.send(me, {1, 2});
    a.send(me, std::array<std::int32_t, 3>{3, 4, 5});
    a.send(me, std::span<const std::int32_t>{});
    a.send(me, {});
    a.send(me, std::vector<std::int32_t>{7, 8});
    a.send(me, large);
  });
  expected.insert(expected.end(), large.begin(), large.end());
  EXPECT_EQ(all, expected);
  EXPECT_EQ(last_from, me);
  EXPECT_EQ(w.sum(a.counts().n_handled), w.sum(a.counts().n_sent));
}

// --- try_send, latency, supersteps

void try_send_of_lists_keeps_order(world& w, std::uint64_t seed) {
  pe_watch watch;
  random_engine random = random_of(w, seed);
  std::uint64_t n_sent = 0;
  checked_lists<word>* self = nullptr;
  checked_lists<word> a(w, watch, [&](std::uint64_t hops, pe_id from) {
    for (; hops > 0; --hops) n_sent += self->try_send(from, some_bytes(random, buffer_bytes(w)));
  });
  self = &a;
  w.finish([&] {
    for (const pe_id to : targets_of(seed, w.my_pe(), w.n_pes(), 16)) {
      while (!a.try_send(to, some_bytes(random, buffer_bytes(w)), 2)) w.progress();
      ++n_sent;
    }
  });
  EXPECT_EQ(w.sum(a.n_handled()), w.sum(n_sent));
  a.expect_all_handled();
}

// Lists that fit into a buffer never take memory beyond the credits.
void try_send_of_small_lists_never_spills(world& w, std::uint64_t seed) {
  std::uint64_t n_handled = 0;
  std::uint64_t n_sent = 0;
  actor<std::function<void(list<std::int16_t>, pe_id)>>* self = nullptr;
  actor<std::function<void(list<std::int16_t>, pe_id)>> a{w, [&](list<std::int16_t> m, pe_id from) {
                                                            ++n_handled;
                                                            if (m.size() == 3) n_sent += self->try_send(from, {7});
                                                          }};
  self = &a;
  w.finish([&] {
    for (const pe_id to : targets_of(seed, w.my_pe(), w.n_pes(), 100)) {
      while (!a.try_send(to, {1, 2, 3})) w.progress();
      ++n_sent;
    }
  });
  EXPECT_EQ(a.counts().n_spills, 0U);
  EXPECT_EQ(w.sum(n_handled), w.sum(n_sent));
}

void a_limit_of_unsent_lists_makes_try_send_refuse(world& w, std::uint64_t seed) {
  random_engine random = random_of(w, seed);
  std::uint64_t n_handled = 0;
  actor a{w, [&](const std::vector<char>&) { ++n_handled; }};
  a.limit_unsent(3);
  const pe_id next = (w.my_pe() + 1) % w.n_pes();
  std::uint64_t n_sent = 0;
  w.finish([&] {
    while (n_sent < 15) {
      const std::uint64_t n_left_before = a.counts().n_sent;
      std::uint64_t n_small = 0;
      while (a.try_send(next, std::array{'a', 'b'})) ++n_small;
      EXPECT_LE(n_small, 3U + a.counts().n_sent - n_left_before) << "three at most lie here";
      n_sent += n_small;
      w.progress();
      n_sent += a.try_send(next, std::vector<char>(large_bytes(random, buffer_bytes(w)), 'c'));
      w.progress();
    }
  });
  EXPECT_EQ(w.sum(n_handled), w.sum(n_sent));
}

// Before the first message, and while messages of all sizes are under way.
void lists_obey_limits_of_latency(world& w, std::uint64_t seed) {
  pe_watch watch;
  random_engine random = random_of(w, seed);
  checked_lists<word>* self = nullptr;
  checked_lists<word> a(w, watch, [&](std::uint64_t hops, pe_id from) {
    if (hops > 0) self->send(from, some_bytes(random, buffer_bytes(w)));
  });
  self = &a;
  a.limit_latency(5);
  const std::vector<pe_id> targets = targets_of(seed, w.my_pe(), w.n_pes(), 10);
  w.finish([&] {
    for (const std::uint32_t us : {0U, 1U, 0U}) {
      for (const pe_id to : targets) a.send(to, some_bytes(random, buffer_bytes(w)), 1);
      a.limit_latency(us);
    }
  });
  EXPECT_EQ(w.sum(a.n_handled()), 60U * static_cast<std::uint64_t>(w.n_pes()));
  a.expect_all_handled();
}

// A main program that waits for an answer calls progress, which must post its partly filled buffers.
void progress_sends_lists(world& w, std::uint64_t seed) {
  random_engine random = random_of(w, seed);
  std::size_t n_answered = 0;
  std::uint64_t n_answers = 0;
  actor answer{w, [&](std::string_view m) {
                 n_answered += m.size();
                 ++n_answers;
               }};
  actor ask{w, [&](std::string_view m, pe_id from) { answer.send(from, m); }};
  std::size_t n_asked = 0;
  w.finish([&] {
    for (const std::uint32_t us : {0U, 20U}) {
      answer.limit_latency(us);
      ask.limit_latency(us);
      for (const pe_id to : targets_of(seed, w.my_pe(), w.n_pes(), 4)) {
        const std::string text = text_of(seed, some_bytes(random, buffer_bytes(w)));
        const std::uint64_t n_before = n_answers;
        ask.send(to, text);
        n_asked += text.size();
        while (n_answers == n_before) w.progress();
      }
    }
  });
  EXPECT_EQ(n_answered, n_asked);
}

void actors_of_lists_live_in_nested_supersteps(world& w, std::uint64_t seed) {
  pe_watch watch;
  random_engine random = random_of(w, seed);
  checked_lists<word> outer(w, watch);
  w.finish([&] {
    for (int k = 0; k < 3; ++k) {
      outer.send(any_pe(w, random), some_bytes(random, buffer_bytes(w)));
      std::optional<checked_lists<word>> inner;
      w.finish([&] {
        inner.emplace(w, watch, [&](std::uint64_t hops, pe_id) {
          outer.send(any_pe(w, random), some_bytes(random, buffer_bytes(w)));
          if (hops > 0) inner->send(any_pe(w, random), some_bytes(random, buffer_bytes(w)), hops - 1);
        });
        for (int i = 0; i < 4; ++i) inner->send(any_pe(w, random), some_bytes(random, buffer_bytes(w)), 1);
        inner->done();
      });
      inner->expect_all_handled();
      inner.reset();
    }
  });
  EXPECT_EQ(w.sum(outer.n_handled()), 27U * static_cast<std::uint64_t>(w.n_pes()));
  outer.expect_all_handled();
}

// Whatever fragments they travel in, what is sent is handled.
void counts_of_lists_add_up(world& w, std::uint64_t seed) {
  pe_watch watch;
  random_engine random = random_of(w, seed);
  checked_lists<word> small(w, watch);
  checked_lists<word> large(w, watch);
  w.finish([&] {
    for (const pe_id to : targets_of(seed, w.my_pe(), w.n_pes(), 12)) {
      small.send(to, 0);
      large.send(to, large_bytes(random, buffer_bytes(w)));
    }
  });
  EXPECT_EQ(w.sum(small.counts().n_sent), w.sum(small.counts().n_handled));
  EXPECT_EQ(w.sum(large.counts().n_sent), w.sum(large.counts().n_handled));
  EXPECT_GE(large.counts().n_sent, 24U) << "each takes several buffers";
  EXPECT_EQ(w.sum(large.counts().monster_bytes_most > 0 ? 1 : 0) > 0, true);
}

}  // namespace

std::vector<claim> list_claims() {
  return {
      {"lists_of_any_length_arrive_once_in_order", lists_of_any_length_arrive_once_in_order, 2},
      {"handlers_send_lists_of_any_length", handlers_send_lists_of_any_length, 2},
      {"large_lists_to_one_PE_do_not_mix", large_lists_to_one_PE_do_not_mix, 3},
      {"a_PE_sends_large_lists_to_itself", a_PE_sends_large_lists_to_itself, 2},
      {"elements_are_aligned", elements_are_aligned, 2},
      {"elements_are_aligned_to_cache_lines", elements_are_aligned_to_cache_lines, 2, 128},
      {"lists_need_no_header", lists_need_no_header, 2},
      {"try_send_of_lists_keeps_order", try_send_of_lists_keeps_order, 2},
      {"try_send_of_small_lists_never_spills", try_send_of_small_lists_never_spills, 2},
      {"a_limit_of_unsent_lists_makes_try_send_refuse", a_limit_of_unsent_lists_makes_try_send_refuse, 2},
      {"lists_obey_limits_of_latency", lists_obey_limits_of_latency, 2},
      {"progress_sends_lists", progress_sends_lists, 3},
      {"actors_of_lists_live_in_nested_supersteps", actors_of_lists_live_in_nested_supersteps, 4},
      {"counts_of_lists_add_up", counts_of_lists_add_up, 3},
  };
}

}  // namespace shoal::test
