// Goal: an encoded payload says all that a decoder needs; anything else is refused or harmless; and programs can supply
// codecs of their own.
#include "shoal/codec/internal/codec_table.hpp"

#include <algorithm>

#include "shoal/base/setup_error.hpp"
#include "shoal/codec/internal/zstd.hpp"
#include "test/codec/payloads.hpp"

namespace shoal {

using namespace internal;
namespace {

using namespace shoal::codec_test;

constexpr codec_number built_in[] = {codec_number::squeeze, codec_number::delta, codec_number::zstd};
constexpr auto users = codec_number::first_user;

// Items on which every codec gains.
bytes small_ascending_keys(std::size_t n) {
  std::vector<std::uint64_t> keys(n);
  for (std::size_t i = 0; i < n; ++i) keys[i] = 3 * i;
  const auto as_bytes = std::as_bytes(std::span(keys));
  return {as_bytes.begin(), as_bytes.end()};
}

bytes encoded(const codec_table& table, codec_number number, const bytes& items, std::size_t item_bytes) {
  bytes out(items.size() + 100);
  out.resize(table.encode(number, items, item_bytes, out));
  out.shrink_to_fit();
  return out;
}

// As many times 0x77 as the body's one word says.
class repeat_codec final : public codec {
public:
  std::string_view name() const noexcept override { return "repeat"; }
  std::size_t encode(std::span<const std::byte> items, std::size_t, std::span<std::byte> out) noexcept override {
    const auto is_77 = [](std::byte b) { return b == std::byte{0x77}; };
    if (out.empty() || !std::ranges::all_of(items, is_77)) return 0;
    out[0] = std::byte{0x77};
    return 1;
  }
  bool decode(std::span<const std::byte> body, std::size_t, std::span<std::byte> items) noexcept override {
    if (body.size() != 1) return false;
    std::ranges::fill(items, body[0]);
    return true;
  }
};

TEST(codec_table, returns_what_it_encoded_whichever_the_codec) {
  const codec_table table = standard_codecs();
  const bytes items = small_ascending_keys(1000);
  for (const codec_number number : built_in) {
    if (table.find(number) == nullptr) continue;
    const bytes wire = encoded(table, number, items, 8);
    ASSERT_FALSE(wire.empty()) << table.find(number)->name();
    EXPECT_LE(wire.size(), worthwhile_bytes(items.size()));
    bytes out(items.size());
    const decoded_payload d = table.decode(wire, 8, out);
    EXPECT_EQ(d.status, decode_status::ok);
    EXPECT_EQ(d.bytes, items.size());
    EXPECT_EQ(out, items) << table.find(number)->name();
  }
}

TEST(codec_table, sends_nothing_encoded_that_spares_less_than_an_eighth) {
  const codec_table table = standard_codecs();
  random_engine random(1);
  for (const std::size_t item_bytes : {0, 1, 3, 4, 8, 12, 16, 31, 64}) {
    for (const std::size_t n_bytes : {0, 1, 12, 13, 100, 1000, 32768}) {
      const bytes noise = random_bytes(random, n_bytes);
      for (const codec_number number : built_in) {
        const bytes wire = encoded(table, number, noise, item_bytes);
        EXPECT_LE(wire.size(), worthwhile_bytes(n_bytes));
        EXPECT_TRUE(wire.empty() || n_bytes <= 100) << "noise became shorter";
      }
    }
  }
  std::vector<std::uint64_t> nearly_full(4096);
  for (std::uint64_t& item : nearly_full) item = random() >> 7;
  const auto as_bytes = std::as_bytes(std::span(nearly_full));
  EXPECT_TRUE(encoded(table, codec_number::squeeze, {as_bytes.begin(), as_bytes.end()}, 8).empty());
}

TEST(codec_table, does_not_write_outside_a_small_room) {
  const codec_table table = standard_codecs();
  const bytes items = small_ascending_keys(1000);
  for (const codec_number number : built_in) {
    for (std::size_t room = 0; room < 2000; room += 7) {
      bytes out(room);  // the address sanitizer watches its end
      EXPECT_LE(table.encode(number, items, 8, out), room);
    }
  }
}

TEST(codec_table, says_why_it_refuses) {
  const codec_table table = standard_codecs();
  const bytes items = small_ascending_keys(1000);
  const bytes wire = encoded(table, codec_number::squeeze, items, 8);
  bytes out(items.size());
  const auto status_of = [&](bytes changed, std::size_t item_bytes = 8) {
    const decoded_payload d = table.decode(changed, item_bytes, out);
    EXPECT_EQ(d.bytes, d.status == decode_status::ok ? items.size() : 0u);
    return d.status;
  };
  const auto with = [&](std::size_t at, std::uint8_t value) {
    bytes changed = wire;
    changed[at] = std::byte{value};
    return changed;
  };
  EXPECT_EQ(status_of(wire), decode_status::ok);
  EXPECT_EQ(status_of(wire, 16), decode_status::damaged) << "items of another size";
  EXPECT_EQ(status_of(with(0, 0)), decode_status::unknown_codec);
  EXPECT_EQ(status_of(with(0, 200)), decode_status::unknown_codec);
  EXPECT_EQ(status_of(with(1, 2)), decode_status::unknown_version);
  EXPECT_EQ(status_of(with(2, 1)), decode_status::damaged);
  EXPECT_EQ(status_of(with(11, 1)), decode_status::too_large);
  EXPECT_EQ(status_of(with(8, 0)), decode_status::damaged) << "another number of items";
  for (std::size_t n = 0; n < wire.size(); ++n) {
    EXPECT_EQ(status_of(bytes(wire.begin(), wire.begin() + static_cast<std::ptrdiff_t>(n))), decode_status::damaged);
  }
  out.resize(items.size() - 1);
  EXPECT_EQ(table.decode(wire, 8, out).status, decode_status::too_large);
  EXPECT_EQ(to_text(decode_status::too_large), "too large");
}

// Any input is allowed; only the sanitizers and the edges of the memory judge.
TEST(codec_table, survives_bytes_from_anywhere) {
  const codec_table table = standard_codecs();
  const bytes items = small_ascending_keys(1000);
  for (std::uint64_t seed = 0; seed < 2000; ++seed) {
    random_engine random(2, seed);
    const codec_number number = built_in[random.below(3)];
    bytes wire = encoded(table, number, items, 8);
    if (wire.empty()) continue;
    const std::size_t n_changes = 1 + random.below(5);
    for (std::size_t i = 0; i < n_changes; ++i) {
      wire[random.below(random.chance(0.5) ? 40 : wire.size())] = static_cast<std::byte>(random());
    }
    wire.resize(random.chance(0.5) ? wire.size() : random.below(wire.size() + 50));
    bytes out(random.chance(0.5) ? items.size() : random.below(70'000));
    const decoded_payload d = table.decode(wire, random.chance(0.8) ? 8 : random.below(20), out);
    EXPECT_LE(d.bytes, out.size());
  }
}

TEST(codec_table, takes_codecs_of_programs_by_number) {
  codec_table table = standard_codecs();
  table.add(users, std::make_unique<repeat_codec>());
  const bytes items(500, std::byte{0x77});
  const bytes wire = encoded(table, users, items, 5);
  EXPECT_EQ(wire.size(), sizeof(encoded_header) + 1);
  bytes out(500);
  EXPECT_EQ(table.decode(wire, 5, out).status, decode_status::ok);
  EXPECT_EQ(out, items);
  EXPECT_EQ(standard_codecs().decode(wire, 5, out).status, decode_status::unknown_codec);
}

TEST(codec_table, refuses_a_number_twice_and_number_0) {
  codec_table table = standard_codecs();
  const auto complaint = [&](codec_number number) -> std::string {
    try {
      table.add(number, std::make_unique<repeat_codec>());
    } catch (const setup_error& e) {
      return e.what();
    }
    return "none";
  };
  EXPECT_EQ(complaint(codec_number::squeeze), "codec number 1 is taken by 'squeeze'; choose another one");
  EXPECT_EQ(complaint(codec_number::none), "a codec cannot have number 0 (it means none); take one from 64 on");
  EXPECT_EQ(complaint(users), "none");
  EXPECT_EQ(complaint(users), "codec number 64 is taken by 'repeat'; choose another one");
}

TEST(zstd, shortens_text_of_which_it_knows_nothing) {
  if (!has_zstd()) {
    EXPECT_EQ(make_zstd_codec(), nullptr);
    GTEST_SKIP() << "this Shoal was built without libzstd (Debian: libzstd-dev)";
  }
  const auto zstd = make_zstd_codec();
  std::string text;
  for (int i = 0; text.size() < 30'000; ++i) text += "line " + std::to_string(i * 7919) + " of a large record\n";
  const auto items = std::as_bytes(std::span(text));
  const bytes body = encode_fenced(*zstd, items, 0, items.size());
  ASSERT_FALSE(body.empty());
  EXPECT_LT(body.size(), items.size() / 2);
  const auto decoded = decode_exactly(*zstd, body, 0, items.size());
  ASSERT_TRUE(decoded);
  EXPECT_EQ(std::memcmp(decoded->data(), items.data(), items.size()), 0);
  EXPECT_EQ(encode_fenced(*zstd, items, 0, body.size() / 2).size(), 0u) << "too little room";
  EXPECT_FALSE(decode_exactly(*zstd, body, 0, items.size() - 1));
  EXPECT_FALSE(decode_exactly(*zstd, body, 0, items.size() + 1));
  EXPECT_FALSE(decode_exactly(*zstd, std::span(body).first(body.size() - 1), 0, items.size()));
}

}  // namespace
}  // namespace shoal
