// Threads of OpenMP over the patches of one process: what a program does that has shared memory and no messages.
#include <omp.h>

#include <algorithm>
#include <chrono>
#include <exception>
#include <memory>
#include <utility>
#include <vector>

#include "applications/swe/forms.hpp"

namespace shoal::swe {
namespace {

// No exception may leave a parallel region: the first one is kept until after it.
class first_exception {
public:
  template <class Call>
  void keep_of(Call call) noexcept {
    try {
      call();
    } catch (...) {
#pragma omp critical(shoal_swe_first_exception)
      if (!kept_) kept_ = std::current_exception();
    }
  }

  void rethrow() const {
    if (kept_) std::rethrow_exception(kept_);
  }

private:
  std::exception_ptr kept_;
};

template <class Real>
class shared_patches {
public:
  // Each thread makes the patches that it steps, so that their memory is near it.
  shared_patches(const simulation& what, run_progress* shown)
      : grid_(what.grid()), n_threads_(what.n_threads), patches_(grid_.n()) {
    ::omp_set_dynamic(0);  // as many threads as were asked for
    for_each([&](std::size_t p) { patches_[p] = std::make_unique<patch_state<Real>>(what, p, shown); });
  }

  // The first half of a step of all: reads borders of neighbours, which nobody changes now. Returns the fastest wave.
  Real solve() {
    Real fastest = 0;
    first_exception thrown;
#pragma omp parallel num_threads(n_threads_) reduction(max : fastest)
    {
      std::vector<Real> border;
#pragma omp for schedule(static)
      for (std::size_t p = 0; p < patches_.size(); ++p) {
        thrown.keep_of([&] {
          for (const side at : patches_[p]->inner_sides()) {
            patches_[*grid_.neighbour_of(p, at)]->read_border(opposite(at), border);
            patches_[p]->set_ghosts(at, border);
          }
          fastest = std::max(fastest, patches_[p]->solve());
        });
      }
    }
    thrown.rethrow();
    return fastest;
  }

  void advance(const time_step& step) {
    for_each([&](std::size_t p) { patches_[p]->advance(step); });
  }

  void visit(const patch_visitor<Real>& visitor) const {
    for (const auto& each : patches_) visitor(*each);
  }

private:
  template <class Call>
  void for_each(Call call) {
    first_exception thrown;
#pragma omp parallel for num_threads(n_threads_) schedule(static)
    for (std::size_t p = 0; p < patches_.size(); ++p) thrown.keep_of([&] { call(p); });
    thrown.rethrow();
  }

  const patch_grid grid_;
  const int n_threads_;
  std::vector<std::unique_ptr<patch_state<Real>>> patches_;
};

}  // namespace

bool has_openmp() { return true; }

template <class Real>
double run_by_openmp(const simulation& what, const step_plan& plan, run_progress* shown,
                     const patch_visitor<Real>& visit) {
  using clock = std::chrono::steady_clock;
  shared_patches<Real> patches(what, shown);
  const clock::time_point begin = clock::now();
  step_clock<Real> steps(what, plan);
  Real fastest_before = 0;
  for (bool is_last = plan.n == 0; !is_last;) {
    const Real fastest = patches.solve();
    const time_step step =
        steps.next(what.steps == step_rule::behind ? std::exchange(fastest_before, fastest) : fastest);
    patches.advance(step);
    is_last = step.is_last;
  }
  const double seconds = std::chrono::duration<double>(clock::now() - begin).count();
  patches.visit(visit);
  return seconds;
}

template double run_by_openmp<float>(const simulation&, const step_plan&, run_progress*, const patch_visitor<float>&);
template double run_by_openmp<double>(const simulation&, const step_plan&, run_progress*, const patch_visitor<double>&);

}  // namespace shoal::swe
