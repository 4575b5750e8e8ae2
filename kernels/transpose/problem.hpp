/// Transposition of a sparse matrix: entry (i, j) becomes entry (j, i).
///
/// In two steps, as bale does it: first every PE tells the owners of columns how many entries they will get, so that they
/// can allocate their rows; then it sends the entries, and each goes to the next free place of its row. Columns within a
/// row are in the order of arrival; sorting is no part of the kernel.
#pragma once

#include <cstdint>
#include <vector>

#include "kernels/graph_input.hpp"
#include "kernels/kernel.hpp"
#include "shoal/shoal.hpp"

namespace shoal::kernels {

kernel_description describe_transpose();

namespace transposition {

struct parameters {
  graph_options graph = {};
};

/// Throws setup_error with one line that names the option.
parameters parse(const option_list& options);

/// The data of one PE on which the variants work.
struct problem {
  sparse_matrix matrix = {};
  sparse_matrix transposed = {};  // the answer; rows are not sorted
  std::vector<std::int64_t> next = {};  // by row of it: first how many entries it has, then where the next one goes
};

/// Collective: reads the matrix. Throws setup_error.
problem make_problem(world& w, const parameters& given);

/// The message of the second step: the receiver's row `row` gets an entry in `column`. That of the first step is a local
/// row number alone.
struct moved_entry {
  std::uint32_t row;
  std::uint32_t column;
};

inline void count(problem& p, std::uint32_t row) { ++p.next[row]; }
inline void append(problem& p, moved_entry e) {
  p.transposed.columns[static_cast<std::size_t>(p.next[e.row]++)] = e.column;
}

/// Between the steps: allocates rows of the sizes that were counted. Local.
void allocate_rows(problem& p);

/// Calls send(pe, row) for each entry.
template <class Send>
void for_each_row(const problem& p, Send send) {
  for (const std::int64_t column : p.matrix.columns) {
    const auto [pe, local] = p.transposed.rows.place_of(column);
    send(pe, static_cast<std::uint32_t>(local));
  }
}

/// Calls send(pe, moved_entry) for each entry.
template <class Send>
void for_each_entry(const problem& p, Send send) {
  for (std::int64_t r = 0; r < p.matrix.n_local_rows(); ++r) {
    const auto row = static_cast<std::uint32_t>(p.matrix.global_row(r));
    for (const std::int64_t column : p.matrix.row(r)) {
      const auto [pe, local] = p.transposed.rows.place_of(column);
      send(pe, moved_entry{static_cast<std::uint32_t>(local), row});
    }
  }
}

void run_agp(world& w, problem& p);
void run_agp_nb(world& w, problem& p);
void run_exstack(world& w, problem& p);
void run_exstack2(world& w, problem& p);
void run_conveyor(world& w, problem& p);
void run_actor(world& w, problem& p);
void run_lambda(world& w, problem& p);

/// The entries of the transposed matrix in ascending order, serial and obvious.
std::vector<entry> reference(const std::vector<entry>& entries);

// --- Checking the answer. Collective; the same verdict on every PE.

/// Whether it equals the reference on PE 0. For matrices that fit on one PE.
bool equals_reference(world& w, const problem& p);

/// Whether it is right by the library, which sends entries on another way.
bool equals_library(world& w, const problem& p);

}  // namespace transposition
}  // namespace shoal::kernels
