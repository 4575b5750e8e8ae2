// A PE that could go on spins, yields and naps, in this order, and does not nap over news.
#include <gtest/gtest.h>

#include "shoal/substrate/local/local_substrate.hpp"

namespace shoal::local {
namespace {

constexpr std::size_t payload_bytes = 64;

// Two PEs that are threads; each test is PE 0.
class local_waiting : public testing::Test {
protected:
  local_substrate pe_of(pe_id pe, bool is_oversubscribed) {
    return local_substrate(memory_, pe, payload_bytes, is_oversubscribed, "threads");
  }

  segment memory_{segment_layout(2, 4, payload_bytes, 0)};
};

TEST_F(local_waiting, pauses_without_sleep_where_each_pe_has_a_core) {
  local_substrate pe = pe_of(0, false);
  unsigned patience = 0;
  for (int i = 0; i < 3000; ++i) pe.pause(patience);
  EXPECT_EQ(pe.counts().n_waits, 3000U);
  EXPECT_EQ(pe.counts().n_sleeps, 0U);
}

TEST_F(local_waiting, naps_between_pauses_where_pes_share_cores) {
  local_substrate pe = pe_of(0, true);
  unsigned patience = 0;
  for (int i = 0; i < 200; ++i) pe.pause(patience);
  EXPECT_EQ(pe.counts().n_sleeps, 0U);
  for (int i = 0; i < 10; ++i) pe.pause(patience);
  EXPECT_EQ(pe.counts().n_sleeps, 10U);
  patience = 0;
  pe.pause(patience);
  EXPECT_EQ(pe.counts().n_sleeps, 10U);
}

TEST_F(local_waiting, does_not_nap_over_a_buffer_that_has_arrived) {
  local_substrate pe = pe_of(0, true);
  local_substrate sender = pe_of(1, true);
  buffer* const slot = sender.try_acquire();
  ASSERT_NE(slot, nullptr);
  sender.post(*slot, 0);
  unsigned patience = 1000;
  pe.pause(patience);
  EXPECT_EQ(pe.counts().n_sleeps, 0U);
  EXPECT_EQ(pe.poll(), slot);
}

}  // namespace
}  // namespace shoal::local
