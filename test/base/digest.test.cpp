// Goal: digests are those of FNV-1a, so they distinguish bytes alike on every platform.
#include "shoal/base/internal/digest.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cstdint>

namespace shoal {

using namespace internal;
namespace {

std::uint64_t digest_of_text(std::string_view text) {
  digest d;
  d.add(text);
  return d.value();
}

// The published values (Fowler, Noll, Vo).
TEST(digest, is_fnv_1a) {
  EXPECT_EQ(digest_of_text(""), 0xcbf29ce484222325);
  EXPECT_EQ(digest_of_text("a"), 0xaf63dc4c8601ec8c);
  EXPECT_EQ(digest_of_text("foobar"), 0x85944171f73967e8);
}

TEST(digest, of_bytes_is_that_of_the_same_text) {
  constexpr std::array<char, 6> letters = {'f', 'o', 'o', 'b', 'a', 'r'};
  digest d;
  d.add(std::as_bytes(std::span(letters)));
  EXPECT_EQ(d.value(), digest_of_text("foobar"));
}

TEST(digest, goes_on_where_another_ended) {
  digest d(digest_of_text("foo"));
  d.add("bar");
  EXPECT_EQ(d.value(), digest_of_text("foobar"));
}

TEST(digest, of_words_depends_on_their_order) {
  digest one_two;
  one_two.add_word(1);
  one_two.add_word(2);
  digest two_one;
  two_one.add_word(2);
  two_one.add_word(1);
  EXPECT_NE(one_two.value(), two_one.value());
}

}  // namespace
}  // namespace shoal
