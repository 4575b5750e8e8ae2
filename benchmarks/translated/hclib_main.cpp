// Calls one kernel: KERNEL N, with 5 N updates or reads, or N vertices, on each PE. Prints the result's checksum.
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "benchmarks/translated/hclib_kernels.hpp"

namespace {

using kernels::graph;
using kernels::input;

uint64_t random_bits(uint64_t x) {
  x = (x ^ (x >> 31)) * 0x7fb5d329728ea185;
  x = (x ^ (x >> 27)) * 0x81dadef4bc2dd44d;
  return x ^ (x >> 33);
}

using edges = std::vector<std::vector<int64_t>>;  // by vertex, of all PEs

graph part_of(const edges& all) {
  graph its;
  its.offsets.push_back(0);
  for (size_t v = static_cast<size_t>(MYTHREAD); v < all.size(); v += static_cast<size_t>(THREADS)) {
    its.columns.insert(its.columns.end(), all[v].begin(), all[v].end());
    its.offsets.push_back(static_cast<int64_t>(its.columns.size()));
  }
  return its;
}

edges transposed(const edges& all) {
  edges made(all.size());
  for (size_t v = 0; v < all.size(); ++v) {
    for (const int64_t u : all[v]) made[static_cast<size_t>(u)].push_back(static_cast<int64_t>(v));
  }
  return made;
}

// Near vertices are neighbours more often than others, so that there are triangles.
input input_of(int64_t n) {
  input its;
  const int64_t n_all = n * THREADS;
  for (int64_t i = 0; i < 5 * n; ++i) {
    const uint64_t bits = random_bits(static_cast<uint64_t>(i * THREADS + MYTHREAD + 1));
    its.index.push_back(static_cast<int64_t>(bits % static_cast<uint64_t>(kernels::n_entries * THREADS)));
  }
  edges lower(static_cast<size_t>(n_all)), square(static_cast<size_t>(n_all));
  std::vector<int64_t> labels;
  for (int64_t v = 0; v < n_all; ++v) {
    labels.push_back((v * 7919 + 13) % n_all);  // 7919 is a prime that does not divide n_all
    for (int64_t distance = 40; distance > 0; --distance) {
      const int64_t far = v - distance * distance / 8 - 1;
      if (far < 0 || random_bits(static_cast<uint64_t>(v * 41 + distance)) % 3 != 0) continue;
      if (lower[static_cast<size_t>(v)].empty() || lower[static_cast<size_t>(v)].back() != far)
        lower[static_cast<size_t>(v)].push_back(far);
    }
  }
  edges both = transposed(lower);
  for (size_t v = 0; v < both.size(); ++v) {
    both[v].insert(both[v].begin(), lower[v].begin(), lower[v].end());
    std::vector<int64_t>& row = square[static_cast<size_t>(labels[v])];
    for (const int64_t u : lower[v]) row.push_back(labels[labels.size() - 1 - static_cast<size_t>(u)]);
    row.push_back(labels[labels.size() - 1 - v]);
  }
  its.lower = part_of(lower);
  its.both = part_of(both);
  its.upper_first = part_of(square);
  its.upper_first_transposed = part_of(transposed(square));
  for (int64_t v = MYTHREAD; v < n_all; v += THREADS) its.label.push_back(labels[static_cast<size_t>(v)]);
  return its;
}

struct kernel {
  const char* name;
  int64_t (*run)(const input&);
};
const kernel all_kernels[] = {{"histogram", kernels::histogram}, {"index_gather", kernels::index_gather},
                              {"transpose", kernels::transpose}, {"permute", kernels::permute},
                              {"toposort", kernels::toposort},   {"pagerank", kernels::pagerank},
                              {"triangle", kernels::triangle},   {"triangle_centrality", kernels::triangle_centrality},
                              {"jaccard", kernels::jaccard},     {"bfs", kernels::bfs}};

}  // namespace

int main(int argc, char* argv[]) {
  if (argc != 3) return 2;
  const char* deps[] = {"system", "bale_actor"};
  hclib::launch(deps, 2, [=] {
    const input its = input_of(std::atol(argv[2]));
    for (const kernel& each : all_kernels) {
      if (std::strcmp(each.name, argv[1]) != 0) continue;
      const int64_t sum = lgp_reduce_add_l(each.run(its));
      if (MYTHREAD == 0)
        std::printf("%s %lld\nseconds %.6f\n", each.name, static_cast<long long>(sum), measured::seconds());
    }
  });
  return 0;
}
