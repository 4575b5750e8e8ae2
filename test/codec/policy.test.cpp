// Goal: encoding stays on where it pays, and soon costs next to nothing where it does not.
#include "shoal/codec/internal/policy.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace shoal {

using namespace internal;
namespace {

constexpr std::size_t payload_bytes = 32768;
constexpr codec_policy_options link{.ns_per_byte = 0.1};

// Numbers of the buffers that were tried, out of n.
template <class Record>
std::vector<int> tried(codec_policy& policy, int n, Record&& record) {
  std::vector<int> result;
  for (int i = 0; i < n; ++i) {
    if (!policy.should_try()) continue;
    result.push_back(i);
    record(i);
  }
  return result;
}

TEST(codec_policy, tries_every_buffer_while_it_pays) {
  codec_policy policy(link);
  const auto gain = [&](int) { policy.record(payload_bytes, payload_bytes / 2, 1000); };
  EXPECT_EQ(tried(policy, 1000, gain).size(), 1000u);
  EXPECT_TRUE(policy.is_on());
  EXPECT_NEAR(policy.mean_gain_ns(), 638.4, 1e-6);
}

TEST(codec_policy, tries_again_after_exponentially_growing_numbers_of_buffers) {
  codec_policy policy(link);
  const auto loss = [&](int) { policy.record(payload_bytes, 0, 100); };
  const std::vector<int> first = tried(policy, 1000, loss);
  EXPECT_EQ(first, (std::vector<int>{0, 17, 50, 115, 244, 501}));
  EXPECT_FALSE(policy.is_on());
  EXPECT_LE(tried(policy, 10'000'000, loss).size(), 160u);
}

TEST(codec_policy, trials_in_vain_are_as_few_as_it_says) {
  codec_policy policy;
  EXPECT_EQ(tried(policy, 65536, [&](int) { policy.record(payload_bytes, 0, 1); }).size(), 13u);
}

TEST(codec_policy, tries_again_soon_when_the_price_changes) {
  codec_policy policy(link);
  const auto record = [&](int) { policy.record(payload_bytes, payload_bytes / 2, 2000); };
  tried(policy, 10'000, record);
  ASSERT_FALSE(policy.is_on());
  policy.set_price(0.1);  // as before
  EXPECT_TRUE(tried(policy, 100, record).empty());
  policy.set_price(1);
  EXPECT_EQ(tried(policy, 100, record).size(), 84u);
  EXPECT_TRUE(policy.is_on());
  policy.set_price(0.1);
  EXPECT_EQ(tried(policy, 16, record).size(), 1u) << "one loss suffices";
  EXPECT_FALSE(policy.is_on());
}

TEST(codec_policy, counts_time_against_bytes) {
  codec_policy slow_link({.ns_per_byte = 1});
  codec_policy fast_link({.ns_per_byte = 0.01});
  for (codec_policy* policy : {&slow_link, &fast_link}) {
    ASSERT_TRUE(policy->should_try());
    policy->record(payload_bytes, payload_bytes / 2, 2000);
  }
  EXPECT_TRUE(slow_link.is_on());
  EXPECT_FALSE(fast_link.is_on());
}

TEST(codec_policy, forgives_one_bad_buffer) {
  codec_policy policy(link);
  const auto record = [&](int i) { policy.record(payload_bytes, i % 10 == 9 ? 0 : payload_bytes / 4, 500); };
  EXPECT_EQ(tried(policy, 1000, record).size(), 1000u);
}

TEST(codec_policy, comes_back_when_the_traffic_changes) {
  codec_policy policy(link);
  tried(policy, 1000, [&](int) { policy.record(payload_bytes, 0, 100); });
  const std::vector<int> later =
      tried(policy, 2000, [&](int) { policy.record(payload_bytes, payload_bytes / 8, 100); });
  ASSERT_FALSE(later.empty());
  EXPECT_LE(later.front(), 16 << 5);
  EXPECT_EQ(later.back(), 1999);
  EXPECT_EQ(later.size(), 2000u - later.front());
  // After paying for long, it treats a new loss like the first one.
  const std::vector<int> then = tried(policy, 100, [&](int) { policy.record(payload_bytes, 0, 10'000); });
  EXPECT_EQ(then.at(1), 17);
}

TEST(codec_policy, an_expanded_buffer_is_a_loss_and_a_free_link_never_pays) {
  codec_policy policy(link);
  policy.record(payload_bytes, payload_bytes + 1, 0);
  EXPECT_FALSE(policy.is_on());
  codec_policy free_link({.ns_per_byte = 0});
  free_link.record(payload_bytes, 1, 0);
  EXPECT_FALSE(free_link.is_on());
}

}  // namespace
}  // namespace shoal
