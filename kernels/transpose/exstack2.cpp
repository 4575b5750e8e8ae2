// The asynchronous form of exstack.cpp: a buffer leaves when it is full, and nobody waits for all PEs.
#include "kernels/exchange.hpp"
#include "kernels/transpose/problem.hpp"

namespace shoal::kernels::transposition {

void run_exstack2(world& w, problem& p) {
  exchange_by_exstack2<std::uint32_t>(
      w, [&](const auto& send) { for_each_row(p, send); }, [&](std::uint32_t row) { count(p, row); });
  allocate_rows(p);
  exchange_by_exstack2<moved_entry>(
      w, [&](const auto& send) { for_each_entry(p, send); }, [&](moved_entry e) { append(p, e); });
}

}  // namespace shoal::kernels::transposition
