// Collective calls of arrays, against what a loop over all PEs computes from the seed.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <functional>
#include <span>
#include <vector>

#include "shoal/base/settings.hpp"
#include "test/contract/actor/checked_actor.hpp"
#include "test/contract/claims.hpp"

namespace shoal::test {
namespace {

// Lengths around what a round holds and what a buffer holds, and some that take many buffers and windows.
std::vector<std::size_t> lengths_to_try(const world& w, std::uint64_t seed, std::size_t element_bytes) {
  random_engine random(seed, 5);
  const std::size_t of_round = 1024 / element_bytes;
  const std::size_t of_buffer = std::min<std::size_t>(w.chosen_settings().slot_bytes.value, 4096) / element_bytes;
  const auto n_pes = static_cast<std::size_t>(w.n_pes());
  return {0,
          1,
          2 + random.below(20),
          of_round - random.below(of_round / 2 + 1),
          of_round + 1 + random.below(50),
          3 * of_round + random.below(2 * of_round),
          n_pes * of_buffer + random.below(3),
          3 * n_pes * of_buffer + random.below(1 + 2 * of_buffer)};
}

random_engine values_of(std::uint64_t seed, pe_id pe, std::size_t n) {
  return random_engine(seed, 1000 * static_cast<std::uint64_t>(pe) + n);
}

// A product that depends on the order, of wrapping numbers: associative, as operations must be.
struct matrix {
  std::array<std::uint32_t, 4> m;
  bool operator==(const matrix&) const = default;
};
struct product {
  matrix operator()(const matrix& a, const matrix& b) const {
    return {{a.m[0] * b.m[0] + a.m[1] * b.m[2], a.m[0] * b.m[1] + a.m[1] * b.m[3], a.m[2] * b.m[0] + a.m[3] * b.m[2],
             a.m[2] * b.m[1] + a.m[3] * b.m[3]}};
  }
};
std::vector<matrix> matrices_of(std::uint64_t seed, pe_id pe, std::size_t n) {
  random_engine random = values_of(seed, pe, n);
  std::vector<matrix> all(n);
  for (matrix& one : all) {
    for (std::uint32_t& x : one.m) x = static_cast<std::uint32_t>(random());
  }
  return all;
}

// Whose sum depends on the order of addition.
std::vector<double> doubles_of(std::uint64_t seed, pe_id pe, std::size_t n) {
  random_engine random = values_of(seed, pe, n);
  std::vector<double> all(n);
  for (double& one : all) one = (random.uniform() - 0.5) * static_cast<double>(1ULL << random.below(60));
  return all;
}

// The fold over PEs `first` to `last`, which exist.
template <class T, class Op>
std::vector<T> folded(const std::function<std::vector<T>(pe_id)>& values, pe_id last, Op op) {
  std::vector<T> all = values(0);
  for (pe_id pe = 1; pe <= last; ++pe) {
    const std::vector<T> next = values(pe);
    for (std::size_t i = 0; i < all.size(); ++i) all[i] = op(all[i], next[i]);
  }
  return all;
}

template <class T>
void expect_same_bytes(const std::vector<T>& got, const std::vector<T>& expected) {
  ASSERT_EQ(got.size(), expected.size());
  for (std::size_t i = 0; i < got.size(); ++i) {
    ASSERT_EQ(std::memcmp(&got[i], &expected[i], sizeof(T)), 0) << "element " << i << " of " << got.size();
  }
}

void reductions_of_arrays_fold_in_ascending_order_of_PEs(world& w, std::uint64_t seed) {
  for (const std::size_t n : lengths_to_try(w, seed, sizeof(matrix))) {
    const std::function<std::vector<matrix>(pe_id)> values = [&](pe_id pe) { return matrices_of(seed, pe, n); };
    const std::vector<matrix> expected = folded(values, w.n_pes() - 1, product());
    std::vector<matrix> mine = values(w.my_pe());
    std::vector<matrix> all(n);
    w.all_reduce(mine, std::span(all), product());
    expect_same_bytes(all, expected);
    expect_same_bytes(mine, values(w.my_pe()));
    w.all_reduce(std::span(mine), product());
    expect_same_bytes(mine, expected);
  }
}

void sums_of_arrays_are_those_of_values_bit_by_bit(world& w, std::uint64_t seed) {
  for (const std::size_t n : lengths_to_try(w, seed, sizeof(double))) {
    const std::vector<double> mine = doubles_of(seed, w.my_pe(), n);
    std::vector<double> sums(n);
    std::vector<double> scans(n);
    std::vector<double> before(n);
    w.sum(mine, std::span(sums));
    w.inclusive_scan(mine, std::span(scans));
    w.exclusive_scan(mine, std::span(before));
    for (std::size_t i = 0; i < n; i += 1 + n / 5) {
      EXPECT_EQ(sums[i], w.sum(mine[i]));
      EXPECT_EQ(scans[i], w.inclusive_scan(mine[i]));
      EXPECT_EQ(before[i], w.exclusive_scan(mine[i]));
    }
  }
}

void least_and_greatest_elements_are_found(world& w, std::uint64_t seed) {
  const std::size_t n = 700 + seed % 100;
  std::vector<std::int16_t> low(n);
  std::vector<std::uint8_t> high(n);
  for (std::size_t i = 0; i < n; ++i) {
    low[i] = static_cast<std::int16_t>((w.my_pe() * 7 + static_cast<pe_id>(i)) % 5 - 2);
    high[i] = static_cast<std::uint8_t>(w.my_pe() + static_cast<pe_id>(i % 200));
  }
  std::vector<std::int16_t> least(n);
  w.min(low, std::span(least));
  w.min(std::span(low));
  EXPECT_EQ(least, low);
  std::vector<std::uint8_t> greatest(n);
  w.max(high, std::span(greatest));
  w.max(std::span(high));
  EXPECT_EQ(greatest, high);
  for (std::size_t i = 0; i < n; ++i) {
    std::int16_t expected = INT16_MAX;
    for (pe_id pe = 0; pe < w.n_pes(); ++pe) {
      expected = std::min(expected, static_cast<std::int16_t>((pe * 7 + static_cast<pe_id>(i)) % 5 - 2));
    }
    ASSERT_EQ(low[i], expected);
    ASSERT_EQ(high[i], w.n_pes() - 1 + static_cast<pe_id>(i % 200));
  }
}

void a_scan_of_arrays_gives_each_PE_its_prefix(world& w, std::uint64_t seed) {
  for (const std::size_t n : lengths_to_try(w, seed, sizeof(matrix))) {
    const std::function<std::vector<matrix>(pe_id)> values = [&](pe_id pe) { return matrices_of(seed, pe, n); };
    std::vector<matrix> mine = values(w.my_pe());
    std::vector<matrix> prefix(n);
    w.inclusive_scan(mine, std::span(prefix), product());
    expect_same_bytes(prefix, folded(values, w.my_pe(), product()));
    w.inclusive_scan(mine, std::span(mine), product());
    expect_same_bytes(mine, prefix);
  }
}

void an_exclusive_scan_of_arrays_leaves_the_own_values_out(world& w, std::uint64_t seed) {
  for (const std::size_t n : lengths_to_try(w, seed, sizeof(std::int64_t))) {
    std::vector<std::int64_t> mine(n);
    for (std::size_t i = 0; i < n; ++i) mine[i] = (w.my_pe() + 1) * static_cast<std::int64_t>(i + seed);
    std::vector<std::int64_t> before(n, -1);
    w.exclusive_scan(mine, std::span(before));
    w.exclusive_scan(mine, std::span(mine));
    EXPECT_EQ(mine, before);
    const std::int64_t factor = w.my_pe() * (w.my_pe() + 1) / 2;
    for (std::size_t i = 0; i < n; ++i) ASSERT_EQ(before[i], factor * static_cast<std::int64_t>(i + seed));
  }
  EXPECT_EQ(w.inclusive_scan(w.my_pe() + 1), (w.my_pe() + 1) * (w.my_pe() + 2) / 2);
  EXPECT_EQ(w.inclusive_scan(w.my_pe(), internal::maximum{}), w.my_pe());
}

struct three_bytes {
  std::array<std::uint8_t, 3> bytes;
  bool operator==(const three_bytes&) const = default;
};
struct two_kilobytes {
  std::array<std::uint16_t, 1000> numbers;
};
struct sum_of_two_kilobytes {
  two_kilobytes operator()(two_kilobytes a, const two_kilobytes& b) const {
    for (std::size_t i = 0; i < a.numbers.size(); ++i)
      a.numbers[i] = static_cast<std::uint16_t>(a.numbers[i] + b.numbers[i]);
    return a;
  }
};

// Elements larger than a round or a buffer, where one value of the type would not fit.
void elements_have_any_size(world& w, std::uint64_t seed) {
  for (const std::size_t n : {std::size_t{1}, 3 + seed % 7}) {
    std::vector<two_kilobytes> values(n);
    for (std::size_t i = 0; i < n; ++i)
      values[i].numbers.fill(static_cast<std::uint16_t>(w.my_pe() * 100 + static_cast<pe_id>(i)));
    w.all_reduce(std::span(values), sum_of_two_kilobytes());
    for (std::size_t i = 0; i < n; ++i) {
      const pe_id expected = w.n_pes() * (w.n_pes() - 1) / 2 * 100 + w.n_pes() * static_cast<pe_id>(i);
      EXPECT_EQ(values[i].numbers[999], static_cast<std::uint16_t>(expected));
    }
  }
}

std::size_t length_of(std::uint64_t seed, pe_id from, pe_id to) {
  random_engine random(seed, static_cast<std::uint64_t>(from * 1000 + to));
  constexpr std::size_t most[] = {1, 3, 40, 400, 3000};
  return random.below(most[random.below(5)]);
}
std::vector<three_bytes> array_of(pe_id from, pe_id to, std::size_t n) {
  std::vector<three_bytes> values(n);
  for (std::size_t i = 0; i < n; ++i) {
    values[i].bytes = {static_cast<std::uint8_t>(from), static_cast<std::uint8_t>(to), static_cast<std::uint8_t>(i)};
  }
  return values;
}
std::vector<three_bytes> to_vector(std::span<const three_bytes> values) { return {values.begin(), values.end()}; }

void gathered_arrays_may_differ_in_length(world& w, std::uint64_t seed) {
  for (const std::size_t n_most : {std::size_t{0}, std::size_t{5}, std::size_t{330}, std::size_t{4000}}) {
    const auto n_of = [&](pe_id pe) { return std::min(n_most, length_of(seed, pe, 0) + length_of(seed, pe, 1)); };
    const std::vector<three_bytes> mine = array_of(w.my_pe(), 9, n_of(w.my_pe()));
    const arrays_by_pe<three_bytes> all = w.gather(std::span(mine));
    const auto root = static_cast<pe_id>(seed % static_cast<std::uint64_t>(w.n_pes()));
    const arrays_by_pe<three_bytes> at_root = w.gather(std::span(mine), root);
    ASSERT_EQ(all.size(), static_cast<std::size_t>(w.n_pes()));
    std::size_t n = 0;
    for (pe_id pe = 0; pe < w.n_pes(); ++pe) {
      EXPECT_EQ(to_vector(all[pe]), array_of(pe, 9, n_of(pe))) << "from PE " << pe;
      EXPECT_EQ(to_vector(at_root[pe]), w.my_pe() == root ? to_vector(all[pe]) : to_vector({})) << "from PE " << pe;
      EXPECT_EQ(all.offsets()[static_cast<std::size_t>(pe)], n);
      n += all[pe].size();
    }
    EXPECT_EQ(all.values().size(), n);
  }
}

void all_to_all_brings_each_array_to_its_PE(world& w, std::uint64_t seed) {
  for (const std::size_t n_most : {std::size_t{0}, std::size_t{4}, std::size_t{3000}}) {
    std::vector<std::vector<three_bytes>> out;
    for (pe_id pe = 0; pe < w.n_pes(); ++pe)
      out.push_back(array_of(w.my_pe(), pe, std::min(n_most, length_of(seed, w.my_pe(), pe))));
    arrays_by_pe<three_bytes> in = w.all_to_all(out);
    for (pe_id pe = 0; pe < w.n_pes(); ++pe) {
      EXPECT_EQ(to_vector(in[pe]), array_of(pe, w.my_pe(), std::min(n_most, length_of(seed, pe, w.my_pe()))))
          << "from PE " << pe;
    }
    const arrays_by_pe<three_bytes> back = w.all_to_all(in);
    for (pe_id pe = 0; pe < w.n_pes(); ++pe) EXPECT_EQ(to_vector(back[pe]), out[static_cast<std::size_t>(pe)]);
  }
}

// Some PEs have everything and some nothing.
void one_PE_may_have_all_elements(world& w, std::uint64_t seed) {
  const auto owner = static_cast<pe_id>(seed % static_cast<std::uint64_t>(w.n_pes()));
  std::vector<std::uint64_t> mine(w.my_pe() == owner ? 2000 : 0, seed);
  const arrays_by_pe<std::uint64_t> all = w.gather(std::span(mine));
  EXPECT_EQ(std::ranges::count(all.values(), seed), 2000);
  std::vector<std::span<const std::uint64_t>> out(static_cast<std::size_t>(w.n_pes()));
  out[static_cast<std::size_t>(owner)] = all.values();
  const arrays_by_pe<std::uint64_t> in = w.all_to_all(out);
  EXPECT_EQ(in.values().size(), w.my_pe() == owner ? 2000 * out.size() : 0);
}

// Handlers run while a PE waits for arrays, whose pieces share the slots with their messages.
void arrays_travel_beside_messages(world& w, std::uint64_t seed) {
  pe_watch watch;
  checked_actor<int>* self = nullptr;
  random_engine random(seed, 900 + static_cast<std::uint64_t>(w.my_pe()));
  checked_actor<int> a(w, watch, [&](int hops, pe_id) {
    if (hops > 0) self->send((w.my_pe() + 1) % w.n_pes(), hops - 1);
  });
  self = &a;
  w.finish([&] {
    for (std::int64_t k = 0; k < 4; ++k) {
      for (std::uint64_t i = random.below(10); i > 0; --i) {
        a.send(static_cast<pe_id>(random.below(static_cast<std::uint64_t>(w.n_pes()))), 40);
      }
      std::vector<std::int64_t> values(200 + 200 * static_cast<std::size_t>(k), w.my_pe() + k);
      w.sum(std::span(values));
      const std::int64_t expected = w.n_pes() * (w.n_pes() - 1) / 2 + w.n_pes() * k;
      EXPECT_EQ(std::ranges::count(values, expected), static_cast<std::ptrdiff_t>(values.size()));
      EXPECT_EQ(w.sum(k), k * w.n_pes());
      const std::vector<std::vector<std::int64_t>> out(static_cast<std::size_t>(w.n_pes()), values);
      EXPECT_EQ(w.all_to_all(out).values().size(), out.size() * values.size());
    }
  });
  a.expect_all_handled();
}

// As long as a PE is in the calls, messages go on there, so no PE ever has nothing to do. A handler makes them many: what
// the main program sends would wait for room among messages that never rest.
void arrays_get_through_traffic_that_never_rests(world& w, std::uint64_t) {
  bool is_over = false;
  actor<std::function<void(int)>, int>* self = nullptr;
  actor a{w, std::function<void(int)>([&](int hops) {
            w.charge_ns(2000);  // as if it worked for longer than a buffer travels
            const int n = is_over ? 0 : hops == 0 ? 60 : 1;
            for (int i = 0; i < n; ++i) self->send((w.my_pe() + 1) % w.n_pes(), 1);
          })};
  self = &a;
  w.finish([&] {
    a.send(w.my_pe(), 0);
    std::vector<std::int64_t> values(700, 1);
    w.sum(std::span(values));
    EXPECT_EQ(std::ranges::count(values, w.n_pes()), 700);
    w.inclusive_scan(values, std::span(values));
    EXPECT_EQ(std::ranges::count(values, w.n_pes() * (w.my_pe() + 1)), 700);
    is_over = true;
  });
}

}  // namespace

std::vector<claim> array_claims() {
  return {
      {"reductions_of_arrays_fold_in_ascending_order_of_PEs", reductions_of_arrays_fold_in_ascending_order_of_PEs},
      {"sums_of_arrays_are_those_of_values_bit_by_bit", sums_of_arrays_are_those_of_values_bit_by_bit},
      {"least_and_greatest_elements_are_found", least_and_greatest_elements_are_found},
      {"a_scan_of_arrays_gives_each_PE_its_prefix", a_scan_of_arrays_gives_each_PE_its_prefix},
      {"an_exclusive_scan_of_arrays_leaves_the_own_values_out", an_exclusive_scan_of_arrays_leaves_the_own_values_out},
      {"elements_have_any_size", elements_have_any_size},
      {"gathered_arrays_may_differ_in_length", gathered_arrays_may_differ_in_length},
      {"all_to_all_brings_each_array_to_its_PE", all_to_all_brings_each_array_to_its_PE},
      {"one_PE_may_have_all_elements", one_PE_may_have_all_elements},
      {"arrays_travel_beside_messages", arrays_travel_beside_messages, 3},
      {"arrays_get_through_traffic_that_never_rests", arrays_get_through_traffic_that_never_rests, 3},
  };
}

}  // namespace shoal::test
