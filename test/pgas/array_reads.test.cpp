// Goal: both loops of a gather read what is asked for, in order, whatever the number of indices.
#include "shoal/pgas/internal/array_reads.hpp"

#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <source_location>
#include <vector>

#include "shoal/base/random.hpp"
#include "shoal/pgas/block_cyclic.hpp"

namespace shoal {
namespace {

// Element g is g + 1.
template <class T, class Distribution>
void expect_reads(const Distribution& all, std::int64_t n_reads) {
  std::vector<std::vector<T>> parts(static_cast<std::size_t>(all.n_pes()));
  std::vector<const std::byte*> begins;
  for (pe_id pe = 0; pe < all.n_pes(); ++pe) {
    std::vector<T>& part = parts[static_cast<std::size_t>(pe)];
    for (std::int64_t i = 0; i < all.n_local(pe); ++i) part.push_back(static_cast<T>(all.global(pe, i) + 1));
    begins.push_back(reinterpret_cast<const std::byte*>(part.data()));
  }
  random_engine random(1);
  std::vector<std::int64_t> indices;
  std::vector<T> expected;
  for (std::int64_t i = 0; i < n_reads; ++i) {
    indices.push_back(static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(all.n()))));
    expected.push_back(static_cast<T>(indices.back() + 1));
  }
  for (const auto read : {internal::read_at_once<T, Distribution>, internal::read_ahead<T, Distribution>}) {
    std::vector<T> found(indices.size());
    read(all, begins.data(), indices, found.data(), std::source_location::current());
    EXPECT_EQ(found, expected) << n_reads << " reads";
  }
}

TEST(array_reads, both_loops_read_in_order) {
  for (const std::int64_t n_reads : {0, 1, 31, 32, 33, 100}) {
    expect_reads<std::int64_t>(distribution(layout::cyclic, 1000, 3), n_reads);
    expect_reads<double>(distribution(layout::block, 1000, 7), n_reads);
    expect_reads<std::uint8_t>(block_cyclic(200, 3, 4), n_reads);
  }
}

}  // namespace
}  // namespace shoal
