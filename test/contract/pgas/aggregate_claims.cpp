// Claims: a loop over elements of distributed arrays does by `aggregate` what the plain loop does one by one.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "shoal/pgas.hpp"
#include "shoal/shoal.hpp"
#include "test/contract/claims.hpp"

namespace shoal::test {
namespace {

array_options loop_options(std::uint64_t seed) { return {.reads_directly = seed % 3 == 0}; }
aggregate_options memory_of(std::uint64_t seed) {
  return {.memory_bytes = seed % 4 == 0 ? 0 : std::size_t{128} << seed % 12};
}
layout layout_of(std::uint64_t seed) { return seed % 2 == 0 ? layout::cyclic : layout::block; }

// How many iterations PE `pe` has: another number each, often none.
std::int64_t n_of(std::uint64_t seed, pe_id pe) {
  random_engine random(seed + 77, static_cast<std::uint64_t>(pe));
  return random.below(3) == 0 ? 0 : static_cast<std::int64_t>(random.below(200));
}
std::vector<std::int64_t> indices_of(std::uint64_t seed, pe_id pe, std::int64_t n) {
  random_engine random(seed, static_cast<std::uint64_t>(pe));
  std::vector<std::int64_t> all;
  for (std::int64_t i = n_of(seed, pe); i > 0; --i) {
    all.push_back(static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(n))));
  }
  return all;
}

template <class T>
void expect_histogram(world& w, std::uint64_t seed) {
  const std::int64_t n = 1 + static_cast<std::int64_t>(seed % 50);
  distributed_array<T> counts(w, n, layout_of(seed), loop_options(seed));
  const std::vector<std::int64_t> mine = indices_of(seed, w.my_pe(), n);
  std::int64_t n_calls = 0;
  aggregate(
      static_cast<std::int64_t>(mine.size()),
      [&](std::int64_t i) {
        const std::int64_t g = mine[static_cast<std::size_t>(i)];
        counts[g] += T{3};
        counts[n - 1 - g] -= T{1};
        ++counts[g];
        ++n_calls;
      },
      memory_of(seed));
  EXPECT_EQ(n_calls, static_cast<std::int64_t>(mine.size()));
  std::vector<T> expected(static_cast<std::size_t>(n));
  for (pe_id pe = 0; pe < w.n_pes(); ++pe) {
    for (const std::int64_t g : indices_of(seed, pe, n)) {
      expected[static_cast<std::size_t>(g)] += T{4};
      expected[static_cast<std::size_t>(n - 1 - g)] -= T{1};
    }
  }
  for (auto [index, count] : counts.mine()) EXPECT_EQ(count, expected[static_cast<std::size_t>(index)]) << index;
  w.barrier();
}
void changes_of_a_loop_are_there_after_it(world& w, std::uint64_t seed) {
  expect_histogram<std::int64_t>(w, seed);
  expect_histogram<std::uint32_t>(w, seed + 1);
  expect_histogram<double>(w, seed + 2);
}

struct pair_of_words {
  std::int64_t a;
  std::int64_t b;
};

// What is read: one element; elements whose indices are elements; as many as elements say.
void reads_of_a_loop_are_those_of_the_plain_loop(world& w, std::uint64_t seed) {
  const std::int64_t n = 2 + static_cast<std::int64_t>(seed % 60);
  distributed_array<std::int32_t> next(w, n, layout_of(seed), loop_options(seed));
  distributed_array<std::int64_t> value(w, n, layout_of(seed / 2), loop_options(seed + 1));
  distributed_array<pair_of_words> pairs(w, n, layout_of(seed / 4), loop_options(seed + 2));
  const auto next_of = [n](std::int64_t g) { return (g * 7 + 3) % n; };
  for (auto [g, its] : next.mine()) its = static_cast<std::int32_t>(next_of(g));
  for (auto [g, its] : value.mine()) its = 1000 + g;
  for (auto [g, its] : pairs.mine()) its = {g, -g};

  const std::vector<std::int64_t> mine = indices_of(seed, w.my_pe(), n);
  const auto size = static_cast<std::int64_t>(mine.size());
  // The same text reads elements of arrays, and of functions that say what is there.
  const auto chain = [&](std::int64_t i, const auto& steps, const auto& values, const auto& both) {
    std::int64_t g = mine[static_cast<std::size_t>(i)];
    std::int64_t sum = values(g) + values(steps(steps(g)));
    for (std::int64_t k = steps(g) % 5; k > 0; --k) {
      g = steps(g);
      if (values(g) % 3 == 0) sum += both(g).b;
    }
    return sum;
  };
  const auto in_arrays = [&](std::int64_t i) {
    return chain(
        i, [&](std::int64_t g) -> std::int64_t { return next[g]; },
        [&](std::int64_t g) -> std::int64_t { return value[g]; },
        [&](std::int64_t g) -> pair_of_words { return pairs[g]; });
  };
  std::vector<std::int64_t> expected;
  for (std::int64_t i = 0; i < size; ++i) {
    expected.push_back(chain(
        i, next_of, [](std::int64_t g) { return 1000 + g; }, [](std::int64_t g) { return pair_of_words{g, -g}; }));
  }

  // An exception takes a millisecond under a sanitizer.
  const std::int64_t n_of_body = std::min<std::int64_t>(size, 12);
  std::vector<std::int64_t> found(static_cast<std::size_t>(n_of_body), -1);
  std::int64_t n_over = 0;
  aggregate(
      n_of_body,
      [&](std::int64_t i) {
        found[static_cast<std::size_t>(i)] = in_arrays(i);
        ++n_over;
      },
      memory_of(seed));
  EXPECT_TRUE(std::ranges::equal(found, std::span(expected).first(found.size())));
  EXPECT_EQ(n_over, n_of_body);

  std::vector<std::int64_t> in_order;
  aggregate(
      size, in_arrays,
      [&](std::int64_t i, std::int64_t its) {
        EXPECT_EQ(i, static_cast<std::int64_t>(in_order.size()));
        in_order.push_back(its);
      },
      memory_of(seed));
  EXPECT_EQ(in_order, expected);

  std::vector<std::int64_t> nested;
  const auto& constant = value;
  aggregate(
      size, [&](std::int64_t i) { return constant[next[next[mine[static_cast<std::size_t>(i)]]]]; },
      [&](std::int64_t, std::int64_t its) { nested.push_back(its); }, memory_of(seed));
  for (std::size_t i = 0; i < mine.size(); ++i) EXPECT_EQ(nested[i], 1000 + next_of(next_of(mine[i])));
  w.barrier();
}

// Elements go where elements say, in the finish of others and beside their messages.
void elements_are_permuted_beside_messages(world& w, std::uint64_t seed) {
  const std::int64_t n = 1 + static_cast<std::int64_t>(seed % 70);
  distributed_array<std::int64_t> where_to(w, n, layout_of(seed), loop_options(seed));
  distributed_array<std::int64_t> moved(w, n, layout_of(seed / 2), loop_options(seed + 1));
  for (auto [g, its] : where_to.mine()) its = n - 1 - g;
  std::int64_t n_handled = 0;
  actor others{w, [&](std::int64_t sent) {
                 // A handler's element access is no part of the loop.
                 EXPECT_EQ(where_to[sent % n], n - 1 - sent % n);
                 ++n_handled;
               }};
  std::int64_t n_sent = 0;
  w.finish([&] {
    const std::int64_t n_mine = (n - w.my_pe() + w.n_pes() - 1) / w.n_pes();
    aggregate(
        n_mine,
        [&](std::int64_t i) {
          const std::int64_t g = w.my_pe() + i * w.n_pes();
          moved[where_to[g]] = g + 5;
          others.send(g % w.n_pes(), g);
          ++n_sent;
        },
        memory_of(seed));
    for (auto [g, its] : moved.mine()) EXPECT_EQ(its, n - 1 - g + 5);
  });
  EXPECT_EQ(w.sum(n_handled), w.sum(n_sent));
  EXPECT_EQ(w.sum(n_sent), n);
}

}  // namespace

std::vector<claim> aggregate_claims() {
  return {
      of_job({"changes_of_a_loop_are_there_after_it", changes_of_a_loop_are_there_after_it, 4}),
      of_job({"reads_of_a_loop_are_those_of_the_plain_loop", reads_of_a_loop_are_those_of_the_plain_loop, 6}),
      of_job({"elements_are_permuted_beside_messages", elements_are_permuted_beside_messages, 6}),
  };
}

}  // namespace shoal::test
