// Goal: items far larger than a buffer arrive whole and in order, and while they travel no PE holds more buffers than
// its budget. Method: items of 100 MB among small ones, and on request of more than 2 GiB (SHOAL_LONG_TESTS=1; it takes
// 7 GiB of memory).
// pes: 2
#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <vector>

#include "shoal/conveyor/elastic_conveyor.hpp"
#include "shoal/shoal.hpp"
#include "test/support/tests_on_pes.hpp"

namespace shoal::test {
namespace {

// Word i of item `number`.
std::uint64_t word(std::uint64_t number, std::uint64_t i) { return (i + 1) * 0x9e3779b97f4a7c15 ^ number; }

std::vector<std::byte> item_of(std::uint64_t number, std::size_t n_bytes) {
  std::vector<std::byte> item(n_bytes);
  for (std::size_t i = 0; i < n_bytes; i += sizeof(std::uint64_t)) {
    const std::uint64_t w = word(number, i);
    std::memcpy(item.data() + i, &w, std::min(sizeof w, n_bytes - i));
  }
  return item;
}

bool is_item(std::span<const std::byte> bytes, std::uint64_t number) {
  for (std::size_t i = 0; i < bytes.size(); i += sizeof(std::uint64_t)) {
    const std::uint64_t w = word(number, i);
    if (std::memcmp(bytes.data() + i, &w, std::min(sizeof w, bytes.size() - i)) != 0) return false;
  }
  return true;
}

// Every PE sends items of these sizes to the next PE, in order.
void send_round(world& w, const std::vector<std::size_t>& sizes) {
  const pe_id next = (w.my_pe() + 1) % w.n_pes();
  elastic_conveyor c{w};
  c.begin();
  std::size_t n_pushed = 0;
  std::size_t n_pulled = 0;
  std::vector<std::byte> item;
  bool is_made = false;
  while (c.advance(n_pushed == sizes.size()) != progress::complete) {
    while (n_pushed < sizes.size()) {
      if (!is_made) item = item_of(n_pushed, sizes[n_pushed]);
      is_made = true;
      if (!c.push(item, next)) break;
      ++n_pushed;
      is_made = false;
    }
    while (const elastic_conveyor::item* arrived = c.pull()) {
      ASSERT_LT(n_pulled, sizes.size());
      EXPECT_EQ(arrived->bytes.size(), sizes[n_pulled]);
      EXPECT_TRUE(is_item(arrived->bytes, n_pulled));
      ++n_pulled;
    }
  }
  EXPECT_EQ(n_pulled, sizes.size());
  c.reset();
}

TEST_ON_PES(monsters, arrive_whole_and_in_order) {
  const std::size_t hundred_mb = 100'000'000;
  send_round(world::current(), {5, hundred_mb, 0, hundred_mb + 1, 7, 40'000, 9});
}

TEST_ON_PES(monsters, may_be_larger_than_two_gigabytes) {
  world& w = world::current();
  if (std::getenv("SHOAL_LONG_TESTS") == nullptr) GTEST_SKIP() << "takes 7 GiB of memory; set SHOAL_LONG_TESTS=1";
  // Only PE 0 sends one; the others end at once.
  const std::size_t n_bytes = (std::size_t{2} << 30) + 12'345;
  elastic_conveyor c{w};
  c.begin();
  bool is_pushed = w.my_pe() != 0;
  std::size_t n_pulled = 0;
  std::vector<std::byte> item;
  if (!is_pushed) item = item_of(1, n_bytes);
  while (c.advance(is_pushed) != progress::complete) {
    if (!is_pushed && c.push(item, w.n_pes() - 1)) {
      is_pushed = true;
      item = {};
    }
    while (const elastic_conveyor::item* arrived = c.pull()) {
      EXPECT_EQ(arrived->bytes.size(), n_bytes);
      EXPECT_TRUE(is_item(arrived->bytes, 1));
      ++n_pulled;
    }
  }
  EXPECT_EQ(n_pulled, w.my_pe() == w.n_pes() - 1 ? 1U : 0U);
  c.reset();
}

}  // namespace
}  // namespace shoal::test
