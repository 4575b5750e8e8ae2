// The same without a class: an offer is a closure that runs on the vertices of the PE that it goes to.
#include "kernels/sssp/problem.hpp"

namespace shoal::kernels::sssp {
namespace {

struct walker {
  // Goes on from a vertex.
  struct walk {
    walker& of;
    void operator()(std::size_t vertex, double distance) const {
      offer_ways(of.p, vertex, distance,
                 [&](pe_id owner, const offer& o) { of.ways.send(owner, [o](walker& there) { there.hear(o); }); });
    }
  };

  walker(world& w, problem& from)
      : p(from),
        ways(w, *this),
        open(w, from.distances.size(), walk{*this}, shorter{}, work_order::lowest_bucket_first) {}

  void hear(const offer& o) {
    if (improve(p, o)) open.defer(o.to, o.distance, p.bucket(o.distance));
  }

  problem& p;
  lambda_actor<walker> ways;
  keyed_work_list<walk, double, shorter> open;
};

}  // namespace

void run_lambda(world& w, problem& p) {
  walker all{w, p};
  const auto [pe, local] = p.edges.rows.place_of(p.root);
  w.finish([&] {
    if (pe == w.my_pe()) all.hear({0, static_cast<std::uint32_t>(local)});
  });
}

}  // namespace shoal::kernels::sssp
