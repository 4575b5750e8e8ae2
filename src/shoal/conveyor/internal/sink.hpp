/// The consumer of a hop's buffers: a mailbox or a relay.
#pragma once

#include <cstdint>
#include <string>

#include "shoal/base/internal/signal_text.hpp"
#include "shoal/substrate/internal/buffer.hpp"

namespace shoal::internal {

/// A position in a buffer: the next unread byte. In a stream of several kinds that byte begins a run; then also how
/// many of the run's items are read, and how many items the runs before it hold.
struct position {
  std::uint32_t offset = 0;
  std::uint32_t n_in_run = 0;
  std::uint32_t n_before = 0;
};

/// Consumes whole buffers in place. Runs on the PE's only thread of control, never nested.
class sink {
public:
  /// Consumes `b` from `from` on, and adds the number of consumed items to `n_items`. Stops before the end of `b` only
  /// if the delivery says so (delivery.hpp). Returns true if `b` is used up.
  virtual bool consume(const buffer& b, position& from, std::uint64_t& n_items) = 0;

  /// For reports: "actor histogram, message long".
  virtual std::string describe() const = 0;

  /// The same for a signal handler, with the sender of `b`, which is being consumed. `address`: what a handler failed to
  /// access, or null; if a message brought that address, it says so.
  virtual void tell(signal_text& into, const buffer& b, [[maybe_unused]] const void* address) const noexcept {
    into << "messages from PE " << std::int64_t{b.header.source};
  }

protected:
  ~sink() = default;
};

}  // namespace shoal::internal
