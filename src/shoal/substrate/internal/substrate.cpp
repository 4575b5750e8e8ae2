#include "shoal/substrate/internal/substrate.hpp"

#include <unistd.h>

#include <string>

#include "shoal/base/internal/quoting.hpp"
#include "shoal/substrate/internal/link_costs.hpp"

namespace shoal::internal {

substrate::substrate(pe_id my_pe, pe_id n_pes)
    : control_transport(my_pe, n_pes), n_machine_pes_(n_pes), links_(new link_costs) {}

substrate::~substrate() = default;

void substrate::know_links(const link_costs& costs) noexcept { *links_ = costs; }

// By one write, since other PEs speak at the same time.
void substrate::say(std::string_view how, std::string_view more) noexcept {
  if (stall_asks_ == nullptr) return;
  std::string line = "shoal: PE " + std::to_string(my_pe_);
  line.append(how).append(stall_asks_->describe_wait());
  line += "; free slots: " + std::to_string(n_free() + stall_asks_->n_free_slots()) + " of " + std::to_string(n_slots_);
  line.append(more);
  const std::string shown = printable(line) + '\n';
  // If stderr is gone, nobody can be told.
  [[maybe_unused]] const auto n_written = ::write(STDERR_FILENO, shown.data(), shown.size());
}

}  // namespace shoal::internal
