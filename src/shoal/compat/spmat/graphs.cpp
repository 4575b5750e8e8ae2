// Random graphs of any model, and graphs whose edges get a direction.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "shoal/compat/include/spmat.h"
#include "shoal/compat/internal/dealt_matrix.hpp"
#include "shoal/compat/internal/lanes.hpp"
#include "shoal/compat/internal/random_stream.hpp"
#include "shoal/compat/internal/row_entries.hpp"

namespace compat = shoal::internal::compat;

namespace {

template <class Entry>
sparsemat_t* direct(const sparsemat_t& lower, const char* call) {
  const compat::dealing deal;
  compat::row_entries<Entry> arrived(lower.lnumrows);
  {
    compat::conveyor_lane<Entry> lane(0);
    if (!lane.is_open()) return nullptr;
    std::int64_t i = 0;
    std::int64_t k = 0;
    const auto next = [&](Entry& e, std::int64_t& pe) {
      if (k == lower.lnnz) return false;
      while (k == lower.loffset[i + 1]) ++i;
      const std::int64_t row = deal.global(i);
      const std::int64_t column = lower.lnonzero[k];
      compat::check_column(lower, row, column, call);
      const bool turns = column != row && compat::random_stream().next() < 0.5;
      const auto [target, index] = deal.of(turns ? column : row);
      e = compat::make_entry<Entry>(index, turns ? row : column, lower.lvalue, k);
      pe = target;
      ++k;
      return true;
    };
    compat::carry(lane, next, [&](const Entry& e) { arrived.add(e); });
  }
  sparsemat_t* const made = arrived.to_matrix(lower.numrows, lower.numcols, call);
  if (made == nullptr) return nullptr;
  compat::sort_rows(*made);
  shmem_barrier_all();
  return made;
}

}  // namespace

namespace shoal::internal::compat {

sparsemat_t* directed(const sparsemat_t& lower, const char* call) {
  return with_entries(lower.numrows, lower.value != nullptr, [&]<class Entry>() { return direct<Entry>(lower, call); });
}

sparsemat_t* random(std::int64_t n, graph_model model, edge_type type, self_loops loops, double density,
                    std::int64_t seed, const char* call) {
  if (model == FLAT) return erdos_renyi(n, density, type, loops, seed, call);
  if (model != GEOMETRIC) {
    if (compat::my_pe() == 0) fprintf(stderr, "%s: the models are FLAT and GEOMETRIC\n", call);
    return nullptr;
  }
  const double n_vertices = static_cast<double>(std::max<std::int64_t>(n, 1));
  const double halves = is_directed(type) ? 2 : 1;  // each edge becomes one of two
  const double r = std::sqrt(halves * (n_vertices - 1) * density / (std::numbers::pi * n_vertices));
  sparsemat_t* const half = geometric(n, r, type, loops, seed, nullptr, call);
  if (half == nullptr || !is_directed(type)) return half;
  sparsemat_t* const made = directed(*half, call);
  release(half);
  return made;
}

void choose_density(double& edge_prob, double& nz_per_row, std::int64_t n, edge_type type, self_loops loops) {
  const auto n_others = static_cast<double>(std::max<std::int64_t>(n - 1, 1));
  if (edge_prob != 0) {
    nz_per_row = edge_prob * n_others / 2;
    return;
  }
  const double wanted = loops == LOOPS ? nz_per_row - 1 : nz_per_row;
  edge_prob = std::fmin(1, wanted / n_others * (is_directed(type) ? 1 : 2));
}

}  // namespace shoal::internal::compat

#define WEAK __attribute__((weak))

extern "C" {

WEAK sparsemat_t* direct_undirected_graph(sparsemat_t* lower) {
  return compat::directed(*lower, "direct_undirected_graph");
}
WEAK sparsemat_t* random_graph(int64_t n, graph_model model, edge_type type, self_loops loops, double density,
                               int64_t seed) {
  return compat::random(n, model, type, loops, density, seed, "random_graph");
}
WEAK void resolve_edge_prob_and_nz_per_row(double* edge_prob, double* nz_per_row, int64_t n, edge_type type,
                                           self_loops loops) {
  compat::choose_density(*edge_prob, *nz_per_row, n, type, loops);
}

}  // extern "C"
