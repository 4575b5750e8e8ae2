#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "shoal/actor/world.hpp"
#include "shoal/compat/internal/bale_files.hpp"
#include "shoal/compat/internal/dataset.hpp"
#include "shoal/compat/internal/dealt_matrix.hpp"

namespace shoal::internal::compat {
namespace {

// Lines of the metadata.
struct field {
  enum : std::int64_t { numrows, numcols, nnz, nwriters, values, n };
};
constexpr std::int64_t n_fields = field::n;

struct metadata {
  std::int64_t numbers[n_fields];
};
constexpr const char* field_names[n_fields] = {"numrows", "numcols", "nnz", "nwriters", "values"};

metadata read_fields(const std::string& name, const char* call) {
  metadata its{};
  std::FILE* const file = open_file(call, name, "r");
  char line[128];
  for (std::int64_t i = 0; i < n_fields; ++i) {
    std::int64_t& number = its.numbers[i];
    const bool is_there = std::fgets(line, sizeof line, file) != nullptr;
    const std::size_t length = std::strlen(field_names[i]);
    char rest = 0;
    if (!is_there || std::strncmp(line, field_names[i], length) != 0 ||
        std::sscanf(line + length, ": %" SCNd64 " %c", &number, &rest) != 1 || number < 0) {
      refuse_file(call, name, "line %" PRId64 ": it must be \"%s: \" and a number", i + 1, field_names[i]);
    }
  }
  std::fclose(file);
  for (const std::int64_t i : {field::numrows, field::numcols, field::nwriters}) {
    constexpr std::int64_t most = std::int64_t{1} << 48;
    if (its.numbers[i] > most) refuse_file(call, name, "line %" PRId64 ": it must be at most %" PRId64, i + 1, most);
  }
  if (its.numbers[field::nwriters] == 0) refuse_file(call, name, "line 4: there must be a writer");
  if (its.numbers[field::values] > 1) refuse_file(call, name, "line 5: values must be 0 or 1");
  return its;
}

spmat_dataset_t* made(const char* directory, const metadata& its, const char* call) {
  auto* const d = allocated_array<spmat_dataset_t>(1, call);
  *d = {};
  d->numrows = its.numbers[field::numrows];
  d->numcols = its.numbers[field::numcols];
  d->nnz = its.numbers[field::nnz];
  d->nwriters = its.numbers[field::nwriters];
  d->values = static_cast<int>(its.numbers[field::values]);
  d->io_rank = -1;
  d->dirname = allocated_array<char>(static_cast<std::int64_t>(std::strlen(directory)) + 1, call);
  std::strcpy(d->dirname, directory);
  return d;
}

// Which PE is reader `i` of `n`.
std::int64_t pe_of_reader(std::int64_t i, std::int64_t n) { return n > 1 ? i * ((compat::n_pes() - 1) / (n - 1)) : 0; }

std::int64_t n_in_file(std::FILE* file) {
  std::fseek(file, 0, SEEK_END);
  const std::int64_t n = std::ftell(file) / static_cast<std::int64_t>(sizeof(std::int64_t));
  std::rewind(file);
  return n;
}

// Of file number `i` of the block: the lengths of its rows that are in the block.
void read_lengths_of_file(spmat_dataset_t& d, std::int64_t i, std::int64_t* lengths, const char* call) {
  const std::int64_t writer = d.first_file + i;
  const std::string name = file_of(d, "rowinfo", writer);
  std::FILE* const nonzeros = open_file(call, file_of(d, "nonzero", writer), "rb");
  const std::int64_t end = n_in_file(nonzeros);
  std::fclose(nonzeros);
  std::FILE* const file = open_file(call, name, "rb");
  const std::int64_t first = i == 0 ? d.start_row_first_file : 0;
  const std::int64_t n_rows = d.nrows_in_file[i];
  const std::int64_t n_rows_of_writer = files_of(d).n_of(writer);
  if (n_in_file(file) != n_rows_of_writer) {
    refuse_file(call, name, "it has %" PRId64 " rows; of the %" PRId64 " rows, writer %" PRId64 " has %" PRId64,
                n_in_file(file), d.numrows, writer, n_rows_of_writer);
  }
  std::fseek(file, static_cast<long>(first * static_cast<std::int64_t>(sizeof(std::int64_t))), SEEK_SET);
  // Positions of these rows, and of the next, if the file has one.
  std::vector<std::int64_t> positions(static_cast<std::size_t>(n_rows) + 1, end);
  const bool is_last = first + n_rows == n_rows_of_writer;
  const std::size_t n = positions.size() - (is_last ? 1 : 0);
  if (std::fread(positions.data(), sizeof(std::int64_t), n, file) != n) refuse_access(call, name, "read it");
  std::fclose(file);
  if (first == 0 && n_rows > 0 && positions[0] != 0) {
    refuse_file(call, name, "row 0 begins at %" PRId64 "; it must begin at 0", positions[0]);
  }
  std::int64_t before = 0;
  for (std::int64_t row = 0; row <= n_rows; ++row) {
    const std::int64_t begin = positions[static_cast<std::size_t>(row)];
    if (begin < before || begin > end) {
      refuse_file(call, name, "row %" PRId64 " begins at %" PRId64 "; it must be from %" PRId64 " to %" PRId64,
                  first + row, begin, before, end);
    }
    if (row > 0) lengths[row - 1] = begin - before;
    before = begin;
  }
  if (i == 0) d.first_file_offset = positions[0];
}

void open_current_file(spmat_dataset_t& d, const char* call) {
  const std::int64_t begin = d.current_file == 0 ? d.first_file_offset : 0;
  const auto offset = static_cast<long>(begin * static_cast<std::int64_t>(sizeof(std::int64_t)));
  d.nnzfp = open_file(call, file_of(d, "nonzero", d.first_file + d.current_file), "rb");
  std::fseek(d.nnzfp, offset, SEEK_SET);
  if (d.values != 0) {
    d.valfp = open_file(call, file_of(d, "value", d.first_file + d.current_file), "rb");
    std::fseek(d.valfp, offset, SEEK_SET);
  }
  d.file_open = 1;
}

void close_current_file(spmat_dataset_t& d) {
  for (std::FILE** const file : {&d.nnzfp, &d.valfp}) {
    if (*file != nullptr) std::fclose(*file);
    *file = nullptr;
  }
  d.file_open = 0;
}

template <class T>
void read_items(const spmat_dataset_t& d, const char* kind, T* into, std::int64_t n, std::FILE* file,
                const char* call) {
  if (std::fread(into, sizeof(T), static_cast<std::size_t>(n), file) == static_cast<std::size_t>(n)) return;
  const std::string name = file_of(d, kind, d.first_file + d.current_file);
  if (std::ferror(file) != 0) refuse_access(call, name, "read it");
  refuse_file(call, name, "it ends before row %" PRId64 " does", d.current_global_row);
}

}  // namespace

spmat_dataset_t* read_metadata(const char* directory, const char* call) {
  metadata its{};
  if (compat::my_pe() == 0) its = read_fields(std::string(directory) + "/metadata", call);
  return made(directory, world_for(call).broadcast(its), call);
}

spmat_dataset_t* open_to_read(const char* directory, std::int64_t n_readers, const char* call) {
  spmat_dataset_t* const d = read_metadata(directory, call);
  n_readers = std::clamp<std::int64_t>(n_readers, 1, compat::n_pes());
  const block_layout readers{d->numrows, n_readers};
  d->global_first_row_to_me = allocated_array<std::int64_t>(n_readers, call);
  for (std::int64_t i = 0; i < n_readers; ++i) {
    if (pe_of_reader(i, n_readers) == compat::my_pe()) d->io_rank = i;
    // The first row from `first` on that is this PE's.
    const std::int64_t first = readers.first_of(i);
    const std::int64_t distance = (compat::my_pe() - first) % compat::n_pes();
    d->global_first_row_to_me[i] = first + (distance < 0 ? distance + compat::n_pes() : distance);
  }
  if (d->io_rank < 0) return d;
  d->lnumrows = readers.n_of(d->io_rank);
  d->global_first_row = d->current_global_row = readers.first_of(d->io_rank);
  if (d->lnumrows > 0) {
    const std::int64_t end_row = d->global_first_row + d->lnumrows;
    d->first_file = files_of(*d).part_of(d->global_first_row);
    d->nfiles = static_cast<std::uint64_t>(files_of(*d).part_of(end_row - 1) - d->first_file + 1);
    d->start_row_first_file = d->global_first_row - files_of(*d).first_of(d->first_file);
  }
  const auto n_files = static_cast<std::int64_t>(d->nfiles);
  d->nrows_in_file = allocated_array<std::int64_t>(n_files, call);
  d->nrows_read_in_file = allocated_array<std::int64_t>(n_files, call);
  std::int64_t row = d->global_first_row;
  for (std::int64_t i = 0; i < n_files; ++i) {
    const std::int64_t end = std::min(files_of(*d).first_of(d->first_file + i + 1), d->global_first_row + d->lnumrows);
    d->nrows_in_file[i] = end - row;
    d->nrows_read_in_file[i] = 0;
    row = end;
  }
  d->rowcnt = allocated_array<std::int64_t>(d->lnumrows, call);
  return d;
}

void read_lengths(spmat_dataset_t& d, const char* call) {
  std::int64_t* lengths = d.rowcnt;
  for (std::int64_t i = 0; i < static_cast<std::int64_t>(d.nfiles); ++i) {
    read_lengths_of_file(d, i, lengths, call);
    lengths += d.nrows_in_file[i];
  }
  std::int64_t nnz = 0;
  for (const std::int64_t* length = d.rowcnt; length != lengths; ++length) nnz += *length;
  nnz = world_for(call).sum(nnz);
  if (nnz == d.nnz) return;
  if (compat::my_pe() == 0) {
    refuse_file(call, std::string(d.dirname) + "/metadata",
                "line 3: it announces %" PRId64 " nonzeros, but the rows have %" PRId64, d.nnz, nnz);
  }
  shmem_barrier_all();  // PE 0 ends the job
}

bool begin_row(spmat_dataset_t& d, const char* call) {
  if (d.current_global_row == d.global_first_row + d.lnumrows) {
    close_current_file(d);
    return false;
  }
  while (d.current_row_in_file == d.nrows_in_file[d.current_file]) {
    close_current_file(d);
    ++d.current_file;
    d.current_row_in_file = 0;
  }
  if (d.file_open == 0) open_current_file(d, call);
  return true;
}

void read_nonzeros(spmat_dataset_t& d, std::int64_t* columns, double* values, std::int64_t n, const char* call) {
  read_items(d, "nonzero", columns, n, d.nnzfp, call);
  if (values != nullptr && d.values != 0) read_items(d, "value", values, n, d.valfp, call);
  for (std::int64_t k = 0; k < n; ++k) {
    if (columns[k] >= 0 && columns[k] < d.numcols) continue;
    refuse_file(call, file_of(d, "nonzero", d.first_file + d.current_file),
                "row %" PRId64 " has a nonzero in column %" PRId64 "; columns are 0 to %" PRId64, d.current_global_row,
                columns[k], d.numcols - 1);
  }
}

void end_row(spmat_dataset_t& d) {
  ++d.current_global_row;
  ++d.current_row_in_file;
  ++d.nrows_read_in_file[d.current_file];
}

spmat_dataset_t* open_to_write(const char* directory, const sparsemat_t& a, const char* call) {
  if (compat::my_pe() == 0 && mkdir(directory, 0777) != 0 && errno != EEXIST) {
    refuse_access(call, directory, "create it");
  }
  shmem_barrier_all();
  const metadata its{{a.numrows, a.numcols, a.nnz, compat::n_pes(), a.value != nullptr}};
  spmat_dataset_t* const d = made(directory, its, call);
  d->io_rank = d->first_file = compat::my_pe();
  d->nfiles = 1;
  d->lnumrows = files_of(*d).n_of(d->io_rank);
  d->global_first_row = d->current_global_row = files_of(*d).first_of(d->io_rank);
  d->rowcnt = allocated_array<std::int64_t>(d->lnumrows, call);
  return d;
}

void write_metadata(const spmat_dataset_t& d, const char* call) {
  if (compat::my_pe() == 0) {
    const std::int64_t numbers[n_fields] = {d.numrows, d.numcols, d.nnz, d.nwriters, d.values};
    std::string text;
    for (std::int64_t i = 0; i < n_fields; ++i) {
      text += std::string(field_names[i]) + ": " + std::to_string(numbers[i]) + '\n';
    }
    const std::string name = std::string(d.dirname) + "/metadata";
    std::FILE* const file = open_file(call, name, "w");
    write_items(call, name, text.data(), 1, text.size(), file);
    close_written(call, name, file);
  }
  shmem_barrier_all();
}

void write_lengths(spmat_dataset_t& d, const sparsemat_t& a, const char* call) {
  const dealing deal;
  const std::string name = file_of(d, "rowinfo", d.io_rank);
  std::FILE* const file = open_file(call, name, "wb");
  std::int64_t position = 0;
  for (std::int64_t i = 0; i < d.lnumrows; ++i) {
    const auto [pe, index] = deal.of(d.global_first_row + i);
    std::int64_t bounds[2] = {};
    shmem_int64_get(bounds, a.offset + index, 2, static_cast<int>(pe));
    d.rowcnt[i] = bounds[1] - bounds[0];
    write_items(call, name, &position, sizeof position, 1, file);
    position += d.rowcnt[i];
  }
  close_written(call, name, file);
}

void release_parts(spmat_dataset_t& d) {
  close_current_file(d);
  std::free(d.global_first_row_to_me);
  std::free(d.rowcnt);
  std::free(d.nrows_read_in_file);
  std::free(d.nrows_in_file);
  std::free(d.dirname);
  d = {};
}

}  // namespace shoal::internal::compat
