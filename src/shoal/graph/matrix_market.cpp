#include "shoal/graph/matrix_market.hpp"

#include <algorithm>
#include <cstring>
#include <memory>
#include <optional>
#include <span>
#include <utility>

#include "shoal/actor/actor.hpp"
#include "shoal/base/parse.hpp"
#include "shoal/graph/internal/file_part.hpp"
#include "shoal/graph/internal/input_error.hpp"
#include "shoal/graph/internal/matrix_market_text.hpp"
#include "shoal/graph/internal/text_file.hpp"
#include "shoal/graph/matrix_builder.hpp"
#include "shoal/graph/memory.hpp"

namespace shoal {
namespace {

using internal::entry_parser;
using internal::input_error;
using internal::line_reader;
using internal::matrix_market_head;

// The file on PE 0. The reader refers to the source, hence the fixed address.
struct open_file {
  internal::byte_source source;
  line_reader lines{source};

  explicit open_file(const std::string& path) : source(path) {}
};

// What all PEs know before they read entries.
struct file_facts {
  matrix_market_head head;
  bool is_compressed = false;
  std::int64_t file_bytes = 0;
};

// The file cannot hold more entries than this, whatever its size line says: an entry takes at least four bytes, and
// gzip compresses text at most 1032 times.
std::int64_t entries_possible(const file_facts& file) {
  const std::int64_t bytes = file.is_compressed ? file.file_bytes * 1032 : file.file_bytes - file.head.body_begin;
  return std::min(file.head.n_entries, bytes / 4 + 1);
}

bool keeps_values(const matrix_market_head& head, const matrix_market_options& options) {
  return head.kind != internal::value_kind::pattern && options.with_values;
}

// A wrong size line may ask for any amount of memory. Collective. On PE 0, an error if the reader would take more than
// there is: per row an offset; per entry column and value, and an eighth more, which is reserved.
std::optional<input_error> check_memory(world& w, const file_facts& file, bool with_values) {
  const matrix_market_head& head = file.head;
  const double bytes_per_entry = with_values ? 18 : 9;
  const double bytes = 8.0 * static_cast<double>(head.n_rows) +
                       bytes_per_entry * static_cast<double>(entries_possible(file)) * (head.is_symmetric ? 2 : 1);
  const auto shortage = find_memory_shortage(w, bytes / static_cast<double>(w.n_pes()));
  if (!shortage || w.my_pe() != 0) return {};
  return input_error(head.size_line, "a matrix with " + std::to_string(head.n_rows) + " rows, " +
                                         std::to_string(head.n_columns) + " columns and " +
                                         std::to_string(head.n_entries) + " entries " + describe(*shortage) +
                                         "; correct the size line, or use more machines");
}

// --- Compressed files. Only who decompresses everything before a position knows what is there, so PE 0 decompresses
// and distributes the text. If every PE did it for itself, that would save the messages but take P times the processor
// time, which counts where PEs share cores or a memory bus. The other PEs take over PE 0's share of the parsing,
// because they wait for PE 0.

// The text travels in pieces of this size, so that it fits any buffer. A buffer full of them is one contiguous text.
struct text_piece {
  char bytes[64];
};

// Precedes the pieces of a block, as a piece of its own.
struct block_head {
  std::int64_t n_lines_before = 0;
  std::int64_t n_bytes = 0;
};
static_assert(sizeof(block_head) <= sizeof(text_piece));

constexpr std::size_t block_bytes = 2 * line_reader::line_bytes_max;

// Handles what PE 0 distributes.
template <class Parser, class Add>
class block_receiver {
public:
  block_receiver(Parser& parser, Add& add) : parser_(&parser), add_(&add) {}

  void operator()(std::span<const text_piece> pieces) {
    while (!pieces.empty()) {
      if (n_bytes_left_ == 0) {
        block_head head;
        std::memcpy(&head, pieces.front().bytes, sizeof head);
        parser_->start_after(head.n_lines_before);
        n_bytes_left_ = static_cast<std::size_t>(head.n_bytes);
        pieces = pieces.subspan(1);
        continue;
      }
      const std::size_t n = std::min(n_bytes_left_, pieces.size_bytes());
      parser_->feed({pieces.front().bytes, n}, *add_);
      n_bytes_left_ -= n;
      if (n_bytes_left_ == 0) parser_->end_line(*add_);
      pieces = pieces.subspan((n + sizeof(text_piece) - 1) / sizeof(text_piece));
    }
  }

private:
  Parser* parser_;
  Add* add_;
  std::size_t n_bytes_left_ = 0;  // left in the current block
};

template <class Mailbox>
void send_block(Mailbox& to, pe_id target, std::int64_t n_lines_before, std::string_view block) {
  text_piece piece{};
  const block_head head{n_lines_before, static_cast<std::int64_t>(block.size())};
  std::memcpy(piece.bytes, &head, sizeof head);
  to.send(target, piece);
  while (!block.empty()) {
    const std::size_t n = std::min(block.size(), sizeof piece.bytes);
    std::memcpy(piece.bytes, block.data(), n);
    to.send(target, piece);
    block.remove_prefix(n);
  }
}

// Reads the rest of the file on PE 0; `file` is null elsewhere. Returns errors of the file, except those in a line.
template <class Parser, class Add>
std::optional<input_error> parse_dealt_text(world& w, open_file* file, Parser& parser, Add& add) {
  actor text{w, block_receiver<Parser, Add>{parser, add}, no_prefetch{}, "matrix_market text"};
  if (file == nullptr) return {};
  line_reader& lines = file->lines;
  try {
    for (pe_id target = 0;;) {
      const std::int64_t n_lines_before = lines.n_lines();
      const std::string_view block = lines.next_block(block_bytes);
      if (block.empty()) return {};
      if (w.n_pes() == 1) {
        parser.start_after(n_lines_before);
        parser.feed(block, add);
        parser.end_line(add);
      } else {
        target = target % (w.n_pes() - 1) + 1;
        send_block(text, target, n_lines_before, block);
      }
    }
  } catch (const input_error& e) {
    return e;
  }
}

// --- Plain files. Each PE parses the lines that begin in its part.

template <class Parser, class Add>
std::optional<input_error> parse_own_part(world& w, const std::string& path, const file_facts& file, Parser& parser,
                                          Add& add) {
  try {
    internal::part_reader{path}.for_each_piece(file.head.body_begin, file.file_bytes, w.my_pe(), w.n_pes(),
                                               [&](std::string_view text) { parser.feed(text, add); });
    parser.end_line(add);
    return {};
  } catch (const input_error& e) {
    return e;
  }
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

template <matrix_entry E>
sparse_matrix read_entries(world& w, const std::string& path, const file_facts& file, open_file* opened, layout kind) {
  const matrix_market_head& head = file.head;
  const distribution rows{kind, head.n_rows, w.n_pes()};
  entry_parser<E> parser(head);
  std::optional<input_error> error;
  std::unique_ptr<matrix_builder<E>> builder;
  w.finish([&] {
    builder = std::make_unique<matrix_builder<E>>(w, rows, head.n_columns);
    const std::int64_t share = std::min(head.n_entries, file.file_bytes) * (head.is_symmetric ? 2 : 1) / w.n_pes();
    builder->reserve(share + share / 8);
    auto add = [&](const E& e) { builder->add(e); };
    error = file.is_compressed ? parse_dealt_text(w, opened, parser, add) : parse_own_part(w, path, file, parser, add);
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
file_facts read_facts(world& w, const std::string& path, const matrix_market_options& options,
                      std::unique_ptr<open_file>& opened) {
  file_facts file;
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
  const file_facts file = read_facts(w, path, options, opened);
  return {.n_rows = file.head.n_rows,
          .n_columns = file.head.n_columns,
          .n_entries = entries_possible(file) * (file.head.is_symmetric ? 2 : 1)};
}

sparse_matrix read_matrix_market(world& w, const std::string& path, const matrix_market_options& options) {
  std::unique_ptr<open_file> opened;
  const file_facts file = read_facts(w, path, options, opened);
  sparse_matrix m = keeps_values(file.head, options)
                        ? read_entries<weighted_entry>(w, path, file, opened.get(), options.rows)
                        : read_entries<entry>(w, path, file, opened.get(), options.rows);
  if (!options.with_duplicates) sum_duplicates(m);
  return m;
}

}  // namespace shoal
