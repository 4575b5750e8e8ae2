#include "shoal/graph/matrix_directory.hpp"

#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "shoal/graph/internal/file_part.hpp"
#include "shoal/graph/internal/input_error.hpp"
#include "shoal/graph/internal/output_file.hpp"
#include "shoal/graph/internal/text_file.hpp"
#include "shoal/graph/internal/writer_rows.hpp"
#include "shoal/graph/matrix_builder.hpp"
#include "shoal/graph/memory.hpp"

namespace shoal {
namespace {

using internal::error_of;
using internal::input_error;
using internal::quoted;
using internal::writer_file;
using internal::writer_rows;

constexpr std::int64_t word_bytes = 8;
constexpr std::int64_t block_words = 32 * 1024;

struct directory_facts {
  std::int64_t n_rows = 0;
  std::int64_t n_columns = 0;
  std::int64_t n_entries = 0;
  std::int64_t n_writers = 0;
  std::int64_t has_values = 0;
};

// --- The text file

// A whole number >= 0 after "KEY:".
std::int64_t parse_line(internal::line_reader& lines, std::string_view key) {
  const std::string expected = "expected '" + std::string(key) + ": N', where N is a whole number";
  std::string_view line;
  if (!lines.next(line)) throw input_error(lines.n_lines() + 1, "the file ends; " + expected);
  std::string_view rest = line;
  std::int64_t number = -1;
  if (rest.starts_with(key) && rest.substr(key.size()).starts_with(':')) {
    rest.remove_prefix(key.size() + 1);
    rest.remove_prefix(std::min(rest.find_first_not_of(" \t"), rest.size()));
    rest = rest.substr(0, rest.find_last_not_of(" \t") + 1);
    const auto [stop, problem] = std::from_chars(rest.data(), rest.data() + rest.size(), number);
    if (problem != std::errc{} || stop != rest.data() + rest.size()) number = -1;
  }
  if (number < 0) throw input_error(lines.n_lines(), "cannot read " + quoted(line) + "; " + expected);
  return number;
}

directory_facts read_metadata(const std::string& path) {
  internal::byte_source source(path);
  internal::line_reader lines(source);
  directory_facts facts;
  facts.n_rows = parse_line(lines, "numrows");
  facts.n_columns = parse_line(lines, "numcols");
  facts.n_entries = parse_line(lines, "nnz");
  facts.n_writers = parse_line(lines, "nwriters");
  if (facts.n_writers == 0) throw input_error(lines.n_lines(), "nwriters is 0; it is at least 1");
  facts.has_values = parse_line(lines, "values");
  if (facts.has_values > 1) throw input_error(lines.n_lines(), "values is neither 0 nor 1");
  return facts;
}

// --- Sizes of files

std::int64_t file_bytes(const std::string& path) {
  struct stat status{};
  if (::stat(path.c_str(), &status) == 0) return status.st_size;
  throw input_error(0, "cannot be opened on PE " + std::to_string(world::current().my_pe()) + ": " +
                           std::generic_category().message(errno) +
                           "; metadata announces it, and every PE needs access to it");
}

std::int64_t file_words(const std::string& path) {
  const std::int64_t n = file_bytes(path);
  if (n % word_bytes == 0) return n / word_bytes;
  throw input_error(0, "has " + std::to_string(n) +
                           " bytes, which is no multiple of 8; the file is truncated, or holds something else");
}

// The number of entries of a writer. Sets `file` to that which an error is about.
std::int64_t check_writer(const std::string& directory, const directory_facts& facts, std::int64_t writer,
                          std::string& file) {
  const std::int64_t n_rows = writer_rows(facts.n_rows, facts.n_writers).size(writer);
  file = writer_file(directory, "rowinfo", writer);
  if (const std::int64_t n = file_words(file); n != n_rows) {
    throw input_error(0, "holds " + std::to_string(n) + " positions, but writer " + std::to_string(writer) + " of " +
                             std::to_string(facts.n_writers) + " has " + std::to_string(n_rows) +
                             " rows; the file is truncated, or metadata are wrong");
  }
  file = writer_file(directory, "nonzero", writer);
  const std::int64_t n_entries = file_words(file);
  if (n_rows == 0 && n_entries != 0) {
    throw input_error(0, "holds " + std::to_string(n_entries) + " entries, but its writer has no rows");
  }
  if (facts.has_values == 0) return n_entries;
  file = writer_file(directory, "value", writer);
  if (const std::int64_t n = file_words(file); n != n_entries) {
    throw input_error(0, "holds " + std::to_string(n) + " values for " + std::to_string(n_entries) +
                             " entries; the file is truncated, or nonzero_" + std::to_string(writer) + " is");
  }
  return n_entries;
}

// Collective. The PEs share the files.
void check_sizes(world& w, const std::string& directory, const directory_facts& facts) {
  std::string file;
  std::int64_t n_entries = 0;
  auto error = error_of([&] {
    for (std::int64_t i = w.my_pe(); i < facts.n_writers; i += w.n_pes()) {
      n_entries += check_writer(directory, facts, i, file);
    }
  });
  internal::agree(w, file, error);
  n_entries = w.sum(n_entries);
  if (n_entries != facts.n_entries) {
    error.emplace(3, "nnz is " + std::to_string(facts.n_entries) + ", but the nonzero files hold " +
                         std::to_string(n_entries) + " entries; a file is from another matrix, or nnz is wrong");
  }
  internal::agree(w, directory + "/metadata", error);
}

// Collective.
void check_memory(world& w, const std::string& directory, const directory_facts& facts, bool with_values) {
  const double bytes = internal::bytes_to_build(facts.n_rows, facts.n_entries, with_values);
  const auto shortage = find_memory_shortage(w, bytes / static_cast<double>(w.n_pes()));
  std::optional<input_error> error;
  if (shortage) error.emplace(0, "the matrix " + describe(*shortage) + "; use more machines");
  internal::agree(w, directory, error);
}

// --- Rows and entries

template <class T>
void read_words(const std::string& file, std::int64_t first, std::span<T> into) {
  static_assert(sizeof(T) == word_bytes);
  const std::span<char> bytes(reinterpret_cast<char*>(into.data()), into.size_bytes());
  if (internal::part_reader(file).read(first * word_bytes, bytes) != bytes.size()) {
    throw input_error(0, "became shorter while it was read; read it again when nobody writes it");
  }
}

// Reads rows of one writer and gives their entries to add(row, column, value).
class writer_reader {
public:
  writer_reader(const std::string& directory, const directory_facts& facts, std::int64_t writer, bool with_values)
      : facts_(facts),
        rowinfo_(writer_file(directory, "rowinfo", writer)),
        nonzero_(writer_file(directory, "nonzero", writer)),
        value_(writer_file(directory, "value", writer)),
        first_row_(writer_rows(facts.n_rows, facts.n_writers).begin(writer)),
        n_rows_(writer_rows(facts.n_rows, facts.n_writers).size(writer)),
        with_values_(with_values) {}

  // Global rows [begin, end), all of this writer.
  template <class Add>
  void read(std::int64_t begin, std::int64_t end, Add&& add) {
    file_ = nonzero_;
    n_entries_ = file_words(nonzero_);
    for (; begin < end; begin += block_words) {
      read_positions(begin, std::min(end, begin + block_words));
      std::size_t r = 0;
      for (std::int64_t at = positions_.front(); at < positions_.back();) {
        const std::int64_t n = std::min(block_words, positions_.back() - at);
        read_entries(at, n);
        for (std::size_t i = 0; i < columns_.size(); ++i, ++at) {
          while (positions_[r + 1] <= at) ++r;
          if (columns_[i] < 0 || columns_[i] >= facts_.n_columns) fail_at_column(at, columns_[i]);
          add(begin + static_cast<std::int64_t>(r), columns_[i], with_values_ ? values_[i] : 0);
        }
      }
    }
  }

  // That which was read last.
  const std::string& file() const noexcept { return file_; }

private:
  // The positions of rows [begin, end), and the end of the last one.
  void read_positions(std::int64_t begin, std::int64_t end) {
    file_ = rowinfo_;
    const std::int64_t local = begin - first_row_;
    const std::int64_t n_in_file = std::min(end - begin + 1, n_rows_ - local);
    positions_.assign(static_cast<std::size_t>(end - begin + 1), n_entries_);
    read_words(rowinfo_, local, std::span(positions_).first(static_cast<std::size_t>(n_in_file)));
    if (local == 0 && positions_[0] != 0) fail_at_position(begin, positions_[0], "the first position is 0");
    std::int64_t before = 0;
    for (std::size_t i = 0; i < positions_.size(); ++i) {
      const std::int64_t at = positions_[i];
      const std::int64_t row = begin + static_cast<std::int64_t>(i);
      if (at > n_entries_) fail_at_position(row, at, "the writer has " + std::to_string(n_entries_) + " entries");
      if (at < before) fail_at_position(row, at, "positions ascend, and the one before is " + std::to_string(before));
      before = at;
    }
  }

  void read_entries(std::int64_t first, std::int64_t n) {
    file_ = nonzero_;
    columns_.resize(static_cast<std::size_t>(n));
    read_words(nonzero_, first, std::span(columns_));
    if (!with_values_) return;
    file_ = value_;
    values_.resize(columns_.size());
    read_words(value_, first, std::span(values_));
    file_ = nonzero_;
  }

  [[noreturn]] void fail_at_column(std::int64_t position, std::int64_t column) const {
    throw input_error(0, "entry " + std::to_string(position) + " has column " + std::to_string(column) +
                             ", which is out of range (the matrix has " + std::to_string(facts_.n_columns) +
                             " columns)");
  }

  [[noreturn]] void fail_at_position(std::int64_t row, std::int64_t position, const std::string& expected) const {
    throw input_error(0, "row " + std::to_string(row) + " begins at position " + std::to_string(position) +
                             ", which is wrong: " + expected);
  }

  const directory_facts& facts_;
  std::string rowinfo_, nonzero_, value_;
  std::string file_;
  std::int64_t first_row_;
  std::int64_t n_rows_;
  bool with_values_;
  std::int64_t n_entries_ = 0;
  std::vector<std::int64_t> positions_;
  std::vector<std::int64_t> columns_;
  std::vector<double> values_;
};

template <matrix_entry E>
sparse_matrix read_rows(world& w, const std::string& directory, const directory_facts& facts, layout kind) {
  constexpr bool with_values = std::same_as<E, weighted_entry>;
  std::string file = directory;
  std::optional<input_error> error;
  sparse_matrix m = assemble<E>(w, {kind, facts.n_rows, w.n_pes()}, facts.n_columns, [&](matrix_builder<E>& builder) {
    builder.reserve_share(facts.n_entries);
    const writer_rows shares(facts.n_rows, w.n_pes());
    const writer_rows writers(facts.n_rows, facts.n_writers);
    std::int64_t row = shares.begin(w.my_pe());
    for (const std::int64_t end = row + shares.size(w.my_pe()); row < end && !error;) {
      const std::int64_t writer = writers.writer_of(row);
      const std::int64_t stop = std::min(end, writers.begin(writer) + writers.size(writer));
      writer_reader from(directory, facts, writer, with_values);
      error = error_of([&] {
        from.read(row, stop, [&](std::int64_t r, std::int64_t column, [[maybe_unused]] double value) {
          if constexpr (with_values) {
            builder.add({r, column, value});
          } else {
            builder.add({r, column});
          }
        });
      });
      if (error) file = from.file();
      row = stop;
    }
  });
  internal::agree(w, file, error);
  return m;
}

}  // namespace

sparse_matrix read_matrix_directory(world& w, const std::string& directory, const matrix_directory_options& options) {
  directory_facts facts;
  std::optional<input_error> error;
  const std::string metadata = directory + "/metadata";
  if (w.my_pe() == 0) error = error_of([&] { facts = read_metadata(metadata); });
  internal::agree(w, metadata, error);
  facts = w.broadcast(facts);
  const bool with_values = facts.has_values != 0 && options.with_values;
  check_sizes(w, directory, facts);
  check_memory(w, directory, facts, with_values);
  return with_values ? read_rows<weighted_entry>(w, directory, facts, options.rows)
                     : read_rows<entry>(w, directory, facts, options.rows);
}

}  // namespace shoal
