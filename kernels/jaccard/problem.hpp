/// Jaccard similarity of neighbours: for each edge of an undirected graph, how many of the neighbours of its ends they have
/// in common, of all that they have.
///
/// The edge of i and j, i > j, belongs to the owner of i. For each other neighbour x of i, it asks the owner of j whether
/// j has it, too. Then J(i, j) = c / (deg(i) + deg(j) - c) for c common neighbours (Jaccard, "The distribution of the flora
/// in the alpine zone", New Phytologist 1912).
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "kernels/graph_input.hpp"
#include "kernels/kernel.hpp"
#include "kernels/row_search.hpp"
#include "shoal/shoal.hpp"

namespace shoal::kernels {

kernel_description describe_jaccard();

namespace jaccard {

struct parameters {
  graph_options graph = {};
};

/// Throws setup_error with one line that names the option.
parameters parse(const option_list& options);

/// The data of one PE on which the variants work. An edge is named by its position among the entries of `both` that has
/// the lower vertex as its column.
struct problem {
  sparse_matrix both = {};  // of the undirected graph
  std::vector<std::uint32_t> n_common = {};  // the answer: by edge, how many neighbours both ends have
  std::vector<std::uint32_t> degrees = {};  // the answer: by edge, the degree of its lower end

  /// The lower neighbours of a row: a part at its begin.
  std::span<const std::int64_t> lower(std::int64_t row) const {
    const std::span<const std::int64_t> all = both.row(row);
    return {all.begin(), std::ranges::lower_bound(all, both.global_row(row))};
  }
  std::uint32_t first_edge(std::int64_t row) const {
    return static_cast<std::uint32_t>(both.offsets[static_cast<std::size_t>(row)]);
  }
};

/// Collective: reads the graph. Throws setup_error.
problem make_problem(world& w, const parameters& given);

// --- The messages. A row of the receiver is named by its local number.

/// Does row `row` have `vertex`? Asked for edge `edge` of the sender.
struct probe {
  std::uint32_t row;
  std::uint32_t vertex;
  std::uint32_t edge;
};

/// It has.
struct hit {
  std::uint32_t edge;
};

/// How many neighbours does row `row` have?
struct degree_query {
  std::uint32_t row;
  std::uint32_t edge;
};

struct degree_reply {
  std::uint32_t edge;
  std::uint32_t degree;
};

inline bool has(const problem& p, const probe& q) { return contains(p.both.row(q.row), q.vertex); }
inline std::uint32_t degree(const problem& p, std::uint32_t row) {
  return static_cast<std::uint32_t>(p.both.row(row).size());
}

/// Calls ask(pe, degree_query) for each edge of this PE, and ask(pe, probe) for each neighbour that may be common.
template <class Ask>
void for_each_question(const problem& p, Ask ask) {
  for (std::int64_t i = 0; i < p.both.n_local_rows(); ++i) {
    std::uint32_t edge = p.first_edge(i);
    for (const std::int64_t j : p.lower(i)) {
      const auto [pe, local] = p.both.rows.place_of(j);
      ask(pe, degree_query{static_cast<std::uint32_t>(local), edge});
      ++edge;
    }
    edge = p.first_edge(i);
    for (const std::int64_t j : p.lower(i)) {
      const auto [pe, local] = p.both.rows.place_of(j);
      const auto row = static_cast<std::uint32_t>(local);
      for (const std::int64_t x : p.both.row(i)) {
        if (x != j) ask(pe, probe{row, static_cast<std::uint32_t>(x), edge});
      }
      ++edge;
    }
  }
}

/// How many questions this PE has to ask.
std::uint64_t n_questions(const problem& p);

void run_agp(world& w, problem& p);
void run_agp_nb(world& w, problem& p);
void run_conveyor(world& w, problem& p);
void run_actor(world& w, problem& p);
void run_lambda(world& w, problem& p);
/// Returns how many messages this PE sent.
std::uint64_t run_row_wise(world& w, problem& p);

/// An edge of the undirected graph, from its higher end to its lower one, and how many neighbours they have in common.
struct counted_edge {
  std::int64_t high;
  std::int64_t low;
  std::uint32_t n_common;

  friend auto operator<=>(const counted_edge&, const counted_edge&) = default;
};

/// Serial and obvious, on the whole graph, in ascending order.
std::vector<counted_edge> reference(std::int64_t n_vertices, const std::vector<entry>& both);

// --- Evaluating the answer. Collective.

struct outcome {
  double sum = 0;  // over all edges, each once
  double max = 0;
};
outcome outcome_of(world& w, const problem& p);

}  // namespace jaccard
}  // namespace shoal::kernels
