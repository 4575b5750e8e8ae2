#include "shoal/actor/world.hpp"

#include <cstdlib>
#include <string>

#include "shoal/actor/resolve.hpp"
#include "shoal/actor/statistics.hpp"
#include "shoal/base/settings.hpp"
#include "shoal/conveyor/exchange.hpp"

namespace shoal {
namespace {

exchange_options options_of(const substrate& machine, const settings& chosen) {
  const std::int64_t n_shared = chosen.n_shared_slots.value;
  const double ns_per_byte = chosen.ns_per_byte.value;
  return {.slots = {.n_shared_slots = n_shared < 0 ? SIZE_MAX : static_cast<std::size_t>(n_shared),
                    .spill_bytes_max = spill_bytes_max(chosen)},
          .node_size = chosen.node_size.value,
          .n_hops = static_cast<int>(chosen.n_hops.value),
          .codec = *chosen.codec.value,
          .ns_per_byte = ns_per_byte < 0 ? machine.ns_per_byte() : ns_per_byte,
          .latency_ns = static_cast<std::uint64_t>(chosen.max_latency_us.value) * 1000,
          .keeps_records = chosen.stats.value};
}

}  // namespace

world::world(substrate& machine, const settings& chosen)
    : machine_(machine),
      settings_(chosen),
      exchange_(std::make_unique<exchange>(machine, options_of(machine, chosen))),
      main_program_(*exchange_),
      collectives_(*exchange_, main_program_),
      heap_(machine, collectives_),
      scopes_(*this, *exchange_, collectives_, main_program_, chosen) {
  current_pe = this;
}

world::~world() { current_pe = nullptr; }

world& world::current() {
  if (current_pe == nullptr) {
    shoal::end_job(status_usage,
                   "a Shoal call outside shoal::run; make it in the function that "
                   "shoal::run was given");
  }
  return static_cast<world&>(*current_pe);
}

void world::end_job(int status, std::string_view report) noexcept {
  machine_.end_job(status, report);
  std::abort();  // never reached; gcc 12 forgets [[noreturn]] across the virtual call
}

std::uint32_t world::enlist_object(void* object) {
  require_main("constructing a per_pe");
  return objects_.enlist(object);
}

void world::end_of_body() {
  collectives_.end_of_body();
  if (!settings_.stats.value) return;
  scopes_.record_closures();
  print_statistics(collectives_, *exchange_,
                   {.n_pes = n_pes(),
                    .payload_bytes = machine_.payload_bytes(),
                    .budget_bytes = settings_.memory_bytes.value,
                    .n_hops = n_hops(),
                    .n_hop_changes = scopes_.hops().n_changes()});
}

}  // namespace shoal
