#include "shoal/graph/sparse_matrix.hpp"

#include <algorithm>
#include <concepts>
#include <functional>
#include <utility>

#include "shoal/actor/actor.hpp"
#include "shoal/base/internal/contract.hpp"
#include "shoal/base/random.hpp"
#include "shoal/graph/internal/entry_keys.hpp"
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

// A random number for an edge, the same for both directions.
std::uint64_t number_of_edge(std::uint64_t seed, std::int64_t row, std::int64_t column) {
  const auto low = static_cast<std::uint64_t>(std::min(row, column));
  const auto high = static_cast<std::uint64_t>(std::max(row, column));
  return mixed_bits(mixed_bits(mixed_bits(seed) + low) + high);
}

// Where an entry goes: to its place, to the mirrored one, or to both.
struct destinations {
  bool is_kept = false;
  bool is_mirrored = false;
};

// The matrix of the entries of `m` at the places that where(row, column) says, about `n_expected` on each PE.
template <matrix_entry E>
sparse_matrix moved(world& w, const sparse_matrix& m, const distribution& rows, std::int64_t n_columns,
                    std::int64_t n_expected, const std::function<destinations(std::int64_t, std::int64_t)>& where) {
  return assemble<E>(w, rows, n_columns, [&](auto& builder) {
    builder.reserve(n_expected);
    for_each_entry(m, [&](std::int64_t row, std::size_t i) {
      const std::int64_t column = m.columns[i];
      const destinations to = where(row, column);
      for (const bool is_mirrored : {false, true}) {
        if (!(is_mirrored ? to.is_mirrored : to.is_kept)) continue;
        E e{is_mirrored ? column : row, is_mirrored ? row : column};
        if constexpr (std::same_as<E, weighted_entry>) e.value = m.values[i];
        builder.add(e);
      }
    });
  });
}

// Whether keep(row, column) holds for all entries of all PEs, and for each row as many entries are on the diagonal as
// `diagonal` asks for.
template <class Keep>
bool is_triangular(world& w, const sparse_matrix& m, main_diagonal diagonal, Keep&& keep) {
  bool is_so = true;
  std::int64_t n_ones = 0;
  std::int64_t last = -1;  // the row of the last one
  for_each_entry(m, [&](std::int64_t row, std::size_t i) {
    is_so = is_so && keep(row, m.columns[i]);
    if (diagonal == main_diagonal::any || m.columns[i] != row) return;
    is_so = is_so && last != row && (!m.has_values || m.values[i] == 1);
    last = row;
    ++n_ones;
  });
  if (diagonal == main_diagonal::unit) is_so = is_so && n_ones == m.n_local_rows();
  return w.min(static_cast<int>(is_so)) != 0;
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

// Entries with equal columns are sorted by value, so that their rounded sum does not depend on the order of arrival.
void sort_rows(sparse_matrix& m) {
  const int n_bits = internal::entry_keys(1, m.n_columns).n_bits();
  for (std::size_t r = 0; r + 1 < m.offsets.size(); ++r) {
    const auto begin = static_cast<std::size_t>(m.offsets[r]);
    const std::size_t size = static_cast<std::size_t>(m.offsets[r + 1]) - begin;
    const std::span<std::int64_t> columns = std::span(m.columns).subspan(begin, size);
    if (m.has_values) {
      internal::sort_keys(columns, std::span(m.values).subspan(begin, size), n_bits);
    } else {
      internal::sort_keys(columns, n_bits);
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

sparse_matrix lower_triangle(const sparse_matrix& m, std::int64_t diagonal) {
  return select(m, [diagonal](std::int64_t row, std::int64_t column) { return column - row <= diagonal; });
}

sparse_matrix upper_triangle(const sparse_matrix& m, std::int64_t diagonal) {
  return select(m, [diagonal](std::int64_t row, std::int64_t column) { return column - row >= diagonal; });
}

sparse_matrix strict_lower(const sparse_matrix& m) { return lower_triangle(m, -1); }
sparse_matrix strict_upper(const sparse_matrix& m) { return upper_triangle(m, 1); }

void set_random_values(sparse_matrix& m, std::uint64_t seed) {
  m.has_values = true;
  m.values.resize(m.columns.size());
  for_each_entry(m, [&](std::int64_t row, std::size_t i) {
    // Multiples of 2^-53 from 2^-53 on.
    m.values[i] = static_cast<double>((number_of_edge(seed, row, m.columns[i]) >> 11) + 1) * 0x1p-53;
  });
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
  const auto where = [](std::int64_t, std::int64_t) { return destinations{.is_mirrored = true}; };
  const distribution rows = m.columns_distribution();
  return m.has_values ? moved<weighted_entry>(w, m, rows, m.n_rows(), m.n_local_entries(), where)
                      : moved<entry>(w, m, rows, m.n_rows(), m.n_local_entries(), where);
}

bool are_equal(world& w, const sparse_matrix& a, const sparse_matrix& b) {
  const bool is_so = a.rows == b.rows && a.n_columns == b.n_columns && a.has_values == b.has_values &&
                     a.offsets == b.offsets && a.columns == b.columns && a.values == b.values;
  return w.min(static_cast<int>(is_so)) != 0;
}

bool is_lower_triangular(world& w, const sparse_matrix& m, main_diagonal diagonal) {
  return is_triangular(w, m, diagonal, [](std::int64_t row, std::int64_t column) { return column <= row; });
}

bool is_upper_triangular(world& w, const sparse_matrix& m, main_diagonal diagonal) {
  return is_triangular(w, m, diagonal, [](std::int64_t row, std::int64_t column) { return column >= row; });
}

sparse_matrix with_mirrored(world& w, const sparse_matrix& m) {
  SHOAL_REQUIRE(m.n_rows() == m.n_columns);
  const auto where = [](std::int64_t row, std::int64_t column) { return destinations{true, row != column}; };
  return m.has_values ? moved<weighted_entry>(w, m, m.rows, m.n_columns, 2 * m.n_local_entries(), where)
                      : moved<entry>(w, m, m.rows, m.n_columns, 2 * m.n_local_entries(), where);
}

sparse_matrix orient(world& w, const sparse_matrix& m, std::uint64_t seed) {
  SHOAL_REQUIRE(m.n_rows() == m.n_columns);
  const auto where = [seed](std::int64_t row, std::int64_t column) {
    const bool is_kept = number_of_edge(seed, row, column) % 2 == 0;
    return destinations{is_kept, !is_kept};
  };
  return m.has_values ? moved<weighted_entry>(w, m, m.rows, m.n_columns, m.n_local_entries(), where)
                      : moved<entry>(w, m, m.rows, m.n_columns, m.n_local_entries(), where);
}

sparse_matrix symmetrise(world& w, const sparse_matrix& m) {
  SHOAL_REQUIRE(m.n_rows() == m.n_columns);
  sparse_matrix both =
      moved<entry>(w, m, m.rows, m.n_columns, 2 * m.n_local_entries(),
                   [](std::int64_t row, std::int64_t column) { return destinations{row != column, row != column}; });
  sum_duplicates(both);
  return both;
}

}  // namespace shoal
