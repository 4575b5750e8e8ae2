#include "shoal/substrate/internal/substrate.hpp"

#include <unistd.h>

#include <string>

#include "shoal/base/internal/quoting.hpp"

namespace shoal::internal {

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
