#include "shoal/base/internal/cores.hpp"

#include <gtest/gtest.h>

namespace {

TEST(allowed_cores, are_at_least_one_and_no_more_than_the_affinity_mask_has) {
  EXPECT_GE(shoal::internal::allowed_cores(), 1);
  EXPECT_LE(shoal::internal::allowed_cores(), static_cast<int>(shoal::internal::affinity_cpus().size()));
}

}  // namespace
