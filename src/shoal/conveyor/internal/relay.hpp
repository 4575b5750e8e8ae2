/// A relay: takes the items that a hop brought to this PE and sends each on its next hop.
#pragma once

#include <cstdint>
#include <string>

#include "shoal/conveyor/internal/stream_hop.hpp"

namespace shoal::internal {

/// What a relay passes on, and for which sink.
struct relay_options {
  item_kind kind = {};  // of all items; 0 bytes: runs of the kinds below, or records without them
  kind_lookup kinds = nullptr;
  const sink* on_behalf_of = nullptr;  // for reports: the sink at the end of the route; null: a conveyor
};

/// Empties hop `h` of a route on this PE. A sink like a mailbox's handler: its sends spill, so back-pressure works
/// through it, and it runs whenever the PE makes progress.
class relay final : private sink {
public:
  /// Collective, as for stream_hop.
  relay(exchange& through, const route& way, int h, const relay_options& options);

  /// The hop that this relay empties.
  stream_hop& hop() noexcept { return hop_; }
  const stream_hop& hop() const noexcept { return hop_; }

  /// Sets the hop that it sends on. Called before the first session.
  void send_to(stream_hop& onward) noexcept { onward_ = &onward; }

private:
  bool consume(const buffer& b, position& from, std::uint64_t& n_items) final;
  template <std::size_t Bytes>
  std::uint32_t pass_on(const buffer& b, const std::byte* item, const item_kind& kind, std::uint32_t i,
                        std::uint32_t end);
  std::uint32_t pass_on_items(const buffer& b, const std::byte* item, const item_kind& kind, std::uint32_t i,
                              std::uint32_t end);
  std::uint32_t pass_on_combined(const buffer& b, std::uint32_t i);
  combining_window::note combine(const next_hop& next, const std::byte* item);
  std::uint32_t pass_on_records(const buffer& b, position& from);
  void pass_on_record(const buffer& b, const run_header& header, const std::byte* bytes, std::uint32_t i,
                      std::uint32_t align);
  void pass_on_runs(const buffer& b, position& from);
  [[gnu::cold]] std::string describe() const final;

  exchange& exchange_;
  delivery& now_;
  const route& route_;
  int h_;
  relay_options options_;
  open_links links_;  // of hop_
  stream_hop hop_;
  stream_hop* onward_ = nullptr;
};

/// Ends the job because a buffer contradicts its header.
[[noreturn]] void damaged(const buffer& b);

}  // namespace shoal::internal
