#include "shoal/conveyor/internal/worker_links.hpp"

#include "shoal/conveyor/internal/exchange.hpp"

namespace shoal::internal {

stream::way way_of_worker(stream& through, worker_links& all, pe_worker& by, pe_id target) {
  const stream::way own = through.way_to(target);
  return {all.links_of(through, own.links, by), own.link_index, own.tag};
}

}  // namespace shoal::internal
