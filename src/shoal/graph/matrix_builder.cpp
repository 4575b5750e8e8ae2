#include "shoal/graph/matrix_builder.hpp"

#include <string>

#include "shoal/base/internal/ambient.hpp"

namespace shoal {
namespace {

internal::entry_keys packing_of(const distribution& rows, std::int64_t n_columns) {
  const std::int64_t n_local_rows = rows.n_local(0);  // no PE has more
  const internal::entry_keys packing(n_local_rows, n_columns);
  if (!packing.fit()) {
    internal::end_job(internal::status_usage, "a matrix with " + std::to_string(n_columns) + " columns and " +
                                                  std::to_string(n_local_rows) +
                                                  " rows on a PE is too large: their product must stay below 2^63; "
                                                  "use more PEs");
  }
  return packing;
}

}  // namespace

template <matrix_entry E>
matrix_builder<E>::matrix_builder(world& w, const distribution& rows, std::int64_t n_columns)
    : rows_(rows),
      n_columns_(n_columns),
      my_pe_(w.my_pe()),
      packing_(packing_of(rows, n_columns)),
      arrivals_(w, keep{&keys_, &values_}, {}, "matrix_builder") {}

template <matrix_entry E>
void matrix_builder<E>::keep::operator()(std::span<const message> batch) const {
  if constexpr (has_values) {
    for (const auto& [key, value] : batch) {
      keys->push_back(key);
      values->push_back(value);
    }
  } else {
    keys->insert(keys->end(), batch.begin(), batch.end());
  }
}

template <matrix_entry E>
void matrix_builder<E>::reserve(std::int64_t n_local_entries) {
  keys_.reserve(static_cast<std::size_t>(n_local_entries));
  if (has_values) values_.reserve(static_cast<std::size_t>(n_local_entries));
}

// Entries arrive in a different order in each run, and results must not depend on it: all are sorted. Then the keys
// become the columns, where they are.
template <matrix_entry E>
sparse_matrix matrix_builder<E>::build() {
  if constexpr (has_values) {
    internal::sort_keys(keys_, values_, packing_.n_bits());
  } else {
    internal::sort_keys(keys_, packing_.n_bits());
  }
  sparse_matrix m{.rows = rows_, .pe = my_pe_, .n_columns = n_columns_, .has_values = has_values};
  m.offsets.assign(static_cast<std::size_t>(rows_.n_local(my_pe_)) + 1, 0);
  for (std::int64_t& key : keys_) {
    ++m.offsets[static_cast<std::size_t>(packing_.row(key)) + 1];
    key = packing_.column(key);
  }
  for (std::size_t r = 1; r < m.offsets.size(); ++r) m.offsets[r] += m.offsets[r - 1];
  m.columns = std::move(keys_);
  m.values = std::move(values_);
  return m;
}

template class matrix_builder<entry>;
template class matrix_builder<weighted_entry>;

}  // namespace shoal
