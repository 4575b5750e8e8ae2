#include "applications/shallow_water/cell_loop.hpp"

namespace shoal::swe {
namespace {

template <class Real>
inline void add_up_quantity(std::size_t n, const Real* __restrict left, const Real* __restrict right,
                            const Real* __restrict below, const Real* __restrict above, Real per_dx, Real per_dy,
                            Real* __restrict net) {
  for (std::size_t k = 0; k < n; ++k) {  // cells
    net[k] = (left[k] + right[k]) * per_dx + (below[k] + above[k]) * per_dy;
  }
}

template <class Real>
inline void add_up_line(std::size_t n, const edges_around<Real>& edges, Real per_dx, Real per_dy,
                        const update_line<Real>& net) {
  add_up_quantity(n, edges.left.h, edges.right.h, edges.below.h, edges.above.h, per_dx, per_dy, net.h);
  add_up_quantity(n, edges.left.normal, edges.right.normal, edges.below.along, edges.above.along, per_dx, per_dy,
                  net.normal);
  add_up_quantity(n, edges.left.along, edges.right.along, edges.below.normal, edges.above.normal, per_dx, per_dy,
                  net.along);
}

// Each loop chooses once: of two choices by one comparison, a compiler would make a branch.
template <class Real>
inline void advance_momentum(std::size_t n, const Real* __restrict net, Real dt, const Real* __restrict new_h,
                             Real dry_depth, Real* __restrict momentum) {
  for (std::size_t k = 0; k < n; ++k) {  // cells
    const Real advanced = momentum[k] - dt * net[k];
    momentum[k] = new_h[k] < dry_depth ? Real(0) : advanced;
  }
}

template <class Real>
inline void advance_depth(std::size_t n, const Real* __restrict net, Real dt, Real* __restrict h) {
  for (std::size_t k = 0; k < n; ++k) {  // cells
    const Real advanced = h[k] - dt * net[k];
    h[k] = advanced < Real(0) ? Real(0) : advanced;
  }
}

template <class Real>
inline void advance_line(std::size_t n, const update_line<Real>& net, Real dt, Real dry_depth,
                         const update_line<Real>& cells) {
  advance_depth(n, net.h, dt, cells.h);
  advance_momentum(n, net.normal, dt, cells.h, dry_depth, cells.normal);
  advance_momentum(n, net.along, dt, cells.h, dry_depth, cells.along);
}

template <class Real>
[[gnu::flatten]] void add_up_portable(std::size_t n, const edges_around<Real>& edges, Real per_dx, Real per_dy,
                                      const update_line<Real>& net) {
  add_up_line(n, edges, per_dx, per_dy, net);
}

template <class Real>
[[gnu::flatten]] void advance_portable(std::size_t n, const update_line<Real>& net, Real dt, Real dry_depth,
                                       const update_line<Real>& cells) {
  advance_line(n, net, dt, dry_depth, cells);
}

#ifdef __x86_64__
template <class Real>
[[gnu::flatten, gnu::target("avx2")]] void add_up_avx2(std::size_t n, const edges_around<Real>& edges, Real per_dx,
                                                       Real per_dy, const update_line<Real>& net) {
  add_up_line(n, edges, per_dx, per_dy, net);
}

template <class Real>
[[gnu::flatten, gnu::target("avx2")]] void advance_avx2(std::size_t n, const update_line<Real>& net, Real dt,
                                                        Real dry_depth, const update_line<Real>& cells) {
  advance_line(n, net, dt, dry_depth, cells);
}
#endif

}  // namespace

template <class Real>
cell_loops<Real> cell_loops_of(instruction_set set) {
#ifdef __x86_64__
  if (set == instruction_set::avx2) return {add_up_avx2<Real>, advance_avx2<Real>};
#endif
  static_cast<void>(set);
  return {add_up_portable<Real>, advance_portable<Real>};
}

template cell_loops<float> cell_loops_of(instruction_set);
template cell_loops<double> cell_loops_of(instruction_set);

}  // namespace shoal::swe
