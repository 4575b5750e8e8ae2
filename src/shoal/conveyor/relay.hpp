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
  /// Items of `kind` that came by hop `h` go on through `onward`, the port of hop h + 1. Collective, as port.
  relay(exchange& through, const route& way, int h, const item_kind& kind);

  /// The port that this relay empties.
  port& in() noexcept { return in_; }
  const port& in() const noexcept { return in_; }

  /// Begins a session with items of `kind`.
  void begin_session(const item_kind& kind) {
    item_bytes_ = kind.bytes;
    in_.begin_session(kind);
  }

  /// Where it sends to; before the first session.
  void send_to(port& onward) noexcept { out_ = &onward; }

private:
  bool consume(const buffer& b, position& from, std::uint64_t& n_items) final;
  template <std::size_t Bytes>
  std::uint32_t pass_on(const buffer& b, std::uint32_t i);
  std::string describe() const final;

  exchange& exchange_;
  const route& route_;
  int hop_;
  std::uint32_t item_bytes_;
  port in_;
  port* out_ = nullptr;
};

}  // namespace shoal
