#include "shoal/actor/mailbox_guards.hpp"

#include "shoal/base/internal/pe_worker.hpp"
#include "shoal/conveyor/internal/exchange.hpp"
#include "shoal/conveyor/internal/stream.hpp"

namespace shoal {

void mailbox_guards::disable(const std::source_location where) noexcept {
  if (internal::pe_worker* const other = internal::other_worker(); other != nullptr) return other->post([this, where] { disable(where); });
  internal::inbox& in = messages_.arrivals();
  exchange_.arriving().follow_guards();
  in.disable(where);
  internal::delivery& now = messages_.now();
  if (now.running() == &in) now.stop();  // after the current message
}

void mailbox_guards::enable() {
  if (internal::pe_worker* const other = internal::other_worker(); other != nullptr) return other->post([this] { enable(); });
  messages_.arrivals().enable();
}

bool mailbox_guards::is_enabled() const noexcept { return messages_.arrivals().is_enabled(); }

void mailbox_guards::set_priority(int priority) noexcept {
  if (internal::pe_worker* const other = internal::other_worker(); other != nullptr) {
    return other->post([this, priority] { set_priority(priority); });
  }
  exchange_.arriving().follow_guards();
  messages_.arrivals().set_priority(priority);
}

}  // namespace shoal
