// The class: a message offers a way. A vertex with a shorter one waits in its bucket.
#include "kernels/sssp/problem.hpp"

namespace shoal::kernels::sssp {
namespace {

struct walker : selector<walker, offer> {
  // Goes on from a vertex.
  struct walk {
    walker& of;
    void operator()(std::size_t vertex, double distance) const {
      offer_ways(of.p, vertex, distance, [&](pe_id owner, const offer& o) { of.send(owner, o); });
    }
  };

  walker(world& w, problem& from)
      : selector(w, "sssp"),
        p(from),
        open(w, from.distances.size(), walk{*this}, shorter{}, work_order::lowest_bucket_first) {}

  void process(const offer& o) {
    if (improve(p, o)) open.defer(o.to, o.distance, p.bucket(o.distance));
  }

  problem& p;
  keyed_work_list<walk, double, shorter> open;
};

}  // namespace

void run_actor(world& w, problem& p) {
  walker ways{w, p};
  const auto [pe, local] = p.edges.rows.place_of(p.root);
  w.finish([&] {
    if (pe == w.my_pe()) ways.process({0, static_cast<std::uint32_t>(local)});
  });
}

}  // namespace shoal::kernels::sssp
