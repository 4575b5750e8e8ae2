/// A future, and the value that has to come.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>

#include "shoal/actor/future.hpp"
#include "shoal/base/random.hpp"
#include "shoal/base/types.hpp"

namespace shoal::test {

inline std::uint64_t answer_of(std::uint64_t number, pe_id pe) {
  return mixed_bits(number * 64 + static_cast<unsigned>(pe));
}

struct expected_answer {
  future<std::uint64_t> answer;
  std::uint64_t value;

  void check() { EXPECT_EQ(answer.get(), value); }
};

}  // namespace shoal::test
