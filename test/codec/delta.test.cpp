// Goal: all items come back; ascending keys become short, whatever their width, their sign and the other fields.
#include "shoal/codec/internal/delta.hpp"

#include <algorithm>

#include "test/codec/payloads.hpp"

namespace shoal {

using namespace internal;
namespace {

using namespace shoal::codec_test;

class delta_test : public testing::Test {
protected:
  std::size_t round_trip(std::span<const std::byte> items, std::size_t item_bytes) {
    return expect_round_trip(codecs_, items, item_bytes, items.size() + 2 * item_bytes + 4096);
  }
  template <class T>
  std::size_t round_trip(const std::vector<T>& items) {
    return round_trip(std::as_bytes(std::span(items)), sizeof(T));
  }
  delta_codec& first() { return codecs_[0]; }

private:
  std::vector<delta_codec> codecs_ = one_for_each_set<delta_codec>();
};

template <class Key>
std::vector<Key> ascending(random_engine& random, std::size_t n, Key from, std::uint64_t step_max) {
  std::vector<Key> keys;
  for (std::size_t i = 0; i < n; ++i) {
    keys.push_back(from);
    from = static_cast<Key>(from + static_cast<Key>(random.below(step_max)));
  }
  return keys;
}

TEST_F(delta_test, makes_ascending_keys_as_short_as_their_steps) {
  random_engine random(1);
  const auto from_0 = ascending<std::uint64_t>(random, 4096, 0, 1024);
  const std::size_t expected = 9 + 16 + 4096 * 10 / 8;
  EXPECT_EQ(round_trip(from_0), expected);
  EXPECT_EQ(round_trip(ascending<std::int64_t>(random, 4096, -1'000'000, 1024)), expected);
  EXPECT_EQ(round_trip(ascending<std::uint64_t>(random, 4096, UINT64_MAX - 1000, 1024)), expected);
  EXPECT_EQ(round_trip(ascending<std::int32_t>(random, 4096, -1'000'000, 1024)), expected);
  // Squeeze alone has to send all 21 bits that vary.
  squeeze_codec squeeze;
  EXPECT_GT(encode_fenced(squeeze, std::as_bytes(std::span(from_0)), 8, 32768).size(), expected * 2);
}

struct edge {
  std::uint32_t vertex;
  float weight;
};

TEST_F(delta_test, finds_a_key_of_four_bytes_before_other_things) {
  random_engine random(2);
  std::vector<edge> edges;
  for (const std::uint32_t vertex : ascending<std::uint32_t>(random, 4096, 5, 256)) {
    edges.push_back({vertex, static_cast<float>(random.uniform())});
  }
  const std::size_t n = round_trip(edges);
  EXPECT_GT(n, 0u);
  EXPECT_LT(n, 4096 * (8 + 32) / 8 + 100u);
}

struct update {
  std::int64_t index;
  std::int32_t value;
  std::int32_t unused;
};

TEST_F(delta_test, squeezes_what_follows_the_key) {
  random_engine random(3);
  std::vector<update> updates;
  for (const std::int64_t index : ascending<std::int64_t>(random, 2048, 5, 256)) {
    updates.push_back({index, static_cast<std::int32_t>(random.below(16)), 0});
  }
  EXPECT_EQ(round_trip(updates), 9 + 32 + 2048 * (8 + 4) / 8u);
}

TEST_F(delta_test, returns_items_that_do_not_ascend) {
  for (std::uint64_t seed = 0; seed < 500; ++seed) {
    random_engine random(4, seed);
    const std::size_t item_bytes = random.chance(0.2) ? 4 : 8 + random.below(30);
    const std::size_t n = random.below(1000);
    SCOPED_TRACE(testing::Message() << "seed " << seed << ": " << n << " items of " << item_bytes << " bytes");
    const bytes items = items_with_constant_bits(random, item_bytes, n, random.uniform());
    round_trip(items, item_bytes);
    round_trip(std::span(items).first(random.below(items.size() + 1)), item_bytes);
    if (HasFailure()) return;
  }
}

TEST_F(delta_test, is_not_for_items_without_room_for_a_key) {
  const bytes zeros(4200);
  for (const std::size_t item_bytes : {1, 2, 3, 5, 6, 7}) EXPECT_EQ(round_trip(zeros, item_bytes), 0u);
  for (const std::size_t item_bytes : {4, 8, 9, 24}) EXPECT_GT(round_trip(zeros, item_bytes), 0u);
}

TEST_F(delta_test, survives_damage) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    random_engine random(5, seed);
    const auto keys = ascending<std::uint64_t>(random, 3 + random.below(600), random(), 1 + random.below(9999));
    const auto items = std::as_bytes(std::span(keys));
    const bytes body = encode_fenced(first(), items, 8, items.size() + 100);
    ASSERT_FALSE(body.empty());
    EXPECT_FALSE(decode_exactly(first(), std::span(body).first(random.below(body.size())), 8, items.size()));
    for (int i = 0; i < 20; ++i) {
      bytes damaged = body;
      damaged[random.below(random.chance(0.5) ? 25 : body.size())] ^= std::byte{1} << random.below(8);
      decode_exactly(first(), damaged, 8, items.size());
      decode_exactly(first(), damaged, random.below(30), random.below(2 * items.size()));
    }
  }
}

}  // namespace
}  // namespace shoal
