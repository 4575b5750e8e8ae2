#include "applications/swe/patch_state.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

#include "applications/shallow_water/serial_run.hpp"

namespace shoal::swe {
namespace {

std::uint64_t spread(std::uint64_t word) {
  word ^= word >> 33;
  word *= 0xff51afd7ed558ccd;
  word ^= word >> 33;
  word *= 0xc4ceb9fe1a85ec53;
  return word ^ word >> 33;
}

std::uint64_t bits_of(float value) { return std::bit_cast<std::uint32_t>(value); }
std::uint64_t bits_of(double value) { return std::bit_cast<std::uint64_t>(value); }

// All cells equal, at rest and on a flat bed.
template <class Real>
std::optional<cell_state<Real>> common_state(const patch<Real>& cells) {
  const cell_state<Real> first = cells.cell(0, 0);
  if (first.hu != 0 || first.hv != 0) return std::nullopt;
  for (std::size_t j = 0; j < cells.part().n_y; ++j) {
    for (std::size_t i = 0; i < cells.part().n_x; ++i) {
      if (cells.cell(i, j) != first) return std::nullopt;
    }
  }
  return first;
}

}  // namespace

template <class Real>
void state_sums::add(const patch<Real>& of, const scenario& its, double time) {
  of.add_depths(depths);
  const block& part = of.part();
  for (std::size_t j = 0; j < part.n_y; ++j) {
    for (std::size_t i = 0; i < part.n_x; ++i) {
      const cell_state<Real> cell = of.cell(i, j);
      const std::uint64_t place = (part.first_y + j) * of.whole().n_x + part.first_x + i;
      digest += spread(spread(spread(place + bits_of(cell.h)) + bits_of(cell.hu)) + bits_of(cell.hv));
      if (its.exact) errors.add(std::abs(static_cast<double>(cell.h) - its.exact(of.x_of(i), of.y_of(j), time).h));
    }
  }
}

template <class Real>
patch_state<Real>::patch_state(const simulation& what, std::size_t number, run_progress* shown)
    : number_(number),
      its_(what.its_scenario()),
      part_(what.grid().part_of(number)),
      charged_ns_(what.charged_ns * static_cast<double>(part_.n_cells())),
      cells_(what.whole(), what.is_charged() ? block{part_.first_x, part_.first_y} : part_, constants_of<Real>(its_),
             what.solver),
      end_(what.its_end_time()),
      frames_(what.frames, end_),
      shown_(shown) {
  start(cells_, its_);
  const patch_grid grid = what.grid();
  bool is_flat = true;
  for (const side at : all_sides) {
    if (!grid.neighbour_of(number, at)) {
      outer_.push_back(at);
      cells_.reflect_bed(at);
      continue;
    }
    inner_.push_back(at);
    if (what.is_charged()) continue;
    const std::vector<Real> bed = bed_beyond(at);
    cells_.set_ghost_bed(at, bed);
    is_flat &= std::ranges::all_of(bed, [&](Real b) { return b == cells_.cell(0, 0).b; });
  }
  if (what.is_lazy && is_flat && !what.is_charged()) rest_ = common_state(cells_);
}

// The bed follows from the place alone, so nobody need send it.
template <class Real>
std::vector<Real> patch_state<Real>::bed_beyond(side at) const {
  const block& part = cells_.part();
  std::vector<Real> bed(part.length_of(at));
  for (std::size_t k = 0; k < bed.size(); ++k) {
    std::size_t i = part.first_x + k;
    std::size_t j = part.first_y + k;
    if (at == side::left) i = part.first_x - 1;
    if (at == side::right) i = part.first_x + part.n_x;
    if (at == side::bottom) j = part.first_y - 1;
    if (at == side::top) j = part.first_y + part.n_y;
    bed[k] = static_cast<Real>(its_.start(cells_.whole().x_of(i), cells_.whole().y_of(j)).b);
  }
  return bed;
}

template <class Real>
void patch_state<Real>::set_ghosts(side at, std::span<const Real> from) {
  if (charged_ns_ > 0) return;
  cells_.set_ghosts(at, from);
  if (!rest_) return;
  const std::size_t n = from.size() / 3;
  const bool is_equal = std::ranges::all_of(from.first(n), [&](Real h) { return h == rest_->h; }) &&
                        std::ranges::all_of(from.subspan(n), [](Real momentum) { return momentum == 0; });
  if (!is_equal) rest_.reset();
}

template <class Real>
Real patch_state<Real>::solve() {
  if (charged_ns_ > 0) {
    world::current().charge_ns(static_cast<std::uint64_t>(charged_ns_));
    return 0;
  }
  if (rest_ && speed_at_rest_ >= 0) return speed_at_rest_;
  for (const side at : outer_) cells_.reflect(at, its_.boundary_at(at));
  const Real fastest = cells_.solve();
  if (rest_) speed_at_rest_ = fastest;
  return fastest;
}

template <class Real>
void patch_state<Real>::advance(const time_step& step) {
  if (n_steps_ == 0) frames_.write_if_due(0, cells_);
  ++n_steps_;
  time_ = step.is_last ? end_ : time_ + step.dt;
  if (!rest_) {
    if (charged_ns_ == 0) cells_.advance(static_cast<Real>(step.dt));
    computed_.add(part_.n_cells());
  }
  frames_.write_if_due(time_, cells_);
  if (shown_ != nullptr) shown_->patch_seconds.fetch_add(step.dt, std::memory_order_relaxed);
}

template <class Real>
time_step step_clock<Real>::next(Real fastest) {
  ++n_steps_;
  if (rule_ == step_rule::fixed) return {plan_.dt, n_steps_ >= plan_.n};
  const bool is_known = rule_ == step_rule::exact || n_steps_ > 1;
  const double left = end_ - time_;
  double most = fastest > 0 ? static_cast<double>(step_for(fastest, whole_)) : left;
  if (!is_known) most = plan_.dt;
  const bool is_last = most >= left;
  time_ = is_last ? end_ : time_ + most;
  return {is_last ? left : most, is_last};
}

template <class Real>
step_plan plan_of(world& w, const simulation& what) {
  if (what.is_charged()) {
    return {what.n_charged_steps, what.its_end_time() / static_cast<double>(what.n_charged_steps)};
  }
  const scenario its = what.its_scenario();
  const patch_grid grid = what.grid();
  const patch_range mine = patches_of(w, w.my_pe(), grid.n());
  Real fastest = 0;
  for (std::size_t p = mine.begin; p < mine.end; ++p) {
    patch<Real> cells(grid.whole(), grid.part_of(p), constants_of<Real>(its), what.solver);
    start(cells, its);
    fastest = std::max(fastest, cells.fastest_signal());
  }
  fastest = w.max(fastest);
  const double end = what.its_end_time();
  step_plan plan;
  plan.n = fastest > 0
               ? static_cast<std::uint64_t>(std::ceil(end / static_cast<double>(step_for(fastest, grid.whole()))))
               : 1;
  plan.dt = end / static_cast<double>(plan.n);
  return plan;
}

template void state_sums::add(const patch<float>&, const scenario&, double);
template void state_sums::add(const patch<double>&, const scenario&, double);
template class patch_state<float>;
template class patch_state<double>;
template class step_clock<float>;
template class step_clock<double>;
template step_plan plan_of<float>(world&, const simulation&);
template step_plan plan_of<double>(world&, const simulation&);

}  // namespace shoal::swe
