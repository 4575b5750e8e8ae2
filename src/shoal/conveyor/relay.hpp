/// A relay: takes the items that a hop brought to this PE and sends each on its next hop.
#pragma once

#include <cstdint>
#include <string>

#include "shoal/conveyor/port.hpp"

namespace shoal {

/// The end of hop `h` of a route on this PE. A sink like a mailbox's handler: it sends by spilling, so that back-
/// pressure works through it, and it runs whenever the exchange makes progress.
class relay final : private sink {
public:
  /// For items of `kind`, or with 0 bytes for records. Collective, as port.
  relay(exchange& through, const route& way, int h, const item_kind& kind);

  /// The port that this relay empties.
  port& in() noexcept { return in_; }
  const port& in() const noexcept { return in_; }

  /// Begins a session with items of `kind`.
  void begin_session(const item_kind& kind) {
    item_bytes_ = kind.bytes;
    align_ = kind.align;
    in_.begin_session(kind);
  }

  /// Where it sends to; before the first session.
  void send_to(port& onward) noexcept { out_ = &onward; }

private:
  bool consume(const buffer& b, position& from, std::uint64_t& n_items) final;
  template <std::size_t Bytes>
  std::uint32_t pass_on(const buffer& b, std::uint32_t i);
  std::uint32_t pass_on_records(const buffer& b, position& from);
  std::string describe() const final;

  exchange& exchange_;
  const route& route_;
  int hop_;
  std::uint32_t item_bytes_;  // 0: records
  std::uint32_t align_;
  port in_;
  port* out_ = nullptr;
};

/// Ends the job: a buffer does not hold what its header says.
[[noreturn]] void damaged(const buffer& b);

}  // namespace shoal
