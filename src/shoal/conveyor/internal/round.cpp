#include "shoal/conveyor/internal/round.hpp"

#include "shoal/base/internal/contract.hpp"
#include "shoal/conveyor/internal/exchange.hpp"
#include "shoal/substrate/internal/round_head.hpp"

namespace shoal::internal {

call_name name_of_conveyor_call(call_tag tag) noexcept {
  switch (static_cast<conveyor_call>(tag)) {
    case conveyor_call::exstack_proceed: return {"is in proceed of exstack", call_digest::object};
    case conveyor_call::simple_conveyor_advance: return {"is in advance of simple_conveyor", call_digest::object};
  }
  return {};
}

void await_round(exchange& through) {
  SHOAL_ASSERT(through.now().running() == nullptr);  // a handler must not wait
  substrate& backend = through.backend();
  for (unsigned patience = 0; !backend.is_round_complete();) through.progress_or_idle(patience);
  check_heads(backend);
}

}  // namespace shoal::internal
