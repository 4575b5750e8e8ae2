#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <limits>
#include <numeric>
#include <type_traits>
#include <vector>

#include "test/contract/actor/checked_actor.hpp"
#include "test/contract/claims.hpp"

namespace shoal::test {
namespace {

constexpr std::size_t size_max = 3000;

// Nothing, one word, around what wires send along with a request, a message of 64 bytes and more, and much more.
constexpr std::array<std::size_t, 9> sizes = {0, 1, 3, 8, 25, 26, 27, 512, size_max};

std::uint64_t word_of(std::uint64_t seed, pe_id writer, std::size_t place) {
  return mixed_bits(seed * 1000 + static_cast<std::uint64_t>(writer)) + place;
}

std::vector<std::uint64_t> block_of(std::uint64_t seed, pe_id writer, std::size_t first, std::size_t n) {
  std::vector<std::uint64_t> words(n);
  for (std::size_t i = 0; i < n; ++i) words[i] = word_of(seed, writer, first + i);
  return words;
}

// Each PE has an array on every PE's heap that only it writes: blocks of all sizes, here and there, one over another.
void blocks_of_any_length_are_put_and_got(world& w, std::uint64_t seed) {
  const auto n_pes = static_cast<std::size_t>(w.n_pes());
  const auto words = w.allocate<std::uint64_t>(n_pes * size_max);
  const auto begin_of = [&](pe_id writer) { return static_cast<std::size_t>(writer) * size_max; };
  random_engine random(seed, static_cast<std::uint64_t>(w.my_pe()));
  const auto target = static_cast<pe_id>(random.below(n_pes));
  std::vector<std::uint64_t> expected(size_max);  // of my array there
  std::array<std::vector<std::uint64_t>, sizes.size()> kept;  // what start_put reads
  for (std::size_t k = 0; k < sizes.size(); ++k) {
    const std::size_t first = random.below(size_max - sizes[k] + 1);
    kept[k] = block_of(seed + k, w.my_pe(), first, sizes[k]);
    std::ranges::copy(kept[k], expected.begin() + static_cast<std::ptrdiff_t>(first));
    if (random.below(2) == 0) {
      w.fence();
      w.start_put(words, begin_of(w.my_pe()) + first, kept[k], target);
      w.fence();
    } else {
      std::vector<std::uint64_t> source = kept[k];
      w.put(words, begin_of(w.my_pe()) + first, source, target);
      std::ranges::fill(source, 0);  // it may be reused at once
    }
  }
  w.quiet();
  std::vector<std::uint64_t> found(size_max, 1);
  w.get(words, begin_of(w.my_pe()), found, target);
  EXPECT_EQ(found, expected);

  w.barrier();
  const std::vector<pe_id> targets = w.gather(target);
  std::array<std::vector<std::uint64_t>, sizes.size()> got;
  const auto writer = static_cast<pe_id>(random.below(n_pes));
  const pe_id there = targets[static_cast<std::size_t>(writer)];
  for (std::size_t k = 0; k < sizes.size(); ++k) {
    got[k].resize(sizes[k]);
    w.start_get(words, begin_of(writer) + size_max - sizes[k], got[k], there);
  }
  w.quiet();
  for (std::size_t k = 0; k + 1 < sizes.size(); ++k) {
    EXPECT_TRUE(std::ranges::equal(got[k], std::span(got.back()).last(sizes[k]))) << sizes[k];
  }
  for (std::size_t i = 0; i < 5; ++i) {
    const std::size_t place = random.below(size_max);
    std::uint64_t word = 0;
    w.start_get(words, begin_of(writer) + place, word, there);
    w.quiet();
    EXPECT_EQ(word, got.back()[place]);
    EXPECT_EQ(w.get(words, begin_of(writer) + place, there), got.back()[place]);
  }
  w.barrier();
  w.deallocate(words);
}

// Any atomic operation, and what it must make of a word.
template <class T>
T change(world& w, symmetric<T> array, std::size_t place, pe_id pe, random_engine& random, T& before) {
  const auto value = static_cast<T>(random.below(std::numeric_limits<std::uint64_t>::max()));
  switch (random.below(7)) {
    case 0:
      before = w.fetch_add(array, place, value, pe);
      return static_cast<T>(static_cast<std::make_unsigned_t<T>>(before) + static_cast<std::make_unsigned_t<T>>(value));
    case 1: return (before = w.fetch_and(array, place, value, pe)) & value;
    case 2: return (before = w.fetch_or(array, place, value, pe)) | value;
    case 3: return (before = w.fetch_xor(array, place, value, pe)) ^ value;
    case 4: before = w.exchange(array, place, value, pe); return value;
    case 5: before = w.compare_exchange(array, place, value, T{1}, pe); return before == value ? T{1} : before;
    default: {  // until it succeeds, unless others are as fast
      T expected = before;
      for (int i = 0; i < 3; ++i) {
        before = w.compare_exchange(array, place, expected, value, pe);
        if (before == expected) return value;
        expected = before;
      }
      return before;
    }
  }
}

// Every operation says what the word was, and so what it became. If they are atomic, then in some order the one begins
// with what another left: over all operations, what they found and what they left differ in the first and the last word
// alone. Sums of random bits for each word tell.
template <class T>
void expect_some_order(world& w, std::uint64_t seed, symmetric<T> words) {
  constexpr std::size_t n_changes = 60;
  constexpr std::size_t n_words = 2;  // few, so that PEs meet
  const auto bits_of = [&](T word) { return mixed_bits(seed ^ static_cast<std::uint64_t>(word)); };
  random_engine random(seed, static_cast<std::uint64_t>(w.my_pe()));
  const auto owner = static_cast<pe_id>(seed % static_cast<std::uint64_t>(w.n_pes()));
  std::array<std::uint64_t, n_words> left{};
  std::array<T, n_words> seen{};
  for (std::size_t i = 0; i < n_changes; ++i) {
    const std::size_t place = random.below(n_words);
    const T after = change(w, words, place, owner, random, seen[place]);
    left[place] += bits_of(after) - bits_of(seen[place]);
    seen[place] = after;
  }
  w.barrier();
  for (std::size_t place = 0; place < n_words; ++place) {
    const T last = w.fetch_or(words, place, T{0}, owner);
    EXPECT_EQ(w.sum(left[place]), bits_of(last) - bits_of(T{0})) << "word " << place;
    EXPECT_EQ(w.get(words, place, owner), last);
  }
}

void atomics_of_all_PEs_happen_in_some_order(world& w, std::uint64_t seed) {
  const auto bytes_8 = w.allocate<std::uint64_t>(2);
  const auto bytes_4 = w.allocate<std::int32_t>(3);
  expect_some_order(w, seed, bytes_8);
  expect_some_order(w, seed + 1, bytes_4);
  EXPECT_EQ(w.local(bytes_4)[2], 0) << "a word beside changed";
  w.barrier();
  w.deallocate(bytes_4);
  w.deallocate(bytes_8);
}

// The upper half of a word counts, the lower one has a bit for each PE and turn.
void atomics_do_not_lose_additions_that_are_started(world& w, std::uint64_t seed) {
  constexpr std::uint64_t one = std::uint64_t{1} << 32;
  constexpr int n_turns = 70;
  const auto words = w.allocate<std::uint64_t>(1);
  const auto shorts = w.allocate<std::uint32_t>(2);
  const auto owner = static_cast<pe_id>(seed % static_cast<std::uint64_t>(w.n_pes()));
  std::uint64_t n_flips = 0;
  for (int i = 0; i < n_turns; ++i) {
    w.start_add(words, 0, one, owner);
    w.start_add(shorts, 1, std::uint32_t{3}, owner);
    if (i % 8 != 0) continue;
    const std::uint64_t bit = std::uint64_t{1} << (w.my_pe() % 32);
    const std::uint64_t old = w.fetch_xor(words, 0, bit, owner);
    EXPECT_TRUE(w.n_pes() > 32 || ((old & bit) != 0) == (n_flips % 2 == 1));
    ++n_flips;
  }
  w.quiet();
  w.barrier();
  const auto n_pes = static_cast<std::uint64_t>(w.n_pes());
  EXPECT_EQ(w.get(words, 0, owner) >> 32, n_turns * n_pes);
  EXPECT_EQ(w.get(shorts, 1, owner), 3 * n_turns * n_pes);
  EXPECT_EQ(w.get(shorts, 0, owner), 0U);
  w.barrier();
  w.deallocate(shorts);
  w.deallocate(words);
}

// PEs that wait in a barrier, in the end of a superstep, in a loop of progress, or for one another.
void a_PE_that_waits_serves_others(world& w, std::uint64_t seed) {
  const auto n_pes = static_cast<std::size_t>(w.n_pes());
  const auto words = w.allocate<std::int64_t>(size_max);
  const auto marks = w.allocate<std::int64_t>(n_pes);  // each PE writes one
  const auto counters = w.allocate<std::int32_t>(1);
  const auto last = static_cast<pe_id>(seed % n_pes);
  std::ranges::fill(w.local(words), w.my_pe());
  w.barrier();
  std::vector<std::int64_t> found(size_max);
  std::int64_t n_visits = 0;
  const auto visit_all = [&] {
    ++n_visits;
    for (pe_id pe = 0; pe < w.n_pes(); ++pe) {
      EXPECT_EQ(w.get(words, 0, pe), pe);
      w.get(words, 0, found, pe);
      EXPECT_EQ(found, std::vector<std::int64_t>(size_max, pe));
      w.put(marks, static_cast<std::size_t>(w.my_pe()), n_visits, pe);
      w.quiet();
      EXPECT_EQ(w.get(marks, static_cast<std::size_t>(w.my_pe()), pe), n_visits);
      w.fetch_add(counters, 0, 1, pe);
    }
  };
  visit_all();  // all at once: everybody waits for an answer
  w.barrier();
  if (w.my_pe() == last) visit_all();
  w.barrier();
  w.finish([&] {
    if (w.my_pe() == last) visit_all();
  });
  if (w.my_pe() == last) visit_all();
  const auto n_expected = static_cast<std::int32_t>(n_pes) + 3;
  while (w.fetch_or(counters, 0, 0, w.my_pe()) != n_expected) w.progress();
  w.barrier();
  EXPECT_EQ(w.local(marks)[static_cast<std::size_t>(last)], 4);
  w.deallocate(counters);
  w.deallocate(marks);
  w.deallocate(words);
}

// Every message makes its receiver get from the sender, whose handlers do the same: answers come while both wait in a
// handler, and no other handler runs meanwhile.
void handlers_that_get_from_each_other_do_not_wait_for_ever(world& w, std::uint64_t seed) {
  const auto words = w.allocate<std::int64_t>(100);
  const auto counters = w.allocate<std::uint32_t>(1);
  std::iota(w.local(words).begin(), w.local(words).end(), 1000 * w.my_pe());
  w.barrier();
  bool is_running = false;
  actor readers{w, [&](std::int32_t n, pe_id sender) {
                  EXPECT_FALSE(is_running);
                  is_running = true;
                  const auto n_words = static_cast<std::size_t>(n);
                  std::vector<std::int64_t> found(n_words);
                  w.get(words, 100 - n_words, found, sender);
                  for (std::size_t i = 0; i < n_words; ++i) {
                    EXPECT_EQ(found[i], 1000 * sender + static_cast<std::int64_t>(100 - n_words + i));
                  }
                  w.fetch_add(counters, 0, 1U, sender);
                  w.start_add(counters, 0, 1U, sender);
                  is_running = false;
                }};
  constexpr std::size_t n = 12;
  w.finish([&] {
    for (const pe_id target : targets_of(seed, w.my_pe(), w.n_pes(), n)) {
      readers.send(target, static_cast<std::int32_t>(mixed_bits(seed + static_cast<std::uint64_t>(target)) % 101));
    }
  });
  w.quiet();
  w.barrier();
  EXPECT_EQ(w.local(counters)[0], 2 * n);
  w.deallocate(counters);
  w.deallocate(words);
}

// What nobody completed with quiet is complete when the world ends, or before; and nobody waits for it.
void puts_without_quiet_hold_nobody_up(world& w, std::uint64_t) {
  constexpr std::size_t n = 100;
  static const std::vector<std::int64_t> source(n, 7);  // it must stay
  const auto words = w.allocate<std::int64_t>(n * static_cast<std::size_t>(w.n_pes()));
  const auto counters = w.allocate<std::int64_t>(1);
  for (pe_id pe = 0; pe < w.n_pes(); ++pe) {
    w.start_put(words, n * static_cast<std::size_t>(w.my_pe()), source, pe);
    w.start_add(counters, 0, std::int64_t{1}, pe);
  }
  w.barrier();
}

}  // namespace

std::vector<claim> one_sided_claims() {
  std::vector<claim> claims = {
      {"blocks_of_any_length_are_put_and_got", blocks_of_any_length_are_put_and_got},
      {"atomics_of_all_PEs_happen_in_some_order", atomics_of_all_PEs_happen_in_some_order},
      {"atomics_do_not_lose_additions_that_are_started", atomics_do_not_lose_additions_that_are_started},
      {"a_PE_that_waits_serves_others", a_PE_that_waits_serves_others},
      {"handlers_that_get_from_each_other_do_not_wait_for_ever", handlers_that_get_from_each_other_do_not_wait_for_ever,
       2},
      {"puts_without_quiet_hold_nobody_up", puts_without_quiet_hold_nobody_up},
  };
  for (claim& each : claims) each.is_of_job = true;
  return claims;
}

}  // namespace shoal::test
