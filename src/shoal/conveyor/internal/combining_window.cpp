#include "shoal/conveyor/internal/combining_window.hpp"

#include <algorithm>
#include <bit>
#include <memory>
#include <utility>

#include "shoal/conveyor/internal/node_layout.hpp"

namespace shoal::internal {
namespace {

// What a look costs, and what a merged message saves: one to another node by MPI over TCP, without its bytes on a slower
// network, and one within the node (docs/performance.md). Both are handled by one increment.
constexpr double look_ns = 11;
constexpr double remote_message_ns = 28;
constexpr double near_message_ns = 4;

// Trials that find too little cost this part of all looks.
constexpr std::uint32_t n_periods_of_rest = 16;

}  // namespace

combining_window::combining_window(item_combiner& combiner, const open_links& links, const node_layout& nodes,
                                   pe_id my_pe, const options& chosen)
    : combiner_(combiner),
      links_(links),
      remote_ns_(remote_message_ns + chosen.ns_per_byte * links.only_kind.bytes),
      n_targets_(chosen.n_targets),
      is_everywhere_(chosen.everywhere) {
  constexpr std::uint64_t apart = 0xbf58476d1ce4e5b9;
  parts_ = std::make_unique<part[]>(links.n_links);
  bool has_remote = false;
  for (std::size_t link = 0; link < links.n_links; ++link) {
    const pe_id pe = chosen.neighbours.empty() ? static_cast<pe_id>(link) : chosen.neighbours[link];
    parts_[link].state = &links.states[link];
    parts_[link].salt = link * apart;
    parts_[link].is_remote = nodes.node_of(pe) != nodes.node_of(my_pe);
    has_remote |= parts_[link].is_remote;
  }
  look(is_everywhere_ || has_remote);
  // About as many as items fit into the open buffers, but no more than the caches hold beside all else.
  const std::size_t n_items = std::max<std::size_t>(2, links.n_links * (chosen.payload_bytes / links.only_kind.bytes));
  const int n_bits = std::min(n_hints_log2_max, static_cast<int>(std::bit_width(n_items - 1)));
  shift_ = 64 - n_bits;
  period_ = std::uint32_t{1} << n_bits;
  hints_ = std::make_unique<std::uint32_t[]>(period_);
}

void combining_window::review(part& of) noexcept {
  const std::uint32_t n_written = std::exchange(of.n_written, 0);
  const std::uint32_t n_merged = std::exchange(of.n_merged, 0);
  n_merged_ += n_merged;
  if (is_everywhere_) return;
  if (!trial_.is_on) {
    if (links_.n_sent - trial_.n_sent_before >= n_periods_of_rest * std::uint64_t{period_}) decide(true);
    return;
  }
  trial_.n_written += n_written;
  trial_.n_merged += n_merged;
  if (of.is_remote) trial_.n_merged_remote += n_merged;
  if (trial_.n_written < period_) return;
  const auto n_near = static_cast<double>(trial_.n_merged - trial_.n_merged_remote);
  const double saved_ns = static_cast<double>(trial_.n_merged_remote) * remote_ns_ + n_near * near_message_ns;
  decide(saved_ns >= static_cast<double>(trial_.n_merged + trial_.n_written) * look_ns);
}

// Ends a trial or a rest. What parts have counted belongs to it, not to the next one.
void combining_window::decide(bool is_on) noexcept {
  trial_ = {.n_sent_before = links_.n_sent, .is_on = is_on};
  for (std::size_t link = 0; link < links_.n_links; ++link) {
    n_merged_ += std::exchange(parts_[link].n_merged, 0);
    parts_[link].n_written = 0;
  }
  look(is_on);
}

// On all links: if a send had to find out which ones, it would take longer than a look within the node.
void combining_window::look(bool at_all) noexcept {
  for (std::size_t link = 0; link < links_.n_links; ++link) parts_[link].is_looked_at = at_all;
}

std::uint64_t combining_window::n_merged() const noexcept {
  std::uint64_t n = n_merged_;
  for (std::size_t link = 0; link < links_.n_links; ++link) n += parts_[link].n_merged;
  return n;
}

}  // namespace shoal::internal
