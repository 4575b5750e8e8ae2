/// The consumer of a hop's buffers: a mailbox or a relay.
#pragma once

#include <cstdint>
#include <string>

#include "shoal/substrate/internal/buffer.hpp"

namespace shoal::internal {

class signal_text;

/// For a signal handler: "message long".
void tell_message(signal_text& into, const char* type) noexcept;

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

  /// Its stream has sessions, as a conveyor's, and no supersteps; and its handlers may be held (dispatch::hold_handlers).
  virtual bool has_sessions() const noexcept { return false; }

  /// The same as describe for a signal handler, with the sender of `b`, which is being consumed. `address`: what a handler failed to
  /// access, or null; if a message brought that address, it says so.
  virtual void tell(signal_text& into, const buffer& b, const void* address) const noexcept;

  /// For the report of handlers that send more than their receivers accept: what a program may do about it.
  virtual std::string how_to_send_less() const {
    return "let handlers leave for later what they would send (world.defer, shoal::work_list)";
  }

protected:
  ~sink() = default;
};

}  // namespace shoal::internal
