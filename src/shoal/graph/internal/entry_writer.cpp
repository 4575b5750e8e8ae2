#include "shoal/graph/internal/entry_writer.hpp"

#include <charconv>
#include <cmath>
#include <cstring>
#include <optional>

#include "shoal/graph/internal/input_error.hpp"
#include "shoal/graph/internal/output_file.hpp"

namespace shoal::internal {
namespace {

constexpr std::size_t number_bytes_max = 32;  // of an index or a value, and the blank before it
constexpr std::size_t line_bytes_max = 3 * number_bytes_max;
static_assert(line_bytes_max <= part_writer::room_bytes_max);

// For n >= 0.
int n_digits(std::int64_t n) noexcept {
  int digits = 1;
  for (; n >= 1000; n /= 1000) digits += 3;
  return digits + (n >= 10) + (n >= 100);
}

template <class T>
char* put(char* at, T number) noexcept {
  return std::to_chars(at, at + number_bytes_max, number).ptr;
}

std::string text_of(std::int64_t n) { return std::to_string(n); }

std::optional<input_error> find_special_value(const sparse_matrix& m, std::int64_t first) {
  for (std::int64_t r = 0; m.has_values && r < m.n_local_rows(); ++r) {
    for (std::size_t i = 0; i < m.row(r).size(); ++i) {
      const double value = m.row_values(r)[i];
      if (std::isfinite(value)) continue;
      const char* const name = std::isnan(value) ? "not a number" : "infinite";
      return input_error(0, "the value of row " + text_of(m.global_row(r) + first) + ", column " +
                                text_of(m.row(r)[i] + first) + " is " + name +
                                "; the format has finite numbers only, so replace it or leave the entry out");
    }
  }
  return {};
}

std::int64_t count_bytes(const sparse_matrix& m, std::int64_t first) {
  std::int64_t n = 0;
  char scratch[number_bytes_max];
  for (std::int64_t r = 0; r < m.n_local_rows(); ++r) {
    const auto columns = m.row(r);
    n += static_cast<std::int64_t>(columns.size()) * (n_digits(m.global_row(r) + first) + 2);
    for (const std::int64_t column : columns) n += n_digits(column + first);
  }
  for (const double value : m.values) n += put(scratch, value) - scratch + 1;
  return n;
}

void put_entries(const sparse_matrix& m, std::int64_t first, part_writer& into) {
  char row[number_bytes_max] = {};
  for (std::int64_t r = 0; r < m.n_local_rows(); ++r) {
    char* const row_end = put(row, m.global_row(r) + first);
    *row_end = ' ';
    const auto n_row = static_cast<std::size_t>(row_end + 1 - row);
    const auto columns = m.row(r);
    const auto values = m.has_values ? m.row_values(r) : std::span<const double>{};
    for (std::size_t i = 0; i < columns.size(); ++i) {
      char* const begin = into.room(line_bytes_max);
      std::memcpy(begin, row, number_bytes_max);  // of a fixed size, which takes no call
      char* at = put(begin + n_row, columns[i] + first);
      if (!values.empty()) {
        *at++ = ' ';
        at = put(at, values[i]);
      }
      *at++ = '\n';
      into.advance(static_cast<std::size_t>(at - begin));
    }
  }
}

}  // namespace

void write_entries(world& w, const sparse_matrix& m, const std::string& path, std::string_view head,
                   std::int64_t first) {
  std::optional<input_error> error;
  if (path.ends_with(".gz")) {
    error.emplace(0, "names a compressed file, but this writes plain text; leave out .gz, and compress the file later");
  }
  agree(w, path, error);
  agree(w, path, find_special_value(m, first));
  if (w.my_pe() != 0) head = {};
  write_shared_file(w, path, static_cast<std::int64_t>(head.size()) + count_bytes(m, first), [&](part_writer& into) {
    into.append(head);
    put_entries(m, first, into);
  });
}

}  // namespace shoal::internal
