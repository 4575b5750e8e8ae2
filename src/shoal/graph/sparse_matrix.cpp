#include "shoal/graph/sparse_matrix.hpp"

#include <algorithm>
#include <compare>
#include <utility>

#include "shoal/actor/actor.hpp"
#include "shoal/base/internal/contract.hpp"
#include "shoal/graph/matrix_builder.hpp"

namespace shoal {
namespace {

// Calls f(row, position) for each local entry in order; `row` is global.
template <class F>
void for_each_entry(const sparse_matrix& m, F&& f) {
  std::size_t i = 0;
  for (std::int64_t r = 0; r < m.n_local_rows(); ++r) {
    const std::int64_t row = m.global_row(r);
    for (const auto end = static_cast<std::size_t>(m.offsets[static_cast<std::size_t>(r) + 1]); i < end; ++i) {
      f(row, i);
    }
  }
}

// Sorts a row with values through `scratch`. Entries with equal columns are sorted by value, so that their rounded sum
// does not depend on the order of arrival. The order of values is total, which includes NaN.
void sort_weighted(std::span<std::int64_t> columns, std::span<double> values,
                   std::vector<std::pair<std::int64_t, double>>& scratch) {
  scratch.resize(columns.size());
  for (std::size_t i = 0; i < columns.size(); ++i) scratch[i] = {columns[i], values[i]};
  std::sort(scratch.begin(), scratch.end(), [](const auto& a, const auto& b) {
    return a.first != b.first ? a.first < b.first : std::strong_order(a.second, b.second) < 0;
  });
  for (std::size_t i = 0; i < columns.size(); ++i) {
    columns[i] = scratch[i].first;
    values[i] = scratch[i].second;
  }
}

// The entries for which keep(row, column) holds.
template <class Keep>
sparse_matrix select(const sparse_matrix& m, Keep&& keep) {
  sparse_matrix kept{.rows = m.rows, .pe = m.pe, .n_columns = m.n_columns, .has_values = m.has_values};
  kept.offsets.reserve(m.offsets.size());
  for (std::int64_t r = 0; r < m.n_local_rows(); ++r) {
    const std::int64_t row = m.global_row(r);
    const std::span<const std::int64_t> columns = m.row(r);
    for (std::size_t i = 0; i < columns.size(); ++i) {
      if (!keep(row, columns[i])) continue;
      kept.columns.push_back(columns[i]);
      if (m.has_values) kept.values.push_back(m.row_values(r)[i]);
    }
    kept.offsets.push_back(kept.n_local_entries());
  }
  kept.columns.shrink_to_fit();
  kept.values.shrink_to_fit();
  return kept;
}

}  // namespace

void sort_rows(sparse_matrix& m) {
  std::vector<std::pair<std::int64_t, double>> scratch;
  for (std::size_t r = 0; r + 1 < m.offsets.size(); ++r) {
    const auto begin = static_cast<std::size_t>(m.offsets[r]);
    const std::size_t size = static_cast<std::size_t>(m.offsets[r + 1]) - begin;
    const std::span<std::int64_t> columns = std::span(m.columns).subspan(begin, size);
    if (m.has_values) {
      sort_weighted(columns, std::span(m.values).subspan(begin, size), scratch);
    } else {
      std::sort(columns.begin(), columns.end());
    }
  }
}

void sum_duplicates(sparse_matrix& m) {
  std::size_t n = 0;  // entries kept; they move to the front, so n never passes i
  std::size_t i = 0;
  for (std::size_t r = 0; r + 1 < m.offsets.size(); ++r) {
    const std::size_t begin = n;
    for (const auto end = static_cast<std::size_t>(m.offsets[r + 1]); i < end; ++i) {
      if (n > begin && m.columns[n - 1] == m.columns[i]) {
        if (m.has_values) m.values[n - 1] += m.values[i];
        continue;
      }
      m.columns[n] = m.columns[i];
      if (m.has_values) m.values[n] = m.values[i];
      ++n;
    }
    m.offsets[r + 1] = static_cast<std::int64_t>(n);
  }
  m.columns.resize(n);
  if (m.has_values) m.values.resize(n);
}

sparse_matrix strict_lower(const sparse_matrix& m) {
  return select(m, [](std::int64_t row, std::int64_t column) { return column < row; });
}

sparse_matrix strict_upper(const sparse_matrix& m) {
  return select(m, [](std::int64_t row, std::int64_t column) { return column > row; });
}

std::vector<std::int64_t> row_degrees(const sparse_matrix& m) {
  std::vector<std::int64_t> degrees(static_cast<std::size_t>(m.n_local_rows()));
  for (std::size_t r = 0; r < degrees.size(); ++r) degrees[r] = m.offsets[r + 1] - m.offsets[r];
  return degrees;
}

std::int64_t n_entries(world& w, const sparse_matrix& m) { return w.sum(m.n_local_entries()); }

std::vector<std::int64_t> column_degrees(world& w, const sparse_matrix& m) {
  const distribution columns = m.columns_distribution();
  std::vector<std::int64_t> degrees(static_cast<std::size_t>(columns.n_local(m.pe)));
  w.finish([&] {
    // Constructed here, so that this superstep waits for it even inside another one.
    actor count{w, [&](std::int64_t column) { ++degrees[static_cast<std::size_t>(column)]; }, no_prefetch{},
                "column_degrees"};
    for (const std::int64_t column : m.columns) {
      const place at = columns.place_of(column);
      count.send(at.pe, at.local);
    }
  });
  return degrees;
}

sparse_matrix transpose(world& w, const sparse_matrix& m) {
  const distribution rows = m.columns_distribution();
  if (m.has_values) {
    return assemble<weighted_entry>(w, rows, m.n_rows(), [&](auto& builder) {
      for_each_entry(m, [&](std::int64_t row, std::size_t i) { builder.add({m.columns[i], row, m.values[i]}); });
    });
  }
  return assemble<entry>(w, rows, m.n_rows(), [&](auto& builder) {
    for_each_entry(m, [&](std::int64_t row, std::size_t i) { builder.add({m.columns[i], row}); });
  });
}

sparse_matrix symmetrise(world& w, const sparse_matrix& m) {
  SHOAL_REQUIRE(m.n_rows() == m.n_columns);
  sparse_matrix both = assemble<entry>(w, m.rows, m.n_columns, [&](auto& builder) {
    for_each_entry(m, [&](std::int64_t row, std::size_t i) {
      const std::int64_t column = m.columns[i];
      if (row == column) return;
      builder.add({row, column});
      builder.add({column, row});
    });
  });
  sum_duplicates(both);
  return both;
}

}  // namespace shoal
