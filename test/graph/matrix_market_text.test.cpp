// Goal: lines of the format are read, or refused with the right words, wherever the text is cut.
#include "shoal/graph/internal/matrix_market_text.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <string_view>
#include <vector>

namespace shoal::internal {
namespace {

matrix_market_head head_of(value_kind kind, bool is_symmetric = false) {
  return {.kind = kind, .is_symmetric = is_symmetric, .n_rows = 50, .n_columns = 50, .n_entries = 9, .size_line = 2};
}

TEST(parse_entry, reads_what_programs_write) {
  struct good_line {
    value_kind kind;
    const char* line;
    weighted_entry expected;
  };
  const good_line lines[] = {
      {value_kind::pattern, "1 50", {0, 49, 0}},
      {value_kind::pattern, "  7\t8  ", {6, 7, 0}},
      {value_kind::pattern, "007 +8\r", {6, 7, 0}},
      {value_kind::integer, "1 2 -3", {0, 1, -3}},
      {value_kind::integer, "1 2 9007199254740992", {0, 1, 9007199254740992.0}},
      {value_kind::real, "1 2 3", {0, 1, 3}},
      {value_kind::real, "1 2 -0.1e+2", {0, 1, -10}},
      {value_kind::real, "1 2 +2.5E-1", {0, 1, 0.25}},
      {value_kind::real, "1 2 .5", {0, 1, 0.5}},
      {value_kind::real, "1 2 1e-999", {0, 1, 0}},
      {value_kind::real, "1 2 4.9e-324", {0, 1, 4.9e-324}},
      {value_kind::real, "1 2 0.1", {0, 1, 0.1}},
      {value_kind::real, "1 2 -inf", {0, 1, -HUGE_VAL}},
  };
  for (const good_line& good : lines) {
    weighted_entry e;
    EXPECT_TRUE(parse_entry(good.line, head_of(good.kind), e)) << good.line;
    EXPECT_EQ(e, good.expected) << good.line;
  }
}

TEST(parse_entry, refuses_the_rest_and_says_why) {
  struct bad_line {
    value_kind kind;
    const char* line;
    const char* expected;
  };
  constexpr auto pattern = value_kind::pattern;
  constexpr auto integer = value_kind::integer;
  constexpr auto real = value_kind::real;
  const bad_line lines[] = {
      {pattern, "1", "cannot read '1'; an entry of this file is: row column"},
      {pattern, "one 2", "cannot read 'one 2'; an entry of this file is: row column"},
      {pattern, "1 2x", "cannot read '1 2x'; an entry of this file is: row column"},
      {pattern, "1.0 2", "cannot read '1.0 2'; an entry of this file is: row column"},
      {pattern, "1,2", "cannot read '1,2'; an entry of this file is: row column"},
      {pattern, "+-1 2", "cannot read '+-1 2'; an entry of this file is: row column"},
      {pattern, "\x01\xff 2", "cannot read '\\x01\\xff 2'; an entry of this file is: row column"},
      {pattern, "1 2 3", "unexpected '3' after the entry; an entry of this file is: row column"},
      {pattern, "1 2 and more ", "unexpected 'and more' after the entry; an entry of this file is: row column"},
      {pattern, "0 2", "row 0 is out of range (rows are counted from 1)"},
      {pattern, "2 0", "column 0 is out of range (columns are counted from 1)"},
      {pattern, "-1 2", "row -1 is out of range (rows are counted from 1)"},
      {pattern, "51 2", "row 51 is out of range (the matrix has 50 rows)"},
      {pattern, "1 99", "column 99 is out of range (the matrix has 50 columns)"},
      {pattern, "99999999999999999999 2", "row 99999999999999999999 is out of range (the matrix has 50 rows)"},
      {pattern, "1 -99999999999999999999", "column -99999999999999999999 is out of range (columns are counted from 1)"},
      {pattern, "% late", "a comment among the entries; comments stand before the size line (line 2)"},
      {integer, "1 2", "cannot read '1 2'; an entry of this file is: row column value (a whole number)"},
      {integer, "1 2 3.5", "cannot read '1 2 3.5'; an entry of this file is: row column value (a whole number)"},
      {integer, "1 2 9007199254740993",
       "value '9007199254740993' is out of range; values are kept as doubles, exact up to 9007199254740992"},
      {integer, "1 2 99999999999999999999",
       "value '99999999999999999999' is out of range; values are kept as doubles, exact up to "
       "9007199254740992"},
      {integer, "1 2 3 4",
       "unexpected '4' after the entry; an entry of this file is: row column value (a whole "
       "number)"},
      {real, "1 2", "cannot read '1 2'; an entry of this file is: row column value (a number)"},
      {real, "1 2 x", "cannot read '1 2 x'; an entry of this file is: row column value (a number)"},
      {real, "1 2 1.0D+03", "cannot read '1 2 1.0D+03'; an entry of this file is: row column value (a number)"},
      {real, "1 2 1e999", "value '1e999' is out of range; the largest is 1.7976931348623157e308"},
      {real, "1 2 -1e999", "value '-1e999' is out of range; the largest is 1.7976931348623157e308"},
      {real, "1 2 3.5 4", "unexpected '4' after the entry; an entry of this file is: row column value (a number)"},
  };
  for (const bad_line& bad : lines) {
    weighted_entry e;
    EXPECT_FALSE(parse_entry(bad.line, head_of(bad.kind), e)) << bad.line;
    EXPECT_EQ(explain_entry(bad.line, head_of(bad.kind)), bad.expected);
  }
}

TEST(parse_entry, refuses_the_upper_triangle_of_a_symmetric_file) {
  weighted_entry e;
  EXPECT_TRUE(parse_entry("3 3", head_of(value_kind::pattern, true), e));
  EXPECT_FALSE(parse_entry("3 5", head_of(value_kind::pattern, true), e));
  EXPECT_EQ(explain_entry("3 5", head_of(value_kind::pattern, true)),
            "row 3, column 5 lies above the diagonal; a symmetric file holds the lower triangle "
            "(row >= column), or say general in line 1");
}

TEST(explain_entry, shortens_what_it_repeats) {
  const std::string explained = explain_entry(std::string(1000, 'x'), head_of(value_kind::pattern));
  EXPECT_EQ(explained, "cannot read '" + std::string(40, 'x') + "…'; an entry of this file is: row column");
}

// Cuts a text at every place, and then into single characters.
TEST(entry_parser, does_not_care_where_the_text_is_cut) {
  const std::string_view text = "1 2 0.5\r\n\n  \n10 11 -1e3\n3 4 25";
  const std::vector<weighted_entry> expected = {{0, 1, 0.5}, {9, 10, -1000}, {2, 3, 25}};
  const auto parsed = [&](const std::vector<std::string_view>& pieces) {
    std::vector<weighted_entry> entries;
    const auto add = [&](const weighted_entry& e) { entries.push_back(e); };
    entry_parser<weighted_entry> parser(head_of(value_kind::real));
    parser.start_after(7);
    for (const std::string_view piece : pieces) parser.feed(piece, add);
    parser.end_line(add);
    EXPECT_FALSE(parser.error());
    EXPECT_EQ(parser.n_lines(), 7 + 5);
    EXPECT_EQ(parser.n_entries(), 3);
    return entries;
  };
  for (std::size_t cut = 0; cut <= text.size(); ++cut) {
    EXPECT_EQ(parsed({text.substr(0, cut), text.substr(cut)}), expected) << cut;
  }
  std::vector<std::string_view> characters;
  for (std::size_t i = 0; i < text.size(); ++i) characters.push_back(text.substr(i, 1));
  EXPECT_EQ(parsed(characters), expected);
}

TEST(entry_parser, mirrors_symmetric_entries) {
  std::vector<entry> entries;
  const auto add = [&](const entry& e) { entries.push_back(e); };
  entry_parser<entry> parser(head_of(value_kind::integer, true));
  parser.feed("2 1 7\n3 3 8\n", add);
  EXPECT_EQ(entries, (std::vector<entry>{{1, 0}, {0, 1}, {2, 2}}));
  EXPECT_EQ(parser.n_entries(), 2);
}

TEST(entry_parser, stops_at_the_first_wrong_line) {
  std::vector<entry> entries;
  const auto add = [&](const entry& e) { entries.push_back(e); };
  entry_parser<entry> parser(head_of(value_kind::pattern));
  parser.feed("1 1\nbad\n2 2\nworse\n", add);
  parser.feed("3 3\n", add);
  ASSERT_TRUE(parser.error());
  EXPECT_EQ(parser.error()->line(), 2);
  EXPECT_EQ(entries.size(), 1u);
}

TEST(entry_parser, refuses_lines_without_end) {
  const auto add = [](const entry&) {};
  entry_parser<entry> parser(head_of(value_kind::pattern));
  parser.feed("1 1\n", add);
  for (int i = 0; i < 1000; ++i) parser.feed(std::string(1000, ' '), add);
  ASSERT_TRUE(parser.error());
  EXPECT_EQ(parser.error()->line(), 2);
  EXPECT_STREQ(parser.error()->what(), "the line is too long; an entry of this file is: row column");
}

}  // namespace
}  // namespace shoal::internal
