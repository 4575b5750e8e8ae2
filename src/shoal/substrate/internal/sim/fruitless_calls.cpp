#include "shoal/substrate/internal/sim/fruitless_calls.hpp"

#include "shoal/substrate/internal/sim/stall_proof.hpp"

namespace shoal::internal::sim {

void fruitless_calls::look() noexcept {
  stalls_.suspect_endless_loop(my_pe_);
  n_ = 0;
}

}  // namespace shoal::internal::sim
