// Goal: the sizes of a run fit the memory that its PEs share.
#include <gtest/gtest.h>

#include <cstdint>
#include <string>

#include "shoal/actor/internal/resolve.hpp"
#include "shoal/base/machine.hpp"
#include "shoal/base/settings.hpp"
#include "shoal/base/setup_error.hpp"
#include "shoal/substrate/substrate_kind.hpp"

namespace shoal {

using namespace internal;
namespace {

constexpr std::size_t gib = std::size_t{1} << 30;

settings resolved(substrate_kind substrate, std::int64_t n_pes, std::int64_t n_pes_here) {
  settings s;
  s.substrate = {substrate, "a test"};
  s.n_pes = {n_pes, "a test"};
  s.n_pes_here = {n_pes_here, "a test"};
  resolve(s, {.memory_bytes = gib, .n_cores = 2});
  return s;
}

TEST(resolve, divides_a_nodes_memory_among_the_pes_that_share_it) {
  EXPECT_EQ(resolved(substrate_kind::mpi, 64, 4).memory_bytes.value, gib / 16 / 4);
  EXPECT_EQ(resolved(substrate_kind::mpi, 64, 4).heap_bytes.value, gib / 4 / 4);
  EXPECT_EQ(resolved(substrate_kind::mpi, 64, 0).memory_bytes.value, gib / 16 / 64);
}

TEST(resolve, keeps_slots_spill_and_what_arrives_from_other_nodes_within_the_memory_budget) {
  constexpr std::size_t header_bytes = 64;
  for (const substrate_kind substrate : {substrate_kind::mpi, substrate_kind::sim}) {
    for (const std::int64_t n_pes : {1, 2, 16, 512}) {
      for (std::size_t budget = 64 << 10; budget <= gib / 16; budget *= 4) {
        settings s;
        s.substrate = {substrate, "a test"};
        s.n_pes = {n_pes, "a test"};
        s.n_pes_here = {1, "a test"};
        s.node_size = {8, "a test"};
        s.memory_bytes = {budget, "a test"};
        resolve(s, {.memory_bytes = gib, .n_cores = 2});
        const std::size_t landing = substrate == substrate_kind::mpi && n_pes > 8 ? budget / 2 : 0;
        const std::size_t slots = s.n_slots.value * (s.slot_bytes.value + header_bytes);
        EXPECT_LE(slots + spill_bytes_max(s) + landing, budget) << name_of(substrate) << ", " << n_pes << " PEs";
        EXPECT_GE(spill_bytes_max(s), budget / 4);
      }
    }
  }
}

TEST(resolve, leaves_some_blocks_for_the_spill_although_slots_were_chosen_larger_than_the_budget) {
  settings s;
  s.substrate = {substrate_kind::sim, "a test"};
  s.n_pes = {2, "a test"};
  s.slot_bytes = {1 << 20, "a test"};
  s.memory_bytes = {1 << 20, "a test"};
  resolve(s, {.memory_bytes = gib, .n_cores = 2});
  EXPECT_GE(spill_bytes_max(s), 8U << 20);
}

TEST(resolve, refuses_pools_that_the_node_has_no_memory_for_and_counts_its_own_pes_only) {
  settings s;
  s.substrate = {substrate_kind::mpi, "a test"};
  s.n_pes = {64, "a test"};
  s.slot_bytes = {1 << 20, "a test"};
  s.n_slots = {128, "a test"};
  s.n_pes_here = {8, "a test"};
  EXPECT_NO_THROW(resolve(s, {.memory_bytes = gib, .n_cores = 2}));
  s.n_pes_here = {9, "a test"};
  EXPECT_THROW(resolve(s, {.memory_bytes = gib, .n_cores = 2}), setup_error);
}

// 0 in 64 bits: the number of slots of one PE, of all PEs, and a heap rounded up to pages.
TEST(resolve, refuses_sizes_whose_products_wrap) {
  const auto refusal = [](substrate_kind substrate, std::size_t n_slots, std::size_t heap_bytes) -> std::string {
    settings s;
    s.substrate = {substrate, "a test"};
    s.n_pes = {4, "a test"};
    s.slot_bytes = {1 << 20, "a test"};
    s.n_slots = {n_slots, "SHOAL_SLOTS"};
    s.heap_bytes = {heap_bytes, "SHOAL_HEAP"};
    try {
      resolve(s, {.memory_bytes = gib, .n_cores = 2});
    } catch (const setup_error& e) {
      return e.what();
    }
    return "none";
  };
  for (const substrate_kind substrate : {substrate_kind::threads, substrate_kind::mpi}) {
    for (const std::size_t n_slots : {std::size_t{1} << 44, std::size_t{1} << 42}) {
      EXPECT_EQ(refusal(substrate, n_slots, 1 << 20),
                "SHOAL_SLOTS=" + std::to_string(n_slots) +
                    " of 1048576 bytes for each of 4 PEs is more than the 1024 MiB of this machine; choose fewer or "
                    "smaller slots");
    }
    EXPECT_EQ(refusal(substrate, 2, SIZE_MAX),
              "SHOAL_HEAP=18446744073709551615: the symmetric heap can have at most 64T; 64M is usual");
  }
  EXPECT_EQ(refusal(substrate_kind::sim, 2, (std::size_t{1} << 46) + 1),
            "SHOAL_HEAP=70368744177665: the symmetric heap can have at most 64T; 64M is usual");
  EXPECT_EQ(refusal(substrate_kind::sim, 2, std::size_t{1} << 46), "none");
}

TEST(resolve, refuses_a_memory_budget_that_the_least_buffers_exceed_and_names_the_least_that_they_do_not) {
  const auto refusal = [](substrate_kind substrate, std::size_t budget, std::size_t slot_bytes = 0) -> std::string {
    settings s;
    s.substrate = {substrate, "a test"};
    s.n_pes = {4, "a test"};
    s.node_size = {2, "a test"};
    s.memory_bytes = {budget, "SHOAL_MEMORY"};
    if (slot_bytes != 0) s.slot_bytes = {slot_bytes, "a test"};
    try {
      resolve(s, {.memory_bytes = gib, .n_cores = 2});
    } catch (const setup_error& e) {
      return e.what();
    }
    const std::size_t landing = s.substrate.value == substrate_kind::mpi ? budget / 2 : 0;
    const std::size_t in_use = s.n_slots.value * (s.slot_bytes.value + 64) + spill_bytes_max(s) + landing;
    return in_use <= budget ? "none" : "exceeded";
  };
  EXPECT_EQ(refusal(substrate_kind::sim, 0), "SHOAL_MEMORY=0: the buffers of a PE need at least 9k; 64M is usual");
  EXPECT_EQ(refusal(substrate_kind::sim, (9 << 10) - 1),
            "SHOAL_MEMORY=9215: the buffers of a PE need at least 9k; 64M is usual");
  EXPECT_EQ(refusal(substrate_kind::sim, 9 << 10), "none");
  EXPECT_EQ(refusal(substrate_kind::mpi, 9 << 10),
            "SHOAL_MEMORY=9216: the buffers of a PE need at least 18k; 64M is usual");
  EXPECT_EQ(refusal(substrate_kind::mpi, 18 << 10), "none");
  EXPECT_EQ(refusal(substrate_kind::sim, 1 << 10, 32 << 10), "exceeded");  // a user's choice of slots is kept
}

TEST(resolve, takes_the_share_of_many_pes_however_small) {
  EXPECT_LT(resolved(substrate_kind::sim, 100'000, 0).memory_bytes.value, 1U << 10);
}

TEST(resolve, limits_pes_where_one_segment_holds_them_all) {
  for (const substrate_kind substrate :
       {substrate_kind::mpi, substrate_kind::mpi_rma, substrate_kind::shmem, substrate_kind::sim}) {
    EXPECT_NO_THROW(static_cast<void>(resolved(substrate, 1000, 2))) << name_of(substrate);
  }
  EXPECT_THROW(static_cast<void>(resolved(substrate_kind::threads, 257, 0)), setup_error);
}

}  // namespace
}  // namespace shoal
