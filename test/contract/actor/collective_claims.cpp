#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <functional>
#include <limits>
#include <numeric>
#include <utility>

#include "test/contract/actor/checked_actor.hpp"
#include "test/contract/claims.hpp"

namespace shoal::test {
namespace {

void reductions_fold_the_values_of_all_PEs(world& w, std::uint64_t) {
  const std::int64_t n = w.n_pes();
  EXPECT_EQ(w.sum(w.my_pe() + 1), n * (n + 1) / 2);
  EXPECT_EQ(w.min(w.my_pe() + 5), 5);
  EXPECT_EQ(w.max(static_cast<std::int8_t>(w.my_pe())), n - 1);
  EXPECT_EQ(w.all_reduce(w.my_pe() + 1, std::multiplies<>{}), [&] {
    std::int64_t product = 1;
    for (std::int64_t i = 1; i <= n; ++i) product *= i;
    return product;
  }());
  EXPECT_EQ(w.all_reduce(w.my_pe() == n - 1, std::logical_or<>{}), true);
}

// Floating-point sums run in ascending order of PEs, so they are reproducible bit by bit.
void sums_run_in_ascending_order_of_PEs(world& w, std::uint64_t seed) {
  const auto value_of = [&](pe_id pe) {
    random_engine random(seed, static_cast<std::uint64_t>(pe));
    return (random.uniform() - 0.5) * static_cast<double>(1ULL << random.below(60));
  };
  double expected = value_of(0);
  for (pe_id pe = 1; pe < w.n_pes(); ++pe) expected += value_of(pe);
  for (int i = 0; i < 3; ++i) EXPECT_EQ(w.sum(value_of(w.my_pe())), expected);
}

void a_scan_gives_the_sum_of_the_PEs_before(world& w, std::uint64_t) {
  EXPECT_EQ(w.exclusive_scan(w.my_pe() + 1), w.my_pe() * (w.my_pe() + 1) / 2);
  EXPECT_EQ(w.exclusive_scan(0.5), 0.5 * static_cast<double>(w.my_pe()));
}

struct fifty_numbers {
  std::array<std::int64_t, 50> numbers;
};

void gather_gives_all_values_by_PE(world& w, std::uint64_t) {
  fifty_numbers mine;
  std::iota(mine.numbers.begin(), mine.numbers.end(), w.my_pe() * 100);
  const std::vector<fifty_numbers> all = w.gather(mine);
  ASSERT_EQ(all.size(), static_cast<std::size_t>(w.n_pes()));
  for (std::size_t pe = 0; pe < all.size(); ++pe) {
    EXPECT_EQ(all[pe].numbers[49], static_cast<std::int64_t>(pe) * 100 + 49);
  }
}

// Arrays around the size of a round and far beyond it, from every PE.
void broadcast_carries_arrays_of_any_length(world& w, std::uint64_t) {
  for (const std::size_t n : {std::size_t{0}, std::size_t{1}, std::size_t{100}, std::size_t{1024}, std::size_t{5000}}) {
    for (pe_id root = 0; root < w.n_pes(); ++root) {
      std::vector<std::uint16_t> values(n, 0xffff);
      if (w.my_pe() == root) std::iota(values.begin(), values.end(), static_cast<std::uint16_t>(root));
      w.broadcast(std::span<std::uint16_t>(values), root);
      for (std::size_t i = 0; i < n; ++i) {
        ASSERT_EQ(values[i], static_cast<std::uint16_t>(static_cast<std::size_t>(root) + i));
      }
    }
  }
  EXPECT_EQ(w.broadcast(w.my_pe() + 7, w.n_pes() - 1), w.n_pes() + 6);
}

void nobody_leaves_a_barrier_before_all_have_come(world& w, std::uint64_t seed) {
  const auto counter = w.allocate<std::int64_t>(1);
  random_engine random(seed, static_cast<std::uint64_t>(w.my_pe()));
  for (std::int64_t k = 1; k <= 10; ++k) {
    w.charge_ns(random.below(20'000));
    w.fetch_add(counter, 0, std::int64_t{1}, 0);
    w.quiet();
    w.barrier();
    EXPECT_EQ(w.get(counter, 0, 0), k * w.n_pes());
    w.barrier();
  }
  w.deallocate(counter);
}

// Rounds and messages do not disturb each other: handlers run while PEs wait in collectives.
void collectives_go_on_beside_messages(world& w, std::uint64_t seed) {
  pe_watch watch;
  checked_actor<int>* self = nullptr;
  random_engine random(seed, 900 + static_cast<std::uint64_t>(w.my_pe()));
  checked_actor<int> a(w, watch, [&](int hops, pe_id) {
    if (hops > 0) self->send((w.my_pe() + 1) % w.n_pes(), hops - 1);
  });
  self = &a;
  w.finish([&] {
    for (std::int64_t k = 0; k < 10; ++k) {
      for (std::uint64_t i = random.below(10); i > 0; --i) {
        a.send(static_cast<pe_id>(random.below(static_cast<std::uint64_t>(w.n_pes()))), 4);
      }
      EXPECT_EQ(w.sum(k), k * w.n_pes());
      std::vector<std::int64_t> values(300, w.my_pe() == k % w.n_pes() ? k : -1);
      w.broadcast(std::span<std::int64_t>(values), k % w.n_pes());
      EXPECT_TRUE(std::all_of(values.begin(), values.end(), [k](std::int64_t v) { return v == k; }));
      EXPECT_EQ(w.exclusive_scan(std::int64_t{2}), 2 * w.my_pe());
    }
  });
  a.expect_all_handled();
}

void symmetric_memory_is_zeroed_and_reached_from_everywhere(world& w, std::uint64_t) {
  const pe_id next = (w.my_pe() + 1) % w.n_pes();
  const auto longs = w.allocate<std::int64_t>(100);
  const auto chars = w.allocate<char>(3);
  for (const std::int64_t v : w.local(longs)) EXPECT_EQ(v, 0);
  w.barrier();
  for (std::size_t i = 0; i < longs.size; ++i) {
    w.put(longs, i, w.my_pe() * 1000 + static_cast<std::int64_t>(i), next);
  }
  w.put(chars, 2, 'x', next);
  w.quiet();
  w.barrier();
  const pe_id before = (w.my_pe() + w.n_pes() - 1) % w.n_pes();
  for (std::size_t i = 0; i < longs.size; ++i) {
    EXPECT_EQ(w.local(longs)[i], before * 1000 + static_cast<std::int64_t>(i));
    EXPECT_EQ(w.get(longs, i, next), w.my_pe() * 1000 + static_cast<std::int64_t>(i));
  }
  EXPECT_EQ(w.get(chars, 2, next), 'x');
  EXPECT_EQ(w.get(chars, 1, next), '\0');
  w.barrier();
  w.deallocate(chars);
  w.deallocate(longs);
  const auto again = w.allocate<std::int64_t>(100);
  EXPECT_EQ(again.offset, longs.offset) << "released memory serves again";
  for (const std::int64_t v : w.local(again)) EXPECT_EQ(v, 0);
  w.deallocate(again);
}

// Three arrays, released in the order of allocation, in reverse, and mixed. Those that are left keep their contents
// when a new one is allocated, and in the end all of the heap is free again.
void symmetric_arrays_are_released_in_any_order(world& w, std::uint64_t seed) {
  const std::array<std::size_t, 4> sizes = {1 + seed % 40, 100, 7, 33};
  const auto value_of = [&](std::size_t k) { return static_cast<std::int64_t>(seed * 10 + k) * 1000 + w.my_pe(); };
  const auto allocate_one = [&](std::size_t k) {
    const auto array = w.allocate<std::int64_t>(sizes[k]);
    for (std::int64_t& v : w.local(array)) EXPECT_EQ(std::exchange(v, value_of(k)), 0);
    return array;
  };
  std::array<std::size_t, 3> way = {0, 1, 2};
  do {
    std::array<symmetric<std::int64_t>, 3> arrays;
    for (std::size_t k = 0; k < arrays.size(); ++k) arrays[k] = allocate_one(k);
    const std::size_t first_offset = arrays[0].offset;
    const std::size_t last_offset = arrays[2].offset;
    for (std::size_t n_gone = 1; n_gone <= way.size(); ++n_gone) {
      w.deallocate(arrays[way[n_gone - 1]]);
      const auto more = allocate_one(3);
      if (n_gone == 1 && way[0] == 2) {
        EXPECT_EQ(more.offset, last_offset) << "the latest one's memory serves again";
      }
      if (n_gone == 3) {
        EXPECT_EQ(more.offset, first_offset) << "all memory serves again";
      }
      for (const std::size_t k : std::span(way).subspan(n_gone)) {
        for (const std::int64_t v : w.local(arrays[k])) EXPECT_EQ(v, value_of(k)) << "array " << k;
      }
      w.deallocate(more);
    }
  } while (std::ranges::next_permutation(way).found);
}

void fetch_add_hands_out_each_number_once(world& w, std::uint64_t seed) {
  const auto tickets = w.allocate<std::uint64_t>(1);
  const auto taken = w.allocate<std::uint64_t>(static_cast<std::size_t>(10 * w.n_pes()));
  const auto desk = static_cast<pe_id>(seed % static_cast<std::uint64_t>(w.n_pes()));
  for (int i = 0; i < 10; ++i) {
    const std::uint64_t mine = w.fetch_add(tickets, 0, std::uint64_t{1}, desk);
    ASSERT_LT(mine, taken.size);
    w.fetch_add(taken, mine, std::uint64_t{1}, desk);
  }
  w.quiet();
  w.barrier();
  for (std::size_t i = 0; i < taken.size; ++i) EXPECT_EQ(w.get(taken, i, desk), 1U);
  w.barrier();
  w.deallocate(taken);
  w.deallocate(tickets);
}

void what_is_started_is_complete_after_quiet(world& w, std::uint64_t seed) {
  const auto n_pes = static_cast<std::size_t>(w.n_pes());
  const auto numbers = w.allocate<std::int64_t>(n_pes);
  for (std::int64_t i = 0; i < 20; ++i) {
    for (pe_id pe = 0; pe < w.n_pes(); ++pe) w.start_add(numbers, static_cast<std::size_t>(w.my_pe()), i, pe);
  }
  w.quiet();
  w.barrier();
  std::vector<std::int64_t> got(n_pes * n_pes, -1);
  for (std::size_t i = 0; i < got.size(); ++i) {
    const std::size_t k = (i + seed) % got.size();
    w.start_get(numbers, k % n_pes, got[k], static_cast<pe_id>(k / n_pes));
  }
  w.quiet();
  EXPECT_EQ(got, std::vector<std::int64_t>(got.size(), 19 * 20 / 2));
  w.deallocate(numbers);
}

void a_symmetric_reference_may_be_sent(world& w, std::uint64_t) {
  const auto cells = w.allocate<std::int64_t>(2);
  w.finish([&] {
    w.send((w.my_pe() + 1) % w.n_pes(), [cells, me = w.my_pe()](world& there) { there.local(cells)[1] = me; });
  });
  EXPECT_EQ(w.local(cells)[1], (w.my_pe() + w.n_pes() - 1) % w.n_pes());
  w.deallocate(cells);
}

}  // namespace

std::vector<claim> collective_claims() {
  return {
      {"reductions_fold_the_values_of_all_PEs", reductions_fold_the_values_of_all_PEs},
      {"sums_run_in_ascending_order_of_PEs", sums_run_in_ascending_order_of_PEs},
      {"a_scan_gives_the_sum_of_the_PEs_before", a_scan_gives_the_sum_of_the_PEs_before},
      {"gather_gives_all_values_by_PE", gather_gives_all_values_by_PE},
      {"broadcast_carries_arrays_of_any_length", broadcast_carries_arrays_of_any_length},
      of_job({"nobody_leaves_a_barrier_before_all_have_come", nobody_leaves_a_barrier_before_all_have_come}),
      {"collectives_go_on_beside_messages", collectives_go_on_beside_messages, 2},
      of_job({"symmetric_memory_is_zeroed_and_reached_from_everywhere",
              symmetric_memory_is_zeroed_and_reached_from_everywhere}),
      of_job({"symmetric_arrays_are_released_in_any_order", symmetric_arrays_are_released_in_any_order}),
      of_job({"fetch_add_hands_out_each_number_once", fetch_add_hands_out_each_number_once}),
      of_job({"what_is_started_is_complete_after_quiet", what_is_started_is_complete_after_quiet}),
      of_job({"a_symmetric_reference_may_be_sent", a_symmetric_reference_may_be_sent}),
  };
}

}  // namespace shoal::test
