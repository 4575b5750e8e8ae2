// Goal: buffers of records and runs come back whatever they hold, and shrink if their words resemble earlier ones.
// Damaged buffers are refused or decoded to something, never beyond the edges.
// Method: records as streams write them, of every size and content; round trips that watch the edges.
#include <cstring>

#include "shoal/codec/internal/delta.hpp"
#include "shoal/codec/internal/squeeze.hpp"
#include "test/codec/payloads.hpp"

namespace shoal {

using namespace internal;
namespace {

using namespace shoal::codec_test;

// `n` records, each a header of 8 bytes and a body, padded to the next word; `fill` writes one body.
template <class Fill>
bytes records(std::size_t n, std::size_t record_bytes, Fill fill) {
  const std::size_t whole = 8 + (record_bytes + 7) / 8 * 8;
  bytes payload(n * whole);
  for (std::size_t i = 0; i < n; ++i) {
    const std::uint32_t header[2] = {1, static_cast<std::uint32_t>(record_bytes)};
    std::memcpy(&payload[i * whole], header, sizeof header);
    fill(i, &payload[i * whole + 8]);
  }
  return payload;
}

std::size_t round_trip(std::span<const std::byte> payload) {
  auto squeezes = one_for_each_set<squeeze_codec>();
  auto deltas = one_for_each_set<delta_codec>();
  const std::size_t room = payload.size() * 9 / 8 + 64;
  const std::size_t n = expect_round_trip(squeezes, payload, 0, room);
  EXPECT_EQ(expect_round_trip(deltas, payload, 0, room), n);
  return n;
}

TEST(records, shrink_as_far_as_they_resemble_the_one_before) {
  for (const std::size_t record_bytes : {8, 13, 40, 100}) {
    const bytes payload = records(300, record_bytes, [](std::size_t i, std::byte* at) {
      const std::uint64_t index = i * 40503 & 0xffff;
      std::memcpy(at, &index, sizeof index);
    });
    const std::size_t n = round_trip(payload);
    EXPECT_GT(n, 0U) << record_bytes;
    // A byte for each word's mask, and two bytes of the first word after the header.
    EXPECT_LT(n, payload.size() / 8 + 300 * 2 + 16) << record_bytes;
  }
}

TEST(records, return_whatever_they_hold) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    random_engine random(21, seed);
    const double noise = random.uniform() * random.uniform();
    const std::size_t record_bytes = random.below(200);
    bytes payload = records(1 + random.below(80), record_bytes, [&](std::size_t, std::byte* at) {
      for (std::size_t i = 0; i < record_bytes; ++i) at[i] = random.chance(noise) ? std::byte(random()) : std::byte{7};
    });
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    round_trip(payload);
    round_trip(std::span(payload).first(random.below(payload.size() + 1)));
    if (testing::Test::HasFailure()) return;
  }
}

TEST(records, of_noise_are_given_up) {
  random_engine random(22);
  bytes payload(32768);
  for (std::byte& b : payload) b = std::byte(random());
  EXPECT_EQ(round_trip(payload), 0U);
}

TEST(records, damaged_ones_stay_within_their_room) {
  squeeze_codec codec;
  const bytes payload = records(100, 24, [](std::size_t i, std::byte* at) { std::memcpy(at, &i, sizeof i); });
  bytes body(payload.size());
  body.resize(codec.encode(payload, 0, body));
  ASSERT_FALSE(body.empty());
  bytes out(payload.size());
  random_engine random(23);
  for (int i = 0; i < 2000; ++i) {
    bytes damaged = body;
    damaged[random.below(damaged.size())] ^= std::byte(1 + random.below(255));
    codec.decode(damaged, 0, out);
    damaged.resize(random.below(damaged.size()));
    damaged.shrink_to_fit();  // so that the sanitizer detects accesses beyond it
    codec.decode(damaged, 0, out);
  }
  EXPECT_FALSE(codec.decode(std::span(body).first(body.size() - 1), 0, out));
  EXPECT_FALSE(codec.decode({}, 0, out));
  body.push_back(std::byte{});
  EXPECT_FALSE(codec.decode(body, 0, out)) << "a byte too many";
  body.pop_back();
  body[0] = std::byte{17};
  EXPECT_FALSE(codec.decode(body, 0, out)) << "a stride that no encoder writes";
}

}  // namespace
}  // namespace shoal
