// Lists, dealt arrays, rows one nonzero at a time, and orders of spmat. Functions are weak: some programs bring
// functions of these names.
#include <algorithm>

#include "shoal/compat/include/spmat.h"
#include "shoal/compat/internal/dealt_matrix.hpp"
#include "shoal/compat/internal/lanes.hpp"
#include "shoal/compat/internal/row_entries.hpp"

namespace compat = shoal::internal::compat;

namespace {

template <class T>
void grow(T*& array, std::int64_t n, const char* call) {
  if (array != nullptr) array = static_cast<T*>(compat::reallocated(array, compat::bytes_of<T>(n), call));
}

// What follows `n`, full, in a list that doubles.
std::int64_t doubled(std::int64_t n) { return n > 0 ? 2 * n : 16; }

void make_room(edge_list_t& list) {
  if (list.num < list.nalloc) return;
  list.nalloc = doubled(list.nalloc);
  grow(list.edges, list.nalloc, "append_edge");
  grow(list.wedges, list.nalloc, "append_weighted_edge");
}

[[gnu::cold]] void refuse_edge(const char* call, const char* kind) {
  fprintf(stderr, "%s: PE %d: the list is not one of %s edges\n", call, static_cast<int>(compat::my_pe()), kind);
  std::exit(1);
}

template <class T>
int compared(const T& a, const T& b) {
  return a < b ? -1 : b < a ? 1 : 0;
}
template <class Edge>
int compare_edges(const void* a, const void* b) {
  const auto* const first = static_cast<const Edge*>(a);
  const auto* const second = static_cast<const Edge*>(b);
  const int by_row = compared(first->row, second->row);
  return by_row != 0 ? by_row : compared(first->col, second->col);
}

// Where the iterator stands now; `load(k)` gives the column of nonzero k.
template <class Load>
void stand(nxnz_t& at, Load load) {
  if (at.idx < at.stop) at.col = load(at.idx);
}

d_array_t* make_d_array(std::int64_t n, const char* call) {
  compat::check_size(n, call);
  const compat::dealing deal;
  auto* const a = compat::allocated_array<d_array_t>(1, call);
  *a = {n, deal.n_here(n), nullptr, nullptr};
  a->entry = a->lentry = compat::shared_array<double>(deal.n_most(n) + 1);
  if (a->entry != nullptr) return a;
  std::free(a);
  return nullptr;
}

struct remote_row {
  const sparsemat_t& a;
  std::int64_t row;

  std::int64_t begin() const { return lgp_get_int64(a.offset, row); }
  std::int64_t end() const { return lgp_get_int64(a.offset, row + THREADS); }
  std::int64_t column(std::int64_t k) const { return lgp_get_int64(a.nonzero, k * THREADS + row % THREADS); }
};

template <class Entry>
sparsemat_t* assemble(const triples_t& t) {
  constexpr const char* call = "triples_to_sparsemat";
  if (!compat::has_room_for_rows(t.numrows)) return nullptr;
  const compat::dealing deal;
  compat::row_entries<Entry> arrived(deal.n_here(t.numrows));
  {
    compat::conveyor_lane<Entry> lane(0);
    if (!lane.is_open()) return nullptr;
    std::int64_t k = 0;
    const auto next = [&](Entry& e, std::int64_t& pe) {
      if (k == t.lnnz) return false;
      const auto [target, index] = deal.of(t.row[k]);
      e = compat::make_entry<Entry>(index, t.col[k], t.val, k);
      pe = target;
      ++k;
      return true;
    };
    compat::carry(lane, next, [&](const Entry& e) { arrived.add(e); });
  }
  sparsemat_t* const made = arrived.to_matrix(t.numrows, t.numcols, call);
  if (made == nullptr) return nullptr;
  compat::sort_rows(*made);
  shmem_barrier_all();
  return made;
}

}  // namespace

#define WEAK __attribute__((weak))

extern "C" {

WEAK edge_list_t* init_edge_list(int64_t nalloc, int weighted) {
  constexpr const char* call = "init_edge_list";
  auto* const list = compat::allocated_array<edge_list_t>(1, call);
  *list = {nullptr, nullptr, nalloc > 0 ? nalloc : 0, 0};
  if (weighted != 0) list->wedges = compat::allocated_array<w_edge_t>(nalloc, call);
  if (weighted == 0) list->edges = compat::allocated_array<edge_t>(nalloc, call);
  return list;
}
WEAK int64_t append_edge(edge_list_t* list, int64_t row, int64_t col) {
  if (list->edges == nullptr) refuse_edge("append_edge", "unweighted");
  make_room(*list);
  list->edges[list->num] = {row, col};
  return ++list->num;
}
WEAK int64_t append_weighted_edge(edge_list_t* list, int64_t row, int64_t col, double val) {
  if (list->wedges == nullptr) refuse_edge("append_weighted_edge", "weighted");
  make_room(*list);
  list->wedges[list->num] = {row, col, val};
  return ++list->num;
}
WEAK void clear_edge_list(edge_list_t* list) {
  std::free(list->edges);
  std::free(list->wedges);
  *list = {};
}

WEAK triples_t* init_triples(int64_t numrows, int64_t numcols, int64_t nalloc, int weighted) {
  constexpr const char* call = "init_triples";
  for (const std::int64_t n : {numrows, numcols}) compat::check_size(n, call);
  auto* const t = compat::allocated_array<triples_t>(1, call);
  *t = {};
  t->numrows = numrows;
  t->lnumrows = compat::dealing().n_here(numrows);
  t->numcols = numcols;
  t->nalloc = nalloc > 0 ? nalloc : 0;
  t->row = compat::allocated_array<std::int64_t>(nalloc, call);
  t->col = compat::allocated_array<std::int64_t>(nalloc, call);
  if (weighted != 0) t->val = compat::allocated_array<double>(nalloc, call);
  return t;
}
WEAK int64_t append_triple(triples_t* t, int64_t row, int64_t col, double val) {
  if (row < 0 || row >= t->numrows || col < 0 || col >= t->numcols) {
    fprintf(stderr,
            "append_triple: there is no row %" PRId64 ", column %" PRId64 " in a matrix of %" PRId64 " by %" PRId64
            "\n",
            row, col, t->numrows, t->numcols);
    std::exit(1);
  }
  if (t->lnnz == t->nalloc) {
    t->nalloc = doubled(t->nalloc);
    grow(t->row, t->nalloc, "append_triple");
    grow(t->col, t->nalloc, "append_triple");
    grow(t->val, t->nalloc, "append_triple");
  }
  t->row[t->lnnz] = row;
  t->col[t->lnnz] = col;
  if (t->val != nullptr) t->val[t->lnnz] = val;
  return ++t->lnnz;
}
WEAK void clear_triples(triples_t* t) {
  std::free(t->row);
  std::free(t->col);
  std::free(t->val);
  *t = {};
}
WEAK sparsemat_t* triples_to_sparsemat(triples_t* t) {
  return compat::with_entries(std::max(t->numrows, t->numcols), t->val != nullptr,
                              [&]<class Entry>() { return assemble<Entry>(*t); });
}

WEAK d_array_t* init_d_array(int64_t n) { return make_d_array(n, "init_d_array"); }
WEAK void set_d_array(d_array_t* a, double value) { std::fill_n(a->lentry, a->lnum, value); }
WEAK d_array_t* copy_d_array(d_array_t* source) {
  d_array_t* const made = make_d_array(source->num, "copy_d_array");
  if (made == nullptr) return nullptr;
  std::copy_n(source->lentry, source->lnum, made->lentry);
  shmem_barrier_all();
  return made;
}
WEAK int64_t replace_d_array(d_array_t* dest, d_array_t* source) {
  if (dest->num != source->num) return 0;
  std::copy_n(source->lentry, source->lnum, dest->lentry);
  shmem_barrier_all();
  return 1;
}
WEAK void clear_d_array(d_array_t* a) {
  shmem_free(a->entry);
  *a = {};
}

WEAK nxnz_t* init_nxnz(sparsemat_t* a) {
  auto* const at = compat::allocated_array<nxnz_t>(1, "init_nxnz");
  *at = {a, 0, 0, 0, 0, 0};
  return at;
}
WEAK void first_l_nxnz(nxnz_t* at, int64_t lrow) {
  const sparsemat_t& a = *at->mat;
  *at = {at->mat, lrow, a.loffset[lrow], a.loffset[lrow], a.loffset[lrow + 1], 0};
  stand(*at, [&a](std::int64_t k) { return a.lnonzero[k]; });
}
WEAK bool has_l_nxnz(nxnz_t* at, int64_t) { return at->idx < at->stop; }
WEAK void incr_l_nxnz(nxnz_t* at, int64_t) {
  ++at->idx;
  stand(*at, [at](std::int64_t k) { return at->mat->lnonzero[k]; });
}
WEAK void first_S_nxnz(nxnz_t* at, int64_t row) {
  const remote_row of{*at->mat, row};
  const std::int64_t begin = of.begin();
  *at = {at->mat, row, begin, begin, of.end(), 0};
  stand(*at, [&of](std::int64_t k) { return of.column(k); });
}
WEAK bool has_S_nxnz(nxnz_t* at, int64_t) { return at->idx < at->stop; }
WEAK void incr_S_nxnz(nxnz_t* at, int64_t row) {
  ++at->idx;
  const remote_row of{*at->mat, row};
  stand(*at, [&of](std::int64_t k) { return of.column(k); });
}
WEAK int64_t rowcount_l(sparsemat_t* a, int64_t lrow) { return a->loffset[lrow + 1] - a->loffset[lrow]; }
WEAK int64_t rowcount_S(sparsemat_t* a, int64_t row) {
  const remote_row of{*a, row};
  return of.end() - of.begin();
}

WEAK int nz_comp(const void* a, const void* b) {
  return compared(*static_cast<const std::int64_t*>(a), *static_cast<const std::int64_t*>(b));
}
WEAK int point_comp(const void* a, const void* b) {
  const auto* const first = static_cast<const point_t*>(a);
  const auto* const second = static_cast<const point_t*>(b);
  const int by_x = compared(first->x, second->x);
  return by_x != 0 ? by_x : compared(first->y, second->y);
}
WEAK int col_val_comp(const void* a, const void* b) {
  return compared(static_cast<const col_val_t*>(a)->col, static_cast<const col_val_t*>(b)->col);
}
WEAK int edge_comp(const void* a, const void* b) { return compare_edges<edge_t>(a, b); }
WEAK int w_edge_comp(const void* a, const void* b) { return compare_edges<w_edge_t>(a, b); }

}  // extern "C"
