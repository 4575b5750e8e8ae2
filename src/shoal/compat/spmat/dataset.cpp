// Matrices as directories of files. Writing: each PE gets the rows of its block. Reading: rows go to their PEs, as
// messages or by puts.
#include <algorithm>
#include <vector>

#include "shoal/actor/world.hpp"
#include "shoal/compat/include/spmat.h"
#include "shoal/compat/internal/bale_files.hpp"
#include "shoal/compat/internal/dataset.hpp"
#include "shoal/compat/internal/dealt_matrix.hpp"
#include "shoal/compat/internal/lanes.hpp"
#include "shoal/compat/internal/row_entries.hpp"

namespace compat = shoal::internal::compat;

namespace {

// Nonzeros that are read or written at once.
constexpr std::int64_t n_in_buffer = 8192;

struct nonzero_buffer {
  nonzero_buffer(std::int64_t n, bool has_values)
      : columns(static_cast<std::size_t>(n)), values(has_values ? static_cast<std::size_t>(n) : 0) {}

  std::vector<std::int64_t> columns;
  std::vector<double> values;
};

void release(spmat_dataset_t* d) {
  compat::release_parts(*d);
  std::free(d);
}

// The nonzeros of the block, one after another.
class nonzero_stream {
public:
  nonzero_stream(spmat_dataset_t& d, const char* call) : d_(d), call_(call), buffer_(n_in_buffer, d.values != 0) {}

  // False after the last. Then row() and so on are those of the next.
  bool next() {
    if (++i_ < n_) return true;
    while (n_left_ == 0) {
      if (is_in_row_) compat::end_row(d_);
      is_in_row_ = compat::begin_row(d_, call_);
      if (!is_in_row_) return false;
      n_left_ = d_.rowcnt[d_.current_global_row - d_.global_first_row];
    }
    n_ = std::min(n_left_, n_in_buffer);
    n_left_ -= n_;
    i_ = 0;
    compat::read_nonzeros(d_, buffer_.columns.data(), buffer_.values.data(), n_, call_);
    return true;
  }

  std::int64_t row() const { return d_.current_global_row; }
  std::int64_t column() const { return buffer_.columns[static_cast<std::size_t>(i_)]; }
  const double* values() const { return buffer_.values.data(); }
  std::int64_t at() const { return i_; }

private:
  spmat_dataset_t& d_;
  const char* call_;
  nonzero_buffer buffer_;
  std::int64_t i_ = -1;  // in the buffer
  std::int64_t n_ = 0;
  std::int64_t n_left_ = 0;  // of the row
  bool is_in_row_ = false;
};

template <template <class> class Lane, class Entry>
sparsemat_t* read_as_messages(spmat_dataset_t& d, std::int64_t buf_cnt, const char* call) {
  const compat::dealing deal;
  compat::row_entries<Entry> arrived(deal.n_here(d.numrows));
  {
    Lane<Entry> lane(buf_cnt);
    if (!lane.is_open()) return nullptr;
    nonzero_stream nonzeros(d, call);
    bool has_more = d.io_rank >= 0;
    const auto next = [&](Entry& e, std::int64_t& pe) {
      has_more = has_more && nonzeros.next();
      if (!has_more) return false;
      const auto [target, index] = deal.of(nonzeros.row());
      e = compat::make_entry<Entry>(index, nonzeros.column(), nonzeros.values(), nonzeros.at());
      pe = target;
      return true;
    };
    compat::carry(lane, next, [&](const Entry& e) { arrived.add(e); });
  }
  return arrived.to_matrix(d.numrows, d.numcols, call);
}

// Puts tell each row its length, and then bring it.
sparsemat_t* read_one_sided(spmat_dataset_t& d, const char* call) {
  const compat::dealing deal;
  const std::int64_t lnumrows = deal.n_here(d.numrows);
  auto* const counts = compat::shared_array<std::int64_t>(deal.n_most(d.numrows));
  if (counts == nullptr) return nullptr;
  for (std::int64_t i = 0; i < d.lnumrows; ++i) {
    const auto [pe, index] = deal.of(d.global_first_row + i);
    (shmem_int64_p)(counts + index, d.rowcnt[i], static_cast<int>(pe));
  }
  shmem_barrier_all();
  std::int64_t lnnz = 0;
  for (std::int64_t i = 0; i < lnumrows; ++i) lnnz += counts[i];
  sparsemat_t* const made = compat::make_matrix(d.numrows, d.numcols, lnnz, d.values != 0, call);
  if (made != nullptr) {
    std::copy_n(counts, lnumrows, made->loffset + 1);
    compat::add_up_offsets(*made);
    shmem_barrier_all();
    nonzero_buffer buffer(n_in_buffer, d.values != 0);
    for (; d.io_rank >= 0 && compat::begin_row(d, call); compat::end_row(d)) {
      const auto [target, index] = deal.of(d.current_global_row);
      const int pe = static_cast<int>(target);
      std::int64_t at = (shmem_int64_g)(made->offset + index, pe);
      std::int64_t n_left = d.rowcnt[d.current_global_row - d.global_first_row];
      while (n_left > 0) {
        const std::int64_t n = std::min(n_left, n_in_buffer);
        compat::read_nonzeros(d, buffer.columns.data(), buffer.values.data(), n, call);
        shmem_int64_put(made->nonzero + at, buffer.columns.data(), static_cast<std::size_t>(n), pe);
        if (d.values != 0) shmem_double_put(made->value + at, buffer.values.data(), static_cast<std::size_t>(n), pe);
        at += n;
        n_left -= n;
      }
    }
    shmem_barrier_all();
  }
  shmem_free(counts);
  return made;
}

// Also of rows longer than the buffer.
void write_nonzeros(spmat_dataset_t& d, const sparsemat_t& a, std::int64_t n_at_once, const char* call) {
  const compat::dealing deal;
  const std::string name = compat::file_of(d, "nonzero", d.io_rank);
  const std::string value_name = compat::file_of(d, "value", d.io_rank);
  std::FILE* const file = compat::open_file(call, name, "wb");
  std::FILE* const value_file = d.values != 0 ? compat::open_file(call, value_name, "wb") : nullptr;
  nonzero_buffer buffer(n_at_once, d.values != 0);
  for (std::int64_t i = 0; i < d.lnumrows; ++i) {
    const auto [source, index] = deal.of(d.global_first_row + i);
    const int pe = static_cast<int>(source);
    std::int64_t at = d.rowcnt[i] > 0 ? (shmem_int64_g)(a.offset + index, pe) : 0;
    for (std::int64_t n_left = d.rowcnt[i]; n_left > 0;) {
      const std::int64_t n = std::min(n_left, n_at_once);
      const auto n_items = static_cast<std::size_t>(n);
      shmem_int64_get(buffer.columns.data(), a.nonzero + at, n_items, pe);
      compat::write_items(call, name, buffer.columns.data(), sizeof(std::int64_t), n_items, file);
      if (value_file != nullptr) {
        shmem_double_get(buffer.values.data(), a.value + at, n_items, pe);
        compat::write_items(call, value_name, buffer.values.data(), sizeof(double), n_items, value_file);
      }
      at += n;
      n_left -= n;
    }
  }
  compat::close_written(call, name, file);
  if (value_file != nullptr) compat::close_written(call, value_name, value_file);
}

void write_dataset(const char* directory, const sparsemat_t& a, std::int64_t n_at_once, const char* call) {
  spmat_dataset_t* const d = compat::open_to_write(directory, a, call);
  compat::write_metadata(*d, call);
  compat::write_lengths(*d, a, call);
  write_nonzeros(*d, a, n_at_once, call);
  release(d);
  shmem_barrier_all();
}

}  // namespace

#define WEAK __attribute__((weak))

extern "C" {

WEAK sparsemat_t* read_sparse_matrix_agp(char* directory, int64_t nreaders) {
  constexpr const char* call = "read_sparse_matrix_agp";
  spmat_dataset_t* const d = compat::open_to_read(directory, nreaders, call);
  compat::read_lengths(*d, call);
  sparsemat_t* const made = read_one_sided(*d, call);
  release(d);
  return made;
}

WEAK sparsemat_t* read_sparse_matrix_exstack(char* directory, int64_t nreaders, int64_t buf_cnt) {
  constexpr const char* call = "read_sparse_matrix_exstack";
  spmat_dataset_t* const d = compat::open_to_read(directory, nreaders, call);
  compat::read_lengths(*d, call);
  sparsemat_t* const made = compat::with_entries(std::max(d->numrows, d->numcols), d->values != 0, [&]<class Entry>() {
    return read_as_messages<compat::exstack_lane, Entry>(*d, buf_cnt, call);
  });
  release(d);
  return made;
}

WEAK int write_sparse_matrix_agp(char* directory, sparsemat_t* a) {
  write_dataset(directory, *a, n_in_buffer, "write_sparse_matrix_agp");
  return 0;
}
WEAK int64_t write_sparse_matrix_exstack(char* directory, sparsemat_t* a, int64_t buf_cnt) {
  write_dataset(directory, *a, buf_cnt > 0 ? buf_cnt : n_in_buffer, "write_sparse_matrix_exstack");
  return 0;
}

WEAK spmat_dataset_t* open_sparse_matrix_read(char* directory, int64_t nreaders) {
  return compat::open_to_read(directory, nreaders, "open_sparse_matrix_read");
}
WEAK spmat_dataset_t* open_sparse_matrix_write(char* directory, sparsemat_t* a) {
  return compat::open_to_write(directory, *a, "open_sparse_matrix_write");
}
WEAK spmat_dataset_t* read_sparse_matrix_metadata(char* directory) {
  return compat::read_metadata(directory, "read_sparse_matrix_metadata");
}
WEAK int write_sparse_matrix_metadata(spmat_dataset_t* d) {
  compat::write_metadata(*d, "write_sparse_matrix_metadata");
  return 0;
}
WEAK void read_row_info(spmat_dataset_t* d) { compat::read_lengths(*d, "read_row_info"); }
WEAK void write_row_info(spmat_dataset_t* d, sparsemat_t* a) { compat::write_lengths(*d, *a, "write_row_info"); }

WEAK int64_t read_nonzeros_buffer(spmat_dataset_t* d, int64_t* columns, double* values, int64_t size) {
  constexpr const char* call = "read_nonzeros_buffer";
  std::int64_t n_rows = 0;
  std::int64_t n = 0;
  while (d->io_rank >= 0 && compat::begin_row(*d, call)) {
    const std::int64_t length = d->rowcnt[d->current_global_row - d->global_first_row];
    if (length > size) {
      compat::refuse_file(call, d->dirname,
                          "row %" PRId64 " has %" PRId64 " nonzeros; the buffer has room for %" PRId64,
                          d->current_global_row, length, size);
    }
    if (n + length > size) return n_rows;
    compat::read_nonzeros(*d, columns + n, values != nullptr ? values + n : nullptr, length, call);
    compat::end_row(*d);
    n += length;
    ++n_rows;
  }
  return n_rows > 0 ? n_rows : -1;
}

WEAK void clear_spmat_dataset(spmat_dataset_t* d) { compat::release_parts(*d); }

}  // extern "C"
