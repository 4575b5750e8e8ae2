/// Influence maximisation: which k vertices reach most others, if everyone who is reached passes it on over each of its
/// edges with some probability (the independent cascade of Kempe, Kleinberg and Tardos, KDD 2003).
///
/// IMM (Tang, Shi and Xiao, "Influence maximization in near-linear time: a martingale approach", SIGMOD 2015). A random
/// reverse-reachable set has everyone who would have reached one random vertex, its root. A vertex that is in many such sets
/// reaches many vertices. So IMM makes sets, and chooses the vertices that cover most of them. First it finds how many
/// sets are enough; then it makes them anew, because those that decided their number are no fair sample (Chen, "An issue in
/// the martingale analysis of the influence maximization algorithm IMM", CSoNet 2018).
///
/// A message says that a vertex is in a set. The first of them makes the vertex look for others that would have reached it.
/// Which edges let through in which set is a hash of the set and the edge. So sets, and the answer, are the same whatever
/// the number of PEs, the layout and the order of messages.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "kernels/graph_input.hpp"
#include "kernels/imm/selection.hpp"
#include "kernels/imm/word_set.hpp"
#include "kernels/kernel.hpp"
#include "shoal/base/random.hpp"
#include "shoal/shoal.hpp"

namespace shoal::kernels {

kernel_description describe_imm();

namespace imm {

struct parameters {
  graph_options graph = {};
  bool is_undirected = false;
  std::uint64_t n_seeds = 0;  // 0: 50, or all vertices of a graph that has fewer
  double probability = 0;  // of each edge; 0: 1 over the edges that lead to the same vertex ("weighted cascade")
  double epsilon = 0.5;  // the answer has 1 - 1/e - epsilon of the most influence at least,
  double ell = 1;  // with a probability of 1 - n^-ell
  std::uint64_t seed = 1;
};

/// Throws setup_error with one line that names the option and a value that would work.
parameters parse(const option_list& options);

/// Words that name the sets of one purpose: the key of set s is a hash of this word and s.
enum class purpose : std::uint64_t { find_number, choose, estimate };

/// The data of one PE on which the variants work.
struct problem {
  parameters given;
  sparse_matrix incoming = {};  // row v: from where edges lead to v
  std::vector<double> scales = {};  // for each vertex of this PE 1 / log(1 - its edges' probability)

  // Of the sets that are being made.
  std::uint64_t key = 0;
  std::vector<membership> members = {};  // vertices of this PE, each set's once
  word_set known = {};  // the same

  // The answer.
  std::uint64_t n_sets = 0;
  sets_of_vertices sets = {};
  selection chosen = {};
  std::uint64_t n_fresh_sets = 0;  // made after the choice
  std::vector<std::uint32_t> fresh_gains =
      {};  // how many of them each chosen vertex adds to those of the vertices before it

  std::uint64_t n_members = 0;  // that joined sets here, of all purposes
  std::uint64_t n_messages = 0;  // that this PE sent

  std::int64_t n() const noexcept { return incoming.n_rows(); }

  /// How many vertices the chosen ones reach on average. An estimate without bias: the sets from which they were chosen
  /// would tell too much, since a vertex that is by chance in many of them is chosen for that.
  double influence() const noexcept { return reached_with(sum_of(fresh_gains)); }
  /// Its standard error.
  double influence_error() const noexcept {
    const double part = static_cast<double>(sum_of(fresh_gains)) / static_cast<double>(n_fresh_sets);
    return static_cast<double>(n()) * std::sqrt(part * (1 - part) / static_cast<double>(n_fresh_sets));
  }
  /// How many vertices are reached on average, if so many of the fresh sets are covered.
  double reached_with(std::uint64_t n_covered) const noexcept {
    return static_cast<double>(n()) * static_cast<double>(n_covered) / static_cast<double>(n_fresh_sets);
  }
};

/// Collective: reads the graph. Throws setup_error.
problem make_problem(world& w, const parameters& given);

/// The word of which the sets' keys are made.
std::uint64_t key_of(const parameters& given, purpose of);

/// The root of a set.
std::int64_t root_of(std::uint64_t key, std::uint32_t set, std::int64_t n_vertices);

/// The edges that let through in one set, of those that lead to one vertex: from one to the next, by how many it skips.
/// An edge lets through with a probability p, so it skips k of them with a probability of (1 - p)^k * p.
class open_edges {
public:
  /// `scale`: 1 / log(1 - p).
  open_edges(std::uint64_t key, std::uint32_t set, std::int64_t vertex, double scale)
      : state_(mixed_bits(mixed_bits(key + set) ^ static_cast<std::uint64_t>(vertex))), scale_(scale) {}

  /// The first one of [from, end), or end. Each call goes on from the one before.
  std::size_t next(std::size_t from, std::size_t end) {
    const double uniform = static_cast<double>((splitmix64(state_) >> 11) + 1) * 0x1p-53;  // in (0, 1]
    const double skip = std::log(uniform) * scale_;
    return skip < static_cast<double>(end - from) ? from + static_cast<std::size_t>(skip) : end;
  }

private:
  std::uint64_t state_;
  double scale_;
};

/// Calls use(place) for each place in row `vertex` of `incoming` whose edge lets through in a set.
template <class Use>
void for_each_open(const problem& p, membership m, Use use) {
  const std::size_t end = p.incoming.row(m.vertex).size();
  open_edges edges(p.key, m.set, p.incoming.global_row(m.vertex), p.scales[m.vertex]);
  for (std::size_t at = edges.next(0, end); at < end; at = edges.next(at + 1, end)) use(at);
}

/// An edge that lets through, of a vertex that has joined a set. Its source joins too.
struct open_edge {
  std::uint64_t place;  // in the columns of `incoming`
  std::uint32_t set;
};

/// Calls leave(open_edge) for each edge that lets through, of a vertex that is new in a set.
template <class Leave>
void for_each_open_edge(const problem& p, membership m, Leave leave) {
  const auto row = static_cast<std::uint64_t>(p.incoming.offsets[m.vertex]);
  for_each_open(p, m, [&](std::size_t at) {
    __builtin_prefetch(&p.incoming.columns[row + at]);  // nobody can foresee which one, and few are in a cache
    leave(open_edge{row + at, m.set});
  });
}

/// The message is a membership: the receiver's vertex is in a set. Handles it; calls leave(open_edge) for each edge of a vertex
/// that is new in the set. One message follows for each.
template <class Leave>
void join(problem& p, membership m, Leave leave) {
  if (!p.known.insert(m.word())) return;
  p.members.push_back(m);
  for_each_open_edge(p, m, [&](open_edge edge) {
    ++p.n_messages;
    leave(edge);
  });
}

/// Calls send(pe, membership) for the source of an edge.
template <class Send>
void tell_source(const problem& p, open_edge edge, Send send) {
  const auto [pe, local] = p.incoming.rows.place_of(p.incoming.columns[edge.place]);
  send(pe, membership{static_cast<std::uint32_t>(local), edge.set});
}

/// Asks for what for_each_open_edge touches first.
inline void fetch_vertex(const problem& p, membership m) {
  __builtin_prefetch(&p.incoming.offsets[m.vertex]);
  __builtin_prefetch(&p.scales[m.vertex]);
}

/// Where the handler of a message will look first. Asks for what it touches then.
inline const void* touched_by(const problem& p, membership m) {
  fetch_vertex(p, m);
  return p.known.first_slot(m.word());
}

/// Calls send(pe, membership) for the roots of this PE's share of the sets [first, end).
template <class Send>
void tell_roots(const world& w, problem& p, std::uint32_t first, std::uint32_t end, Send send) {
  const auto n_pes = static_cast<std::uint64_t>(w.n_pes());
  const auto me = static_cast<std::uint64_t>(w.my_pe());
  for (std::uint64_t set = first + me; set < end; set += n_pes) {
    const auto s = static_cast<std::uint32_t>(set);
    const auto [pe, local] = p.incoming.rows.place_of(root_of(p.key, s, p.n()));
    send(pe, membership{static_cast<std::uint32_t>(local), s});
    ++p.n_messages;
  }
}

/// Finds the answer. `make_sets(first, end)` makes these sets and waits until all members have joined. Collective. Throws
/// setup_error if the sets would be too many.
void maximise(world& w, problem& p, const std::function<void(std::uint32_t first, std::uint32_t end)>& make_sets);

void run_actor(world& w, problem& p);
void run_lambda(world& w, problem& p);
void run_parallel(world& w, problem& p);

// --- How many sets are needed (Tang, Shi and Xiao, section 3; LB, lambda* and lambda' are theirs).

/// In how many rounds the lower bound of the influence is looked for: round 1, 2, … supposes n/2, n/4, …
std::uint64_t n_rounds(std::int64_t n_vertices);
/// The sets of one of these rounds (lambda' over n/2^round).
double n_sets_of_round(const parameters& given, std::int64_t n_vertices, std::uint64_t round);
/// The influence that has been shown, if so many of the round's sets are covered; 0 if it is less than supposed.
double shown_influence(const parameters& given, std::int64_t n_vertices, std::uint64_t round, double covered_part);
/// The sets from which the answer is chosen (lambda* over the lower bound).
double n_sets_to_choose(const parameters& given, std::int64_t n_vertices, double lower_bound);
/// The fresh sets that tell the influence of the answer, which was chosen from `n_sets`. A quarter, since they cost time: they
/// tell it half as exactly as `n_sets` fresh ones would.
inline std::uint64_t n_sets_to_estimate(std::uint64_t n_sets) { return (n_sets + 3) / 4; }

// --- Checking the answer.

/// What the reference finds, serial and obvious. Entry (v, u) of the whole graph's `incoming`: an edge leads from u to v.
struct answer {
  std::uint64_t n_sets = 0;
  selection chosen = {};
  std::vector<std::uint32_t> fresh_gains = {};
};
answer reference(const parameters& given, std::int64_t n_vertices, const std::vector<entry>& incoming);

/// What contradicts the answer. Collective; the same on every PE.
struct faults {
  std::uint64_t n_gains = 0;  // numbers of newly covered sets that a recount does not confirm
  std::uint64_t n_better = 0;  // vertices that would have covered more than the last chosen one
  std::uint64_t n_sets = 0;  // sets that have a chosen vertex though it does not reach the root, or the reverse
  std::uint64_t n_followed = 0;  // sets in which the chosen vertices' cascades were followed
  double reached = 0;  // vertices that they reached, on average
  double error = 0;  // standard error of the difference to the estimated influence
};
faults find_faults(world& w, const problem& p);

}  // namespace imm
}  // namespace shoal::kernels
