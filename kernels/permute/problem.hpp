/// Permutes rows and columns of a sparse matrix: entry (i, j) goes to (r(i), c(j)) for two random permutations r and c.
///
/// In three steps, as bale does it: every row tells the owner of its new place how many entries it has; the entries
/// follow, still with their old columns; then every PE asks the owners of these columns for the new ones. Columns within a
/// row are in the order of arrival; sorting is no part of the kernel.
///
/// `relabel_first` saves a step: an entry goes to the owner of its column, who knows the new one, and from there to its
/// row.
#pragma once

#include <cstdint>
#include <vector>

#include "kernels/graph_input.hpp"
#include "kernels/kernel.hpp"
#include "shoal/graph/permutation.hpp"
#include "shoal/shoal.hpp"

namespace shoal::kernels {

kernel_description describe_permute();

namespace permuting {

struct parameters {
  graph_options graph = {};
  std::uint64_t seed = 1;  // of the permutations
};

/// Throws setup_error with one line that names the option and a value that would work.
parameters parse(const option_list& options);

/// The data of one PE on which the variants work.
struct problem {
  sparse_matrix matrix = {};
  permutation rows = {};
  permutation columns = {};
  sparse_matrix permuted = {};  // the answer; rows are not sorted
  std::vector<std::int64_t> next = {};  // by row of it: first how many entries it has, then where the next one goes
};

/// Collective: reads the matrix and draws the permutations. Throws setup_error.
problem make_problem(world& w, const parameters& given);

// --- The messages. Rows and columns of the receiver are named by local numbers.

/// The receiver's row `row` will have `size` entries.
struct row_size {
  std::uint32_t row;
  std::uint32_t size;
};

/// The receiver's row `row` gets an entry in `column`.
struct moved_entry {
  std::uint32_t row;
  std::uint32_t column;
};

/// Where does the receiver's column `column` go? Asked for entry `entry` of the sender.
struct query {
  std::uint32_t column;
  std::uint32_t entry;
};

struct reply {
  std::uint32_t entry;
  std::uint32_t column;
};

inline void keep(problem& p, row_size s) { p.next[s.row] = s.size; }
inline void append(problem& p, moved_entry e) {
  p.permuted.columns[static_cast<std::size_t>(p.next[e.row]++)] = e.column;
}
inline std::uint32_t new_column(const problem& p, std::uint32_t local) {
  return static_cast<std::uint32_t>(p.columns.images[local]);
}

/// After the first step: allocates rows of the sizes that were told. Local.
void allocate_rows(problem& p);

/// Calls send(pe, row_size) for each row.
template <class Send>
void for_each_row(const problem& p, Send send) {
  for (std::int64_t r = 0; r < p.matrix.n_local_rows(); ++r) {
    const auto [pe, local] = p.matrix.rows.place_of(p.rows.images[static_cast<std::size_t>(r)]);
    send(pe, row_size{static_cast<std::uint32_t>(local), static_cast<std::uint32_t>(p.matrix.row(r).size())});
  }
}

/// Calls send(pe, moved_entry) for each entry; it has its old column.
template <class Send>
void for_each_entry(const problem& p, Send send) {
  for (std::int64_t r = 0; r < p.matrix.n_local_rows(); ++r) {
    const auto [pe, local] = p.matrix.rows.place_of(p.rows.images[static_cast<std::size_t>(r)]);
    for (const std::int64_t column : p.matrix.row(r)) {
      send(pe, moved_entry{static_cast<std::uint32_t>(local), static_cast<std::uint32_t>(column)});
    }
  }
}

/// Calls send(pe, query) for each entry of the answer.
template <class Send>
void for_each_query(const problem& p, Send send) {
  std::uint32_t entry = 0;
  for (const std::int64_t column : p.permuted.columns) {
    const auto [pe, local] = p.columns.indices.place_of(column);
    send(pe, query{static_cast<std::uint32_t>(local), entry++});
  }
}

void run_agp(world& w, problem& p);
void run_agp_nb(world& w, problem& p);
void run_exstack(world& w, problem& p);
void run_exstack2(world& w, problem& p);
void run_conveyor(world& w, problem& p);
void run_actor(world& w, problem& p);
void run_lambda(world& w, problem& p);
void run_relabel_first(world& w, problem& p);

/// The permuted entries in ascending order, serial and obvious. Images by index.
std::vector<entry> reference(const std::vector<entry>& entries, const std::vector<std::int64_t>& rows,
                             const std::vector<std::int64_t>& columns);

// --- Checking the answer. Collective; the same verdict on every PE.

/// Whether it equals the reference on PE 0. For matrices that fit on one PE.
bool equals_reference(world& w, const problem& p);

/// Whether it is right by permuting back by the library, which sends entries on another way.
bool equals_library(world& w, const problem& p);

}  // namespace permuting
}  // namespace shoal::kernels
