// The same without a class: a message is a closure that counts. It runs on the part of the PE that it is sent to.
#include "kernels/histogram/problem.hpp"

namespace shoal::kernels::histogram {

void run_lambda(world& w, problem& p) {
  lambda_actor part{w, p.counts};
  w.finish([&] {
    for (const auto [slot, pe] : p.updates) {
      part.send(pe, [at = std::int64_t{slot}](auto& counts) { ++counts[at]; });
    }
  });
}

}  // namespace shoal::kernels::histogram
