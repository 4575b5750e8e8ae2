// Points are drawn by their first number, on whatever PE. Then each goes to the PE that owns its stripe of the square,
// which numbers and compares them.
#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "shoal/actor/actor.hpp"
#include "shoal/base/internal/contract.hpp"
#include "shoal/base/random.hpp"
#include "shoal/graph/generators.hpp"
#include "shoal/graph/matrix_builder.hpp"

namespace shoal {
namespace {

point draw_point(std::uint64_t seed, std::int64_t drawn_as) {
  random_engine random(seed, static_cast<std::uint64_t>(drawn_as));
  const double x = random.uniform();
  return {x, random.uniform()};
}

// A point in the grid.
struct placed {
  std::int64_t stripe;
  std::int64_t sector;  // of the stripe
  std::int64_t drawn_as;
  point at;

  bool is_before(const placed& other) const {
    if (stripe != other.stripe) return stripe < other.stripe;
    if (sector != other.sector) return sector < other.sector;
    return drawn_as < other.drawn_as;
  }
};

// Squares at least as large as the radius, and not many more than points.
class grid {
public:
  grid(std::int64_t n_points, double radius)
      : n_(std::max<std::int64_t>(
            1, static_cast<std::int64_t>(std::min(
                   std::floor(1 / radius), std::sqrt(static_cast<double>(std::max<std::int64_t>(1, n_points))))))) {}

  std::int64_t n_stripes() const { return n_; }

  placed place_of(std::uint64_t seed, std::int64_t drawn_as) const {
    const point at = draw_point(seed, drawn_as);
    return {line(at.y), line(at.x), drawn_as, at};
  }

private:
  std::int64_t line(double coordinate) const {
    return std::min(n_ - 1, static_cast<std::int64_t>(coordinate * static_cast<double>(n_)));
  }

  std::int64_t n_;
};

// The points of the stripes of this PE in their final order, after those of the stripe before.
struct numbered_points {
  std::vector<placed> all;
  std::size_t n_before = 0;  // of them belong to the stripe before
  std::int64_t first_number = 0;  // of the first own point
  std::int64_t first_number_before = 0;  // of the first one of the stripe before

  std::int64_t number(std::size_t i) const {
    return i < n_before ? first_number_before + static_cast<std::int64_t>(i)
                        : first_number + static_cast<std::int64_t>(i - n_before);
  }
};

// Sends each point to the owner of its stripe and to that of the next one. Collective.
numbered_points number_points(world& w, std::int64_t n, const grid& squares, const distribution& stripes,
                              std::uint64_t seed) {
  numbered_points found;
  w.finish([&] {
    actor keep{w, [&](std::int64_t drawn_as) { found.all.push_back(squares.place_of(seed, drawn_as)); }, no_prefetch{},
               "random_geometric_graph"};
    const distribution drawn{layout::block, n, w.n_pes()};
    for (std::int64_t i = 0; i < drawn.n_local(w.my_pe()); ++i) {
      const std::int64_t drawn_as = drawn.global(w.my_pe(), i);
      const std::int64_t stripe = squares.place_of(seed, drawn_as).stripe;
      keep.send(stripes.owner(stripe), drawn_as);
      if (stripe + 1 < stripes.n() && stripes.owner(stripe + 1) != stripes.owner(stripe)) {
        keep.send(stripes.owner(stripe + 1), drawn_as);
      }
    }
  });
  std::sort(found.all.begin(), found.all.end(), [](const placed& a, const placed& b) { return a.is_before(b); });
  const auto is_before = [&](const placed& p) { return stripes.owner(p.stripe) != w.my_pe(); };
  found.n_before = static_cast<std::size_t>(std::ranges::partition_point(found.all, is_before) - found.all.begin());
  found.first_number = w.exclusive_scan(static_cast<std::int64_t>(found.all.size() - found.n_before));
  found.first_number_before = found.first_number - static_cast<std::int64_t>(found.n_before);
  return found;
}

// Calls add(a, b) for each own point and each neighbour of it with a smaller number: in its sector, in those before and
// after it in its stripe, and in the three of the stripe before.
template <class Add>
void for_each_pair(const numbered_points& points, double radius, Add&& add) {
  const std::vector<placed>& all = points.all;
  const auto first_in = [&](std::int64_t stripe, std::int64_t sector) {
    const placed least{.stripe = stripe, .sector = sector, .drawn_as = -1, .at = {}};
    const auto is_before = [&](const placed& p) { return p.is_before(least); };
    return static_cast<std::size_t>(std::ranges::partition_point(all, is_before) - all.begin());
  };
  std::size_t same_begin = 0;
  std::size_t before_begin = 0;
  std::size_t before_end = 0;
  for (std::size_t i = points.n_before; i < all.size(); ++i) {
    const placed& p = all[i];
    if (i == points.n_before || p.stripe != all[i - 1].stripe || p.sector != all[i - 1].sector) {
      same_begin = first_in(p.stripe, p.sector - 1);
      before_begin = first_in(p.stripe - 1, p.sector - 1);
      before_end = first_in(p.stripe - 1, p.sector + 2);
    }
    const auto compare = [&](std::size_t begin, std::size_t end) {
      for (std::size_t k = begin; k < end; ++k) {
        const double dx = p.at.x - all[k].at.x;
        const double dy = p.at.y - all[k].at.y;
        if (dx * dx + dy * dy <= radius * radius) add(points.number(i), points.number(k));
      }
    };
    compare(before_begin, before_end);
    compare(same_begin, i);
  }
}

}  // namespace

double radius_for(std::int64_t n, double n_neighbours) {
  return n <= 1 ? 0 : std::sqrt(n_neighbours / (std::numbers::pi * static_cast<double>(n - 1)));
}

geometric_graph random_geometric_graph(world& w, std::int64_t n, double radius, const random_graph_options& options) {
  SHOAL_REQUIRE(n >= 0 && radius >= 0);
  const grid squares(n, radius);
  const distribution stripes{layout::block, squares.n_stripes(), w.n_pes()};
  const numbered_points numbered = number_points(w, n, squares, stripes, options.seed);

  geometric_graph made;
  const distribution rows{options.rows, n, w.n_pes()};
  made.points.resize(static_cast<std::size_t>(rows.n_local(w.my_pe())));
  made.edges = assemble<entry>(w, rows, n, [&](auto& builder) {
    struct located {
      std::int64_t local;
      point at;
    };
    actor keep{w, [&](const located& p) { made.points[static_cast<std::size_t>(p.local)] = p.at; }, no_prefetch{},
               "random_geometric_graph points"};
    for (std::size_t i = numbered.n_before; i < numbered.all.size(); ++i) {
      const place at = rows.place_of(numbered.number(i));
      keep.send(at.pe, located{at.local, numbered.all[i].at});
      if (options.has_loops) builder.add({numbered.number(i), numbered.number(i)});
    }
    for_each_pair(numbered, radius, [&](std::int64_t a, std::int64_t b) { builder.add({a, b}); });
  });
  if (options.is_directed) made.edges = orient(w, made.edges, options.seed);
  return made;
}

}  // namespace shoal
