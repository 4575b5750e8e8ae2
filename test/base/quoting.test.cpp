// Goal: nothing that others have named steers a terminal, and JSON can be UTF-8 whatever it quotes.
#include "shoal/base/internal/quoting.hpp"

#include <gtest/gtest.h>

#include <string>

namespace shoal {

using namespace internal;
namespace {

TEST(printable, leaves_text_as_it_is) {
  EXPECT_EQ(printable(""), "");
  EXPECT_EQ(printable("a b/c.mtx ~'\"\\"), "a b/c.mtx ~'\"\\");
  EXPECT_EQ(printable("Zürich, 東京, 🐟"), "Zürich, 東京, 🐟");
}

TEST(printable, writes_control_characters_out) {
  EXPECT_EQ(printable("\x1b[31mred"), "\\x1b[31mred");
  EXPECT_EQ(printable(std::string("a\0b", 3)), "a\\x00b");
  EXPECT_EQ(printable("a\nb\tc\rd\x7f"), "a\\nb\\tc\\x0dd\\x7f");
  EXPECT_EQ(printable("\u009b31m"), "\\xc2\\x9b31m");  // ESC [ in one character
}

TEST(printable, writes_bytes_out_that_are_no_character) {
  EXPECT_EQ(printable("\xe9t\xe9"), "\\xe9t\\xe9");
  EXPECT_EQ(printable("\xc3"), "\\xc3");  // cut off
  EXPECT_EQ(printable("\xe6\x9d"), "\\xe6\\x9d");
  EXPECT_EQ(printable("\x9bx"), "\\x9bx");
  EXPECT_EQ(printable("\xc0\x9b"), "\\xc0\\x9b");  // overlong
  EXPECT_EQ(printable("\xe0\x82\x9b"), "\\xe0\\x82\\x9b");
  EXPECT_EQ(printable("\xed\xa0\x80"), "\\xed\\xa0\\x80");  // a surrogate
  EXPECT_EQ(printable("\xf4\x90\x80\x80"), "\\xf4\\x90\\x80\\x80");  // beyond Unicode
  EXPECT_EQ(printable("\xff\xfe"), "\\xff\\xfe");
}

TEST(printable_lines, keeps_line_ends) {
  EXPECT_EQ(printable_lines("a\x1b\nb\n"), "a\\x1b\nb\n");
  EXPECT_EQ(printable_lines("\n\nc\t"), "\n\nc\\t");
}

TEST(as_utf8, replaces_what_is_no_character) {
  EXPECT_EQ(as_utf8("Zürich 🐟\x1b\n"), "Zürich 🐟\x1b\n");
  EXPECT_EQ(as_utf8("\xe9t\xc3"), "\ufffdt\ufffd");
  EXPECT_EQ(as_utf8("\xed\xa0\x80"), "\ufffd\ufffd\ufffd");
}

}  // namespace
}  // namespace shoal
