// Handlers that send more than they receive leave work for later: connected components by label propagation in one
// superstep. Every vertex takes the least label that it hears of, and tells its neighbours.
// pes: 1 2 3 4 7
#include <algorithm>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

#include <shoal/actor/keyed_work_list.hpp>
#include <shoal/shoal.hpp>

namespace {

constexpr std::int64_t n_vertices = 4'000;
constexpr std::int64_t n_edges = 3'000;

struct edge {
  std::int64_t a, b;
};

// The same on every PE.
std::vector<edge> random_edges() {
  shoal::random_engine random(2026, 0);
  std::vector<edge> edges(n_edges);
  for (edge& e : edges) e = {std::int64_t(random.below(n_vertices)), std::int64_t(random.below(n_vertices))};
  return edges;
}

// The least vertex of each component.
std::vector<std::int64_t> components_of(const std::vector<edge>& edges) {
  std::vector<std::int64_t> parent(n_vertices);
  std::iota(parent.begin(), parent.end(), 0);
  const auto root = [&](std::int64_t v) {
    while (parent[v] != v) v = parent[v] = parent[parent[v]];
    return v;
  };
  for (const edge& e : edges) {
    const auto [low, high] = std::minmax({root(e.a), root(e.b)});
    parent[high] = low;
  }
  for (std::int64_t v = 0; v < n_vertices; ++v) parent[v] = root(v);
  return parent;
}

// [work_list]
struct offer {
  std::int64_t place;  // of a vertex on its PE
  std::int64_t label;
};

// Vertex v is at place v / n_pes of PE v % n_pes.
struct labelling : shoal::selector<labelling, offer> {
  // Tells the neighbours of a vertex about its label.
  struct tell {
    labelling& of;
    void operator()(std::size_t place) const { of.tell_neighbours(place); }
  };

  labelling(shoal::world& world, std::vector<std::vector<std::int64_t>> adjacent)
      : selector(world),
        n_pes(world.n_pes()),
        neighbours(std::move(adjacent)),
        labels(neighbours.size(), INT64_MAX),
        changed(world, neighbours.size(), tell{*this}) {}

  void process(const offer& o) {
    if (o.label >= labels[o.place]) return;
    labels[o.place] = o.label;
    changed.defer(o.place);  // it may be on the list already
  }
  void tell_neighbours(std::size_t place) {
    for (const std::int64_t v : neighbours[place]) send(v % n_pes, offer{v / n_pes, labels[place]});
  }

  std::int64_t n_pes;
  std::vector<std::vector<std::int64_t>> neighbours;
  std::vector<std::int64_t> labels;
  shoal::keyed_work_list<tell> changed;
};
// [/work_list]

int label_and_check(shoal::world& world) {
  const std::int64_t n_pes = world.n_pes();
  const std::int64_t n_here = (n_vertices - world.my_pe() + n_pes - 1) / n_pes;
  const std::vector<edge> edges = random_edges();
  std::vector<std::vector<std::int64_t>> neighbours(n_here);
  for (const auto& [a, b] : edges) {
    if (a % n_pes == world.my_pe()) neighbours[a / n_pes].push_back(b);
    if (b % n_pes == world.my_pe()) neighbours[b / n_pes].push_back(a);
  }
  labelling components{world, std::move(neighbours)};

  // [finish]
  world.finish([&] {
    for (std::int64_t place = 0; place < n_here; ++place) {
      components.process({place, place * n_pes + world.my_pe()});
    }
  });
  // [/finish]

  const std::vector<std::int64_t> expected = components_of(edges);
  std::int64_t n_wrong = 0;
  for (std::int64_t place = 0; place < n_here; ++place) {
    n_wrong += components.labels[place] != expected[place * n_pes + world.my_pe()];
  }
  return world.sum(n_wrong) == 0 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) { return shoal::run(argc, argv, label_and_check); }
