// Permuted matrices. Each nonzero travels to the PE of its column, which knows the new one, and from there to the PE of
// its new row.
#include <vector>

#include "shoal/actor/world.hpp"
#include "shoal/base/random.hpp"
#include "shoal/compat/include/spmat.h"
#include "shoal/compat/internal/dealt_matrix.hpp"
#include "shoal/compat/internal/lanes.hpp"
#include "shoal/compat/internal/row_entries.hpp"

namespace compat = shoal::internal::compat;

namespace {

// What the caller gives.
struct job {
  const sparsemat_t& a;
  const std::int64_t* rows;  // new ones, of this PE's part
  const std::int64_t* columns;
  std::int64_t buf_cnt;
  const char* call;
};

[[noreturn, gnu::cold]] void refuse_index(const job& of, std::int64_t index, std::int64_t n) {
  fprintf(stderr, "%s: the permutation has a %" PRId64 "; it must have the numbers from 0 to %" PRId64 "\n", of.call,
          index, n - 1);
  std::exit(1);
}

void check_index(const job& of, std::int64_t index, std::int64_t n) {
  if (static_cast<std::uint64_t>(index) >= static_cast<std::uint64_t>(n)) [[unlikely]]
    refuse_index(of, index, n);
}

// Ends the job with a line unless the rows' permutation has each number once: then these sums agree. Collective.
void check_rows(const job& of) {
  const compat::dealing deal;
  std::uint64_t surplus = 0;
  for (std::int64_t i = 0; i < of.a.lnumrows; ++i) {
    check_index(of, of.rows[i], of.a.numrows);
    surplus += shoal::mixed_bits(static_cast<std::uint64_t>(of.rows[i]));
    surplus -= shoal::mixed_bits(static_cast<std::uint64_t>(deal.global(i)));
  }
  if (compat::world_for(of.call).sum(surplus) != 0) {
    compat::refuse_together(of.call, "the rows' permutation has a number twice");
  }
}

template <template <class> class Lane, class Entry>
sparsemat_t* permute(const job& of) {
  const sparsemat_t& a = of.a;
  const compat::dealing deal;
  compat::row_entries<Entry> arrived(a.lnumrows);
  {
    Lane<Entry> to_column(of.buf_cnt);
    if (!to_column.is_open()) return nullptr;
    Lane<Entry> to_row(of.buf_cnt);
    if (!to_row.is_open()) return nullptr;
    const auto next = compat::to_columns<Entry>(a, of.call, [&](std::int64_t row, std::int64_t index, std::int64_t k) {
      return compat::make_entry<Entry>(of.rows[row], index, a.lvalue, k);
    });
    const auto turn = [&](Entry& e, std::int64_t& pe) {
      const std::int64_t column = of.columns[e.col];
      check_index(of, column, a.numcols);
      const auto [target, index] = deal.of(static_cast<std::int64_t>(e.row));
      e.row = static_cast<decltype(e.row)>(index);
      e.col = static_cast<decltype(e.col)>(column);
      pe = target;
    };
    compat::carry_by_way_of(to_column, to_row, next, turn, [&](const Entry& e) { arrived.add(e); });
  }
  return arrived.to_matrix(a.numrows, a.numcols, of.call);
}

template <template <class> class Lane>
sparsemat_t* permute_by(const job& of) {
  check_rows(of);
  return compat::with_entries(std::max(of.a.numrows, of.a.numcols), of.a.value != nullptr,
                              [&]<class Entry>() { return permute<Lane, Entry>(of); });
}

// Puts tell each new row its length, and bring the row; gets tell its new columns.
sparsemat_t* permute_one_sided(const job& of) {
  check_rows(of);
  const sparsemat_t& a = of.a;
  const compat::dealing deal;
  auto* const counts = compat::shared_array<std::int64_t>(deal.n_most(a.numrows));
  if (counts == nullptr) return nullptr;
  std::fill_n(counts, a.lnumrows, 0);
  shmem_barrier_all();
  for (std::int64_t i = 0; i < a.lnumrows; ++i) {
    const auto [pe, index] = deal.of(of.rows[i]);
    (shmem_int64_p)(counts + index, a.loffset[i + 1] - a.loffset[i], static_cast<int>(pe));
  }
  shmem_barrier_all();
  std::int64_t lnnz = 0;
  for (std::int64_t i = 0; i < a.lnumrows; ++i) lnnz += counts[i];
  sparsemat_t* const made = compat::make_matrix(a.numrows, a.numcols, lnnz, a.value != nullptr, of.call);
  if (made != nullptr) {
    std::copy_n(counts, a.lnumrows, made->loffset + 1);
    compat::add_up_offsets(*made);
    shmem_barrier_all();
    std::vector<std::int64_t> new_columns;
    for (std::int64_t i = 0; i < a.lnumrows; ++i) {
      new_columns.clear();
      for (const std::int64_t column : compat::row_of(a, i)) {
        compat::check_column(a, deal.global(i), column, of.call);
        const auto [pe, index] = deal.of(column);
        new_columns.push_back((shmem_int64_g)(of.columns + index, static_cast<int>(pe)));
        check_index(of, new_columns.back(), a.numcols);
      }
      if (new_columns.empty()) continue;
      const auto [target, index] = deal.of(of.rows[i]);
      const int pe = static_cast<int>(target);
      const std::int64_t at = (shmem_int64_g)(made->offset + index, pe);
      shmem_int64_put(made->nonzero + at, new_columns.data(), new_columns.size(), pe);
      if (a.value != nullptr) shmem_double_put(made->value + at, a.lvalue + a.loffset[i], new_columns.size(), pe);
    }
    shmem_barrier_all();
  }
  shmem_free(counts);
  return made;
}

// Where loads and stores reach every PE's part of the permutation, whole rows by puts are faster than nonzeros by
// conveyor: their places lie side by side. Collective.
sparsemat_t* permute_fast(const job& of) {
  bool are_near = true;
  for (int pe = 0; pe < compat::n_pes(); ++pe) are_near = are_near && shmem_ptr(of.columns, pe) != nullptr;
  return compat::world_for(of.call).min(are_near) ? permute_one_sided(of) : permute_by<compat::conveyor_lane>(of);
}

}  // namespace

#define WEAK __attribute__((weak))

extern "C" {

WEAK sparsemat_t* permute_matrix(sparsemat_t* a, int64_t* rows, int64_t* columns) {
  sparsemat_t* const made = permute_fast({*a, rows, columns, 0, "permute_matrix"});
  if (made == nullptr) return nullptr;
  compat::sort_rows(*made);
  shmem_barrier_all();
  return made;
}
WEAK sparsemat_t* permute_matrix_agp(sparsemat_t* a, int64_t* rows, int64_t* columns) {
  return permute_one_sided({*a, rows, columns, 0, "permute_matrix_agp"});
}
WEAK sparsemat_t* permute_matrix_exstack(sparsemat_t* a, int64_t* rows, int64_t* columns, int64_t buf_cnt) {
  return permute_by<compat::exstack_lane>({*a, rows, columns, buf_cnt, "permute_matrix_exstack"});
}
WEAK sparsemat_t* permute_matrix_exstack2(sparsemat_t* a, int64_t* rows, int64_t* columns, int64_t buf_cnt) {
  return permute_by<compat::exstack2_lane>({*a, rows, columns, buf_cnt, "permute_matrix_exstack2"});
}
WEAK sparsemat_t* permute_matrix_conveyor(sparsemat_t* a, int64_t* rows, int64_t* columns) {
  return permute_by<compat::conveyor_lane>({*a, rows, columns, 0, "permute_matrix_conveyor"});
}

}  // extern "C"
