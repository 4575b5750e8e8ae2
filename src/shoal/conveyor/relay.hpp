/// A relay: takes the items that a hop brought to this PE and sends each on its next hop.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "shoal/conveyor/port.hpp"

namespace shoal {

/// What it costs an item to be passed on: its tags and one more copy, on the processors of docs/performance.md.
inline constexpr std::uint64_t ns_per_item_passed_on = 8;

/// What relays pass on, and for whom.
struct relay_options {
  item_kind kind = {};  // of all items; 0 bytes: runs of the kinds below, or without them records
  kind_lookup kinds = nullptr;
  const sink* on_behalf_of = nullptr;  // for reports: the sink at the end of the route; null: a conveyor
};

/// The end of hop `h` of a route on this PE. A sink like a mailbox's handler: it sends by spilling, so that back-
/// pressure works through it, and it runs whenever the exchange makes progress.
class relay final : private sink {
public:
  /// Collective, as port.
  relay(exchange& through, const route& way, int h, const relay_options& options);

  /// The port that this relay empties.
  port& in() noexcept { return in_; }
  const port& in() const noexcept { return in_; }

  /// Where it sends to; before the first session.
  void send_to(port& onward) noexcept { out_ = &onward; }

private:
  bool consume(const buffer& b, position& from, std::uint64_t& n_items) final;
  template <std::size_t Bytes>
  std::uint32_t pass_on(const buffer& b, const std::byte* item, const item_kind& kind, std::uint32_t i,
                        std::uint32_t end);
  std::uint32_t pass_on_items(const buffer& b, const std::byte* item, const item_kind& kind, std::uint32_t i,
                              std::uint32_t end);
  std::uint32_t pass_on_records(const buffer& b, position& from);
  void pass_on_runs(const buffer& b, position& from);
  std::string describe() const final;

  exchange& exchange_;
  const route& route_;
  int hop_;
  relay_options options_;
  port in_;
  port* out_ = nullptr;
};

/// The relays of a route, of all hops but the last. Collective, as port.
std::vector<std::unique_ptr<relay>> make_relays(exchange& through, const route& way, const relay_options& options);

/// Joins them: each sends to the next one, the last one to `last`.
void chain(const std::vector<std::unique_ptr<relay>>& relays, port& last) noexcept;

/// What the port of a route's last hop is constructed with.
port_options last_port_options(const route& way, const item_kind& kind, sink* consumer = nullptr);

/// Ends the job: a buffer does not hold what its header says.
[[noreturn]] void damaged(const buffer& b);

}  // namespace shoal
