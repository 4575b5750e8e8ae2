// How row-wise kernels look up vertices: right with as many marks as vertices, and with fewer, and for rows of any length.
#include "kernels/row_search.hpp"

#include <gtest/gtest.h>

#include <set>

#include "shoal/base/random.hpp"

namespace shoal::kernels {
namespace {

TEST(marked_candidates, are_found_with_any_number_of_marks) {
  random_engine random(1);
  for (const std::int64_t n_vertices : {1, 2, 64, 65, 1'000, 5'000}) {
    for (const std::size_t n_marks : {1, 64, 128, 1'024, 1 << 21}) {
      marked_candidates marked(n_vertices, n_marks);
      for (int round = 0; round < 20; ++round) {
        std::set<std::uint32_t> chosen;
        std::set<std::int64_t> row;
        for (std::uint64_t i = random.below(200); i > 0; --i) {
          chosen.insert(static_cast<std::uint32_t>(random.below(static_cast<std::uint64_t>(n_vertices))));
          row.insert(static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(n_vertices))));
        }
        std::uint64_t expected = 0;
        for (const std::int64_t v : row) expected += chosen.contains(static_cast<std::uint32_t>(v));
        const std::vector<std::uint32_t> candidates(chosen.begin(), chosen.end());
        const std::vector<std::int64_t> vertices(row.begin(), row.end());
        marked.mark(candidates);
        EXPECT_EQ(marked.n_among(vertices), expected) << n_vertices << " vertices, " << n_marks << " marks";
        EXPECT_EQ(n_common(vertices, marked, candidates), expected);
        marked.unmark();
        EXPECT_EQ(marked.n_among(vertices), 0u);
      }
    }
  }
}

}  // namespace
}  // namespace shoal::kernels
