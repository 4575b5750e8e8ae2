#include "shoal/conveyor/internal/exchange.hpp"

#include <algorithm>
#include <string>

#include "shoal/base/internal/contract.hpp"
#include "shoal/base/setup_error.hpp"
#include "shoal/conveyor/internal/stall_watch.hpp"
#include "shoal/conveyor/internal/stream_hop.hpp"
#include "shoal/substrate/substrate_kind.hpp"

namespace shoal::internal {
namespace {

node_layout layout_of(const substrate& backend, pe_id node_size) {
  const std::span<const std::uint32_t> known = backend.nodes();
  return known.empty() ? node_layout(backend.n_pes(), node_size) : node_layout(known);
}

}  // namespace

exchange::exchange(substrate& backend, const exchange_options& options)
    : backend_(backend),
      options_(options),
      nodes_(layout_of(backend, options.node_size)),
      slots_(backend, options.slots),
      codec_(backend, options.ns_per_byte),
      watch_(backend, options.keeps_records),
      leaving_(backend),
      arriving_(backend, slots_, leaving_, now_, watch_, options.stalls),
      // Where time is virtual, each wait sleeps.
      pressure_(slots_, leaving_, arriving_, now_, watch_, spare_, is_simulated(backend.kind()) ? 0 : 64) {
  if (options_.codec != codec_number::none && nodes_.n_nodes() > 1) use_codec(options_.codec);
}

exchange::~exchange() {
  while (!hops_.empty()) hops_.back()->leave();
}

void exchange::progress_or_idle(unsigned& patience, bool may_go_on) {
  const bool has_moved = progress();
  if (spare_.run() || has_moved || flush()) {
    patience = 0;
  } else if (may_go_on) {
    note_idle_call(patience, true);
  } else {
    idle(patience);
  }
}

void exchange::note_idle_call(unsigned& n_idle_calls, bool waits) {
  arriving_.note_idle_call(n_idle_calls);
  if (!waits) return;
  backend_.answer_question();
  backend_.pause(n_idle_calls);
}

const route& exchange::route_of(int n_hops) {
  const int n = n_hops == 0 ? options_.n_hops : n_hops;
  SHOAL_REQUIRE(n >= 1 && n <= n_hops_max);
  std::unique_ptr<const route>& made = routes_[n - 1];
  if (made == nullptr) made = std::make_unique<route>(nodes_, my_pe(), n);
  return *made;
}

void exchange::begin_numbers(std::uint64_t first) noexcept {
  SHOAL_ASSERT(hops_.empty() && n_constructed() == 0);
  first_serial_ = next_serial_ = first;
  arriving_.drop_below(first);
}

std::uint64_t exchange::enlist(stream_hop& hop) {
  if (!slots_.can_open()) {
    throw setup_error("no buffer slot left to reserve for mailbox " + std::to_string(hops_.size() + 1) +
                      " (this PE has " + std::to_string(backend_.n_slots()) + "); raise SHOAL_SLOTS or SHOAL_MEMORY, " +
                      (n_streams() == hops_.size() ? "" : "take fewer hops (SHOAL_HOPS), as each reserves one, ") +
                      "or close mailboxes no longer used");
  }
  hops_.push_back(&hop);
  return next_serial_++;
}

void exchange::delist(stream_hop& hop) noexcept {
  std::erase(hops_, &hop);
  for (stream_hop* other : hops_) other->in().vertex().drop_edge(hop.vertex());
}

std::size_t exchange::n_streams() const noexcept {
  return static_cast<std::size_t>(
      std::ranges::count_if(hops_, [](const stream_hop* hop) { return hop->vertex().may_overrun(); }));
}

void exchange::record(const stream_counts& counts, const std::string& name, std::uint64_t serial,
                      std::uint32_t position) {
  SHOAL_ASSERT(keeps_records());
  stream_record& kept = records_[{serial, position}];
  kept = {name, serial, position, followed_by(kept.counts, counts)};
}

std::vector<stream_record> exchange::take_records() {
  std::vector<stream_record> records;
  for (const auto& [key, kept] : records_) records.push_back(kept);
  records_.clear();
  return records;
}

}  // namespace shoal::internal
