#include "shoal/graph/matrix_market.hpp"

#include <algorithm>
#include <cstring>
#include <memory>
#include <optional>
#include <span>
#include <utility>

#include "shoal/actor/actor.hpp"
#include "shoal/base/parse.hpp"
#include "shoal/graph/internal/input_error.hpp"
#include "shoal/graph/internal/matrix_market_text.hpp"
#include "shoal/graph/internal/shared_text.hpp"
#include "shoal/graph/internal/text_file.hpp"
#include "shoal/graph/matrix_builder.hpp"
#include "shoal/graph/memory.hpp"

namespace shoal {
namespace {

using internal::entry_parser;
using internal::input_error;
using internal::matrix_market_head;
using internal::open_file;

// What all PEs know before they read entries.
struct market_facts {
  matrix_market_head head;
  bool is_compressed = false;
  std::int64_t file_bytes = 0;
};

// The file cannot hold more entries than this, whatever its size line says: an entry takes at least four bytes, and
// gzip compresses text at most 1032 times.
std::int64_t entries_possible(const market_facts& file) {
  const std::int64_t bytes = file.is_compressed ? file.file_bytes * 1032 : file.file_bytes - file.head.body_begin;
  return std::min(file.head.n_entries, bytes / 4 + 1);
}

bool keeps_values(const matrix_market_head& head, const matrix_market_options& options) {
  return head.kind != internal::value_kind::pattern && options.with_values;
}

// A wrong size line may ask for any amount of memory. Collective. On PE 0, an error if the matrix takes more than there is.
std::optional<input_error> check_memory(world& w, const market_facts& file, bool with_values) {
  const matrix_market_head& head = file.head;
  const double bytes =
      internal::bytes_to_build(head.n_rows, entries_possible(file) * (head.is_symmetric ? 2 : 1), with_values);
  const auto shortage = find_memory_shortage(w, bytes / static_cast<double>(w.n_pes()));
  if (!shortage || w.my_pe() != 0) return {};
  return input_error(head.size_line, "a matrix with " + std::to_string(head.n_rows) + " rows, " +
                                         std::to_string(head.n_columns) + " columns and " +
                                         std::to_string(head.n_entries) + " entries " + describe(*shortage) +
                                         "; correct the size line, or use more machines");
}

// --- All files

// The line of entry number `n`, counted from 1.
std::int64_t line_of_entry(const std::string& path, std::int64_t n) {
  open_file file(path);
  internal::read_head(file.lines);
  std::string_view line;
  while (file.lines.next(line)) {
    if (!internal::is_blank(line) && --n == 0) break;
  }
  return file.lines.n_lines();
}

// Collective. Throws if the file does not hold as many entries as it announces.
[[gnu::cold]] void check_count(world& w, const std::string& path, const matrix_market_head& head, std::int64_t n_found,
                               std::int64_t n_lines) {
  std::optional<input_error> error;
  if (n_found != head.n_entries && w.my_pe() == 0) {
    const std::string announced =
        std::to_string(head.n_entries) + " that line " + std::to_string(head.size_line) + " announces";
    try {
      if (n_found < head.n_entries) {
        error.emplace(n_lines, "the file ends after " + std::to_string(n_found) + " entries of the " + announced +
                                   "; the file is truncated, or that number is wrong");
      } else {
        error.emplace(line_of_entry(path, head.n_entries + 1), "one entry more than the " + announced +
                                                                   "; the file has " + std::to_string(n_found) +
                                                                   ", so lines are too many, or that number is wrong");
      }
    } catch (const input_error& e) {
      error = e;
    }
  }
  internal::agree(w, path, error);
}

// Parses text and adds its entries to a matrix.
template <matrix_entry E>
class entry_reader final : public internal::text_consumer {
public:
  entry_reader(entry_parser<E>& parser, matrix_builder<E>& builder) : parser_(parser), builder_(builder) {}

  void start_after(std::int64_t n_lines_before) override { parser_.start_after(n_lines_before); }
  void feed(std::string_view text) override { parser_.feed(text, add()); }
  void end_line() override { parser_.end_line(add()); }

private:
  auto add() {
    return [this](const E& e) { builder_.add(e); };
  }

  entry_parser<E>& parser_;
  matrix_builder<E>& builder_;
};

template <matrix_entry E>
sparse_matrix read_entries(world& w, const std::string& path, const market_facts& file, open_file* opened,
                           layout kind) {
  const matrix_market_head& head = file.head;
  const distribution rows{kind, head.n_rows, w.n_pes()};
  entry_parser<E> parser(head);
  std::optional<input_error> error;
  std::unique_ptr<matrix_builder<E>> builder;
  std::optional<entry_reader<E>> reader;
  w.finish([&] {
    builder = std::make_unique<matrix_builder<E>>(w, rows, head.n_columns);
    builder->reserve_share(std::min(head.n_entries, file.file_bytes) * (head.is_symmetric ? 2 : 1));
    reader.emplace(parser, *builder);
    error = file.is_compressed ? internal::deal_text(w, opened, *reader)
                               : internal::feed_own_part(w, path, file.head.body_begin, file.file_bytes, *reader);
  });

  // In a plain file, PEs count lines from the begin of their parts. A PE with a wrong line did not count to its end.
  // The line numbers that this makes too low are all on later PEs, and are still higher.
  std::int64_t n_lines = 0;
  std::int64_t n_lines_before = 0;
  if (file.is_compressed) {
    n_lines = w.broadcast(opened == nullptr ? 0 : opened->lines.n_lines());
  } else {
    n_lines_before = head.size_line + w.exclusive_scan(parser.n_lines());
    n_lines = head.size_line + w.sum(parser.n_lines());
  }
  if (const auto& wrong = parser.error()) error.emplace(n_lines_before + wrong->line(), wrong->what());
  internal::agree(w, path, error);
  check_count(w, path, head, w.sum(parser.n_entries()), n_lines);
  return builder->build();
}

// The head of the file on every PE; `opened` is the file on PE 0. Collective. Throws what all PEs agree on.
market_facts read_facts(world& w, const std::string& path, const matrix_market_options& options,
                        std::unique_ptr<open_file>& opened) {
  market_facts file;
  std::optional<input_error> error;
  if (w.my_pe() == 0) {
    try {
      opened = std::make_unique<open_file>(path);
      file = {.head = internal::read_head(opened->lines),
              .is_compressed = opened->source.is_compressed(),
              .file_bytes = opened->source.file_bytes()};
    } catch (const input_error& e) {
      error = e;
    }
  }
  internal::agree(w, path, error);
  file = w.broadcast(file);
  internal::agree(w, path, check_memory(w, file, keeps_values(file.head, options)));
  return file;
}

}  // namespace

matrix_size read_matrix_market_size(world& w, const std::string& path, const matrix_market_options& options) {
  std::unique_ptr<open_file> opened;
  const market_facts file = read_facts(w, path, options, opened);
  return {.n_rows = file.head.n_rows,
          .n_columns = file.head.n_columns,
          .n_entries = entries_possible(file) * (file.head.is_symmetric ? 2 : 1)};
}

sparse_matrix read_matrix_market(world& w, const std::string& path, const matrix_market_options& options) {
  std::unique_ptr<open_file> opened;
  const market_facts file = read_facts(w, path, options, opened);
  sparse_matrix m = keeps_values(file.head, options)
                        ? read_entries<weighted_entry>(w, path, file, opened.get(), options.rows)
                        : read_entries<entry>(w, path, file, opened.get(), options.rows);
  if (!options.with_duplicates) sum_duplicates(m);
  return m;
}

}  // namespace shoal
