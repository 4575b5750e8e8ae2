/// Builds a distributed matrix from entries that any PE provides.
#pragma once

#include <concepts>
#include <cstdint>
#include <memory>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "shoal/actor/actor.hpp"
#include "shoal/actor/world.hpp"
#include "shoal/base/internal/contract.hpp"
#include "shoal/graph/internal/entry_keys.hpp"
#include "shoal/graph/sparse_matrix.hpp"
#include "shoal/pgas/distribution.hpp"

namespace shoal {

/// A position in a matrix, counted from 0: an edge of a graph.
struct entry {
  std::int64_t row = 0;
  std::int64_t column = 0;

  friend auto operator<=>(const entry&, const entry&) = default;
};

/// A position and the value there.
struct weighted_entry {
  std::int64_t row = 0;
  std::int64_t column = 0;
  double value = 0;

  friend auto operator<=>(const weighted_entry&, const weighted_entry&) = default;
};

namespace internal {

/// What all PEs together take for building a matrix: an offset for each row; for each entry its column, its value, and the
/// eighth more that reserve_share reserves.
inline double bytes_to_build(std::int64_t n_rows, std::int64_t n_entries, bool with_values) {
  return 8.0 * static_cast<double>(n_rows) + (with_values ? 18.0 : 9.0) * static_cast<double>(n_entries);
}

struct keyed_value {
  std::int64_t key;
  double value;
};

}  // namespace internal

template <class E>
concept matrix_entry = std::same_as<E, entry> || std::same_as<E, weighted_entry>;

/// Sends entries to the owners of their rows and makes a matrix of them.
///
/// It is constructed inside a superstep and used after it; `assemble` below arranges that:
///
///     const shoal::distribution rows{shoal::layout::cyclic, n, world.n_pes()};
///     auto a = shoal::assemble<shoal::entry>(world, rows, n, [&](auto& builder) {
///       for (auto [from, to] : my_edges) builder.add({from, to});
///     });
template <matrix_entry E>
class matrix_builder {
public:
  /// Collective, does not wait. Construct it in the superstep that is to wait for its entries. Rows of a PE times columns
  /// must stay below 2^63; a matrix beyond that ends the job with a line.
  matrix_builder(world& w, const distribution& rows, std::int64_t n_columns);

  /// Adds an entry, on any PE; duplicates are allowed. In the main program it may wait for room and run handlers
  /// meanwhile; handlers may add entries, too. An entry out of range is a contract violation.
  void add(const E& e) {
    SHOAL_EXPECT(e.column >= 0 && e.column < n_columns_);
    const place at = rows_.place_of(e.row);
    const std::int64_t key = packing_.key(at.local, e.column);  // by the sender, so that a message is short
    if constexpr (has_values) {
      arrivals_.send(at.pe, internal::keyed_value{key, e.value});
    } else {
      arrivals_.send(at.pe, key);
    }
  }

  /// Reserves room for this many entries on this PE. A hint: memory counts as used once entries arrive. Local.
  void reserve(std::int64_t n_local_entries);

  /// Reserves room for an equal share of `n_entries` on all PEs, and an eighth more, because shares differ. A hint. Local.
  void reserve_share(std::int64_t n_entries) {
    const std::int64_t share = n_entries / rows_.n_pes();
    reserve(share + share / 8);
  }

  /// The matrix of all entries added, duplicates included. It takes over the memory in which the entries arrived. Call
  /// it once, after the superstep. Local.
  sparse_matrix build();

private:
  static constexpr bool has_values = std::same_as<E, weighted_entry>;
  using message = std::conditional_t<has_values, internal::keyed_value, std::int64_t>;

  // A batch handler.
  struct keep {
    std::vector<std::int64_t>* keys;
    std::vector<double>* values;
    void operator()(std::span<const message> batch) const;
  };

  distribution rows_;
  std::int64_t n_columns_;
  pe_id my_pe_;
  internal::entry_keys packing_;
  std::vector<std::int64_t> keys_;
  std::vector<double> values_;
  actor<keep, message, no_prefetch> arrivals_;
};

extern template class matrix_builder<entry>;
extern template class matrix_builder<weighted_entry>;

/// Runs `body(builder)` in a superstep of its own and returns the matrix of the entries that `body`, or handlers of
/// messages that it sent, added on any PE. Keeps duplicates. Collective; waits. Not in a handler.
template <matrix_entry E, class Body>
sparse_matrix assemble(world& w, const distribution& rows, std::int64_t n_columns, Body&& body) {
  std::unique_ptr<matrix_builder<E>> builder;
  w.finish([&] {
    builder = std::make_unique<matrix_builder<E>>(w, rows, n_columns);
    std::forward<Body>(body)(*builder);
  });
  return builder->build();
}

/// The matrix of the entries of all PEs, each of which passes its own. Collective.
template <matrix_entry E>
sparse_matrix assemble(world& w, const distribution& rows, std::int64_t n_columns, std::span<const E> entries) {
  return assemble<E>(w, rows, n_columns, [&](matrix_builder<E>& builder) {
    for (const E& e : entries) builder.add(e);
  });
}

}  // namespace shoal
