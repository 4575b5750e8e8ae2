/// Topological sort, as bale has it: finds permutations of the rows and columns of a matrix that make it upper triangular,
/// with ones on the diagonal. Such permutations exist, because the matrix was made of a triangular one.
///
/// A row with one entry left can be the last one of those that are left, with the entry's column. So the column is taken
/// away from all its rows, which may leave one entry in others. For each row, the PE knows how many entries are left and
/// the sum of their columns; if one is left, the sum is its column. A row's level is the length of the longest chain of
/// rows below it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "kernels/graph_input.hpp"
#include "kernels/kernel.hpp"
#include "shoal/actor/work_list.hpp"
#include "shoal/graph/permutation.hpp"
#include "shoal/shoal.hpp"

namespace shoal::kernels {

kernel_description describe_toposort();

namespace toposort {

struct parameters {
  graph_options graph = {};
  std::uint64_t seed = 1;  // of the permutations that hide the order
};

/// Throws setup_error with one line that names the option and a value that would work.
parameters parse(const option_list& options);

/// The data of one PE on which the variants work. Arrays have an element for each row of this PE.
struct problem {
  parameters given;
  sparse_matrix rows = {};  // the matrix
  sparse_matrix columns = {};  // its transpose

  // Of the search.
  std::vector<std::uint32_t> n_left = {};
  std::vector<std::int64_t> sum_left = {};
  std::vector<std::uint32_t> levels = {};
  std::vector<std::uint32_t> matches = {};  // the column that was taken with a row

  // The answer: where rows and columns go.
  permutation row_places = {};
  permutation column_places = {};
};

/// Collective: reads the graph, takes the upper triangle of the undirected graph and the diagonal, and permutes both rows
/// and columns. Throws setup_error.
problem make_problem(world& w, const parameters& given);

/// Forgets the last answer. Local.
void reset(problem& p);

// --- The messages. Rows and columns of the receiver are named by local numbers.

/// The receiver's column `column` was taken with a row on this level.
struct taken_column {
  std::uint32_t column;
  std::uint32_t level;
};

/// The receiver's row `row` loses `column`, which was taken with a row on this level.
struct lost_entry {
  std::uint32_t row;
  std::uint32_t column;
  std::uint32_t level;
};

/// Whether the row has one entry left now.
inline bool lose(problem& p, lost_entry e) {
  if (--p.n_left[e.row] == 0) return false;  // the entry that was taken with the row itself
  p.sum_left[e.row] -= e.column;
  p.levels[e.row] = std::max(p.levels[e.row], e.level + 1);
  return p.n_left[e.row] == 1;
}

/// Takes the only entry that a row has left. Calls send(pe, taken_column).
template <class Send>
void take_row(problem& p, std::uint32_t row, Send send) {
  p.matches[row] = static_cast<std::uint32_t>(p.sum_left[row]);
  const auto [pe, local] = p.columns.rows.place_of(p.sum_left[row]);
  send(pe, taken_column{static_cast<std::uint32_t>(local), p.levels[row]});
}

/// Calls send(pe, lost_entry) for each row of a column, the one that it was taken with included.
template <class Send>
void take_column(const problem& p, taken_column c, Send send) {
  const auto column = static_cast<std::uint32_t>(p.columns.global_row(c.column));
  for (const std::int64_t row : p.columns.row(c.column)) {
    const auto [pe, local] = p.rows.rows.place_of(row);
    send(pe, lost_entry{static_cast<std::uint32_t>(local), column, c.level});
  }
}

// --- What forms that prefetch will touch: rows and columns come in no order that a processor can guess.

/// Of the handler of a message.
inline const void* touched_by(const problem& p, taken_column c) { return &p.columns.offsets[c.column]; }
inline const void* touched_by(const problem& p, lost_entry e) {
  __builtin_prefetch(&p.sum_left[e.row], 1);
  __builtin_prefetch(&p.levels[e.row], 1);
  return &p.n_left[e.row];
}

/// Of take_column. The offset has been touched before.
inline const void* entries_of(const problem& p, taken_column c) {
  return p.columns.columns.data() + p.columns.offsets[c.column];
}

/// The rows that have one entry. For before the search: it leaves one entry in others, and takes them itself.
std::vector<std::uint32_t> first_rows(const problem& p);

/// Collective: places rows by descending level, and each column where its row is.
void place_by_level(world& w, problem& p);

void run_agp(world& w, problem& p);
void run_agp_nb(world& w, problem& p);
void run_exstack(world& w, problem& p);
void run_exstack2(world& w, problem& p);
void run_conveyor(world& w, problem& p);
void run_actor(world& w, problem& p);
void run_lambda(world& w, problem& p);

/// The level of each row, serial and obvious.
std::vector<std::uint32_t> reference(std::int64_t n_rows, const std::vector<entry>& entries);

}  // namespace toposort
}  // namespace shoal::kernels
