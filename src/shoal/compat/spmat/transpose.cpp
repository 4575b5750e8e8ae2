// Transposes. Each nonzero travels once, to the PE of its column, which keeps it until it knows how long its rows are.
#include "shoal/actor/world.hpp"
#include "shoal/compat/include/spmat.h"
#include "shoal/compat/internal/dealt_matrix.hpp"
#include "shoal/compat/internal/lanes.hpp"
#include "shoal/compat/internal/row_entries.hpp"

namespace compat = shoal::internal::compat;

namespace {

template <template <class> class Lane, class Entry>
sparsemat_t* transpose(const sparsemat_t& a, std::int64_t buf_cnt, const char* call) {
  if (!compat::has_room_for_rows(a.numcols)) return nullptr;
  const compat::dealing deal;
  compat::row_entries<Entry> arrived(deal.n_here(a.numcols));
  {
    Lane<Entry> lane(buf_cnt);
    if (!lane.is_open()) return nullptr;
    const auto next = compat::to_columns<Entry>(a, call, [&](std::int64_t row, std::int64_t index, std::int64_t k) {
      return compat::make_entry<Entry>(index, deal.global(row), a.lvalue, k);
    });
    compat::carry(lane, next, [&](const Entry& e) { arrived.add(e); });
  }
  return arrived.to_matrix(a.numcols, a.numrows, call);
}

template <template <class> class Lane>
sparsemat_t* transpose_by(const sparsemat_t& a, std::int64_t buf_cnt, const char* call) {
  return compat::with_entries(std::max(a.numrows, a.numcols), a.value != nullptr,
                              [&]<class Entry>() { return transpose<Lane, Entry>(a, buf_cnt, call); });
}

// Atomics count each column, then give each nonzero its place, to which puts bring it.
sparsemat_t* transpose_one_sided(const sparsemat_t& a, const char* call) {
  const compat::dealing deal;
  const std::int64_t n_columns_here = deal.n_here(a.numcols);
  auto* const counts = compat::shared_array<std::int64_t>(deal.n_most(a.numcols));
  if (counts == nullptr) return nullptr;
  std::fill_n(counts, n_columns_here, 0);
  shmem_barrier_all();
  for (std::int64_t i = 0; i < a.lnumrows; ++i) {
    for (const std::int64_t column : compat::row_of(a, i)) {
      compat::check_column(a, deal.global(i), column, call);
      const auto [pe, index] = deal.of(column);
      shmem_int64_atomic_inc(counts + index, static_cast<int>(pe));
    }
  }
  shmem_barrier_all();
  std::int64_t lnnz = 0;
  for (std::int64_t j = 0; j < n_columns_here; ++j) lnnz += counts[j];
  sparsemat_t* const made = compat::make_matrix(a.numcols, a.numrows, lnnz, a.value != nullptr, call);
  if (made != nullptr) {
    std::copy_n(counts, n_columns_here, made->loffset + 1);
    compat::add_up_offsets(*made);
    std::copy_n(made->loffset, n_columns_here, counts);  // from now on: the next place in each row
    shmem_barrier_all();
    for (std::int64_t i = 0; i < a.lnumrows; ++i) {
      for (std::int64_t k = a.loffset[i]; k < a.loffset[i + 1]; ++k) {
        const auto [target, index] = deal.of(a.lnonzero[k]);
        const int pe = static_cast<int>(target);
        const std::int64_t at = shmem_int64_atomic_fetch_inc(counts + index, pe);
        (shmem_int64_p)(made->nonzero + at, deal.global(i), pe);
        if (a.value != nullptr) shmem_double_p(made->value + at, a.lvalue[k], pe);
      }
    }
    shmem_barrier_all();
  }
  shmem_free(counts);
  return made;
}

}  // namespace

namespace shoal::internal::compat {

sparsemat_t* transposed(const sparsemat_t& a, const char* call) {
  sparsemat_t* const made = transpose_by<conveyor_lane>(a, 0, call);
  if (made == nullptr) return nullptr;
  sort_rows(*made);
  shmem_barrier_all();
  return made;
}

}  // namespace shoal::internal::compat

#define WEAK __attribute__((weak))

extern "C" {

WEAK sparsemat_t* transpose_matrix(sparsemat_t* a) { return compat::transposed(*a, "transpose_matrix"); }
WEAK sparsemat_t* transpose_matrix_agp(sparsemat_t* a) { return transpose_one_sided(*a, "transpose_matrix_agp"); }
WEAK sparsemat_t* transpose_matrix_exstack(sparsemat_t* a, int64_t buf_cnt) {
  return transpose_by<compat::exstack_lane>(*a, buf_cnt, "transpose_matrix_exstack");
}
WEAK sparsemat_t* transpose_matrix_exstack2(sparsemat_t* a, int64_t buf_cnt) {
  return transpose_by<compat::exstack2_lane>(*a, buf_cnt, "transpose_matrix_exstack2");
}
WEAK sparsemat_t* transpose_matrix_conveyor(sparsemat_t* a) {
  return transpose_by<compat::conveyor_lane>(*a, 0, "transpose_matrix_conveyor");
}

}  // extern "C"
