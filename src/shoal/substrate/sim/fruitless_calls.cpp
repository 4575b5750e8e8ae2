#include "shoal/substrate/sim/fruitless_calls.hpp"

#include "shoal/substrate/sim/stall_proof.hpp"

namespace shoal::sim {

void fruitless_calls::look() noexcept {
  stalls_.suspect_endless_loop(my_pe_);
  n_ = 0;
}

}  // namespace shoal::sim
