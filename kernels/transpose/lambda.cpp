// The same without a class: closures that run on the rows of the PE that they go to.
#include "kernels/transpose/problem.hpp"

namespace shoal::kernels::transposition {

void run_lambda(world& w, problem& p) {
  lambda_actor rows{w, p};
  w.finish([&] {
    for_each_row(
        p, [&](pe_id owner, std::uint32_t row) { rows.send(owner, [row](problem& there) { count(there, row); }); });
  });
  allocate_rows(p);
  w.finish([&] {
    for_each_entry(p, [&](pe_id owner, moved_entry e) { rows.send(owner, [e](problem& there) { append(there, e); }); });
  });
}

}  // namespace shoal::kernels::transposition
