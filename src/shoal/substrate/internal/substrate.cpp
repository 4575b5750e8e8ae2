#include "shoal/substrate/internal/substrate.hpp"

#include <unistd.h>

#include <string>

#include "shoal/base/internal/quoting.hpp"

namespace shoal::internal {

// By one write, since other PEs answer at the same time.
void substrate::answer() noexcept {
  note_answer();
  if (stall_asks_ == nullptr) return;
  const std::string line = "shoal: PE " + std::to_string(my_pe_) + " waits: " + stall_asks_->describe_wait() +
                           "; free slots: " + std::to_string(n_free() + stall_asks_->n_free_slots()) + " of " +
                           std::to_string(n_slots_);
  const std::string shown = printable(line) + '\n';
  // If stderr is gone, nobody can be told.
  [[maybe_unused]] const auto n_written = ::write(STDERR_FILENO, shown.data(), shown.size());
}

}  // namespace shoal::internal
