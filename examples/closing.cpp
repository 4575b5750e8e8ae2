// Phases in one superstep: a mailbox that declares what feeds it closes by itself, and its end begins the next phase. Each
// vertex counts its edges; when all are counted, it tells its neighbours how many it has.
// pes: 1 2 3 4 7
#include <cstdint>
#include <cstdio>
#include <vector>

#include <shoal/shoal.hpp>

namespace {

constexpr std::int64_t n_vertices = 2'000;
constexpr std::int64_t n_edges = 10'000;

struct edge {
  std::int64_t a, b;
};

// The same on every PE. PE i deals with the edges i, i + P, …
std::vector<edge> random_edges() {
  shoal::random_engine random(23, 0);
  std::vector<edge> edges(n_edges);
  for (edge& e : edges) e = {std::int64_t(random.below(n_vertices)), std::int64_t(random.below(n_vertices))};
  return edges;
}

// The sum of the degrees of each vertex's neighbours, by one PE alone.
std::vector<std::int64_t> expected_sums(const std::vector<edge>& edges) {
  std::vector<std::int64_t> degrees(n_vertices);
  for (const edge& e : edges) ++degrees[e.a], ++degrees[e.b];
  std::vector<std::int64_t> sums(n_vertices);
  for (const edge& e : edges) sums[e.a] += degrees[e.b], sums[e.b] += degrees[e.a];
  return sums;
}

// How many vertices of this PE have another sum than expected.
std::int64_t n_wrong(const shoal::world& world, const std::vector<std::int64_t>& sums) {
  const std::vector<std::int64_t> expected = expected_sums(random_edges());
  std::int64_t n = 0;
  for (std::int64_t v = world.my_pe(); v < n_vertices; v += world.n_pes()) {
    n += sums[v / world.n_pes()] != expected[v];
  }
  return n;
}

struct link {
  std::int64_t place;  // of a vertex on its PE
  std::int64_t neighbour;
};
struct degree {
  std::int64_t place;
  std::int64_t of_neighbour;
};

// --- Two actors

std::int64_t by_actors(shoal::world& world) {
  const std::int64_t n_pes = world.n_pes();
  const std::vector<edge> edges = random_edges();
  std::vector<std::vector<std::int64_t>> neighbours(n_vertices / n_pes + 1);
  std::vector<std::int64_t> sums(neighbours.size());

  // [fed_by]
  shoal::actor links{world, [&](const link& l) { neighbours[l.place].push_back(l.neighbour); }, "links"};
  shoal::actor degrees{world, [&](const degree& d) { sums[d.place] += d.of_neighbour; }, "degrees"};
  links.fed_by();  // by main programs only
  degrees.fed_by(links);
  world.finish([&] {
    links.closed().then([&] {  // no link is on its way any more, on no PE
      for (const std::vector<std::int64_t>& its : neighbours) {
        for (const std::int64_t v : its) degrees.send(v % n_pes, {v / n_pes, std::int64_t(its.size())});
      }
    });
    for (std::int64_t i = world.my_pe(); i < n_edges; i += n_pes) {
      const auto [a, b] = edges[i];
      links.send(a % n_pes, {a / n_pes, b});
      links.send(b % n_pes, {b / n_pes, a});
    }
  });
  // [/fed_by]

  return n_wrong(world, sums);
}

// --- A selector, which declares the same in its type

// [termination]
struct degree_sums : shoal::selector<degree_sums, link, degree> {
  using termination = shoal::termination_graph<shoal::fed<link>, shoal::fed<degree, link>>;

  degree_sums(shoal::world& world, std::size_t n_here)
      : selector(world), n_pes(world.n_pes()), neighbours(n_here), sums(n_here) {}

  void process(const link& l) { neighbours[l.place].push_back(l.neighbour); }
  void process(const degree& d) { sums[d.place] += d.of_neighbour; }
  void tell_degrees() {
    for (const std::vector<std::int64_t>& its : neighbours) {
      for (const std::int64_t v : its) send(v % n_pes, degree{v / n_pes, std::int64_t(its.size())});
    }
  }

  std::int64_t n_pes;
  std::vector<std::vector<std::int64_t>> neighbours;
  std::vector<std::int64_t> sums;
};
// [/termination]

std::int64_t by_selector(shoal::world& world) {
  const std::int64_t n_pes = world.n_pes();
  const std::vector<edge> edges = random_edges();
  degree_sums all{world, std::size_t(n_vertices / n_pes + 1)};

  // [get]
  world.finish([&] {
    for (std::int64_t i = world.my_pe(); i < n_edges; i += n_pes) {
      const auto [a, b] = edges[i];
      all.send(a % n_pes, link{a / n_pes, b});
      all.send(b % n_pes, link{b / n_pes, a});
    }
    all.done<link>();
    all.closed<link>().get();  // the main program waits; handlers run meanwhile
    all.tell_degrees();
  });
  // [/get]

  return n_wrong(world, all.sums);
}

}  // namespace

int main(int argc, char** argv) {
  return shoal::run(argc, argv, [](shoal::world& world) {
    const std::int64_t n = world.sum(by_actors(world) + by_selector(world));
    if (world.my_pe() == 0) std::printf("degrees of all neighbours: %s\n", n == 0 ? "right" : "wrong");
    return n == 0 ? 0 : 1;
  });
}
