// Module metis: partitions a graph by METIS. A module, because the core library needs only C++ and POSIX.
#include <metis.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <utility>
#include <vector>

#include "shoal/dataflow/internal/partitioner.hpp"

namespace {

using shoal::internal::graph_to_partition;

// What METIS changes of the process: it seeds rand, and replaces two signal handlers, which it restores without their
// flags.
class kept_process {
public:
  kept_process() noexcept : of_program_(initstate(1, random_, sizeof random_)) {
    sigaction(SIGABRT, nullptr, &abort_);
    sigaction(SIGTERM, nullptr, &terminate_);
  }
  ~kept_process() {
    sigaction(SIGABRT, &abort_, nullptr);
    sigaction(SIGTERM, &terminate_, nullptr);
    setstate(of_program_);
  }
  kept_process(const kept_process&) = delete;
  kept_process& operator=(const kept_process&) = delete;

private:
  struct sigaction abort_{};
  struct sigaction terminate_{};
  char random_[256];
  char* const of_program_;
};

// Some vertices of the graph, and the edges among them.
struct subgraph {
  std::vector<idx_t> vertices;  // their numbers in the graph
  std::vector<idx_t> first{0};
  std::vector<idx_t> neighbours;  // by number in here
  std::vector<idx_t> edge_weights;
  std::vector<idx_t> weights;
};

subgraph whole(const graph_to_partition& graph) {
  subgraph its;
  const idx_t n_ends = graph.first[graph.n_vertices];
  for (idx_t v = 0; v < graph.n_vertices; ++v) its.vertices.push_back(v);
  its.first.assign(graph.first, graph.first + graph.n_vertices + 1);
  its.neighbours.assign(graph.neighbours, graph.neighbours + n_ends);
  its.edge_weights.assign(graph.edge_weights, graph.edge_weights + n_ends);
  its.weights.assign(graph.weights, graph.weights + graph.n_vertices);
  return its;
}

std::pair<subgraph, subgraph> split(const subgraph& whole, const std::vector<idx_t>& sides) {
  std::pair<subgraph, subgraph> halves;
  std::vector<idx_t> numbers;  // in their halves
  for (const idx_t side : sides) {
    subgraph& its = side == 0 ? halves.first : halves.second;
    numbers.push_back(static_cast<idx_t>(its.vertices.size()));
    its.vertices.push_back(whole.vertices[numbers.size() - 1]);
  }
  for (std::size_t v = 0; v < sides.size(); ++v) {
    subgraph& its = sides[v] == 0 ? halves.first : halves.second;
    its.weights.push_back(whole.weights[v]);
    for (auto e = static_cast<std::size_t>(whole.first[v]); e < static_cast<std::size_t>(whole.first[v + 1]); ++e) {
      const auto other = static_cast<std::size_t>(whole.neighbours[e]);
      if (sides[other] != sides[v]) continue;
      its.neighbours.push_back(numbers[other]);
      its.edge_weights.push_back(whole.edge_weights[e]);
    }
    its.first.push_back(static_cast<idx_t>(its.neighbours.size()));
  }
  return halves;
}

// Which of two sides each vertex gets, the first of which has this share of the weight. Empty: METIS has failed.
std::vector<idx_t> bisect(subgraph& its, float share) {
  auto n_vertices = static_cast<idx_t>(its.vertices.size());
  idx_t n_constraints = 1;
  idx_t n_parts = 2;
  real_t shares[] = {share, 1 - share};
  idx_t options[METIS_NOPTIONS];
  METIS_SetDefaultOptions(options);
  options[METIS_OPTION_SEED] = 1;
  options[METIS_OPTION_NCUTS] = 4;
  idx_t cut = 0;
  std::vector<idx_t> sides(its.vertices.size());
  its.neighbours.reserve(1);  // so that their address is not null
  its.edge_weights.reserve(1);
  const int status = METIS_PartGraphRecursive(&n_vertices, &n_constraints, its.first.data(), its.neighbours.data(),
                                              its.weights.data(), nullptr, its.edge_weights.data(), &n_parts, shares,
                                              nullptr, options, &cut, sides.data());
  if (status != METIS_OK) sides.clear();
  return sides;
}

// Gives the parts from `first_part` on to the vertices of a subgraph. We halve by ourselves: METIS prints lines to
// stdout if it is left with fewer vertices than parts. False: it has failed.
bool divide(subgraph its, idx_t first_part, idx_t n_parts, std::int32_t* parts) {
  const auto n_vertices = static_cast<idx_t>(its.vertices.size());
  if (n_parts == 1 || n_vertices <= n_parts) {
    for (idx_t v = 0; v < n_vertices; ++v) {
      parts[its.vertices[static_cast<std::size_t>(v)]] = n_parts == 1 ? first_part : first_part + v;
    }
    return true;
  }
  const idx_t n_left = n_parts / 2;
  const std::vector<idx_t> sides = bisect(its, static_cast<float>(n_left) / static_cast<float>(n_parts));
  if (sides.empty()) return false;
  auto [left, right] = split(its, sides);
  its = {};
  return divide(std::move(left), first_part, n_left, parts) &&
         divide(std::move(right), first_part + n_left, n_parts - n_left, parts);
}

}  // namespace

extern "C" __attribute__((visibility("default"))) bool shoal_partition(const graph_to_partition& graph,
                                                                       std::int32_t* parts, char* error,
                                                                       std::size_t error_bytes) {
  const kept_process keeps;
  if (divide(whole(graph), 0, graph.n_parts, parts)) return true;
  std::snprintf(error, error_bytes, "METIS found no partition; has it enough memory?");
  return false;
}
