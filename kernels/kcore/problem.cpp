#include "kernels/kcore/problem.hpp"

#include "shoal/base/setup_error.hpp"

namespace shoal::kernels::kcore {

parameters parse(const option_list& options) {
  parameters given;
  for (const auto& [name, value] : options) {
    if (!parse_graph_option(given.graph, name, value)) throw setup_error("kcore has no option --" + name);
  }
  return given;
}

problem make_problem(world& w, const parameters& given) {
  // Per vertex: two arrays of offsets, neighbours that are left, core, and two lists. Per edge: as read, and twice in the
  // undirected graph.
  problem p{.both = symmetrise(w, read_graph(w, given.graph, {"kcore", 16 + 8 + 8, 8 + 16}))};
  reset(p);
  return p;
}

void reset(problem& p) {
  p.n_left.clear();
  for (std::int64_t v = 0; v < p.both.n_local_rows(); ++v) {
    p.n_left.push_back(static_cast<std::uint32_t>(p.both.row(v).size()));
  }
  p.cores.assign(p.n_left.size(), undecided);
  p.k = 0;
  p.n_messages = 0;
}

std::vector<std::uint32_t> cores_by_h_index(world& w, const problem& p) {
  struct told {
    std::uint32_t vertex;
    std::uint32_t value;
  };
  std::vector<std::uint32_t> mine;
  for (std::int64_t v = 0; v < p.both.n_local_rows(); ++v) {
    mine.push_back(static_cast<std::uint32_t>(p.both.row(v).size()));
  }
  for (bool changes_any = true; changes_any;) {
    std::vector<std::vector<std::uint32_t>> of_neighbours(mine.size());
    actor hear{w, [&](const told& t) { of_neighbours[t.vertex].push_back(t.value); }};
    w.finish([&] {
      for (std::size_t v = 0; v < mine.size(); ++v) {
        for (const std::int64_t u : p.both.row(static_cast<std::int64_t>(v))) {
          const auto [pe, local] = p.both.rows.place_of(u);
          hear.send(pe, told{static_cast<std::uint32_t>(local), mine[v]});
        }
      }
    });
    changes_any = false;
    for (std::size_t v = 0; v < mine.size(); ++v) {
      std::ranges::sort(of_neighbours[v], std::greater<>{});
      std::uint32_t h = 0;
      while (h < of_neighbours[v].size() && of_neighbours[v][h] > h) ++h;
      changes_any = changes_any || h != mine[v];
      mine[v] = h;
    }
    changes_any = w.max(static_cast<int>(changes_any)) != 0;
  }
  return mine;
}

}  // namespace shoal::kernels::kcore
