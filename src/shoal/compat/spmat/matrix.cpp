// Sparse matrices of spmat: their parts, and what takes one matrix as it is. Functions are weak: some programs bring
// functions of these names.
#include <algorithm>
#include <cmath>
#include <cstdarg>
#include <vector>

#include "shoal/actor/world.hpp"
#include "shoal/compat/include/spmat.h"
#include "shoal/compat/internal/dealt_matrix.hpp"
#include "shoal/compat/internal/process_world.hpp"

namespace compat = shoal::internal::compat;
using compat::global_row;
using compat::row_of;

namespace {

// By value, too, so that repeated nonzeros have one order whatever way they came.
bool less_by_column(const col_val_t& a, const col_val_t& b) {
  return a.col != b.col ? a.col < b.col : a.value < b.value;
}

// Keeps the nonzeros of which `keeps(row, column)` says so.
template <class Keeps>
std::int64_t filter(sparsemat_t& a, const char* call, Keeps keeps) {
  std::int64_t n_kept = 0;
  for (std::int64_t i = 0, k = 0; i < a.lnumrows; ++i) {
    for (const std::int64_t end = a.loffset[i + 1]; k < end; ++k) {
      if (!keeps(global_row(a, i), a.lnonzero[k])) continue;
      a.lnonzero[n_kept] = a.lnonzero[k];
      if (a.lvalue != nullptr) a.lvalue[n_kept] = a.lvalue[k];
      ++n_kept;
    }
    a.loffset[i + 1] = n_kept;
  }
  const std::int64_t n_before = a.nnz;
  a.lnnz = n_kept;
  a.nnz = compat::sum_over(a, n_kept, call);
  return n_before - a.nnz;
}

// Whether each nonzero is where `may_be(row, column)` allows; `unit_diagonal`: and each row has one on the diagonal.
template <class MayBe>
bool is_shaped(const sparsemat_t& a, bool unit_diagonal, const char* call, MayBe may_be) {
  std::int64_t n_wrong = 0;
  for (std::int64_t i = 0; i < a.lnumrows; ++i) {
    const std::int64_t row = global_row(a, i);
    bool has_diagonal = false;
    for (const std::int64_t column : row_of(a, i)) {
      n_wrong += !may_be(row, column);
      has_diagonal = has_diagonal || column == row;
    }
    n_wrong += unit_diagonal && !has_diagonal;
  }
  return compat::sum_over(a, n_wrong, call) == 0;
}

int not_equal(const char* what) {
  fprintf(stderr, "compare_matrix: PE %d: %s differ\n", static_cast<int>(compat::my_pe()), what);
  return 1;
}

bool are_equal(double a, double b) {
  if (a == 0) return std::fabs(b) < 1e-8;
  return std::fabs(a - b) < static_cast<double>(FLT_EPSILON) * std::fabs(a);
}

}  // namespace

namespace shoal::internal::compat {

std::int64_t sum_over(const sparsemat_t& a, std::int64_t mine, const char* call) {
  return a.local != 0 ? mine : world_for(call).sum(mine);
}

void* allocated(std::size_t bytes, const char* call) { return reallocated(nullptr, bytes, call); }

void* reallocated(void* old, std::size_t bytes, const char* call) {
  void* const made = std::realloc(old, bytes);
  if (made != nullptr) return made;
  fprintf(stderr, "%s: PE %d: %zu bytes are not to be had\n", call, static_cast<int>(compat::my_pe()), bytes);
  std::exit(1);
}

sparsemat_t* make_matrix(std::int64_t numrows, std::int64_t numcols, std::int64_t lnnz, bool is_weighted,
                         const char* call) {
  for (const std::int64_t n : {numrows, numcols, lnnz}) check_size(n, call);
  const dealing deal;
  const std::int64_t room = world_for(call).max(lnnz);
  auto* const a = allocated_array<sparsemat_t>(1, call);
  *a = {};
  a->numrows = numrows;
  a->lnumrows = deal.n_here(numrows);
  a->numcols = numcols;
  a->nnz = world_for(call).sum(lnnz);
  a->lnnz = lnnz;
  const std::int64_t n_offsets = deal.n_most(numrows) + 1;
  a->offset = a->loffset = shared_array<std::int64_t>(n_offsets);
  if (a->offset != nullptr) {
    // Before the next collective call: after the last one others may put here.
    std::fill_n(a->loffset, n_offsets, 0);
    a->nonzero = a->lnonzero = shared_array<std::int64_t>(room);
  }
  if (a->nonzero != nullptr && is_weighted) a->value = a->lvalue = shared_array<double>(room);
  if (a->nonzero == nullptr || (is_weighted && a->value == nullptr)) {
    release(a);
    return nullptr;
  }
  return a;
}

sparsemat_t* make_local_matrix(std::int64_t numrows, std::int64_t numcols, std::int64_t nnz) {
  constexpr const char* call = "init_local_matrix";
  for (const std::int64_t n : {numrows, numcols, nnz}) check_size(n, call);
  auto* const a = allocated_array<sparsemat_t>(1, call);
  *a = {};
  a->local = 1;
  a->numrows = a->lnumrows = numrows;
  a->numcols = numcols;
  a->nnz = a->lnnz = nnz;
  a->offset = a->loffset = allocated_array<std::int64_t>(numrows + 1, call);
  a->nonzero = a->lnonzero = allocated_array<std::int64_t>(nnz, call);
  std::fill_n(a->loffset, numrows + 1, 0);
  return a;
}

void release_parts(sparsemat_t& a) {
  void (*const release_one)(void*) = a.local != 0 ? std::free : shmem_free;
  release_one(a.value);
  release_one(a.nonzero);
  release_one(a.offset);
  a.offset = a.loffset = a.nonzero = a.lnonzero = nullptr;
  a.value = a.lvalue = nullptr;
}

void release(sparsemat_t* a) {
  if (a == nullptr) return;
  release_parts(*a);
  std::free(a);
}

void sort_rows(sparsemat_t& a) {
  std::vector<col_val_t> pairs;
  for (std::int64_t i = 0; i < a.lnumrows; ++i) {
    const std::span<std::int64_t> columns = row_of(a, i);
    if (a.lvalue == nullptr) {
      std::sort(columns.begin(), columns.end());
      continue;
    }
    double* const values = a.lvalue + a.loffset[i];
    pairs.resize(columns.size());
    for (std::size_t k = 0; k < pairs.size(); ++k) pairs[k] = {columns[k], values[k]};
    std::sort(pairs.begin(), pairs.end(), less_by_column);
    for (std::size_t k = 0; k < pairs.size(); ++k) {
      columns[k] = pairs[k].col;
      values[k] = pairs[k].value;
    }
  }
}

void add_up_offsets(sparsemat_t& a) {
  a.loffset[0] = 0;
  for (std::int64_t i = 0; i < a.lnumrows; ++i) a.loffset[i + 1] += a.loffset[i];
}

// No PE ends the job before the line is out.
void refuse_together(const char* call, const char* text, ...) {
  if (compat::my_pe() == 0) {
    char line[400];
    va_list values;
    va_start(values, text);
    std::vsnprintf(line, sizeof line, text, values);
    va_end(values);
    fprintf(stderr, "%s: %s\n", call, line);
  }
  shmem_barrier_all();
  std::exit(1);
}

void refuse_size(std::int64_t n, const char* call) {
  fprintf(stderr, "%s: %" PRId64 " is no size; it must be from 0 to 2^63 - 2\n", call, n);
  std::exit(1);
}

void refuse_column(const sparsemat_t& a, std::int64_t row, std::int64_t column, const char* call) {
  fprintf(stderr, "%s: row %" PRId64 " has a nonzero in column %" PRId64 "; columns are 0 to %" PRId64 "\n", call, row,
          column, a.numcols - 1);
  std::exit(1);
}

}  // namespace shoal::internal::compat

#define WEAK __attribute__((weak))

extern "C" {

WEAK sparsemat_t* init_matrix(int64_t numrows, int64_t numcols, int64_t lnnz, int weighted) {
  return compat::make_matrix(numrows, numcols, lnnz, weighted != 0, "init_matrix");
}
WEAK sparsemat_t* init_local_matrix(int64_t numrows, int64_t numcols, int64_t nnz) {
  return compat::make_local_matrix(numrows, numcols, nnz);
}

WEAK sparsemat_t* copy_matrix(sparsemat_t* a) {
  sparsemat_t* const made =
      a->local != 0 ? compat::make_local_matrix(a->numrows, a->numcols, a->nnz)
                    : compat::make_matrix(a->numrows, a->numcols, a->lnnz, a->value != nullptr, "copy_matrix");
  if (made == nullptr) return nullptr;
  if (a->local != 0 && a->value != nullptr) {
    made->value = made->lvalue = compat::allocated_array<double>(a->nnz, "copy_matrix");
  }
  std::copy_n(a->loffset, a->lnumrows + 1, made->loffset);
  std::copy_n(a->lnonzero, a->lnnz, made->lnonzero);
  if (a->value != nullptr) std::copy_n(a->lvalue, a->lnnz, made->lvalue);
  if (a->local == 0) shmem_barrier_all();  // others may read it
  return made;
}

WEAK void clear_matrix(sparsemat_t* a) {
  if (a != nullptr) compat::release_parts(*a);
}

WEAK void print_matrix(sparsemat_t* a) {
  const std::int64_t n_turns = a->local != 0 ? 1 : compat::n_pes();
  for (std::int64_t turn = 0; turn < n_turns; ++turn) {
    if (a->local == 0) shmem_barrier_all();
    if (a->local == 0 && turn != compat::my_pe()) continue;
    for (std::int64_t i = 0; i < a->lnumrows; ++i) {
      fprintf(stderr, "row %" PRId64 ":", global_row(*a, i));
      for (std::int64_t k = a->loffset[i]; k < a->loffset[i + 1]; ++k) {
        fprintf(stderr, " %" PRId64, a->lnonzero[k]);
        if (a->lvalue != nullptr) fprintf(stderr, "(%g)", a->lvalue[k]);
      }
      fputc('\n', stderr);
    }
  }
  if (a->local == 0) shmem_barrier_all();
}

WEAK int spmat_are_eq_doubles(double a, double b) { return are_equal(a, b) ? 0 : 1; }

WEAK int compare_matrix(sparsemat_t* a, sparsemat_t* b) {
  if (a->numrows != b->numrows || a->lnumrows != b->lnumrows) return not_equal("numbers of rows");
  if (a->numcols != b->numcols) return not_equal("numbers of columns");
  if (a->nnz != b->nnz || a->lnnz != b->lnnz) return not_equal("numbers of nonzeros");
  if ((a->lvalue == nullptr) != (b->lvalue == nullptr)) return not_equal("weighted and unweighted");
  if (!std::equal(a->loffset, a->loffset + a->lnumrows + 1, b->loffset)) return not_equal("lengths of rows");
  if (!std::equal(a->lnonzero, a->lnonzero + a->lnnz, b->lnonzero)) return not_equal("nonzeros");
  if (a->lvalue != nullptr && !std::equal(a->lvalue, a->lvalue + a->lnnz, b->lvalue, are_equal))
    return not_equal("values");
  return 0;
}

WEAK int sort_nonzeros(sparsemat_t* a) {
  compat::sort_rows(*a);
  if (a->local == 0) shmem_barrier_all();  // others may read them
  return 0;
}

WEAK int is_upper_triangular(sparsemat_t* a, int64_t unit_diagonal) {
  return is_shaped(*a, unit_diagonal != 0, "is_upper_triangular",
                   [](std::int64_t row, std::int64_t column) { return column >= row; });
}
WEAK int is_lower_triangular(sparsemat_t* a, int64_t unit_diagonal) {
  return is_shaped(*a, unit_diagonal != 0, "is_lower_triangular",
                   [](std::int64_t row, std::int64_t column) { return column <= row; });
}

WEAK int64_t tril(sparsemat_t* a, int64_t k) {
  return filter(*a, "tril", [k](std::int64_t row, std::int64_t column) { return column - row <= k; });
}
WEAK int64_t triu(sparsemat_t* a, int64_t k) {
  return filter(*a, "triu", [k](std::int64_t row, std::int64_t column) { return column - row >= k; });
}

}  // extern "C"
