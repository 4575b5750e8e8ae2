#include "shoal/conveyor/internal/stream_hop.hpp"

#include <algorithm>
#include <span>
#include <utility>

#include "shoal/base/internal/contract.hpp"
#include "shoal/conveyor/internal/exchange.hpp"

namespace shoal::internal {

stream_hop::stream_hop(exchange& through, open_links& links, const stream_hop_options& options)
    : exchange_(through),
      vertex_(account_, options.may_overrun),
      in_(through.parts().slots, through.parts().codec, codec_, through.arriving().ready(), vertex_, options.consumer),
      out_(through.sending(), links, account_, in_, codec_, options.kind, through.latency_ns()) {
  join(options.links, options.number);
}

stream_hop::~stream_hop() { leave(); }

void stream_hop::join(const hop_links* links, std::uint8_t number) {
  serial_ = exchange_.enlist(*this);
  links_ = links;
  const auto n_pes = static_cast<std::size_t>(exchange_.n_pes());
  exchange_.parts().slots.open(account_, links == nullptr ? n_pes : links->neighbours.size());
  out_.join(serial_, links, number);
  in_.join(serial_, links == nullptr ? n_pes : links->n_senders, links == nullptr ? 0 : links->tag_bytes);
  exchange_.parts().leaving.enlist(out_);
  exchange_.arriving().enlist(serial_, in_);
  has_joined_ = true;
}

void stream_hop::leave() noexcept {
  if (!std::exchange(has_joined_, false)) return;
  out_.leave();
  in_.leave();
  exchange_.arriving().delist(serial_);
  exchange_.parts().leaving.delist(out_);
  exchange_.parts().slots.close(account_);
  exchange_.delist(*this);
  vertex_.drop_edges();
  window_.reset();
  monster_bytes_most_ = 0;
}

void stream_hop::take_links(const hop_links* links, std::uint8_t number) {
  SHOAL_ASSERT(in_.is_empty() && is_empty() && !out_.has_open() && !in_.is_in_session() && codec_ == nullptr);
  leave();
  join(links, number);
}

void stream_hop::combine(item_combiner& combiner, std::uint32_t n_targets, bool everywhere) {
  window_ = std::make_unique<combining_window>(
      combiner, out_.links(), exchange_.nodes(), exchange_.my_pe(),
      combining_window::options{.neighbours = links_ == nullptr ? std::span<const pe_id>{} : links_->neighbours,
                                .payload_bytes = exchange_.payload_bytes(),
                                .ns_per_byte = exchange_.parts().codec.ns_per_byte(),
                                .n_targets = n_targets,
                                .everywhere = everywhere});
}

void stream_hop::encode_by(std::unique_ptr<link_codec> codec) {
  SHOAL_ASSERT(!in_.is_in_session() && is_empty());
  if (codec != nullptr) exchange_.parts().codec.prepare();
  codec_ = std::move(codec);
}

stream_counts stream_hop::counts() const noexcept {
  stream_counts counts = out_.counts();
  counts.n_combined = window_ == nullptr ? 0 : window_->n_merged();
  counts.n_handled = in_.n_handled();
  counts.n_received = in_.n_received();
  counts.handling_ns = in_.handling_ns();
  counts.buffer_bytes_most = account_.n_most * exchange_.parts().slots.block_bytes();
  counts.monster_bytes_most = monster_bytes_most_ + account_.n_apart_most * exchange_.parts().slots.block_bytes();
  return counts;
}

void stream_hop::note_monsters(std::uint64_t bytes) noexcept {
  monster_bytes_most_ = std::max(monster_bytes_most_, bytes);
}

std::string stream_hop::describe_backlog() const {
  const open_links& links = out_.links();
  std::size_t n_unsent = 0;
  for (std::size_t link = 0; link < links.n_links; ++link) {
    const buffer* const open = links.states[link].items.open_buffer();
    n_unsent += open != nullptr && links.ends[link].cursor != open->payload();
  }
  std::string text = in_.describe() + ": sent " + std::to_string(out_.counts().n_sent) + ", handled " +
                     std::to_string(in_.n_handled());
  if (n_unsent != 0) text += ", " + std::to_string(n_unsent) + " buffers partly filled and not sent";
  text += in_.describe_backlog(exchange_.n_pes());
  if (account_.n_blocks != 0) text += ", " + std::to_string(account_.n_blocks) + " buffers beyond the credits";
  return text;
}

}  // namespace shoal::internal
