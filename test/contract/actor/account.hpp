/// What a PE notes of the closures and calls that ran on it.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>

#include "shoal/actor/per_pe.hpp"
#include "test/contract/actor/checked_actor.hpp"

namespace shoal::test {

struct account {
  explicit account(pe_id n_pes) : handled(n_pes) {}
  numbering handled;
  std::uint64_t n = 0;
  pe_watch watch;

  void expect_next(pe_id from, std::uint64_t number) {
    EXPECT_EQ(number, handled.take(from)) << "from PE " << from;
    ++n;
  }
};

using account_handle = pe_handle<account>;

}  // namespace shoal::test
