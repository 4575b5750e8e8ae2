// Goal: frames of an emulated network come when they should, and in the order in which they should.
#include <gtest/gtest.h>

#include <cstdint>
#include <set>

#include "lab/switch/wires.hpp"

namespace lab {
namespace {

TEST(wires, a_frame_takes_the_delay_and_its_bits) {
  wires network({.delay = 5'000, .bits_per_second = 1e9}, 2);
  const nanoseconds left = network.go_up(0, 100, 1250);  // 10,000 bits
  EXPECT_EQ(left, 10'100);
  EXPECT_EQ(network.go_down(0, 1, left, 1250), 15'100)
      << "the other wire takes the first bits while the last are on this one";
}

TEST(wires, without_a_rate_only_the_delay_counts) {
  wires network({.delay = 5'000}, 2);
  for (int i = 0; i < 3; ++i) {
    const nanoseconds left = network.go_up(1, 70, 60'000);
    EXPECT_EQ(left, 70);
    EXPECT_EQ(network.go_down(1, 0, left, 60'000), 5'070);
  }
}

TEST(wires, frames_of_one_host_leave_one_after_the_other) {
  wires network({.bits_per_second = 1e9}, 3);
  EXPECT_EQ(network.go_up(0, 0, 125), 1'000);
  EXPECT_EQ(network.go_up(0, 0, 250), 3'000);
  EXPECT_EQ(network.is_up_free_at(0), 3'000);
  EXPECT_EQ(network.go_up(1, 0, 125), 1'000) << "each host has a wire of its own";
  EXPECT_EQ(network.go_up(0, 10'000, 125), 11'000) << "a free wire saves nothing up";
}

TEST(wires, frames_to_one_host_share_its_wire) {
  wires network({.bits_per_second = 1e9}, 3);
  EXPECT_EQ(network.go_down(0, 2, 1'000, 125), 1'000);
  EXPECT_EQ(network.go_down(1, 2, 1'000, 125), 2'000);
  EXPECT_EQ(network.go_down(1, 0, 1'000, 125), 1'000);
}

TEST(wires, jitter_keeps_its_bounds_and_the_order) {
  wires network({.delay = 1'000, .jitter = 300, .seed = 7}, 2);
  std::set<nanoseconds> delays;
  nanoseconds before = 0;
  for (nanoseconds now = 0; now < 2'000'000; now += 10) {
    const nanoseconds arrival = network.go_down(0, 1, now, 100);
    EXPECT_GE(arrival, before);
    EXPECT_GE(arrival, now + 700);
    EXPECT_LE(arrival, now + 1'300);
    before = arrival;
    delays.insert(arrival - now);
  }
  EXPECT_GT(delays.size(), 20u);

  // Far apart, no frame waits for one before it.
  double sum = 0;
  for (int i = 0; i < 10'000; ++i) {
    const nanoseconds now = 10'000'000 + nanoseconds{i} * 1'000;
    sum += static_cast<double>(network.go_down(0, 1, now, 100) - now);
  }
  EXPECT_NEAR(sum / 10'000, 1'000, 10);
}

TEST(wires, some_frames_overtake_if_asked) {
  wires network({.delay = 1'000, .reorder = 0.1, .seed = 3}, 2);
  int n_early = 0;
  for (nanoseconds now = 0; now < 10'000'000; now += 1'000) {
    const nanoseconds delay = network.go_down(0, 1, now, 100) - now;
    EXPECT_TRUE(delay == 0 || delay == 1'000) << delay;
    n_early += delay == 0 ? 1 : 0;
  }
  EXPECT_NEAR(n_early, 1'000, 150);
}

TEST(wires, equal_seeds_have_equal_networks) {
  for (const std::uint64_t seed : {1u, 2u}) {
    const network_shape shape = {.delay = 1'000, .jitter = 900, .reorder = 0.3, .seed = seed};
    wires one(shape, 4);
    wires other(shape, 4);
    for (nanoseconds now = 0; now < 1'000; ++now) EXPECT_EQ(one.go_down(2, 3, now, 9), other.go_down(2, 3, now, 9));
  }
}

}  // namespace
}  // namespace lab
