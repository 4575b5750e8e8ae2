// Claims: a distributed array does what an array does, however it is distributed and read.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <type_traits>
#include <vector>

#include "shoal/pgas.hpp"
#include "shoal/shoal.hpp"
#include "test/contract/claims.hpp"

namespace shoal::test {
namespace {

constexpr std::array<std::int64_t, 6> array_sizes = {0, 1, 2, 40, 97, 300};

// Calls `body` with a distribution of either type, which the seed chooses.
template <class Body>
void with_indices(const world& w, std::uint64_t seed, const Body& body) {
  const std::int64_t n = array_sizes[seed % array_sizes.size()];
  if (seed % 5 < 2) return body(distribution(seed % 5 == 0 ? layout::cyclic : layout::block, n, w.n_pes()));
  body(block_cyclic(n, w.n_pes(), static_cast<std::int64_t>(seed % 7 + 1)));
}

array_options options_of(std::uint64_t seed) { return {.reads_directly = seed % 3 != 0}; }

// Every PE knows what all PEs add and put, so it knows the whole array. Each index is put by one PE alone.
template <class T, class Distribution>
void expect_updates(world& w, const Distribution& indices, std::uint64_t seed) {
  const auto n = static_cast<std::uint64_t>(indices.n());
  distributed_array<T, Distribution> a(w, indices, options_of(seed));
  std::vector<T> expected(n);
  std::vector<std::int64_t> all(n);
  for (std::uint64_t g = 0; g < n; ++g) all[g] = static_cast<std::int64_t>(g);
  for (std::uint64_t step = 0; step < 3; ++step) {
    const bool puts = step == 1;
    w.finish([&] {
      for (pe_id pe = 0; n != 0 && pe < w.n_pes(); ++pe) {
        random_engine random(seed * 10 + step, static_cast<std::uint64_t>(pe));
        for (int i = 0; i < 100; ++i) {
          const std::uint64_t g = random.below(n);
          const T value = static_cast<T>(random.below(100));
          if (puts && static_cast<pe_id>(g) % w.n_pes() != pe) continue;
          expected[g] = puts ? value : static_cast<T>(expected[g] + value);
          if (pe != w.my_pe()) continue;
          puts ? a.put(static_cast<std::int64_t>(g), value) : a.add(static_cast<std::int64_t>(g), value);
        }
      }
    });
    for (std::size_t i = 0; i < a.local().size(); ++i) {
      EXPECT_EQ(a.owner(a.index_of(i)), w.my_pe());
      EXPECT_EQ(a.local()[i], expected[static_cast<std::size_t>(a.index_of(i))]) << a.index_of(i);
    }
    std::vector<T> found(n);
    a.gather(all, found);
    EXPECT_EQ(found, expected);
    std::vector<future<T>> answers;
    w.finish([&] {
      for (std::uint64_t g = 0; g < n; ++g) answers.push_back(a.get(static_cast<std::int64_t>(g)));
    });
    for (std::uint64_t g = 0; g < n; ++g) EXPECT_EQ(answers[g].get(), expected[g]);
    w.barrier();  // nobody adds before all have read
  }
}

void updates_of_a_superstep_are_there_after_it(world& w, std::uint64_t seed) {
  with_indices(w, seed, [&](const auto& indices) { expect_updates<std::int64_t>(w, indices, seed); });
  with_indices(w, seed + 1, [&](const auto& indices) { expect_updates<std::uint8_t>(w, indices, seed + 1); });
  with_indices(w, seed + 2, [&](const auto& indices) { expect_updates<std::int16_t>(w, indices, seed + 2); });
  with_indices(w, seed + 3, [&](const auto& indices) { expect_updates<float>(w, indices, seed + 3); });
}

template <std::size_t N>
struct blob {
  std::array<std::uint8_t, N> bytes{};

  explicit blob(std::uint64_t value = 0) noexcept { bytes.fill(static_cast<std::uint8_t>(value)); }
  friend bool operator==(const blob&, const blob&) = default;
};

// Elements are written through `local`, read, permuted by a scatter, and read again, in the finish of others, too.
template <class T, class Distribution>
void expect_scatter(world& w, const Distribution& indices, std::uint64_t seed) {
  const std::int64_t n = indices.n();
  distributed_array<T, Distribution> a(w, indices, options_of(seed));
  for (const auto [index, value] : a.mine()) value = T(static_cast<std::uint64_t>(index) + 1);
  std::vector<std::int64_t> asked;
  random_engine random(seed, static_cast<std::uint64_t>(w.my_pe()));
  for (std::uint64_t i = 0; n != 0 && i < random.below(200); ++i) {
    asked.push_back(static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(n))));
  }
  std::vector<T> found(asked.size(), T(77));
  a.gather(asked, found);
  for (std::size_t i = 0; i < asked.size(); ++i) EXPECT_EQ(found[i], T(static_cast<std::uint64_t>(asked[i]) + 1));

  std::vector<std::int64_t> mine;
  std::vector<T> values;
  for (std::int64_t g = w.my_pe(); g < n; g += w.n_pes()) {
    mine.push_back(n - 1 - g);
    values.emplace_back(static_cast<std::uint64_t>(g) + 3);
  }
  w.finish([&] { a.scatter(mine, values); });
  a.gather(asked, found);
  for (std::size_t i = 0; i < asked.size(); ++i) {
    EXPECT_EQ(found[i], T(static_cast<std::uint64_t>(n - 1 - asked[i]) + 3));
  }
}

void scattered_elements_are_gathered_in_order(world& w, std::uint64_t seed) {
  with_indices(w, seed, [&](const auto& indices) { expect_scatter<blob<3>>(w, indices, seed); });
  with_indices(w, seed + 1, [&](const auto& indices) { expect_scatter<blob<24>>(w, indices, seed + 1); });
  with_indices(w, seed + 2, [&](const auto& indices) { expect_scatter<std::int32_t>(w, indices, seed + 2); });
}

// One PE wins each element: it alone finds it empty.
void one_exchange_of_an_empty_element_wins(world& w, std::uint64_t seed) {
  const std::int64_t n = 20;
  distributed_array<std::int32_t> a(w, n, seed % 2 == 0 ? layout::cyclic : layout::block, options_of(seed));
  std::int64_t n_won = 0;
  w.finish([&] {
    for (std::int64_t g = 0; g < n; ++g) {
      a.compare_exchange(g, 0, static_cast<std::int32_t>(w.my_pe()) + 1).then([&](std::int32_t before) {
        n_won += before == 0;
      });
    }
  });
  EXPECT_EQ(w.sum(n_won), n);
  for (const std::int32_t winner : a.local()) EXPECT_TRUE(winner >= 1 && winner <= w.n_pes());
}

// Each element is written by the PE before its owner, and read by the one after, one by one.
void single_elements_are_written_and_read(world& w, std::uint64_t seed) {
  with_indices(w, seed, [&](const auto& indices) {
    distributed_array<std::int64_t, std::remove_cvref_t<decltype(indices)>> a(w, indices, options_of(seed));
    const auto& as_constant = a;
    const std::int64_t n = std::min<std::int64_t>(a.size(), 40);
    for (std::int64_t g = 0; g < n; ++g) {
      if ((a.owner(g) + 1) % w.n_pes() == w.my_pe()) a[g] = g + 1;
    }
    w.barrier();
    for (std::int64_t g = 0; g < n; ++g) {
      if (a.owner(g) != (w.my_pe() + 1) % w.n_pes()) continue;
      EXPECT_EQ(a[g], g + 1);
      EXPECT_EQ(as_constant[g], g + 1);
      if (g % 2 == 0) a[g] = a[g / 2 * 2];
    }
    w.barrier();
    for (const auto [index, value] : a.mine()) EXPECT_EQ(value, index < n ? index + 1 : 0);
  });
}

}  // namespace

std::vector<claim> distributed_array_claims() {
  return {
      {"updates_of_a_superstep_are_there_after_it", updates_of_a_superstep_are_there_after_it, 4},
      {"scattered_elements_are_gathered_in_order", scattered_elements_are_gathered_in_order, 5},
      {"one_exchange_of_an_empty_element_wins", one_exchange_of_an_empty_element_wins, 3},
      of_job({"single_elements_are_written_and_read", single_elements_are_written_and_read, 3}),
  };
}

}  // namespace shoal::test
