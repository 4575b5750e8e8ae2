// Work in an order: shortest paths by delta-stepping. Handlers leave vertices for later; each PE does those with the least
// distances first, and of several distances for one vertex only the least.
// pes: 1 2 3 4 7
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <queue>
#include <utility>
#include <vector>

#include <shoal/actor/keyed_work_list.hpp>
#include <shoal/shoal.hpp>

namespace {

constexpr std::int64_t n_vertices = 3'000;
constexpr std::int64_t n_edges = 15'000;
constexpr std::int64_t delta = 50;  // distances of one bucket
constexpr std::int64_t far = INT64_MAX;

struct arc {
  std::int64_t to;
  std::int64_t length;
};
using arcs = std::vector<std::vector<arc>>;

// The same on every PE, by vertex.
arcs random_arcs() {
  shoal::random_engine random(29, 0);
  arcs all(n_vertices);
  for (std::int64_t i = 0; i < n_edges; ++i) {
    const std::int64_t from = random.below(n_vertices);
    all[from].push_back({std::int64_t(random.below(n_vertices)), 1 + std::int64_t(random.below(100))});
  }
  return all;
}

// Dijkstra's, by one PE alone.
std::vector<std::int64_t> expected_distances(const arcs& all) {
  std::vector<std::int64_t> distances(n_vertices, far);
  using entry = std::pair<std::int64_t, std::int64_t>;  // distance, vertex
  std::priority_queue<entry, std::vector<entry>, std::greater<>> open;
  open.emplace(distances[0] = 0, 0);
  while (!open.empty()) {
    const auto [distance, v] = open.top();
    open.pop();
    if (distance > distances[v]) continue;
    for (const auto& [to, length] : all[v]) {
      if (distance + length < distances[to]) open.emplace(distances[to] = distance + length, to);
    }
  }
  return distances;
}

struct offer {
  std::int64_t vertex;
  std::int64_t distance;
};

int walk_and_check(shoal::world& world) {
  const std::int64_t n_pes = world.n_pes();
  const arcs all = random_arcs();  // this PE reads those of its own vertices: v % n_pes
  const std::int64_t n_here = (n_vertices - world.my_pe() + n_pes - 1) / n_pes;
  std::vector<std::int64_t> distances(n_here, far);
  std::uint64_t n_walked = 0;

  // [by_distance]
  std::function<void(std::size_t, std::int64_t)> walk;
  shoal::keyed_work_list open{world, std::size_t(n_here),
                              [&](std::size_t place, std::int64_t distance) { walk(place, distance); },
                              [](std::int64_t& mine, std::int64_t other) { mine = std::min(mine, other); },
                              shoal::work_order::lowest_bucket_first};
  shoal::actor offers{world, [&](const offer& o) {
                        const std::int64_t place = o.vertex / n_pes;
                        if (o.distance >= distances[place]) return;
                        distances[place] = o.distance;
                        open.defer(place, o.distance, o.distance / delta);  // key, value, bucket
                      }};
  walk = [&](std::size_t place, std::int64_t distance) {
    ++n_walked;
    for (const auto& [to, length] : all[place * n_pes + world.my_pe()]) {
      offers.send(to % n_pes, {to, distance + length});
    }
  };
  world.finish([&] {
    if (world.my_pe() == 0) offers.send(0, {0, 0});
  });
  // [/by_distance]

  const std::vector<std::int64_t> expected = expected_distances(all);
  std::int64_t n_wrong = 0;
  for (std::int64_t place = 0; place < n_here; ++place) {
    n_wrong += distances[place] != expected[place * n_pes + world.my_pe()];
  }
  n_wrong = world.sum(n_wrong);
  const std::uint64_t n_all = world.sum(n_walked);
  if (world.my_pe() == 0) {
    std::printf("shortest paths: %s; vertices walked from: %llu of %lld\n", n_wrong == 0 ? "right" : "wrong",
                static_cast<unsigned long long>(n_all), static_cast<long long>(n_vertices));
  }
  return n_wrong == 0 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) { return shoal::run(argc, argv, walk_and_check); }
