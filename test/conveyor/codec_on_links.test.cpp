// Goal: buffers to other nodes travel encoded if that pays, what arrives is what was sent, and a codec that gains
// nothing turns itself off. Method: the counters of a stream, in the simulator, whose network has a price for each
// byte.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>
#include <string_view>

#include "shoal/base/random.hpp"
#include "shoal/base/setup_error.hpp"
#include "shoal/codec/internal/known_codecs.hpp"
#include "shoal/conveyor/conveyor.hpp"
#include "shoal/conveyor/elastic_conveyor.hpp"
#include "shoal/conveyor/internal/exchange.hpp"
#include "test/support/jobs.hpp"

namespace shoal::test {
namespace {

settings on_nodes(double ns_per_byte) {
  settings chosen = simulated(4);
  chosen.node_size.value = 2;
  chosen.n_hops.value = 1;
  chosen.slot_bytes.value = 4096;
  chosen.ns_per_byte.value = ns_per_byte;
  return chosen;
}

// Every PE sends `n` items to each PE; item i is value_of(i).
template <class ValueOf>
conveyor_counts send_all(world& w, std::uint64_t n, ValueOf value_of) {
  conveyor<std::uint64_t> c{w};
  c.begin();
  const auto n_pes = static_cast<std::uint64_t>(w.n_pes());
  std::uint64_t i = 0;
  std::vector<std::uint64_t> n_pulled(n_pes);
  while (c.advance(i == n * n_pes) != progress::complete) {
    while (i < n * n_pes && c.push(value_of(i / n_pes), static_cast<pe_id>(i % n_pes))) ++i;
    pe_id from = 0;
    while (const std::uint64_t* item = c.pull(from)) {
      EXPECT_EQ(*item, value_of(n_pulled[static_cast<std::size_t>(from)]++));
    }
  }
  c.reset();
  return c.counts();
}

TEST(codec_on_links, spares_bytes_only_to_other_nodes) {
  run_job(on_nodes(1), [](world& w) {
    const conveyor_counts counts = send_all(w, 5000, [](std::uint64_t i) { return (i * 40503) & 0xffff; });
    // Six of eight bytes of an item are constant, and two of the four PEs are on another node.
    EXPECT_GT(counts.n_spared, 2 * 5000U * 5);
    EXPECT_LT(counts.n_spared, 2 * 5000U * 6);
    EXPECT_EQ(counts.n_bytes + counts.n_spared, 4 * 5000U * 8);
  });
}

TEST(codec_on_links, leaves_random_items_alone) {
  run_job(on_nodes(1), [](world& w) {
    const auto noise = [](std::uint64_t i) { return random_engine(i)(); };
    EXPECT_EQ(send_all(w, 3000, noise).n_encoded, 0U);
  });
}

TEST(codec_on_links, is_off_where_bytes_cost_nothing) {
  run_job(on_nodes(0), [](world& w) {
    const conveyor_counts counts = send_all(w, 50'000, [](std::uint64_t i) { return i & 0xff; });
    EXPECT_LT(counts.n_encoded, counts.n_buffers / 10) << "only trials";
  });
}

// Where nobody has set a price, that of the links counts, and links may change while a conveyor lives.
TEST(codec_on_links, begins_when_links_become_slow) {
  settings chosen = on_nodes(-1);
  chosen.n_slots.value = 16;
  chosen.sim.value.link = {.latency_ns = 300, .overhead_ns = 5, .gap_ns = 5, .gap_per_byte_ns = 0.01};
  chosen.sim.value.node_link = chosen.sim.value.link;
  const auto n_encoded_of_two = [&](std::uint64_t& middle_ns) {
    std::array<std::uint64_t, 2> n_encoded{};
    run_job(chosen, [&](world& w) {
      for (std::uint64_t& n : n_encoded) {
        const conveyor_counts counts = send_all(w, 100'000, [](std::uint64_t i) { return i & 0xff; });
        if (w.my_pe() != 0) continue;
        n = 100 * counts.n_encoded / counts.n_buffers;
        if (&n == n_encoded.data()) middle_ns = w.now_ns();
      }
    });
    return n_encoded;
  };
  std::uint64_t middle_ns = 0;
  for (const std::uint64_t percent : n_encoded_of_two(middle_ns)) EXPECT_LT(percent, 10u);
  chosen.sim.value.shift_ns = middle_ns;
  chosen.sim.value.shift_factor = 200;
  const auto [before, after] = n_encoded_of_two(middle_ns);
  EXPECT_LT(before, 10u);
  EXPECT_GT(after, 15u) << "of all buffers, half of which stay on the node";
}

// To try all codecs takes longer than to send what the first conveyor sends.
TEST(codec_on_links, begin_with_what_earlier_ones_have_learnt) {
  run_job(on_nodes(1), [](world& w) {
    std::uint64_t took_ns[3] = {};
    std::uint64_t n_encoded[3] = {};
    for (int k = 0; k < 3; ++k) {
      const std::uint64_t begin_ns = w.now_ns();
      n_encoded[k] = send_all(w, 500, [](std::uint64_t i) { return (i * 40503) & 0xff; }).n_encoded;
      w.barrier();
      took_ns[k] = w.now_ns() - begin_ns;
    }
    EXPECT_EQ(n_encoded[0], 2u) << "one buffer to each PE of the other node";
    for (int k = 1; k < 3; ++k) {
      EXPECT_EQ(n_encoded[k], n_encoded[0]);
      EXPECT_LT(took_ns[k] + 300, took_ns[0]);
    }
  });
}

// Item i of those that a PE sends to another: its number, then a word in which few bits vary.
std::vector<std::byte> elastic_item(std::uint64_t i) {
  std::vector<std::byte> bytes(16 + i % 3 * 8);
  const std::uint64_t words[2] = {i, i * 40503 & 0xffff};
  std::memcpy(bytes.data(), words, sizeof words);
  return bytes;
}

conveyor_counts send_all_elastic(world& w, std::uint64_t n) {
  elastic_conveyor c{w};
  c.begin();
  const auto n_pes = static_cast<std::uint64_t>(w.n_pes());
  std::uint64_t i = 0;
  std::vector<std::uint64_t> n_pulled(n_pes);
  while (c.advance(i == n * n_pes) != progress::complete) {
    while (i < n * n_pes && c.push(elastic_item(i / n_pes), static_cast<pe_id>(i % n_pes))) ++i;
    while (const elastic_conveyor::item* item = c.pull()) {
      const auto expected = elastic_item(n_pulled[static_cast<std::size_t>(item->from)]++);
      EXPECT_TRUE(std::ranges::equal(item->bytes, expected)) << "from PE " << item->from;
    }
  }
  c.reset();
  EXPECT_EQ(n_pulled, std::vector<std::uint64_t>(n_pes, n));
  return c.counts();
}

TEST(codec_on_links, spares_bytes_of_elastic_items_with_every_codec) {
  for (const internal::codec_entry& codec : internal::known_codecs) {
    if (codec.id == codec_number::none || !is_built(codec)) continue;
    SCOPED_TRACE(codec.name);
    settings chosen = on_nodes(10);
    chosen.codec.value = codec.id;
    run_job(chosen, [](world& w) {
      const conveyor_counts counts = send_all_elastic(w, 2000);
      // Two of four PEs are on another node; at least half of what goes there must be encoded.
      EXPECT_GT(counts.n_spared, (counts.n_bytes + counts.n_spared) / 4);
    });
  }
}

// What PE `from` sends to PE `to` as item i: a different number for each pair, in few bits.
std::uint64_t item_of_pair(pe_id from, pe_id to, std::uint64_t i) {
  return static_cast<std::uint64_t>(from) << 24 | static_cast<std::uint64_t>(to) << 16 | i;
}

// Every PE sends `n` items to each PE, with targets in turn; each must come from the right PE and in the order in which
// it was sent.
conveyor_counts send_all_by_pair(world& w, std::uint64_t n) {
  conveyor<std::uint64_t> c{w};
  c.begin();
  const auto n_pes = static_cast<std::uint64_t>(w.n_pes());
  std::uint64_t i = 0;
  std::vector<std::uint64_t> n_pulled(n_pes);
  const auto push_next = [&] {
    const auto to = static_cast<pe_id>((i * 5 + i / n_pes) % n_pes);
    return c.push(item_of_pair(w.my_pe(), to, i / n_pes), to);
  };
  while (c.advance(i == n * n_pes) != progress::complete) {
    while (i < n * n_pes && push_next()) ++i;
    pe_id from = 0;
    while (const std::uint64_t* item = c.pull(from)) {
      // A lost tag may name any PE.
      EXPECT_EQ(*item, item_of_pair(from, w.my_pe(), n_pulled.at(static_cast<std::size_t>(from))++));
    }
  }
  c.reset();
  EXPECT_EQ(n_pulled, std::vector<std::uint64_t>(n_pes, n));
  return c.counts();
}

// Over several hops an item's tag says where it goes, and finally where it came from. Tags follow the items, which
// encoding makes shorter and decoding longer.
TEST(codec_on_links, keep_the_tags_of_routes) {
  for (const std::int64_t n_hops : {2, 3}) {
    for (const codec_number codec : {codec_number::squeeze, codec_number::delta}) {
      SCOPED_TRACE(testing::Message() << n_hops << " hops, " << internal::name_of(codec));
      settings chosen = on_nodes(10);
      chosen.n_pes.value = 8;
      chosen.n_hops.value = n_hops;
      chosen.codec.value = codec;
      run_job(chosen, [](world& w) { EXPECT_GT(send_all_by_pair(w, 500).n_encoded, 0U); });
    }
  }
}

std::uint64_t n_spared_of_ascending(codec_number codec, std::uint64_t first) {
  settings chosen = on_nodes(1);
  chosen.codec.value = codec;
  std::uint64_t n_spared = 0;
  run_job(chosen, [&](world& w) {
    const conveyor_counts counts = send_all(w, 5000, [&](std::uint64_t i) { return first + i * i; });
    if (w.my_pe() == 0) n_spared = counts.n_spared;
  });
  return n_spared;
}

TEST(codec_on_links, are_as_good_as_the_best_codec_for_them) {
  const std::uint64_t squeezed = n_spared_of_ascending(codec_number::squeeze, 1ULL << 60);
  const std::uint64_t ascending = n_spared_of_ascending(codec_number::delta, 1ULL << 60);
  ASSERT_GT(ascending, squeezed + squeezed / 20);
  EXPECT_EQ(n_spared_of_ascending(codec_number::best, 1ULL << 60), ascending);
}

// A program's own codec: items that are all equal become one.
class one_for_all final : public codec {
public:
  std::string_view name() const noexcept override { return "one for all"; }
  std::size_t encode(std::span<const std::byte> items, std::size_t item_bytes,
                     std::span<std::byte> out) noexcept override {
    if (out.size() < item_bytes) return 0;
    for (std::size_t i = item_bytes; i < items.size(); ++i) {
      if (items[i] != items[i - item_bytes]) return 0;
    }
    std::memcpy(out.data(), items.data(), item_bytes);
    return item_bytes;
  }
  bool decode(std::span<const std::byte> body, std::size_t item_bytes, std::span<std::byte> items) noexcept override {
    if (body.size() != item_bytes || items.size() % item_bytes != 0) return false;
    for (std::size_t i = 0; i < items.size(); i += item_bytes) std::memcpy(&items[i], body.data(), item_bytes);
    return true;
  }
};

TEST(codec_on_links, may_be_the_programs_own) {
  run_job(on_nodes(1), [](world& w) {
    w.use_codec(codec_number::first_user, std::make_unique<one_for_all>());
    const conveyor_counts counts = send_all(w, 5000, [](std::uint64_t) { return 0x123456789abcdef; });
    EXPECT_GT(counts.n_spared, 2 * 5000U * 8 * 99 / 100);
  });
}

TEST(codec_on_links, has_to_exist) {
  run_job(on_nodes(1), [](world& w) {
    EXPECT_THROW(w.use_codec(static_cast<codec_number>(77), nullptr), setup_error);
    EXPECT_THROW(w.use_codec(codec_number::squeeze, std::make_unique<one_for_all>()), setup_error);
  });
}

}  // namespace
}  // namespace shoal::test
