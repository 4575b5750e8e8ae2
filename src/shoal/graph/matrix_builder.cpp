#include "shoal/graph/matrix_builder.hpp"

namespace shoal {

// A counting sort by rows: count, add up, distribute. Then each row is sorted, because entries arrive in a different
// order in each run, and results must not depend on it.
template <matrix_entry E>
sparse_matrix matrix_builder<E>::build() {
  constexpr bool has_values = std::same_as<E, weighted_entry>;
  sparse_matrix m{.rows = rows_, .pe = my_pe_, .n_columns = n_columns_, .has_values = has_values};
  const auto n_rows = static_cast<std::size_t>(rows_.n_local(my_pe_));
  m.columns.resize(received_.size());
  if constexpr (has_values) m.values.resize(received_.size());

  // Shifted by two: distribution advances the begin of row r, in offsets[r + 1], to its end.
  m.offsets.assign(n_rows + 2, 0);
  for (const E& e : received_) ++m.offsets[static_cast<std::size_t>(e.row) + 2];
  for (std::size_t r = 2; r < m.offsets.size(); ++r) m.offsets[r] += m.offsets[r - 1];
  for (const E& e : received_) {
    const auto at = static_cast<std::size_t>(m.offsets[static_cast<std::size_t>(e.row) + 1]++);
    m.columns[at] = e.column;
    if constexpr (has_values) m.values[at] = e.value;
  }
  m.offsets.pop_back();

  received_ = {};
  sort_rows(m);
  return m;
}

template class matrix_builder<entry>;
template class matrix_builder<weighted_entry>;

}  // namespace shoal
