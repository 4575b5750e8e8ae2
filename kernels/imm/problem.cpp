#include "kernels/imm/problem.hpp"

#include <algorithm>
#include <utility>

#include "kernels/options.hpp"
#include "shoal/base/parse.hpp"
#include "shoal/base/setup_error.hpp"

namespace shoal::kernels::imm {
namespace {

// Per vertex: offsets, scale, and what the choice has. Per edge: as read, and as entry of the transposed or undirected
// graph. Sets come on top.
constexpr memory_need memory = {.kernel = "imm", .bytes_per_vertex = 24 + 8 + 40, .bytes_per_edge = 8 + 16};

// Sets are made in portions, because those that there are tell how much memory others take. The first portion is small,
// since each of its sets may have all vertices.
class room {
public:
  // How many sets there may be next, of `end` in the end, if there are `n_sets` now. Throws setup_error if the memory of a
  // PE would not hold them, or all. Collective.
  std::uint64_t next(world& w, std::uint64_t n_sets, std::uint64_t end) const {
    const std::uint64_t next = std::min(end, std::max(least_portion, n_sets + 7 * n_measured_));
    // A few sets, of which one may happen to be large, tell no more than what the next portion takes.
    const auto n = static_cast<double>(n_measured_ < n_telling ? next : end);
    require_memory(w, "imm with these --probability and --epsilon",
                   static_cast<std::uint64_t>(std::min(n * (per_set + bytes_per_set_), 1e18)),
                   "give a smaller --probability or a larger --epsilon");
    return next;
  }

  // So many sets were made; on this PE they have so many members, and so many edges let through. Collective.
  void measure(world& w, std::uint64_t n_sets, std::uint64_t n_members, std::uint64_t n_open_edges) {
    if (n_sets < n_measured_) return;  // of another purpose
    n_measured_ = n_sets;
    bytes_per_set_ =
        static_cast<double>(w.max(per_member * n_members + per_open_edge * n_open_edges)) / static_cast<double>(n_sets);
  }

private:
  static constexpr std::uint64_t least_portion = 4;
  static constexpr std::uint64_t n_telling = 256;
  // In the lists by vertex and by set, and in the choice.
  static constexpr double per_set = 21;
  // 16 to 32 bytes in the set of words, and 16 more while that grows; 8 to 16 as such; 8 in the lists by vertex and by set.
  static constexpr std::uint64_t per_member = 72;
  // In the list of work, where those of a portion may be at the same time.
  static constexpr std::uint64_t per_open_edge = 24;

  std::uint64_t n_measured_ = 0;
  double bytes_per_set_ = 0;  // besides per_set, on the PE that takes most
};

}  // namespace

parameters parse(const option_list& options) {
  parameters given;
  for (const auto& [name, value] : options) {
    if (parse_graph_option(given.graph, name, value)) continue;
    if (name == "seeds") {
      given.n_seeds = value == "auto" ? 0 : whole_number("--seeds", value, 1, UINT32_MAX);
    } else if (name == "undirected") {
      given.is_undirected = parse_switch(name, value);
    } else if (name == "probability") {
      given.probability = value == "weighted" ? 0 : parse_real(value, "--probability", 1e-9, 1);
    } else if (name == "epsilon") {
      given.epsilon = parse_real(value, "--epsilon", 1e-3, 1);
    } else if (name == "ell") {
      given.ell = parse_real(value, "--ell", 1e-3, 100);
    } else if (name == "seed") {
      given.seed = whole_number("--seed", value, 0, INT64_MAX);
    } else {
      throw setup_error("imm has no option --" + name);
    }
  }
  return given;
}

problem make_problem(world& w, const parameters& given) {
  problem p{.given = given, .incoming = read_graph(w, given.graph, memory)};
  if (p.n() == 0) throw setup_error("a graph without vertices has no influence; give another graph");
  if (p.n() > std::int64_t{UINT32_MAX}) throw setup_error("imm counts vertices in 32 bits; give a smaller graph");
  if (given.n_seeds > static_cast<std::uint64_t>(p.n())) {
    throw setup_error("--seeds=" + std::to_string(given.n_seeds) + " is more than the graph's " +
                      std::to_string(p.n()) + " vertices; give at most " + std::to_string(p.n()));
  }
  if (given.n_seeds == 0) p.given.n_seeds = std::min<std::uint64_t>(50, static_cast<std::uint64_t>(p.n()));
  p.incoming = given.is_undirected ? symmetrise(w, p.incoming) : transpose(w, p.incoming);
  for (std::int64_t v = 0; v < p.incoming.n_local_rows(); ++v) {
    const auto n_edges = static_cast<double>(std::max<std::size_t>(1, p.incoming.row(v).size()));
    const double probability = given.probability != 0 ? given.probability : 1 / n_edges;
    p.scales.push_back(1 / std::log1p(-probability));
  }
  return p;
}

std::uint64_t key_of(const parameters& given, purpose of) {
  return mixed_bits(mixed_bits(given.seed) + static_cast<std::uint64_t>(of));
}

std::int64_t root_of(std::uint64_t key, std::uint32_t set, std::int64_t n_vertices) {
  return static_cast<std::int64_t>(random_engine(key, set).below(static_cast<std::uint64_t>(n_vertices)));
}

void maximise(world& w, problem& p, const std::function<void(std::uint32_t, std::uint32_t)>& make_sets) {
  const auto n_local = static_cast<std::size_t>(p.incoming.n_local_rows());
  room memory_left;
  std::uint64_t n_messages_before = 0;  // before the sets of this purpose
  // From now on there are the sets [0, end).
  const auto make = [&](std::uint64_t end) {
    const std::size_t before = p.members.size();
    while (p.n_sets < end) {
      const std::uint64_t next = memory_left.next(w, p.n_sets, end);
      make_sets(static_cast<std::uint32_t>(p.n_sets), static_cast<std::uint32_t>(next));
      p.n_sets = next;
      memory_left.measure(w, p.n_sets, p.members.size(), p.n_messages - n_messages_before);
    }
    p.n_members += p.members.size() - before;
  };
  // Also chooses the best vertices for them.
  const auto make_and_choose = [&](double n) {
    if (n >= UINT32_MAX) {
      throw setup_error("imm needs " + std::to_string(static_cast<std::uint64_t>(n)) +
                        " sets, of at most 4294967295; give a larger --epsilon");
    }
    make(static_cast<std::uint64_t>(std::ceil(n)));
    p.sets = sets_of_vertices(p.members, n_local, p.n_sets);
    p.chosen = choose(w, p.incoming.rows, p.sets, p.given.n_seeds);
  };
  const auto begin = [&](purpose of) {
    p.key = key_of(p.given, of);
    p.members.clear();
    p.known.clear();
    p.n_sets = 0;
    n_messages_before = p.n_messages;
  };

  begin(purpose::find_number);
  // The chosen ones reach themselves.
  auto lower_bound = static_cast<double>(p.given.n_seeds);
  for (std::uint64_t round = 1; round <= n_rounds(p.n()); ++round) {
    make_and_choose(n_sets_of_round(p.given, p.n(), round));
    const double part = static_cast<double>(p.chosen.n_covered()) / static_cast<double>(p.n_sets);
    const double shown = shown_influence(p.given, p.n(), round, part);
    if (shown == 0) continue;
    lower_bound = std::max(lower_bound, shown);
    break;
  }
  begin(purpose::choose);
  make_and_choose(n_sets_to_choose(p.given, p.n(), lower_bound));

  // The check needs what was chosen from.
  const std::uint64_t n_sets = p.n_sets;
  const std::uint64_t key = p.key;
  std::vector<membership> members = std::exchange(p.members, {});
  begin(purpose::estimate);
  make(n_sets_to_estimate(n_sets));
  p.n_fresh_sets = p.n_sets;
  p.fresh_gains = gains_in(w, p.incoming.rows, sets_of_vertices(p.members, n_local, p.n_sets), p.chosen.seeds);
  p.n_sets = n_sets;
  p.key = key;
  p.members = std::move(members);
}

}  // namespace shoal::kernels::imm
