// Goal: any items come back; all implementations write the same bytes; constant bits cost nothing.
#include "shoal/codec/internal/squeeze.hpp"

#include "test/codec/payloads.hpp"

namespace shoal {

using namespace internal;
namespace {

using namespace shoal::codec_test;

constexpr std::size_t buffer_bytes = 32 * 1024;

class squeeze_test : public testing::Test {
protected:
  // Room for any body, so that items that do not pay are tried, too.
  std::size_t round_trip(std::span<const std::byte> items, std::size_t item_bytes) {
    return expect_round_trip(codecs_, items, item_bytes, items.size() + 2 * item_bytes + 4096);
  }
  squeeze_codec& first() { return codecs_[0]; }

private:
  std::vector<squeeze_codec> codecs_ = one_for_each_set<squeeze_codec>();
};

TEST_F(squeeze_test, returns_items_of_every_size_and_number) {
  for (std::size_t item_bytes = 1; item_bytes <= 130; ++item_bytes) {
    random_engine random(4, item_bytes);
    const std::size_t full = buffer_bytes / item_bytes;
    for (const std::size_t n : {std::size_t{0}, std::size_t{1}, std::size_t{2}, std::size_t{3}, std::size_t{4},
                                std::size_t{63}, std::size_t{64}, std::size_t{65}, std::size_t{255}, std::size_t{256},
                                std::size_t{257}, random.below(full), full}) {
      SCOPED_TRACE(testing::Message() << n << " items of " << item_bytes << " bytes");
      round_trip(items_with_constant_bits(random, item_bytes, n, random.uniform()), item_bytes);
      if (HasFailure()) return;
    }
  }
}

TEST_F(squeeze_test, returns_items_of_every_seed) {
  for (std::uint64_t seed = 0; seed < 1000; ++seed) {
    random_engine random(5, seed);
    const std::size_t item_bytes = 1 + random.below(random.chance(0.1) ? 5000 : 48);
    const std::size_t n = random.below(2 + 20'000 / item_bytes);
    SCOPED_TRACE(testing::Message() << "seed " << seed << ": " << n << " items of " << item_bytes << " bytes");
    const bytes items = items_with_constant_bits(random, item_bytes, n, random.uniform());
    round_trip(items, item_bytes);
    // A payload that ends within an item is odd, but must not be lost.
    round_trip(std::span(items).first(random.below(items.size() + 1)), item_bytes);
    if (HasFailure()) return;
  }
}

TEST_F(squeeze_test, returns_items_as_large_as_a_third_of_a_buffer) {
  random_engine random(6);
  for (const std::size_t item_bytes : {4096, 8191, 10'000, 10'922}) {
    const std::size_t n = buffer_bytes / item_bytes;
    EXPECT_GT(round_trip(items_with_constant_bits(random, item_bytes, n, 0.1), item_bytes), 0u);
  }
}

TEST_F(squeeze_test, sends_each_varying_bit_once_and_no_other) {
  random_engine random(7);
  for (const unsigned width : {0u, 1u, 10u, 16u, 32u, 48u, 63u}) {
    std::vector<std::uint64_t> items(buffer_bytes / 8);
    for (std::uint64_t& item : items) item = 0x1230000000000000 ^ (random() & internal::low_bits(width));
    const std::size_t n_stream = width == 0 ? 0 : items.size() * width / 8;
    EXPECT_EQ(round_trip(std::as_bytes(std::span(items)), 8), 16 + n_stream) << width << " bits";
  }
}

TEST_F(squeeze_test, gives_nothing_rather_than_more_than_there_is_room_for) {
  random_engine random(8);
  const bytes items = items_with_constant_bits(random, 12, 500, 0.3);
  const std::size_t n = round_trip(items, 12);
  ASSERT_GT(n, 0u);
  EXPECT_EQ(encode_fenced(first(), items, 12, n).size(), n);
  for (const std::size_t limit : {n - 1, n / 2, std::size_t{30}, std::size_t{1}, std::size_t{0}}) {
    EXPECT_EQ(encode_fenced(first(), items, 12, limit).size(), 0u) << limit;
  }
}

TEST_F(squeeze_test, leaves_noise_alone) {
  random_engine random(9);
  const bytes noise = random_bytes(random, buffer_bytes);
  for (const std::size_t item_bytes : {0, 1, 4, 7, 8, 12, 16, 100}) {
    EXPECT_EQ(encode_fenced(first(), noise, item_bytes, noise.size() - noise.size() / 8).size(), 0u);
  }
}

// Items late in the buffer may differ where the sampled ones agree.
TEST_F(squeeze_test, does_not_believe_its_sample) {
  std::vector<std::uint64_t> items(4096, 7);
  items.back() = ~std::uint64_t{7};
  EXPECT_EQ(round_trip(std::as_bytes(std::span(items)), 8), 16 + 4096 * 8u);
}

// No input makes a decoder read or write outside; the sanitizers judge that. A body of the wrong length is always
// detected.
TEST_F(squeeze_test, survives_damage) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    random_engine random(10, seed);
    const std::size_t item_bytes = 1 + random.below(40);
    const bytes items = items_with_constant_bits(random, item_bytes, 3 + random.below(600), random.uniform() * 0.5);
    const bytes body = encode_fenced(first(), items, item_bytes, items.size());
    if (body.empty()) continue;
    EXPECT_FALSE(decode_exactly(first(), std::span(body).first(random.below(body.size())), item_bytes, items.size()));
    for (int i = 0; i < 20; ++i) {
      bytes damaged = body;
      // The masks determine lengths, so they are damaged more often.
      const std::size_t at = random.below(random.chance(0.5) ? std::min(body.size(), 2 * item_bytes) : body.size());
      damaged[at] ^= std::byte{1} << random.below(8);
      decode_exactly(first(), damaged, item_bytes, items.size());
      decode_exactly(first(), damaged, 1 + random.below(100), random.below(2 * items.size()));
    }
    const bytes noise = random_bytes(random, random.below(200));
    decode_exactly(first(), noise, random.below(20), random.below(1000));
  }
}

}  // namespace
}  // namespace shoal
