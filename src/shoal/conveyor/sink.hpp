/// Who consumes the buffers of a stream's hop: a mailbox, or a relay.
#pragma once

#include <cstdint>
#include <string>

#include "shoal/substrate/buffer.hpp"

namespace shoal {

/// Where the consumption of a buffer stands: the next unread byte and, in a stream of several kinds, how many items of
/// the run that begins there are read, and how many items the runs before it hold.
struct position {
  std::uint32_t offset = 0;
  std::uint32_t n_in_run = 0;
  std::uint32_t n_before = 0;
};

/// Takes whole buffers, in place. Runs on the PE's one thread of control, never nested.
class sink {
public:
  /// Consumes `b` from `from` on, and adds what it consumed to `n_items`. Before the end of `b` it stops only where
  /// `delivery` says so (delivery.hpp). Returns true when `b` is used up.
  virtual bool consume(const buffer& b, position& from, std::uint64_t& n_items) = 0;

  /// For reports: "actor histogram, message long".
  virtual std::string describe() const = 0;

protected:
  ~sink() = default;
};

}  // namespace shoal
