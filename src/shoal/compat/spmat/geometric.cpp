// Random geometric graphs: points of the unit square, and an edge between those at most `r` apart. The square is
// divided into sectors of at least that side, which lie in blocks on the PEs; points are numbered by sector. So a
// point's neighbours are in the nine sectors around it, of which a PE gets the points that it does not have.
#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include "shoal/actor/world.hpp"
#include "shoal/base/random.hpp"
#include "shoal/compat/include/spmat.h"
#include "shoal/compat/internal/dealt_matrix.hpp"
#include "shoal/compat/internal/lanes.hpp"
#include "shoal/compat/internal/row_entries.hpp"

namespace compat = shoal::internal::compat;

namespace {

// The sectors, row by row, in blocks over the PEs.
class sectors {
public:
  sectors(std::int64_t n_points, double r, std::int64_t n_pes) : n_pes_(n_pes) {
    // More sectors than points gain nothing.
    const double side = std::fmax(r, 1 / std::sqrt(static_cast<double>(std::max<std::int64_t>(n_points, 1))));
    n_side_ = side < 1 ? static_cast<std::int64_t>(1 / side) : 1;
  }

  std::int64_t n_side() const { return n_side_; }
  std::int64_t of(const point_t& p) const { return index(p.y) * n_side_ + index(p.x); }
  std::int64_t first_of(std::int64_t pe) const { return pe * n_side_ * n_side_ / n_pes_; }
  std::int64_t pe_of(std::int64_t sector) const {
    std::int64_t pe = sector * n_pes_ / (n_side_ * n_side_);
    while (sector >= first_of(pe + 1)) ++pe;
    return pe;
  }

  template <class Visit>
  void for_each_around(std::int64_t sector, Visit visit) const {
    const std::int64_t x = sector % n_side_;
    const std::int64_t y = sector / n_side_;
    for (std::int64_t to_y = std::max<std::int64_t>(y - 1, 0); to_y <= std::min(y + 1, n_side_ - 1); ++to_y) {
      for (std::int64_t to_x = std::max<std::int64_t>(x - 1, 0); to_x <= std::min(x + 1, n_side_ - 1); ++to_x) {
        visit(to_y * n_side_ + to_x);
      }
    }
  }

private:
  std::int64_t index(double coordinate) const {
    return std::min(static_cast<std::int64_t>(coordinate * static_cast<double>(n_side_)), n_side_ - 1);
  }

  std::int64_t n_pes_;
  std::int64_t n_side_ = 1;
};

struct vertex {
  std::int64_t sector;
  std::int64_t number;
  point_t at;
};

bool by_sector(const vertex& a, const vertex& b) {
  if (a.sector != b.sector) return a.sector < b.sector;
  return a.at.x != b.at.x ? a.at.x < b.at.x : a.at.y < b.at.y;
}

// Points of this PE's sectors, in order, numbered over all PEs. Nothing if memory lacks.
std::optional<std::vector<vertex>> own_points(std::int64_t n, const sectors& all, std::int64_t seed, const char* call) {
  const compat::dealing deal;
  std::vector<vertex> own;
  {
    compat::conveyor_lane<point_t> lane(0);
    if (!lane.is_open()) return std::nullopt;
    shoal::random_engine draws(static_cast<std::uint64_t>(seed), static_cast<std::uint64_t>(deal.my_pe()));
    std::int64_t n_left = deal.n_here(n);
    const auto coordinate = [&] { return static_cast<double>(draws() >> 11) * 0x1p-53; };
    const auto next = [&](point_t& p, std::int64_t& pe) {
      if (n_left-- == 0) return false;
      p.x = coordinate();
      p.y = coordinate();
      pe = all.pe_of(all.of(p));
      return true;
    };
    compat::carry(lane, next, [&](const point_t& p) { own.push_back({all.of(p), 0, p}); });
  }
  std::sort(own.begin(), own.end(), by_sector);
  std::int64_t number = compat::world_for(call).exclusive_scan(static_cast<std::int64_t>(own.size()));
  for (vertex& v : own) v.number = number++;
  return own;
}

// These, and the points of other PEs in the sectors around them. Nothing if memory lacks.
std::optional<std::vector<vertex>> with_neighbours(const std::vector<vertex>& own, const sectors& all) {
  const std::int64_t me = compat::my_pe();
  std::vector<vertex> known = own;
  {
    compat::conveyor_lane<vertex> lane(0);
    if (!lane.is_open()) return std::nullopt;
    std::size_t i = 0;
    std::vector<std::int64_t> targets;  // of vertex i that have not got it yet
    const auto next = [&](vertex& v, std::int64_t& pe) {
      while (targets.empty()) {
        if (i == own.size()) return false;
        all.for_each_around(own[i++].sector, [&](std::int64_t sector) {
          const std::int64_t target = all.pe_of(sector);
          if (target != me && std::ranges::find(targets, target) == targets.end()) targets.push_back(target);
        });
      }
      v = own[i - 1];
      pe = targets.back();
      targets.pop_back();
      return true;
    };
    compat::carry(lane, next, [&](const vertex& v) { known.push_back(v); });
  }
  std::sort(known.begin(), known.end(), [](const vertex& a, const vertex& b) { return a.number < b.number; });
  return known;
}

// Calls `take(row, column)` for each edge of an own point to one of lower number.
class edges {
public:
  edges(const std::vector<vertex>& own, const std::vector<vertex>& known, const sectors& all, double r)
      : own_(own), known_(known), all_(all), r_(r) {}

  // The next edge, if there is one.
  bool next(std::int64_t& row, std::int64_t& column) {
    while (n_given_ == found_.size()) {
      if (i_ == own_.size()) return false;
      find_those_of(own_[i_++]);
    }
    row = own_[i_ - 1].number;
    column = found_[n_given_++];
    return true;
  }

private:
  void find_those_of(const vertex& v) {
    found_.clear();
    n_given_ = 0;
    all_.for_each_around(v.sector, [&](std::int64_t sector) {
      const auto begin = std::ranges::lower_bound(known_, sector, {}, &vertex::sector);
      for (auto other = begin; other != known_.end() && other->sector == sector && other->number < v.number; ++other) {
        const double dx = v.at.x - other->at.x;
        const double dy = v.at.y - other->at.y;
        if (dx * dx + dy * dy <= r_ * r_) found_.push_back(other->number);
      }
    });
  }

  const std::vector<vertex>& own_;
  const std::vector<vertex>& known_;  // by number, so by sector
  const sectors& all_;
  double r_;
  std::size_t i_ = 0;
  std::vector<std::int64_t> found_;
  std::size_t n_given_ = 0;
};

// Null if memory lacks.
template <class Entry>
sparsemat_t* linked(std::int64_t n, edges& links, bool has_loops, const char* call) {
  const compat::dealing deal;
  compat::row_entries<Entry> arrived(deal.n_here(n));
  const double no_weight = 0;
  {
    compat::conveyor_lane<Entry> lane(0);
    if (!lane.is_open()) return nullptr;
    const auto next = [&](Entry& e, std::int64_t& pe) {
      std::int64_t row = 0;
      std::int64_t column = 0;
      if (!links.next(row, column)) return false;
      const auto [target, index] = deal.of(row);
      e = compat::make_entry<Entry>(index, column, &no_weight, 0);
      pe = target;
      return true;
    };
    compat::carry(lane, next, [&](const Entry& e) { arrived.add(e); });
  }
  for (std::int64_t i = 0; has_loops && i < deal.n_here(n); ++i) {
    arrived.add(compat::make_entry<Entry>(i, deal.global(i), &no_weight, 0));
  }
  return arrived.to_matrix(n, n, call);
}

// Dealt by number. Null if memory lacks.
point_t* dealt_points(std::int64_t n, const std::vector<vertex>& own) {
  const compat::dealing deal;
  auto* const dealt = compat::shared_array<point_t>(deal.n_most(n));
  if (dealt == nullptr) return nullptr;
  for (const vertex& v : own) {
    const auto [pe, index] = deal.of(v.number);
    shmem_putmem(dealt + index, &v.at, sizeof v.at, static_cast<int>(pe));
  }
  shmem_barrier_all();
  return dealt;
}

}  // namespace

namespace shoal::internal::compat {

sparsemat_t* geometric(std::int64_t n, double r, edge_type type, self_loops loops, std::int64_t seed, point_t** points,
                       const char* call) {
  check_size(n, call);
  const sectors all(n, r, compat::n_pes());
  if (points != nullptr) *points = nullptr;
  const std::optional<std::vector<vertex>> own = own_points(n, all, seed, call);
  if (!own) return nullptr;
  const std::optional<std::vector<vertex>> known = with_neighbours(*own, all);
  if (!known) return nullptr;
  edges links(*own, *known, all, r);
  sparsemat_t* const made =
      with_entries(n, is_weighted(type), [&]<class Entry>() { return linked<Entry>(n, links, loops == LOOPS, call); });
  if (made == nullptr) return nullptr;
  if (points != nullptr) *points = dealt_points(n, *own);
  sort_rows(*made);
  if (is_weighted(type)) {
    random_engine weights(mixed_bits(static_cast<std::uint64_t>(seed)), static_cast<std::uint64_t>(compat::my_pe()));
    for (std::int64_t k = 0; k < made->lnnz; ++k) made->lvalue[k] = static_cast<double>(weights() >> 11) * 0x1p-53;
  }
  shmem_barrier_all();
  return made;
}

}  // namespace shoal::internal::compat

extern "C" {

__attribute__((weak)) sparsemat_t* geometric_random_graph(int64_t n, double r, edge_type type, self_loops loops,
                                                          uint64_t seed, point_t** points) {
  return compat::geometric(n, r, type, loops, static_cast<std::int64_t>(seed), points, "geometric_random_graph");
}

}  // extern "C"
