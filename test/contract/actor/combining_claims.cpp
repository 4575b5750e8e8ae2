// Claims: messages with the same key to the same PE may arrive as one, and nothing else changes: what they add up to is
// exact, whoever sends them, over every route.
#include "shoal/actor/combining_actor.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <functional>
#include <span>
#include <type_traits>
#include <vector>

#include "shoal/base/random.hpp"
#include "shoal/shoal.hpp"
#include "test/contract/claims.hpp"

namespace shoal::test {
namespace {

struct addition {
  std::uint32_t key;
  std::int32_t target;
  std::int64_t n;
};

std::uint32_t key_of(const addition& a) { return a.key; }
void add_up(addition& into, const addition& a) {
  EXPECT_EQ(into.key, a.key);
  EXPECT_EQ(into.target, a.target) << "merged with a message to another PE";
  into.n += a.n;
}

constexpr std::uint32_t n_keys = 13;

// What PE `from` adds in step `i`; the same key to several PEs.
addition addition_of(std::uint64_t seed, pe_id n_pes, pe_id from, int i) {
  random_engine random(seed, static_cast<std::uint64_t>(from * 1'000'003 + i));
  const std::uint64_t width = random.below(n_keys) + 1;
  return {static_cast<std::uint32_t>(random.below(width)),
          static_cast<std::int32_t>(random.below(static_cast<std::uint64_t>(n_pes))),
          static_cast<std::int64_t>(random.below(100))};
}

std::vector<std::int64_t> expected_sums(std::uint64_t seed, const world& w, int n_each) {
  std::vector<std::int64_t> sums(n_keys);
  for (pe_id from = 0; from < w.n_pes(); ++from) {
    for (int i = 0; i < n_each; ++i) {
      const addition a = addition_of(seed, w.n_pes(), from, i);
      if (a.target == w.my_pe()) sums[a.key] += a.n;
    }
  }
  return sums;
}

// Each message is handled, or merged into another one, here or on its way.
void expect_none_is_lost(world& w, const mailbox& of, std::int64_t n_sent_or_merged) {
  const stream_counts counts = of.counts();
  EXPECT_EQ(w.sum(static_cast<std::int64_t>(counts.n_handled + counts.n_combined)), w.sum(n_sent_or_merged));
}

template <class Handler>
void expect_sums(world& w, std::uint64_t seed, combining where, std::vector<std::int64_t>& sums, Handler on_addition) {
  constexpr int n_each = 300;
  combining_actor add{w, on_addition, key_of, add_up, "add", where};
  for (std::uint64_t k = 0; k < 4; ++k) {
    std::fill(sums.begin(), sums.end(), 0);
    w.finish([&] {
      for (int i = 0; i < n_each; ++i) {
        const addition a = addition_of(seed + k, w.n_pes(), w.my_pe(), i);
        add.send(a.target, a);
      }
    });
    EXPECT_EQ(sums, expected_sums(seed + k, w, n_each));
  }
  expect_none_is_lost(w, add, 4 * n_each);
}

void merged_messages_add_up(world& w, std::uint64_t seed) {
  std::vector<std::int64_t> sums(n_keys);
  const auto on_addition = [&](const addition& a) {
    EXPECT_EQ(a.target, w.my_pe());
    sums[a.key] += a.n;
  };
  expect_sums(w, seed, combining::everywhere, sums, on_addition);
  expect_sums(w, seed, combining::where_it_pays, sums, on_addition);
}

void batches_hold_merged_messages(world& w, std::uint64_t seed) {
  std::vector<std::int64_t> sums(n_keys);
  expect_sums(w, seed, combining::everywhere, sums, [&](std::span<const addition> batch) {
    for (const addition& a : batch) sums[a.key] += a.n;
  });
}

// A share of what arrives is passed on, until it has been passed on often enough: the key says how often.
void handlers_send_messages_that_are_merged(world& w, std::uint64_t seed) {
  constexpr std::int64_t n_steps = 6;
  std::int64_t n_arrived = 0;
  std::int64_t n_passed_on = 0;
  struct share {
    std::int64_t step;
    std::int64_t n;
  };
  struct passer : selector<passer, combined<share>> {
    passer(world& home, std::int64_t& arrived, std::int64_t& passed_on)
        : selector(home), here(home), n_arrived(arrived), n_passed_on(passed_on) {}

    void process(const share& s) {
      if (s.step == n_steps) {
        n_arrived += s.n;
        return;
      }
      for (std::int64_t i = 0; i < s.n; ++i, ++n_passed_on) {
        send((here.my_pe() + i) % here.n_pes(), share{s.step + 1, 1});
      }
    }
    std::int64_t key(const share& s) const { return s.step; }
    void combine(share& into, const share& s) const { into.n += s.n; }

    world& here;
    std::int64_t& n_arrived;
    std::int64_t& n_passed_on;
  };
  passer all{w, n_arrived, n_passed_on};
  constexpr std::int64_t n_each = 20;
  for (std::int64_t k = 1; k <= 3; ++k) {
    w.finish([&] {
      for (std::int64_t i = 0; i < n_each; ++i) {
        all.send(static_cast<pe_id>((seed + static_cast<std::uint64_t>(i)) % static_cast<std::uint64_t>(w.n_pes())),
                 share{0, 1});
      }
    });
    EXPECT_EQ(w.sum(n_arrived), k * n_each * w.n_pes());
  }
  EXPECT_EQ(w.sum(n_passed_on), 3 * n_steps * n_each * w.n_pes());
  expect_none_is_lost(w, all.mailbox_at<0>(), 3 * n_each + n_passed_on);
}

// The limit is of messages that are not sent; one that is merged is none.
void try_send_merges_at_its_limit(world& w, std::uint64_t) {
  std::int64_t sum = 0;
  combining_actor add{w, [&](const addition& a) { sum += a.n; }, key_of, add_up, "add", combining::everywhere};
  add.limit_unsent(1);
  std::int64_t sum_sent = 0;
  w.finish([&] {
    const auto me = static_cast<std::int32_t>(w.my_pe());
    const std::uint64_t n_sent_before = add.counts().n_sent;
    if (!add.try_send(me, {0, me, 1})) return;  // no room now
    ++sum_sent;
    // Nothing has left, unless something had to make room; then this is a message like the first.
    const bool is_there = add.counts().n_sent == n_sent_before;
    for (int i = 0; i < 5; ++i) {
      const bool has_gone = add.try_send(me, {0, me, 1});
      EXPECT_TRUE(has_gone || !is_there);
      sum_sent += has_gone;
    }
    const bool has_gone = add.try_send(me, {1, me, 1});
    EXPECT_FALSE(has_gone && is_there);
    sum_sent += has_gone;
  });
  EXPECT_EQ(sum, sum_sent);
}

// A PE whose messages are all merged opens no buffer, but posts what is due.
void a_message_that_takes_in_others_leaves_in_time(world& w, std::uint64_t) {
  std::int64_t sum = 0;
  combining_actor add{w, [&](const addition& a) { sum += a.n; }, key_of, add_up, "add", combining::everywhere};
  add.limit_latency(50);
  const auto next = static_cast<std::int32_t>((w.my_pe() + 1) % w.n_pes());
  std::int64_t n = 0;
  w.finish([&] {
    while (add.counts().n_sent == 0) add.send(next, {3, next, 1}), ++n;
  });
  EXPECT_EQ(w.sum(sum), w.sum(n));
}

// Who knows the actor as a mailbox of its type sends messages that are not merged, but others are merged into them.
void plain_and_merged_messages_mix(world& w, std::uint64_t seed) {
  // The key in the low bits, so that a message is one word.
  const auto key = [](std::uint64_t m) { return m % 8; };
  std::uint64_t sum = 0;
  const auto on_word = [&](std::uint64_t m) { sum += m / 8; };
  const auto merge = [](std::uint64_t& into, std::uint64_t m) { into += m & ~std::uint64_t{7}; };
  combining_actor add{w, on_word, key, merge, combining::everywhere};
  typed_mailbox<std::uint64_t, std::remove_const_t<decltype(on_word)>>& plain = add;
  random_engine random(seed, static_cast<std::uint64_t>(w.my_pe()));
  std::uint64_t sum_sent = 0;
  w.finish([&] {
    for (int i = 0; i < 500; ++i) {
      const std::uint64_t n = random.below(1000);
      const auto target = static_cast<pe_id>(random.below(static_cast<std::uint64_t>(w.n_pes())));
      const std::uint64_t word = 8 * n + random.below(8);
      sum_sent += n;
      random.below(2) == 0 ? plain.send(target, word) : add.send(target, word);
    }
  });
  EXPECT_EQ(w.sum(sum), w.sum(sum_sent));
  expect_none_is_lost(w, add, 500);
}

struct place {
  std::int16_t row;
  std::int16_t column;
  friend bool operator==(const place&, const place&) = default;
};
struct height {
  place at;
  std::int32_t metres;
};

}  // namespace
}  // namespace shoal::test

template <>
struct std::hash<shoal::test::place> {
  std::size_t operator()(const shoal::test::place& p) const noexcept {
    return static_cast<std::size_t>(p.row) * 31 + static_cast<std::size_t>(p.column);
  }
};

namespace shoal::test {
namespace {

// Two combined mailboxes of one selector, one by its tag, and one that is not; a key of the program's own type.
void mailboxes_of_a_selector_are_combined_or_not(world& w, std::uint64_t seed) {
  struct highest {};
  struct plain_count {
    std::int32_t n;
  };
  struct survey : selector<survey, combined<addition>, tagged<highest, combined<height>>, plain_count> {
    using selector::selector;

    void process(const addition& a) { sums[a.key] += a.n; }
    void process(highest, const height& h) {
      std::int32_t& known = metres[static_cast<std::size_t>(h.at.row)][static_cast<std::size_t>(h.at.column)];
      known = std::max(known, h.metres);
    }
    void process(const plain_count& c) { n += c.n; }
    std::uint32_t key(const addition& a) const { return a.key; }
    place key(const height& h) const { return h.at; }
    void combine(addition& into, const addition& a) const { add_up(into, a); }
    void combine(height& into, const height& h) const { into.metres = std::max(into.metres, h.metres); }

    std::vector<std::int64_t> sums = std::vector<std::int64_t>(n_keys);
    std::vector<std::vector<std::int32_t>> metres{3, std::vector<std::int32_t>(3, -1)};
    std::int64_t n = 0;
  };
  const auto height_of = [&](pe_id from, int i) {
    random_engine random(seed, static_cast<std::uint64_t>(from * 1'000 + i));
    const auto below = [&](std::uint64_t n) { return static_cast<std::int16_t>(random.below(n)); };
    return height{{below(3), below(3)}, static_cast<std::int32_t>(random.below(10'000))};
  };
  constexpr int n_each = 200;
  survey all(w);
  w.finish([&] {
    for (int i = 0; i < n_each; ++i) {
      const addition a = addition_of(seed, w.n_pes(), w.my_pe(), i);
      all.send(a.target, a);
      all.send<highest>(i % w.n_pes(), height_of(w.my_pe(), i));
      all.send(i % w.n_pes(), plain_count{1});
    }
  });
  EXPECT_EQ(all.sums, expected_sums(seed, w, n_each));
  std::vector<std::vector<std::int32_t>> metres{3, std::vector<std::int32_t>(3, -1)};
  for (pe_id from = 0; from < w.n_pes(); ++from) {
    for (int i = 0; i < n_each; ++i) {
      if (i % w.n_pes() != w.my_pe()) continue;
      const height h = height_of(from, i);
      std::int32_t& known = metres[static_cast<std::size_t>(h.at.row)][static_cast<std::size_t>(h.at.column)];
      known = std::max(known, h.metres);
    }
  }
  EXPECT_EQ(all.metres, metres);
  EXPECT_EQ(w.sum(all.n), n_each * w.n_pes());
  EXPECT_EQ(all.mailbox_at<2>().counts().n_combined, 0U);
}

}  // namespace

std::vector<claim> combining_claims() {
  return {
      {"merged_messages_add_up", merged_messages_add_up, 2},
      {"batches_hold_merged_messages", batches_hold_merged_messages, 2},
      {"handlers_send_messages_that_are_merged", handlers_send_messages_that_are_merged, 2},
      {"try_send_merges_at_its_limit", try_send_merges_at_its_limit, 2},
      {"a_message_that_takes_in_others_leaves_in_time", a_message_that_takes_in_others_leaves_in_time, 2},
      {"plain_and_merged_messages_mix", plain_and_merged_messages_mix, 2},
      {"mailboxes_of_a_selector_are_combined_or_not", mailboxes_of_a_selector_are_combined_or_not, 4},
  };
}

}  // namespace shoal::test
