#include "shoal/graph/internal/matrix_market_text.hpp"

#include <array>
#include <iterator>
#include <limits>
#include <span>
#include <system_error>
#include <vector>

#include "shoal/graph/internal/number_text.hpp"

namespace shoal::internal {
namespace {

constexpr std::string_view banner_word = "%%MatrixMarket";
constexpr std::string_view supported = "%%MatrixMarket matrix coordinate pattern|integer|real general|symmetric";

// Beyond this, some whole numbers are not doubles.
constexpr std::int64_t exact_integer_max = std::int64_t{1} << 53;

// Splits at blanks.
std::vector<std::string_view> words_of(std::string_view line) {
  std::vector<std::string_view> words;
  for (std::size_t i = 0; i < line.size();) {
    if (is_blank_char(line[i])) {
      ++i;
      continue;
    }
    const auto end = static_cast<std::size_t>(
        std::find_if(line.begin() + static_cast<std::ptrdiff_t>(i), line.end(), is_blank_char) - line.begin());
    words.push_back(line.substr(i, end - i));
    i = end;
  }
  return words;
}

std::string lower_case(std::string_view word) {
  std::string lower(word);
  for (char& c : lower) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return lower;
}

// --- Numbers

std::errc parse_value(cursor& c, value_kind kind, double& value) {
  if (kind == value_kind::real) return parse_real(c, value);
  std::int64_t whole = 0;
  const std::errc error = parse_number(c, whole);
  if (error != std::errc{}) return error;
  if (whole > exact_integer_max || whole < -exact_integer_max) return std::errc::result_out_of_range;
  value = static_cast<double>(whole);
  return {};
}

// --- The banner

// One word of the banner: the values that Shoal reads, and others that the format knows.
struct banner_choice {
  const char* what;
  std::span<const std::string_view> supported;
  std::span<const std::string_view> known;
};

constexpr std::array<std::string_view, 1> objects = {"matrix"};
constexpr std::array<std::string_view, 1> formats = {"coordinate"};
constexpr std::array<std::string_view, 3> fields = {"pattern", "integer", "real"};
constexpr std::array<std::string_view, 2> symmetries = {"general", "symmetric"};
constexpr std::array<std::string_view, 1> other_formats = {"array"};
constexpr std::array<std::string_view, 1> other_fields = {"complex"};
constexpr std::array<std::string_view, 2> other_symmetries = {"skew-symmetric", "hermitian"};
constexpr std::array<banner_choice, 4> banner_choices = {{{"object", objects, {}},
                                                          {"format", formats, other_formats},
                                                          {"field", fields, other_fields},
                                                          {"symmetry", symmetries, other_symmetries}}};

std::size_t position_in(std::span<const std::string_view> words, std::string_view word) {
  return static_cast<std::size_t>(std::find(words.begin(), words.end(), word) - words.begin());
}

std::string expected_banner() { return std::string("expected: ") + std::string(supported); }

[[gnu::cold]] void read_banner(line_reader& lines, matrix_market_head& head) {
  std::string_view line;
  if (!lines.next(line)) throw input_error(1, "the file is empty; " + expected_banner());
  const std::vector<std::string_view> words = words_of(line);
  if (words.empty() || lower_case(words[0]) != lower_case(banner_word)) {
    throw input_error(1, "not a MatrixMarket file: it begins with " + quoted(line) + "; " + expected_banner());
  }
  if (words.size() != 1 + banner_choices.size()) {
    throw input_error(1, "malformed banner " + quoted(line) + "; " + expected_banner());
  }
  std::array<std::size_t, banner_choices.size()> chosen{};
  for (std::size_t i = 0; i < banner_choices.size(); ++i) {
    const banner_choice& choice = banner_choices[i];
    const std::string word = lower_case(words[i + 1]);
    chosen[i] = position_in(choice.supported, word);
    if (chosen[i] != choice.supported.size()) continue;
    const bool is_known = position_in(choice.known, word) != choice.known.size();
    throw input_error(1, std::string(choice.what) + " " + quoted(words[i + 1]) +
                             (is_known ? " is not supported; " : " is unknown; ") + expected_banner());
  }
  head.kind = static_cast<value_kind>(chosen[2]);
  head.is_symmetric = symmetries[chosen[3]] == "symmetric";
}

// --- The size line

[[gnu::cold]] void read_size_line(line_reader& lines, matrix_market_head& head) {
  constexpr const char* expected = "expected the size line, three whole numbers: rows columns entries";
  std::string_view line;
  do {
    if (!lines.next(line)) throw input_error(lines.n_lines() + 1, std::string("the file ends; ") + expected);
  } while (is_blank(line) || words_of(line)[0].starts_with('%'));

  cursor c{line.data(), line.data() + line.size()};
  for (std::int64_t* n : {&head.n_rows, &head.n_columns, &head.n_entries}) {
    c.skip_blanks();
    const char* const begin = c.at;
    const std::errc error = parse_number(c, *n);
    if (error == std::errc::result_out_of_range && *begin != '-') {
      throw input_error(lines.n_lines(), quoted({begin, c.at}) + " is too large; at most " +
                                             std::to_string(std::numeric_limits<std::int64_t>::max()));
    }
    if (error != std::errc{} || *n < 0) {
      throw input_error(lines.n_lines(), "cannot read " + quoted(line) + "; " + expected);
    }
  }
  c.skip_blanks();
  if (c.at != c.end) {
    throw input_error(lines.n_lines(), "unexpected " + quoted({c.at, c.end}) + " after the size; " + expected);
  }
  if (head.is_symmetric && head.n_rows != head.n_columns) {
    throw input_error(lines.n_lines(), "a symmetric matrix is square, but this one has " + std::to_string(head.n_rows) +
                                           " rows and " + std::to_string(head.n_columns) +
                                           " columns; correct them, or say general in line 1");
  }
}

// --- Errors of an entry

constexpr std::string_view entry_form(value_kind kind) {
  switch (kind) {
    case value_kind::pattern: return "row column";
    case value_kind::integer: return "row column value (a whole number)";
    case value_kind::real: break;
  }
  return "row column value (a number)";
}

std::string explain_index(const char* what, std::string_view word, std::int64_t n) {
  const std::string things = std::string(what) + "s";
  return std::string(what) + " " + std::string(word) + " is out of range (" +
         (word.find_first_of("123456789") == word.npos || word.starts_with('-')
              ? things + " are counted from 1)"
              : "the matrix has " + std::to_string(n) + " " + things + ")");
}

}  // namespace

matrix_market_head read_head(line_reader& lines) {
  matrix_market_head head;
  read_banner(lines, head);
  read_size_line(lines, head);
  head.size_line = lines.n_lines();
  head.body_begin = lines.n_bytes();
  return head;
}

bool parse_entry(std::string_view line, const matrix_market_head& head, weighted_entry& e) noexcept {
  cursor c{line.data(), line.data() + line.size()};
  if (parse_number(c, e.row) != std::errc{} || parse_number(c, e.column) != std::errc{}) return false;
  if (head.kind != value_kind::pattern && parse_value(c, head.kind, e.value) != std::errc{}) return false;
  c.skip_blanks();
  if (c.at != c.end) return false;
  if (e.row < 1 || e.row > head.n_rows || e.column < 1 || e.column > head.n_columns) return false;
  if (head.is_symmetric && e.row < e.column) return false;
  --e.row;
  --e.column;
  return true;
}

std::string explain_entry(std::string_view line, const matrix_market_head& head) {
  const std::string form = "an entry of this file is: " + std::string(entry_form(head.kind));
  std::string unreadable = "cannot read " + quoted(line) + "; " + form;
  if (line.size() > line_reader::line_bytes_max) return "the line is too long; " + form;
  const std::vector<std::string_view> words = words_of(line);
  if (!words.empty() && words[0].starts_with('%')) {
    return "a comment among the entries; comments stand before the size line (line " + std::to_string(head.size_line) +
           ")";
  }
  const std::size_t n_words = head.kind == value_kind::pattern ? 2 : 3;
  if (words.size() < n_words) return unreadable;

  struct index_word {
    const char* what;
    std::int64_t n;
    std::int64_t value = 0;
  };
  std::array<index_word, 2> indices = {{{"row", head.n_rows}, {"column", head.n_columns}}};
  for (std::size_t i = 0; i < indices.size(); ++i) {
    cursor c{words[i].data(), words[i].data() + words[i].size()};
    index_word& index = indices[i];
    const std::errc error = parse_number(c, index.value);
    if (error == std::errc::invalid_argument) return unreadable;
    if (error != std::errc{} || index.value < 1 || index.value > index.n) {
      return explain_index(index.what, words[i], index.n);
    }
  }
  if (n_words == 3) {
    cursor c{words[2].data(), words[2].data() + words[2].size()};
    double value = 0;
    const std::errc error = parse_value(c, head.kind, value);
    if (error == std::errc::invalid_argument) return unreadable;
    if (error != std::errc{}) {
      return "value " + quoted(words[2]) +
             (head.kind == value_kind::real
                  ? " is out of range; the largest is 1.7976931348623157e308"
                  : " is out of range; values are kept as doubles, exact up to 9007199254740992");
    }
  }
  if (words.size() > n_words) {
    const char* const begin = words[n_words].data();
    return "unexpected " + quoted({begin, words.back().data() + words.back().size()}) + " after the entry; " + form;
  }
  return "row " + std::string(words[0]) + ", column " + std::string(words[1]) +
         " lies above the diagonal; a symmetric file holds the lower triangle (row >= column), or say "
         "general in line 1";
}

}  // namespace shoal::internal
