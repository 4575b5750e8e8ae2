#include "kernels/imm/problem.hpp"

#include <algorithm>

#include "kernels/options.hpp"
#include "shoal/base/parse.hpp"
#include "shoal/base/setup_error.hpp"

namespace shoal::kernels::imm {
namespace {

// Per vertex: offsets, scale, and what the choice has. Per edge: as read, and as entry of the transposed or undirected
// graph. Sets come on top.
constexpr memory_need memory = {.kernel = "imm", .bytes_per_vertex = 24 + 8 + 40, .bytes_per_edge = 8 + 16};

constexpr std::uint64_t least_portion = 1 << 16;

// Throws setup_error if the memory of a PE would not hold so many sets. A member takes 16 to 32 bytes in the set of words,
// and 16 more while that grows; 8 to 16 as such; 8 in the lists by vertex and by set. A set takes 21 in those lists and in the choice.
void require_room(world& w, const problem& p, std::uint64_t n_sets) {
  const double members_per_set =
      p.n_sets == 0 ? 0 : static_cast<double>(w.max(p.members.size())) / static_cast<double>(p.n_sets);
  require_memory(w, "imm with this --epsilon",
                 static_cast<std::uint64_t>(static_cast<double>(n_sets) * (72 * members_per_set + 21)), "raise it");
}

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
  // From now on there are the sets [0, n), and the best vertices for them are chosen. Sets are made in portions, because
  // those that there are tell how much memory others take.
  const auto make_and_choose = [&](double n) {
    if (n >= UINT32_MAX) {
      throw setup_error("imm needs " + std::to_string(static_cast<std::uint64_t>(n)) +
                        " sets, of at most 4294967295; give a larger --epsilon");
    }
    const auto end = static_cast<std::uint64_t>(std::ceil(n));
    const std::size_t before = p.members.size();
    while (p.n_sets < end) {
      require_room(w, p, end);
      const std::uint64_t next = std::min(end, std::max(4 * p.n_sets, least_portion));
      make_sets(static_cast<std::uint32_t>(p.n_sets), static_cast<std::uint32_t>(next));
      p.n_sets = next;
    }
    p.n_members += p.members.size() - before;
    p.sets = sets_of_vertices(p.members, n_local, p.n_sets);
    p.chosen = choose(w, p.incoming.rows, p.sets, p.given.n_seeds);
  };
  const auto begin = [&](purpose of) {
    p.key = key_of(p.given, of);
    p.members.clear();
    p.known.clear();
    p.n_sets = 0;
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
}

}  // namespace shoal::kernels::imm
