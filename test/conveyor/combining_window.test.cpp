// Goal: a window looks for items to other nodes as long as that pays, and spreads keys over its hints.
#include "shoal/conveyor/internal/combining_window.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <set>

#include "shoal/conveyor/internal/node_layout.hpp"

namespace shoal::internal {
namespace {

struct merges_nothing final : item_combiner {
  combining_window::note combine_passing(combining_window& window, std::size_t, const link_end&, std::uint32_t,
                                         const std::byte*) override {
    return window.no_note();
  }
};

struct hop_of_four {
  explicit hop_of_four(std::uint32_t item_bytes = 8, std::size_t n_links = 4) {
    links.ends = std::make_unique<link_end[]>(n_links);
    links.states = std::make_unique<link_state[]>(n_links);
    links.n_links = n_links;
    links.only_kind = {.bytes = item_bytes, .align = 8};
  }
  merges_nothing merger;
  open_links links;
};

// PE 0 of four, two on each node; 4 links of 8 items each, so 32 hints.
class window_of_four : public hop_of_four {
public:
  explicit window_of_four(bool everywhere = false, double ns_per_byte = 0)
      : window(merger, links, nodes, 0, {.payload_bytes = 64, .ns_per_byte = ns_per_byte, .everywhere = everywhere}) {}

  // Writes `n_written` items and merges others on a link.
  void pass(std::size_t link, std::uint32_t n_written, std::uint32_t n_merged) {
    combining_window::part& part = window.part_of(link);
    part.n_written += n_written;
    part.n_merged += n_merged;
    links.n_sent += n_written;
    window.review(part);
  }
  bool looks_at(std::size_t link) { return window.part_of(link).is_looked_at; }

  const node_layout nodes{4, 2};
  combining_window window;
};

TEST(combining_window, looks_for_items_of_a_hop_that_leaves_the_node) {
  window_of_four its;
  for (std::size_t link = 0; link < 4; ++link) EXPECT_TRUE(its.looks_at(link));
  const node_layout one(4, 4);
  combining_window near(its.merger, its.links, one, 0, {.payload_bytes = 64});
  combining_window everywhere(its.merger, its.links, one, 0, {.payload_bytes = 64, .everywhere = true});
  EXPECT_FALSE(near.part_of(2).is_looked_at);
  EXPECT_TRUE(everywhere.part_of(2).is_looked_at);
}

TEST(combining_window, rests_after_a_trial_that_found_too_little_and_tries_again) {
  window_of_four its;
  for (int i = 0; i < 3; ++i) {
    its.pass(2, 16, 3);
    its.pass(3, 15, 3);
    for (std::size_t link = 0; link < 4; ++link) EXPECT_TRUE(its.looks_at(link)) << "after less than a period";
    its.pass(3, 1, 0);
    for (std::size_t link = 0; link < 4; ++link) EXPECT_FALSE(its.looks_at(link));
    its.pass(2, 15 * 32, 0);
    EXPECT_FALSE(its.looks_at(2));
    its.pass(2, 32, 0);
    for (std::size_t link = 0; link < 4; ++link) EXPECT_TRUE(its.looks_at(link));
  }
  EXPECT_EQ(its.window.n_merged(), 18U);
}

// Half of what stays on the node is merged, which is not worth the looks.
TEST(combining_window, rests_if_all_stays_on_the_node) {
  window_of_four its;
  its.pass(1, 32, 32);
  EXPECT_FALSE(its.looks_at(1));
}

// What links have counted during a rest does not belong to the trial that follows.
TEST(combining_window, begins_a_trial_with_nothing_counted) {
  window_of_four its;
  its.pass(2, 32, 0);
  EXPECT_FALSE(its.looks_at(2));
  its.window.part_of(3).n_written = 1'000;
  its.pass(2, 16 * 32, 0);
  EXPECT_TRUE(its.looks_at(2));
  its.pass(3, 16, 48);
  its.pass(2, 16, 48);
  EXPECT_TRUE(its.looks_at(2));
}

TEST(combining_window, gives_turns_whatever_reviews_count) {
  window_of_four its;
  int n_turns = 0;
  for (int i = 0; i < 1 << 16; ++i) {
    n_turns += its.window.count_merged(its.window.part_of(2));
    if (i % 100 == 0) its.pass(2, 1, 0);
  }
  EXPECT_EQ(n_turns, 4);
  for (int i = 0; i < (1 << 14) - 1; ++i)
    EXPECT_FALSE(its.window.is_turn() || its.window.count_merged(its.window.part_of(2)));
  EXPECT_TRUE(its.window.is_turn());
  EXPECT_FALSE(its.window.is_turn());
}

TEST(combining_window, goes_on_as_long_as_enough_is_found) {
  window_of_four its;
  for (int i = 0; i < 3; ++i) {
    its.pass(2, 32, 100);
    EXPECT_TRUE(its.looks_at(2));
  }
  its.pass(2, 32, 0);
  EXPECT_FALSE(its.looks_at(2));
  EXPECT_EQ(its.window.n_merged(), 300U);
}

// What is too little for a fast network is enough for a slow one.
TEST(combining_window, asks_for_less_the_more_a_byte_costs) {
  for (const double ns_per_byte : {0.0, 0.08, 8.0}) {
    window_of_four its(false, ns_per_byte);
    its.pass(2, 32, 16);
    EXPECT_EQ(its.looks_at(2), ns_per_byte == 8) << ns_per_byte;
  }
}

TEST(combining_window, never_rests_if_it_is_told_to_look_everywhere) {
  window_of_four its(true);
  for (std::size_t link = 0; link < 4; ++link) {
    for (int i = 0; i < 3; ++i) its.pass(link, 1'000, 1);
    EXPECT_TRUE(its.looks_at(link));
  }
  EXPECT_EQ(its.window.n_merged(), 12U);
}

TEST(combining_window, spreads_keys_that_are_close_and_links_of_one_key) {
  window_of_four its;
  std::set<const std::uint32_t*> of_keys;
  std::set<std::uint32_t> bits;
  for (std::uint64_t key = 0; key < 32; ++key) {
    of_keys.insert(its.window.note_of(key, its.window.part_of(0)).hint);
    bits.insert(its.window.note_of(key, its.window.part_of(0)).hash_bits);
  }
  EXPECT_GE(of_keys.size(), 24U);
  EXPECT_GE(bits.size(), 24U);
  std::set<const std::uint32_t*> of_links;
  for (std::size_t link = 0; link < 4; ++link) of_links.insert(its.window.note_of(5, its.window.part_of(link)).hint);
  EXPECT_GE(of_links.size(), 3U);
}

TEST(combining_window, has_few_hints_for_few_items_and_a_bound_for_many) {
  const auto hints_of = [](std::size_t payload_bytes, std::uint32_t item_bytes) {
    const node_layout one(1, 0);
    hop_of_four hop(item_bytes, 1);
    combining_window window(hop.merger, hop.links, one, 0, {.payload_bytes = payload_bytes});
    std::set<const std::uint32_t*> hints;
    for (std::uint64_t key = 0; key < 100'000; ++key) hints.insert(window.note_of(key, window.part_of(0)).hint);
    return hints.size();
  };
  EXPECT_EQ(hints_of(64, 64), 2U);
  EXPECT_EQ(hints_of(4096, 8), 512U);
  EXPECT_EQ(hints_of(std::size_t{1} << 26, 8), std::size_t{1} << 13);
}

}  // namespace
}  // namespace shoal::internal
