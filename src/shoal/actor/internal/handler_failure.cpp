#include "shoal/actor/internal/handler_failure.hpp"

#include <exception>
#include <string>

#include "shoal/base/internal/ambient.hpp"
#include "shoal/conveyor/internal/exchange.hpp"
#include "shoal/conveyor/internal/sink.hpp"
#include "shoal/conveyor/internal/stream.hpp"

namespace shoal::internal {

void end_for_throw(const sink& whose, const stream& by, const exchange& through, const buffer& b) {
  const std::string way = by.current_route() == nullptr ? " (message from PE " : " (message by way of PE ";
  const std::string where = way + std::to_string(b.header.source) + through.of_name() + ")";
  try {
    throw;
  } catch (const std::exception& e) {
    end_job(status_failure, whose.describe() + ": handler threw: " + one_line(e.what()) + where);
  } catch (...) {
    end_job(status_failure, whose.describe() + ": handler threw something that is not a std::exception" + where);
  }
}

}  // namespace shoal::internal
