// As actor.cpp, for PEs with several workers: the handler is parallel. A batch puts its vertices into sets that all workers
// share. What they have to tell is left as a task, which any worker may begin.
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <span>
#include <utility>
#include <vector>

#include "kernels/imm/problem.hpp"
#include "kernels/imm/shared_memberships.hpp"
#include "shoal/task/parallel_handler.hpp"
#include "shoal/task/task.hpp"

namespace shoal::kernels::imm {
namespace {

struct sampler : selector<sampler, parallel<membership>> {
  sampler(world& w, problem& of) : selector(w, "imm"), p(of) {}

  void process(std::span<const membership> batch) {
    constexpr std::size_t n_ahead = 8;
    const std::vector<membership> fresh = known.insert(batch);
    std::vector<open_edge> open;
    for (std::size_t i = 0; i < fresh.size(); ++i) {
      if (i + n_ahead < fresh.size()) fetch_vertex(p, fresh[i + n_ahead]);
      for_each_open_edge(p, fresh[i], [&](open_edge edge) { open.push_back(edge); });
    }
    {
      const std::lock_guard lock(joining);
      p.members.insert(p.members.end(), fresh.begin(), fresh.end());
      n_told += open.size();
    }
    if (!open.empty()) async([this, its = std::move(open)] { tell(its); });
  }

  void tell(std::span<const open_edge> open) {
    for (const open_edge edge : open) {
      tell_source(p, edge, [&](pe_id owner, membership source) { send(owner, source); });
    }
  }

  problem& p;
  shared_memberships known;  // in place of the problem's
  std::mutex joining;  // guards the problem's members and the next line
  std::uint64_t n_told = 0;  // messages, but for those to roots
};

}  // namespace

void run_parallel(world& w, problem& p) {
  sampler sets{w, p};
  maximise(w, p, [&](std::uint32_t first, std::uint32_t end) {
    if (first == 0) sets.known.clear();  // those of another purpose
    w.finish([&] { tell_roots(w, p, first, end, [&](pe_id owner, membership root) { sets.send(owner, root); }); });
    p.n_messages += std::exchange(sets.n_told, 0);
  });
}

}  // namespace shoal::kernels::imm
