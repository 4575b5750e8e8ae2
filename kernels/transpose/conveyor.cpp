// The layer below actors: the program itself pushes, pulls and advances.
#include "kernels/exchange.hpp"
#include "kernels/transpose/problem.hpp"

namespace shoal::kernels::transposition {

void run_conveyor(world& w, problem& p) {
  exchange_by_conveyor<std::uint32_t>(
      w, [&](const auto& send) { for_each_row(p, send); }, [&](std::uint32_t row) { count(p, row); });
  allocate_rows(p);
  exchange_by_conveyor<moved_entry>(
      w, [&](const auto& send) { for_each_entry(p, send); }, [&](moved_entry e) { append(p, e); });
}

}  // namespace shoal::kernels::transposition
