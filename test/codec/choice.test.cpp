// Goal: a link takes the codec that gains most on it, seldom looks for a better one, and takes none if nothing pays.
// Method: made-up outcomes.
#include "shoal/codec/internal/choice.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace shoal::choice_test {

using namespace internal;
namespace {

constexpr std::size_t payload_bytes = 32768;
constexpr codec_policy_options link{.ns_per_byte = 0.1};
constexpr codec_trial small_gain{codec_number::squeeze, payload_bytes / 2, 500};
constexpr codec_trial large_gain{codec_number::delta, payload_bytes / 8, 1000};
constexpr codec_trial dear{codec_number::zstd, payload_bytes / 16, 50'000};
constexpr codec_trial loss{codec_number::none, 0, 100};

const codec_trial& outcome_of(const std::vector<codec_trial>& trials, codec_number number) {
  for (const codec_trial& t : trials) {
    if (t.number == number) return t;
  }
  ADD_FAILURE() << "a codec was chosen that nobody tried";
  return loss;
}

// Numbers of the buffers, out of n, on which all codecs were compared.
std::vector<int> compared(codec_choice& choice, int n, const std::vector<codec_trial>& trials) {
  std::vector<int> result;
  for (int i = 0; i < n; ++i) {
    if (!choice.should_try()) continue;
    if (choice.should_compare()) {
      choice.compare(payload_bytes, trials);
      result.push_back(i);
    }
    choice.record(payload_bytes, outcome_of(trials, choice.chosen()));
  }
  return result;
}

TEST(codec_choice, takes_what_gains_most_not_what_is_shortest) {
  codec_choice choice(link);
  compared(choice, 1, {small_gain, large_gain, dear});
  EXPECT_EQ(choice.chosen(), codec_number::delta);
  codec_choice slow_link({.ns_per_byte = 100});
  compared(slow_link, 1, {small_gain, large_gain, dear});
  EXPECT_EQ(slow_link.chosen(), codec_number::zstd);
}

TEST(codec_choice, of_equal_ones_takes_the_first) {
  codec_choice choice(link);
  codec_trial same = small_gain;
  same.number = codec_number::delta;
  compared(choice, 1, {small_gain, same});
  EXPECT_EQ(choice.chosen(), codec_number::squeeze);
}

TEST(codec_choice, compares_more_and_more_seldom_while_the_same_one_wins) {
  codec_choice choice(link);
  EXPECT_EQ(compared(choice, 1000, {small_gain, large_gain}), (std::vector<int>{0, 65, 194, 451, 964}));
  EXPECT_TRUE(choice.policy().is_on());
  EXPECT_LE(compared(choice, 1'000'000, {small_gain, large_gain}).size(), 23U);
}

TEST(codec_choice, follows_traffic_that_changes) {
  codec_choice choice(link);
  compared(choice, 1000, {small_gain, large_gain});
  codec_trial larger = large_gain;
  larger.number = codec_number::squeeze;
  codec_trial smaller = small_gain;
  smaller.number = codec_number::delta;
  const std::vector<int> then = compared(choice, 3000, {larger, smaller});
  EXPECT_EQ(choice.chosen(), codec_number::squeeze);
  ASSERT_GE(then.size(), 2U);
  EXPECT_EQ(then[1] - then[0], 65) << "a new winner is watched as the first one was";
}

TEST(codec_choice, is_off_where_nothing_pays_and_compares_in_each_trial) {
  codec_choice choice(link);
  codec_trial in_vain = loss;
  in_vain.number = codec_number::squeeze;
  EXPECT_EQ(compared(choice, 1000, {in_vain, dear}), (std::vector<int>{0, 17, 50, 115, 244, 501}));
  EXPECT_FALSE(choice.policy().is_on());
}

}  // namespace
}  // namespace shoal::choice_test
