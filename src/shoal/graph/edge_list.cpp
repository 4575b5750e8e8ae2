#include "shoal/graph/edge_list.hpp"

#include <algorithm>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "shoal/base/internal/contract.hpp"
#include "shoal/graph/internal/edge_list_text.hpp"
#include "shoal/graph/internal/entry_writer.hpp"
#include "shoal/graph/internal/input_error.hpp"
#include "shoal/graph/internal/line_assembler.hpp"
#include "shoal/graph/internal/output_file.hpp"
#include "shoal/graph/internal/shared_text.hpp"
#include "shoal/graph/matrix_builder.hpp"
#include "shoal/graph/memory.hpp"

namespace shoal {
namespace {

using internal::edge_line;
using internal::input_error;
using internal::vertex_range;

constexpr std::int64_t no_line = std::numeric_limits<std::int64_t>::max();

struct list_facts {
  bool is_compressed = false;
  std::int64_t file_bytes = 0;
};

// Parses a PE's share of the lines.
class edge_reader : public internal::text_consumer {
public:
  explicit edge_reader(const vertex_range& vertices) : vertices_(vertices) {}

  void start_after(std::int64_t n_lines_before) final { lines_.start_after(n_lines_before); }
  void feed(std::string_view text) final {
    lines_.feed(text, [this](std::string_view line) { return parse_line(line); });
  }
  void end_line() final {
    lines_.end_line([this](std::string_view line) { return parse_line(line); });
  }

  std::int64_t n_lines() const noexcept { return lines_.n_lines(); }
  const std::optional<input_error>& error() const noexcept { return error_; }

protected:
  ~edge_reader() = default;

private:
  virtual void take(const weighted_entry& e, bool has_weight) = 0;

  // False if the line is wrong.
  bool parse_line(std::string_view line) {
    weighted_entry e;
    const bool is_too_long = line.size() > internal::line_reader::line_bytes_max;
    const edge_line found = is_too_long ? edge_line::wrong : parse_edge(line, vertices_, e);
    if (found == edge_line::wrong) {
      error_.emplace(n_lines(), explain_edge(line, vertices_));
      return false;
    }
    if (found != edge_line::nothing) take(e, found == edge_line::weighted_edge);
    return true;
  }

  vertex_range vertices_;
  internal::line_assembler lines_;
  std::optional<input_error> error_;
};

// The first pass: what the file holds, in this PE's share.
class edge_scanner final : public edge_reader {
public:
  using edge_reader::edge_reader;

  std::int64_t n_edges = 0;
  std::int64_t largest = -1;
  std::int64_t line_of_largest = 0;
  std::int64_t first_line_with_weight = no_line;
  std::int64_t first_line_without = no_line;

private:
  void take(const weighted_entry& e, bool has_weight) override {
    ++n_edges;
    std::int64_t& first = has_weight ? first_line_with_weight : first_line_without;
    first = std::min(first, n_lines());  // PE 0 deals text in order, but a PE has several blocks of it
    if (const std::int64_t larger = std::max(e.row, e.column); larger > largest) {
      largest = larger;
      line_of_largest = n_lines();
    }
  }
};

// The second pass.
template <matrix_entry E>
class edge_adder final : public edge_reader {
public:
  edge_adder(const vertex_range& vertices, bool is_undirected, matrix_builder<E>& builder)
      : edge_reader(vertices), is_undirected_(is_undirected), builder_(builder) {}

private:
  void take(const weighted_entry& e, bool) override {
    add(e.row, e.column, e.value);
    if (is_undirected_ && e.row != e.column) add(e.column, e.row, e.value);
  }

  void add(std::int64_t row, std::int64_t column, [[maybe_unused]] double value) {
    if constexpr (std::same_as<E, weighted_entry>) {
      builder_.add({row, column, value});
    } else {
      builder_.add({row, column});
    }
  }

  bool is_undirected_;
  matrix_builder<E>& builder_;
};

// Collective; in a superstep. `opened` outlives the call only on PE 0, which reads a compressed file from its begin.
std::optional<input_error> read_share(world& w, const std::string& path, const list_facts& file, edge_reader& into) {
  if (!file.is_compressed) return internal::feed_own_part(w, path, 0, file.file_bytes, into);
  std::unique_ptr<internal::open_file> opened;
  std::optional<input_error> error;
  if (w.my_pe() == 0) error = internal::error_of([&] { opened = std::make_unique<internal::open_file>(path); });
  const auto damage = internal::deal_text(w, opened.get(), into);
  return error ? error : damage;
}

// Collective. Agrees on the error of a pass. The number of lines before this PE's share.
std::int64_t agree_on_lines(world& w, const std::string& path, const list_facts& file, const edge_reader& reader,
                            std::optional<input_error> error) {
  // A PE with a wrong line did not count to its end. The line numbers that this makes too low are all on later PEs, and
  // are still higher.
  const std::int64_t n_before = file.is_compressed ? 0 : w.exclusive_scan(reader.n_lines());
  if (const auto& wrong = reader.error()) error.emplace(n_before + wrong->line(), wrong->what());
  internal::agree(w, path, error);
  return n_before;
}

// Collective. Throws unless all lines have weights or none has. Whether they have.
bool have_weights(world& w, const std::string& path, const edge_scanner& found, std::int64_t n_before) {
  const auto in_file = [&](std::int64_t line) { return w.min(line == no_line ? line : line + n_before); };
  const std::int64_t with = in_file(found.first_line_with_weight);
  const std::int64_t without = in_file(found.first_line_without);
  std::optional<input_error> error;
  if (with != no_line && without != no_line) {
    error.emplace(std::max(with, without), std::string(with < without ? "no weight" : "a weight") + ", unlike line " +
                                               std::to_string(std::min(with, without)) +
                                               "; give all lines a weight, or none");
  }
  internal::agree(w, path, error);
  return with != no_line;
}

// Collective. A wrong number of a vertex may ask for any amount of memory.
void check_memory(world& w, const std::string& path, std::int64_t n_vertices, std::int64_t n_edges, bool with_values,
                  std::int64_t line_of_largest) {
  const double bytes = internal::bytes_to_build(n_vertices, n_edges, with_values);
  const auto shortage = find_memory_shortage(w, bytes / static_cast<double>(w.n_pes()));
  std::optional<input_error> error;
  if (shortage) {
    error.emplace(line_of_largest, "a graph with " + std::to_string(n_vertices) + " vertices and " +
                                       std::to_string(n_edges) + " edges " + describe(*shortage) +
                                       "; correct the number of vertices, or use more machines");
  }
  internal::agree(w, path, error);
}

template <matrix_entry E>
sparse_matrix add_edges(world& w, const std::string& path, const list_facts& file, const edge_list_options& options,
                        std::int64_t n_vertices, std::int64_t n_edges) {
  const vertex_range vertices{options.first_vertex, n_vertices};
  std::optional<input_error> error;
  std::optional<edge_adder<E>> reader;
  sparse_matrix m = assemble<E>(w, {options.rows, n_vertices, w.n_pes()}, n_vertices, [&](matrix_builder<E>& builder) {
    builder.reserve_share(n_edges);
    reader.emplace(vertices, options.is_undirected, builder);
    error = read_share(w, path, file, *reader);
  });
  agree_on_lines(w, path, file, *reader, error);
  return m;
}

}  // namespace

sparse_matrix read_edge_list(world& w, const std::string& path, const edge_list_options& options) {
  SHOAL_REQUIRE(options.n_vertices >= 0 && (options.first_vertex == 0 || options.first_vertex == 1));
  list_facts file;
  std::optional<input_error> error;
  if (w.my_pe() == 0) {
    error = internal::error_of([&] {
      const internal::byte_source source(path);
      file = {.is_compressed = source.is_compressed(), .file_bytes = source.file_bytes()};
    });
  }
  internal::agree(w, path, error);
  file = w.broadcast(file);

  edge_scanner found({options.first_vertex, options.n_vertices});
  w.finish([&] { error = read_share(w, path, file, found); });
  const std::int64_t n_before = agree_on_lines(w, path, file, found, error);
  const bool with_values = have_weights(w, path, found, n_before) && options.with_values;
  const std::int64_t largest = w.max(found.largest);
  const std::int64_t n_vertices = options.n_vertices != 0 ? options.n_vertices : largest + 1;
  const std::int64_t n_edges = w.sum(found.n_edges) * (options.is_undirected ? 2 : 1);
  const std::int64_t line = w.min(found.largest == largest ? n_before + found.line_of_largest : no_line);
  check_memory(w, path, n_vertices, n_edges, with_values, options.n_vertices != 0 ? 0 : line);

  sparse_matrix m = with_values ? add_edges<weighted_entry>(w, path, file, options, n_vertices, n_edges)
                                : add_edges<entry>(w, path, file, options, n_vertices, n_edges);
  if (!options.with_duplicates) sum_duplicates(m);
  return m;
}

void write_edge_list(world& w, const sparse_matrix& m, const std::string& path) {
  SHOAL_REQUIRE(m.n_rows() == m.n_columns);
  const std::string head =
      "# " + std::to_string(m.n_rows()) + " vertices, " + std::to_string(n_entries(w, m)) + " edges\n";
  internal::write_entries(w, m, path, head, 0);
}

}  // namespace shoal
