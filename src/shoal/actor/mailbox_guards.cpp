#include "shoal/actor/mailbox_guards.hpp"

#include "shoal/conveyor/internal/exchange.hpp"
#include "shoal/conveyor/internal/stream.hpp"

namespace shoal {

void mailbox_guards::disable(const std::source_location where) noexcept {
  internal::inbox& in = messages_.arrivals();
  exchange_.arriving().follow_guards();
  in.disable(where);
  internal::delivery& now = messages_.now();
  if (now.running() == &in) now.stop();  // after the current message
}

void mailbox_guards::enable() { messages_.arrivals().enable(); }

bool mailbox_guards::is_enabled() const noexcept { return messages_.arrivals().is_enabled(); }

void mailbox_guards::set_priority(int priority) noexcept {
  exchange_.arriving().follow_guards();
  messages_.arrivals().set_priority(priority);
}

}  // namespace shoal
