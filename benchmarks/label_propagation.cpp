// Connected components by label propagation in one superstep, whose handlers would send more than they receive: they leave
// work for later. Run it with SHOAL_MEMORY=1M, too: time and answer must stay.
// pes: 4
#include <algorithm>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

#include "benchmarks/support/benchmark.hpp"
#include "shoal/actor/keyed_work_list.hpp"
#include "shoal/base/random.hpp"
#include "shoal/conveyor/internal/exchange.hpp"

namespace {

using namespace shoal;

struct edge {
  std::int64_t a;
  std::int64_t b;
};

// The ith edge, the same on every PE.
edge edge_at(std::int64_t i, std::int64_t n_vertices) {
  random_engine random(1, static_cast<std::uint64_t>(i));
  const auto any = [&] { return static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(n_vertices))); };
  const std::int64_t a = any();
  return {a, any()};
}

// The least vertex of each component.
std::vector<std::int64_t> components_of(std::int64_t n_vertices, std::int64_t n_edges) {
  std::vector<std::int64_t> parent(static_cast<std::size_t>(n_vertices));
  std::iota(parent.begin(), parent.end(), 0);
  const auto at = [&](std::int64_t v) -> std::int64_t& { return parent[static_cast<std::size_t>(v)]; };
  const auto root = [&](std::int64_t v) {
    while (at(v) != v) v = at(v) = at(at(v));
    return v;
  };
  for (std::int64_t i = 0; i < n_edges; ++i) {
    const edge e = edge_at(i, n_vertices);
    const std::int64_t a = root(e.a);
    const std::int64_t b = root(e.b);
    at(std::max(a, b)) = std::min(a, b);
  }
  for (std::int64_t v = 0; v < n_vertices; ++v) at(v) = root(v);
  return parent;
}

struct offer {
  std::int64_t place;
  std::int64_t label;
};

// Vertex v is at place v / n_pes of PE v % n_pes. Neighbours are in compressed rows.
struct labelling : selector<labelling, offer> {
  struct tell {
    labelling& of;
    void operator()(std::size_t place) const { of.tell_neighbours(place); }
  };

  labelling(world& w, std::int64_t n_vertices, std::int64_t n_edges)
      : selector(w),
        n_pes(w.n_pes()),
        my_pe(w.my_pe()),
        labels(static_cast<std::size_t>((n_vertices - my_pe + n_pes - 1) / n_pes)),
        row_begin(labels.size() + 1),
        changed(w, labels.size(), tell{*this}) {
    const auto for_each_here = [&](auto&& visit) {
      for (std::int64_t i = 0; i < n_edges; ++i) {
        const edge e = edge_at(i, n_vertices);
        if (e.a % n_pes == my_pe) visit(static_cast<std::size_t>(e.a / n_pes), e.b);
        if (e.b % n_pes == my_pe) visit(static_cast<std::size_t>(e.b / n_pes), e.a);
      }
    };
    for_each_here([&](std::size_t place, std::int64_t) { ++row_begin[place + 1]; });
    std::partial_sum(row_begin.begin(), row_begin.end(), row_begin.begin());
    neighbours.resize(row_begin.back());
    std::vector<std::size_t> next(row_begin.begin(), row_begin.end() - 1);
    for_each_here([&](std::size_t place, std::int64_t v) { neighbours[next[place]++] = v; });
  }

  void process(const offer& o) {
    std::int64_t& mine = labels[static_cast<std::size_t>(o.place)];
    if (o.label >= mine) return;
    mine = o.label;
    changed.defer(static_cast<std::size_t>(o.place));
  }

  void tell_neighbours(std::size_t place) {
    const std::int64_t label = labels[place];
    for (std::size_t i = row_begin[place]; i < row_begin[place + 1]; ++i) {
      send(neighbours[i] % n_pes, offer{neighbours[i] / n_pes, label});
    }
  }

  std::int64_t n_pes;
  std::int64_t my_pe;
  std::vector<std::int64_t> labels;
  std::vector<std::size_t> row_begin;
  std::vector<std::int64_t> neighbours;
  keyed_work_list<tell> changed;
};

int run_benchmark(world& w, const bench::options& given) {
  bench::benchmark all(w, "label_propagation", given);
  const std::int64_t n_vertices = all.is_smoke() ? 20'000 : 1'000'000;
  const std::int64_t n_edges = 3 * n_vertices;
  labelling components(w, n_vertices, n_edges);
  const std::vector<std::int64_t> expected = components_of(n_vertices, n_edges);
  all.measure(
      {"components", 1, "s"},
      [&] {
        std::ranges::fill(components.labels, INT64_MAX);
        w.finish([&] {
          for (std::size_t place = 0; place < components.labels.size(); ++place) {
            const auto at = static_cast<std::int64_t>(place);
            components.process({at, at * w.n_pes() + w.my_pe()});
          }
        });
      },
      [&] {
        for (std::size_t place = 0; place < components.labels.size(); ++place) {
          const auto v = static_cast<std::size_t>(static_cast<std::int64_t>(place) * w.n_pes() + w.my_pe());
          if (components.labels[place] != expected[v]) return false;
        }
        return true;
      });
  all.derive("buffer_bytes_most", static_cast<double>(w.max(w.message_exchange().parts().slots.bytes_most())));
  return all.status();
}

}  // namespace

int main(int argc, char** argv) {
  return shoal::run(argc, argv, [&](world& w) {
    const bench::options given = bench::parse_options(argc, argv);
    bench::refuse_others(given);
    return run_benchmark(w, given);
  });
}
