// One-sided: whoever has an edge to a vertex writes its parent, if nobody has. The owner finds its new vertices by looking
// at all of them after each level, since nobody tells it.
#include "kernels/bfs/problem.hpp"

namespace shoal::kernels::bfs {

void run_agp(world& w, problem& p) {
  const auto parents = w.allocate<std::int64_t>(w.max(p.parents.size()));
  const std::span<std::int64_t> mine = w.local(parents).first(p.parents.size());
  std::ranges::fill(mine, nothing);
  w.barrier();
  search(w, p, [&] {
    for (const std::uint32_t v : p.newest) mine[v] = p.parents[v];  // the root
    w.barrier();
    for_each_visit(p, [&](pe_id owner, visit v) {
      w.compare_exchange(parents, v.to, nothing, static_cast<std::int64_t>(v.parent), owner);
    });
    w.barrier();
    for (std::size_t v = 0; v < mine.size(); ++v) {
      if (mine[v] != nothing) arrive(p, {static_cast<std::uint32_t>(v), static_cast<std::uint32_t>(mine[v])});
    }
  });
  w.deallocate(parents);
}

}  // namespace shoal::kernels::bfs
