#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <optional>
#include <span>
#include <string>
#include <system_error>
#include <vector>

#include "shoal/base/internal/contract.hpp"
#include "shoal/graph/internal/input_error.hpp"
#include "shoal/graph/internal/output_file.hpp"
#include "shoal/graph/internal/writer_rows.hpp"
#include "shoal/graph/matrix_builder.hpp"
#include "shoal/graph/matrix_directory.hpp"

namespace shoal {
namespace {

using internal::error_of;
using internal::input_error;
using internal::part_writer;
using internal::writer_file;
using internal::writer_rows;

constexpr std::int64_t stored_word_bytes = 8;

// The same matrix with rows in blocks. Collective.
template <matrix_entry E>
sparse_matrix in_blocks(world& w, const sparse_matrix& m) {
  return assemble<E>(w, {layout::block, m.n_rows(), w.n_pes()}, m.n_columns, [&](auto& builder) {
    for (std::int64_t r = 0; r < m.n_local_rows(); ++r) {
      const std::int64_t row = m.global_row(r);
      for (std::size_t i = 0; i < m.row(r).size(); ++i) {
        if constexpr (std::same_as<E, weighted_entry>) {
          builder.add({row, m.row(r)[i], m.row_values(r)[i]});
        } else {
          builder.add({row, m.row(r)[i]});
        }
      }
    }
  });
}

// PE 0 makes the directory. What was there is no matrix until its metadata are written again.
void prepare(world& w, const std::string& directory) {
  std::optional<input_error> error;
  if (w.my_pe() == 0) {
    const auto fail = [&](const char* what) {
      error.emplace(0, std::string(what) + " on PE 0: " + std::generic_category().message(errno) +
                           "; name a directory in a folder that exists and that every PE may write to");
    };
    if (::mkdir(directory.c_str(), 0777) != 0) {
      struct stat status{};
      const int reason = errno;
      if (reason != EEXIST || ::stat(directory.c_str(), &status) != 0 || !S_ISDIR(status.st_mode)) {
        errno = reason;
        fail("cannot be made");
      }
    }
    if (!error && ::unlink((directory + "/metadata").c_str()) != 0 && errno != ENOENT) fail("cannot be written");
  }
  internal::agree(w, directory, error);
}

// A PE's rows, in blocks, and where they lie among those of all PEs.
struct block_of_rows {
  const sparse_matrix* m;
  std::int64_t first_row;
  std::int64_t first_entry;  // number of entries in rows before
};

// Bytes of values that are in memory as in the file.
template <class T>
std::span<const char> bytes_of(std::span<const T> values) {
  return {reinterpret_cast<const char*>(values.data()), values.size_bytes()};
}

// The files of one writer, each of which all PEs with rows of it write.
struct writer_files {
  std::string rowinfo, nonzero, value;

  writer_files(const std::string& directory, std::int64_t writer)
      : rowinfo(writer_file(directory, "rowinfo", writer)),
        nonzero(writer_file(directory, "nonzero", writer)),
        value(writer_file(directory, "value", writer)) {}
};

// Runs `work` on a file; an error sets `failed` to its name, too.
std::optional<input_error> try_file(const std::string& file, std::string& failed, const std::function<void()>& work) {
  auto error = error_of(work);
  if (error) failed = file;
  return error;
}

// Writes the rows that this PE has of a writer.
std::optional<input_error> write_rows(const block_of_rows& mine, const writer_files& files, std::int64_t writer,
                                      const writer_rows& writers, const std::vector<std::int64_t>& first_entries,
                                      std::string& failed) {
  const sparse_matrix& m = *mine.m;
  const std::int64_t writer_begin = writers.begin(writer);
  const std::int64_t begin = std::max(writer_begin, mine.first_row) - mine.first_row;
  const std::int64_t end =
      std::min(writer_begin + writers.size(writer), mine.first_row + m.n_local_rows()) - mine.first_row;
  const std::int64_t base = first_entries[static_cast<std::size_t>(writer)];
  const std::int64_t n_file_entries = first_entries[static_cast<std::size_t>(writer) + 1] - base;
  const std::int64_t first = m.offsets[static_cast<std::size_t>(begin)];
  const std::int64_t n_entries = m.offsets[static_cast<std::size_t>(end)] - first;
  const std::int64_t position = mine.first_entry + first - base;

  auto error = try_file(files.rowinfo, failed, [&] {
    part_writer into(files.rowinfo, (mine.first_row + begin - writer_begin) * stored_word_bytes,
                     (end - begin) * stored_word_bytes, writers.size(writer) * stored_word_bytes);
    for (std::int64_t r = begin; r < end; ++r) {
      const std::int64_t at = position + m.offsets[static_cast<std::size_t>(r)] - first;
      into.append(bytes_of(std::span(&at, 1)));
    }
    into.flush();
  });
  const auto write_array = [&](const std::string& file, std::span<const char> all) {
    if (error) return;
    error = try_file(file, failed, [&] {
      part_writer into(file, position * stored_word_bytes, n_entries * stored_word_bytes,
                       n_file_entries * stored_word_bytes);
      into.append(all.subspan(static_cast<std::size_t>(first * stored_word_bytes),
                              static_cast<std::size_t>(n_entries * stored_word_bytes)));
      into.flush();
    });
  };
  write_array(files.nonzero, bytes_of(std::span(m.columns)));
  if (m.has_values) write_array(files.value, bytes_of(std::span(m.values)));
  return error;
}

void write_blocks(world& w, const sparse_matrix& m, const std::string& directory, std::int64_t n_writers) {
  const writer_rows writers(m.n_rows(), n_writers);
  const block_of_rows mine{
      .m = &m, .first_row = w.exclusive_scan(m.n_local_rows()), .first_entry = w.exclusive_scan(m.n_local_entries())};
  const std::int64_t end_row = mine.first_row + m.n_local_rows();

  // The number of entries before each writer's rows. The PE that has the first of those rows knows it.
  const std::int64_t n_all = n_entries(w, m);
  std::vector<std::int64_t> first_entries(static_cast<std::size_t>(n_writers) + 1);
  const std::int64_t first_writer = m.n_local_rows() == 0 ? 0 : writers.writer_of(mine.first_row);
  const std::int64_t last_writer = m.n_local_rows() == 0 ? -1 : writers.writer_of(end_row - 1);
  for (std::int64_t i = first_writer; i <= last_writer; ++i) {
    const std::int64_t local = writers.begin(i) - mine.first_row;
    if (local >= 0) {
      first_entries[static_cast<std::size_t>(i)] = mine.first_entry + m.offsets[static_cast<std::size_t>(local)];
    }
  }
  w.sum(std::span(first_entries));
  // Writers without rows are the last ones.
  for (std::int64_t i = std::min(n_writers, m.n_rows()); i <= n_writers; ++i) {
    first_entries[static_cast<std::size_t>(i)] = n_all;
  }

  prepare(w, directory);
  std::string failed = directory;
  std::optional<input_error> error;
  for (std::int64_t i = w.my_pe(); i < n_writers && !error; i += w.n_pes()) {
    const writer_files files(directory, i);
    const std::int64_t n_bytes =
        (first_entries[static_cast<std::size_t>(i) + 1] - first_entries[static_cast<std::size_t>(i)]) *
        stored_word_bytes;
    const auto create = [&](const std::string& file, std::int64_t n) {
      if (!error) error = try_file(file, failed, [&] { internal::create_file(file, n); });
    };
    create(files.rowinfo, writers.size(i) * stored_word_bytes);
    create(files.nonzero, n_bytes);
    if (m.has_values) create(files.value, n_bytes);
  }
  internal::agree(w, failed, error);
  for (std::int64_t i = first_writer; i <= last_writer && !error; ++i) {
    error = write_rows(mine, writer_files(directory, i), i, writers, first_entries, failed);
  }
  internal::agree(w, failed, error);

  const std::string text =
      w.my_pe() != 0 ? std::string()
                     : "numrows: " + std::to_string(m.n_rows()) + "\nnumcols: " + std::to_string(m.n_columns) +
                           "\nnnz: " + std::to_string(n_all) + "\nnwriters: " + std::to_string(n_writers) +
                           "\nvalues: " + (m.has_values ? "1\n" : "0\n");
  internal::write_shared_file(w, directory + "/metadata", static_cast<std::int64_t>(text.size()),
                              [&](part_writer& into) { into.append(text); });
}

}  // namespace

void write_matrix_directory(world& w, const sparse_matrix& m, const std::string& directory, std::int64_t n_writers) {
  SHOAL_REQUIRE(n_writers >= 0);
  if (n_writers == 0) n_writers = w.n_pes();
  if (m.rows.kind() == layout::block || w.n_pes() == 1) {
    write_blocks(w, m, directory, n_writers);
  } else {
    write_blocks(w, m.has_values ? in_blocks<weighted_entry>(w, m) : in_blocks<entry>(w, m), directory, n_writers);
  }
}

}  // namespace shoal
