/// Builds a distributed matrix from entries that any PE provides.
#pragma once

#include <concepts>
#include <cstdint>
#include <memory>
#include <span>
#include <utility>
#include <vector>

#include "shoal/actor/actor.hpp"
#include "shoal/actor/world.hpp"
#include "shoal/base/internal/contract.hpp"
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
  /// Collective, does not wait. Construct it in the superstep that is to wait for its entries.
  matrix_builder(world& w, const distribution& rows, std::int64_t n_columns)
      : rows_(rows), n_columns_(n_columns), my_pe_(w.my_pe()), arrivals_(w, keep{&received_}, {}, "matrix_builder") {}

  /// Adds an entry, on any PE; duplicates are allowed. In the main program it may wait for room and run handlers
  /// meanwhile; handlers may add entries, too. An entry out of range is a contract violation.
  void add(const E& e) {
    SHOAL_EXPECT(e.column >= 0 && e.column < n_columns_);
    const place at = rows_.place_of(e.row);
    E message = e;
    message.row = at.local;  // saves the receiver a division
    arrivals_.send(at.pe, message);
  }

  /// Reserves room for this many entries on this PE. A hint. Local.
  void reserve(std::int64_t n_local_entries) { received_.reserve(static_cast<std::size_t>(n_local_entries)); }

  /// The matrix of all entries added, duplicates included. Call it once, after the superstep. Local.
  sparse_matrix build();

private:
  // A batch handler: appends a buffer's entries by one copy.
  struct keep {
    std::vector<E>* into;
    void operator()(std::span<const E> batch) const { into->insert(into->end(), batch.begin(), batch.end()); }
  };

  distribution rows_;
  std::int64_t n_columns_;
  pe_id my_pe_;
  std::vector<E> received_;  // with local row numbers
  actor<keep, E, no_prefetch> arrivals_;
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
