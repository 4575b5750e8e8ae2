#include "shoal/dataflow/internal/partition.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <utility>

#include "shoal/base/setup_error.hpp"
#include "shoal/dataflow/internal/partitioner.hpp"
#include "shoal/substrate/internal/network/module.hpp"
#include "shoal/substrate/library_kind.hpp"

namespace shoal::internal {
namespace {

constexpr std::int32_t no_part = -1;

// A vertex for each actor that is not fixed, and one for all that are fixed on a PE. So a library sees the channels
// between fixed and other actors, and what it must not separate is not in the graph.
struct vertex {
  double weight = 0;
  pe_id fixed_pe = -1;
  pe_id now = -1;
  pe_id pe = -1;  // that was found
};

class division {
public:
  division(const actor_network& network, pe_id n_pes) : network_(network) {
    for (pe_id pe = 0; pe < n_pes; ++pe) pes_.push_back(pe);
    std::map<pe_id, std::size_t> of_pe;
    for (const actor_network::actor& each : network.actors) {
      std::size_t number = vertices_.size();
      if (each.pe >= 0) number = of_pe.emplace(each.pe, number).first->second;
      if (number == vertices_.size()) vertices_.push_back({.fixed_pe = each.pe, .now = each.now});
      vertices_[number].weight += each.weight;
      vertex_of_.push_back(number);
    }
  }

  // A vertex that weighs as much as a PE should get has one for itself: a library would put others beside it or, if it
  // is much heavier, leave some PEs empty. So does each if there are as many PEs.
  void place_heavy() {
    std::vector<std::size_t> order(vertices_.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order,
                             [&](std::size_t a, std::size_t b) { return vertices_[a].weight > vertices_[b].weight; });
    std::vector<pe_id> free_pes = pes_;  // where no actor is fixed
    for (const vertex& each : vertices_) std::erase(free_pes, each.fixed_pe);
    // Sums from the lightest on: subtracting the heaviest from the sum of all would leave little but errors.
    std::vector<double> weight_from(order.size() + 1, 0);
    for (std::size_t i = order.size(); i-- > 0;) weight_from[i] = weight_from[i + 1] + vertices_[order[i]].weight;
    double weight_passed = 0;
    std::size_t n_passed = 0;
    for (std::size_t i = 0; i < order.size() && pes_.size() > 1; ++i) {
      vertex& its = vertices_[order[i]];
      const bool is_heavy = its.weight * static_cast<double>(pes_.size()) >= weight_passed + weight_from[i] ||
                            n_passed + order.size() - i <= pes_.size();
      if (!is_heavy || (its.fixed_pe < 0 && free_pes.empty())) {
        weight_passed += its.weight;
        ++n_passed;
        continue;
      }
      its.pe = its.fixed_pe;
      if (its.pe < 0) its.pe = std::ranges::count(free_pes, its.now) != 0 ? its.now : free_pes.front();
      std::erase(free_pes, its.pe);
      std::erase(pes_, its.pe);
    }
  }

  void place_others(library_kind library, const std::string& modules) {
    for (std::size_t v = 0; v < vertices_.size(); ++v) {
      if (vertices_[v].pe < 0) left_.push_back(v);
    }
    if (left_.empty()) return;
    std::vector<std::int32_t> parts(left_.size(), 0);
    if (pes_.size() > 1) parts = parts_by(library, modules);
    const std::vector<pe_id> pes = pes_of_parts(parts);
    for (std::size_t i = 0; i < left_.size(); ++i) {
      vertex& its = vertices_[left_[i]];
      its.pe = its.fixed_pe >= 0 ? its.fixed_pe : pes[static_cast<std::size_t>(parts[i])];
    }
  }

  std::vector<pe_id> pes_of_actors() const {
    std::vector<pe_id> pes;
    for (const std::size_t v : vertex_of_) pes.push_back(vertices_[v].pe);
    return pes;
  }

private:
  std::int32_t part_of_pe(pe_id pe) const {
    return static_cast<std::int32_t>(std::ranges::lower_bound(pes_, pe) - pes_.begin());
  }

  std::vector<std::int32_t> parts_by(library_kind library, const std::string& modules) const;

  // Fixed actors choose the PE of their part, the heaviest first; METIS may have put those of two PEs into one. A part that is left
  // over gets the PE on which most of it lives; what is left then goes together in order.
  std::vector<pe_id> pes_of_parts(const std::vector<std::int32_t>& parts) const {
    std::vector<std::size_t> fixed;  // numbers in left_
    for (std::size_t i = 0; i < left_.size(); ++i) {
      if (vertices_[left_[i]].fixed_pe >= 0) fixed.push_back(i);
    }
    std::ranges::stable_sort(
        fixed, [&](std::size_t a, std::size_t b) { return vertices_[left_[a]].weight > vertices_[left_[b]].weight; });
    std::vector<pe_id> pes(pes_.size(), -1);
    std::vector<pe_id> others = pes_;
    for (const std::size_t i : fixed) {
      pe_id& its = pes[static_cast<std::size_t>(parts[i])];
      if (its >= 0) continue;
      its = vertices_[left_[i]].fixed_pe;
      std::erase(others, its);
    }
    for (const auto& [part, pe] : weightiest_homes(parts)) {
      pe_id& its = pes[static_cast<std::size_t>(part)];
      if (its < 0 && std::erase(others, pe) != 0) its = pe;
    }
    auto next = others.begin();
    for (pe_id& each : pes) {
      if (each < 0) each = *next++;
    }
    return pes;
  }

  // Parts and PEs on which vertices of them live, the most weight first.
  std::vector<std::pair<std::int32_t, pe_id>> weightiest_homes(const std::vector<std::int32_t>& parts) const {
    std::map<std::pair<std::int32_t, pe_id>, double> weights;
    for (std::size_t i = 0; i < left_.size(); ++i) {
      const vertex& its = vertices_[left_[i]];
      if (its.now >= 0) weights[{parts[i], its.now}] += its.weight;
    }
    std::vector<std::pair<std::int32_t, pe_id>> homes;
    for (const auto& [home, weight] : weights) homes.push_back(home);
    std::ranges::stable_sort(homes, [&](const auto& a, const auto& b) { return weights[a] > weights[b]; });
    return homes;
  }

  const actor_network& network_;
  std::vector<vertex> vertices_;
  std::vector<std::size_t> vertex_of_;  // of each actor
  std::vector<pe_id> pes_;  // that may still get vertices, in order
  std::vector<std::size_t> left_;  // vertices for the library
};

// The edges among some vertices, each once with the sum of its channels.
std::map<std::pair<std::int32_t, std::int32_t>, double> edges_of(const actor_network& network,
                                                                 const std::vector<std::int32_t>& number_of_actor) {
  std::vector<std::pair<std::pair<std::int32_t, std::int32_t>, double>> channels;
  for (const actor_network::channel& each : network.channels) {
    const std::int32_t a = number_of_actor[each.from];
    const std::int32_t b = number_of_actor[each.to];
    if (a >= 0 && b >= 0 && a != b) channels.push_back({std::minmax(a, b), each.weight});
  }
  std::ranges::sort(channels);  // sums of doubles depend on the order
  std::map<std::pair<std::int32_t, std::int32_t>, double> edges;
  for (const auto& [ends, weight] : channels) edges[ends] += weight;
  return edges;
}

// Opened once and never closed: libraries keep what they allocate at their first call.
partition_function open_partitioner(library_kind library, const std::string& modules) {
  const std::string path = network::require_module(library, modules);
  const std::string name(entry_of(library).display_name);
  void* const module = ::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (module == nullptr) {
    throw setup_error("cannot open the module for " + name + ": " + ::dlerror() +
                      "; install what it was built with (Debian: " + std::string(entry_of(library).packages) +
                      "), or rebuild Shoal");
  }
  const auto its = reinterpret_cast<partition_function>(::dlsym(module, partition_name));
  if (its == nullptr) throw setup_error(path + " is not a Shoal module: it has no " + partition_name);
  return its;
}

std::vector<std::int32_t> division::parts_by(library_kind library, const std::string& modules) const {
  const partition_function call = open_partitioner(library, modules);
  std::vector<std::int32_t> number_of(vertices_.size(), -1);
  std::vector<std::int32_t> parts;
  std::vector<double> weights;
  for (const std::size_t v : left_) {
    number_of[v] = static_cast<std::int32_t>(parts.size());
    parts.push_back(vertices_[v].fixed_pe < 0 ? no_part : part_of_pe(vertices_[v].fixed_pe));
    weights.push_back(vertices_[v].weight);
  }
  std::vector<std::int32_t> number_of_actor;
  for (const std::size_t v : vertex_of_) number_of_actor.push_back(number_of[v]);

  const auto edges = edges_of(network_, number_of_actor);
  if (weights.size() > INT32_MAX / 2 || edges.size() > INT32_MAX / 2) {
    throw setup_error("more actors or channels than " + std::string(entry_of(library).display_name) + " can count");
  }
  std::vector<double> channel_weights;
  std::vector<std::int32_t> first(weights.size() + 1, 0);
  for (const auto& [ends, weight] : edges) {
    channel_weights.push_back(weight);
    ++first[static_cast<std::size_t>(ends.first) + 1];
    ++first[static_cast<std::size_t>(ends.second) + 1];
  }
  std::partial_sum(first.begin(), first.end(), first.begin());
  const std::vector<std::int32_t> scaled = scaled_weights(channel_weights);
  std::vector<std::int32_t> next(first.begin(), first.end() - 1);
  std::vector<std::int32_t> neighbours(2 * edges.size());
  std::vector<std::int32_t> edge_weights(2 * edges.size());
  std::size_t e = 0;
  for (const auto& [ends, weight] : edges) {
    for (const auto& [a, b] : {ends, std::pair(ends.second, ends.first)}) {
      const auto at = static_cast<std::size_t>(next[static_cast<std::size_t>(a)]++);
      neighbours[at] = b;
      edge_weights[at] = scaled[e];
    }
    ++e;
  }
  const std::vector<std::int32_t> scaled_actors = scaled_weights(weights);
  char error[256] = "";
  const graph_to_partition graph{.n_vertices = static_cast<std::int32_t>(weights.size()),
                                 .n_parts = static_cast<std::int32_t>(pes_.size()),
                                 .first = first.data(),
                                 .neighbours = neighbours.data(),
                                 .edge_weights = edge_weights.data(),
                                 .weights = scaled_actors.data()};
  if (!call(graph, parts.data(), error, sizeof error)) throw setup_error(error);
  return parts;
}

template <class Weighted>
void require_finite_sum(const std::vector<Weighted>& all, const char* what) {
  double sum = 0;
  for (const Weighted& each : all) sum += each.weight;
  if (!std::isfinite(sum)) {
    throw setup_error("the weights of all " + std::string(what) + " add up to more than a double holds");
  }
}

}  // namespace

std::vector<std::int32_t> scaled_weights(const std::vector<double>& weights) {
  // Both libraries count with 32 bits, METIS in places with floats of 24.
  constexpr double sum_max = 1 << 24;
  const double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
  std::vector<std::int32_t> scaled;
  for (const double each : weights) {
    scaled.push_back(std::max(std::int32_t{1}, static_cast<std::int32_t>(std::lround(each / sum * sum_max))));
  }
  return scaled;
}

std::vector<pe_id> partition(const actor_network& network, pe_id n_pes, library_kind library,
                             const std::string& modules) {
  require_finite_sum(network.actors, "actors");
  require_finite_sum(network.channels, "channels");
  division its(network, n_pes);
  its.place_heavy();
  its.place_others(library, modules);
  return its.pes_of_actors();
}

}  // namespace shoal::internal
