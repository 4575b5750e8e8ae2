// As actor.cpp, for PEs with several workers: the handler is parallel. It counts what it finds for a batch, and touches once
// what the workers share.
#include <atomic>
#include <cstdint>
#include <span>

#include "kernels/triangle/problem.hpp"
#include "shoal/task/parallel_handler.hpp"

namespace shoal::kernels::triangle {
namespace {

struct counter : selector<counter, parallel<probe>> {
  counter(world& w, problem& of) : selector(w, "triangle"), p(of) {}

  void process(std::span<const probe> batch) {
    std::uint64_t n = 0;
    for (const probe asked : batch) n += n_found(p, asked);
    std::atomic_ref(p.n_triangles).fetch_add(n, std::memory_order_relaxed);
  }

  problem& p;
};

}  // namespace

void run_parallel(world& w, problem& p) {
  counter triangles{w, p};
  w.finish([&] { for_each_probe(p, [&](pe_id owner, probe question) { triangles.send(owner, question); }); });
}

}  // namespace shoal::kernels::triangle
