// The layer below actors: the program itself pushes, pulls and advances.
#include "shoal/conveyor/conveyor.hpp"

#include "kernels/pagerank/problem.hpp"

namespace shoal::kernels::pagerank {
namespace {

// A PE's position in the list of its edges: if a conveyor has no room, the PE continues there later.
struct edge_cursor {
  const sparse_matrix& edges;
  std::size_t row = 0;
  std::size_t edge = 0;

  bool is_at_end() const { return edge == edges.columns.size(); }

  // Offers item(row, local) for each edge left, between a row of this PE and vertex `local` of its owner.
  template <class T, class Item>
  void push(conveyor<T>& to, Item item) {
    for (; !is_at_end(); ++edge) {
      while (static_cast<std::int64_t>(edge) == edges.offsets[row + 1]) ++row;
      const auto [pe, local] = edges.rows.place_of(edges.columns[edge]);
      if (!to.push(item(row, local), pe)) return;
    }
  }
};

void push(world& w, problem& p) {
  conveyor<contribution> shares{w};
  iterate(w, p, [&] {
    edge_cursor next{p.edges};
    shares.begin();
    while (shares.advance(next.is_at_end()) != progress::complete) {
      next.push(shares, [&](std::size_t u, std::int64_t v) { return contribution{p.shares[u], narrow(v)}; });
      while (const contribution* c = shares.pull()) p.sums[c->to] += c->share;
    }
    shares.reset();
  });
}

void pull(world& w, problem& p) {
  // Steady, because replies must flow before any PE has sent all its queries.
  conveyor<query> queries{w, {.steady = true}};
  conveyor<contribution> replies{w, {.steady = true}};
  iterate(w, p, [&] {
    edge_cursor next{p.edges};
    queries.begin();
    replies.begin();
    // A PE has sent all replies once nobody can query it any more.
    while (replies.advance(queries.advance(next.is_at_end()) == progress::complete) != progress::complete) {
      next.push(queries, [](std::size_t v, std::int64_t u) {
        return query{.of = narrow(u), .to = narrow(static_cast<std::int64_t>(v))};
      });
      pe_id from = 0;
      while (const query* q = queries.pull(from)) {
        if (replies.push({p.shares[q->of], q->to}, from)) continue;
        queries.unpull();
        break;
      }
      while (const contribution* c = replies.pull()) p.sums[c->to] += c->share;
    }
    queries.reset();
    replies.reset();
  });
}

}  // namespace

void run_conveyor(world& w, problem& p) { p.given.along == direction::push ? push(w, p) : pull(w, p); }

}  // namespace shoal::kernels::pagerank
