// What a build without OpenMP has.
#include "applications/swe/forms.hpp"
#include "shoal/base/setup_error.hpp"

namespace shoal::swe {

bool has_openmp() { return false; }

template <class Real>
double run_by_openmp(const simulation&, const step_plan&, run_progress*, const patch_visitor<Real>&) {
  throw setup_error("form openmp: this program was built without OpenMP; choose another form, or build it with GCC");
}

template double run_by_openmp<float>(const simulation&, const step_plan&, run_progress*, const patch_visitor<float>&);
template double run_by_openmp<double>(const simulation&, const step_plan&, run_progress*, const patch_visitor<double>&);

}  // namespace shoal::swe
