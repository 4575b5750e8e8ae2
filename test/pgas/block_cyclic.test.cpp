// Goal: of indices in blocks that are dealt in turn, each has one owner, and local and global are inverse.
#include "shoal/pgas/block_cyclic.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

namespace shoal {
namespace {

static_assert(block_cyclic{20, 3, 4}.place_of(14) == place{0, 6});
static_assert(block_cyclic{20, 3, 4}.n_local(1) == 8);
static_assert(block_cyclic{18, 3, 4}.n_local(1) == 6);
static_assert(block_cyclic{20, 3, 4} != block_cyclic{20, 3, 5});

TEST(block_cyclic, gives_each_index_one_place) {
  for (const std::int64_t block_size : {1, 3, 8, 100}) {
    for (std::int64_t n = 0; n < 60; ++n) {
      for (pe_id n_pes = 1; n_pes < 12; ++n_pes) {
        const block_cyclic all(n, n_pes, block_size);
        std::int64_t n_seen = 0;
        for (pe_id pe = 0; pe < n_pes; ++pe) {
          for (std::int64_t local = 0; local < all.n_local(pe); ++local) {
            const std::int64_t g = all.global(pe, local);
            ASSERT_TRUE(g >= 0 && g < n) << g;
            EXPECT_EQ(g / block_size % n_pes, pe);
            EXPECT_EQ(all.place_of(g), (place{pe, local}));
            EXPECT_TRUE(local == 0 || all.global(pe, local - 1) < g);
            ++n_seen;
          }
        }
        EXPECT_EQ(n_seen, n);
      }
    }
  }
}

TEST(block_cyclic, reaches_beyond_32_bits) {
  const std::int64_t n = (std::int64_t{1} << 40) + 5;
  const block_cyclic all(n, 100'003, 4096);
  for (const std::int64_t g : {std::int64_t{0}, n / 3, n - 2, n - 1}) {
    const place at = all.place_of(g);
    EXPECT_EQ(all.global(at.pe, at.local), g);
    EXPECT_LT(at.local, all.n_local(at.pe));
  }
}

}  // namespace
}  // namespace shoal
