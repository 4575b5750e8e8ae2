// Goal: a link hands out exactly its room, in stretches. Method: a link_end over plain memory.
#include "shoal/conveyor/internal/fetch_ahead.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace shoal {

using namespace internal;
namespace {

struct room {
  std::vector<std::byte> bytes;
  link_end link;

  explicit room(std::size_t n) : bytes(n) {
    link.cursor = bytes.data();
    link.limit = bytes.data() + n;
  }
  std::size_t cut_at() const { return static_cast<std::size_t>(link.limit - bytes.data()); }
  void fill() { link.cursor = link.limit; }
};

TEST(fetch_ahead, leaves_few_links_to_the_processor) {
  const fetch_ahead ahead;
  EXPECT_EQ(ahead.stretch_bytes(1), 0U);
  EXPECT_EQ(ahead.stretch_bytes(16), 0U);
  EXPECT_EQ(ahead.stretch_bytes(17), 1024U);
  EXPECT_EQ(ahead.stretch_bytes(256), 512U);
  EXPECT_EQ(ahead.stretch_bytes(100'000), 128U);
}

TEST(fetch_ahead, hands_out_all_room_in_stretches) {
  room r(100);
  begin_stretch(r.link, 40, false);
  EXPECT_EQ(r.cut_at(), 40U);
  r.fill();
  EXPECT_TRUE(next_stretch(r.link, 40));
  EXPECT_EQ(r.cut_at(), 80U);
  r.fill();
  EXPECT_TRUE(next_stretch(r.link, 40));
  EXPECT_EQ(r.cut_at(), 100U);
  r.fill();
  EXPECT_FALSE(next_stretch(r.link, 40));
  EXPECT_EQ(r.cut_at(), 100U);
}

TEST(fetch_ahead, leaves_room_of_one_stretch_whole) {
  room r(40);
  begin_stretch(r.link, 40, false);
  EXPECT_EQ(r.cut_at(), 40U);
  r.fill();
  EXPECT_FALSE(next_stretch(r.link, 40));
}

TEST(fetch_ahead, leaves_the_begin_of_a_run_alone) {
  room r(100);
  r.link.run_begin = r.bytes.data();
  begin_stretch(r.link, 40, true);
  EXPECT_EQ(r.cut_at(), 40U);
  EXPECT_EQ(r.link.run_begin, r.bytes.data());
  r.fill();
  EXPECT_FALSE(next_stretch(r.link, 40));  // the open run, which knows how much room is left, is asked
}

TEST(fetch_ahead, finds_no_stretch_without_a_buffer) {
  link_end link;
  EXPECT_FALSE(next_stretch(link, 40));
}

}  // namespace
}  // namespace shoal
