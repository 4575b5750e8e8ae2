// The life of an outbox, and room in its open buffers. outbox_posting.cpp sends the buffers.
#include "shoal/conveyor/internal/outbox.hpp"

#include <string>

#include "shoal/base/internal/ambient.hpp"
#include "shoal/base/internal/contract.hpp"
#include "shoal/substrate/internal/link_costs.hpp"

namespace shoal::internal {
namespace {

// A buffer's span may begin as a part of it. It grows by this factor each time it is full and posting would not pay.
constexpr std::size_t span_growth = 2;

// An outbox may post a buffer early once so many times the time has passed, since it was opened, that a buffer on each of
// its links takes. So early posts take at most 4 percent of a PE's time.
constexpr std::uint64_t early_posts_share = 25;

// `neighbours`: in the job, by link; empty if every PE is one, under its own number.
std::uint64_t ns_of_a_buffer_on_each_link(const sending_parts& parts, std::span<const pe_id> neighbours,
                                          std::size_t n_links) noexcept {
  const link_costs& costs = parts.backend.links();
  const link_figures network = costs.network_now();
  std::uint64_t ns = 0;
  for (std::size_t link = 0; link < n_links; ++link) {
    const pe_id target = neighbours.empty() ? static_cast<pe_id>(link) : neighbours[link];
    ns += buffer_ns(parts.is_remote(target) ? network : costs.node);
  }
  return ns;
}

// The neighbours on a hop among the PEs of `team`; `translated` keeps their numbers in the job. An empty team: all PEs.
std::span<const pe_id> neighbours_in_job(const std::vector<pe_id>& team, const hop_links* hop,
                                         std::vector<pe_id>& translated) {
  if (hop == nullptr) return team;
  if (team.empty()) return hop->neighbours;
  translated.clear();
  for (const pe_id pe : hop->neighbours) translated.push_back(team[static_cast<std::size_t>(pe)]);
  return translated;
}

// Whether an item lies in an open buffer.
bool has_items(const open_links& links) noexcept {
  for (std::size_t link = 0; link < links.n_links; ++link) {
    const buffer* const b = links.states[link].items.open_buffer();
    if (b != nullptr && links.ends[link].cursor != b->payload()) return true;
  }
  return false;
}

// A link as busy as before asks for room once per buffer.
std::uint32_t next_span_after(std::uint32_t filled, std::size_t payload_bytes) {
  return std::max(filled / 2, static_cast<std::uint32_t>(payload_bytes / 64));
}

// A stretch holds at least one item.
std::uint32_t step_of(const item_kind& kind, std::uint32_t stretch_bytes) noexcept {
  return std::max(1U, stretch_bytes / kind.bytes) * kind.bytes;
}

}  // namespace

void refuse_item(std::uint32_t bytes, std::size_t payload_bytes) {
  const char* const beside = bytes <= payload_bytes ? ", with the tag or the head that it needs," : "";
  end_job(status_usage, "an item of " + std::to_string(bytes) + " bytes" + beside + " does not fit into a buffer of " +
                            std::to_string(payload_bytes) + " bytes; set SHOAL_SLOT_BYTES to at least " +
                            std::to_string(bytes + 2 * cache_line_bytes));
}

// --- Life

void outbox::join(std::uint64_t serial, const hop_links* hop, std::uint8_t hop_number) {
  SHOAL_ASSERT(n_open_ == 0 && !has_spilled());
  const pe_id me = parts_.backend.my_pe();
  label_.hop = hop_number;
  label_.mailbox = links_.number = serial;
  label_.source = static_cast<std::int32_t>(parts_.my_pe);
  const bool is_to_all = hop == nullptr && parts_.team.pes.empty();
  neighbours_ = is_to_all ? std::span<const pe_id>{} : neighbours_in_job(parts_.team.pes, hop, translated_);
  links_.tag_bytes = hop == nullptr ? 0 : hop->tag_bytes;
  const std::size_t n_links = is_to_all ? static_cast<std::size_t>(parts_.backend.n_pes()) : neighbours_.size();
  own_link_ = is_to_all ? static_cast<std::size_t>(me)
                        : static_cast<std::size_t>(std::ranges::find(neighbours_, me) - neighbours_.begin());
  const std::size_t whole = parts_.backend.payload_bytes();
  own_span_ = static_cast<std::uint32_t>(own_.consumer() == nullptr ? whole : std::min(whole, bytes_to_oneself_max));
  stretch_bytes_ = static_cast<std::uint32_t>(parts_.ahead.stretch_bytes(n_links));
  cuts_room_ = latency_ns_ != 0 || stretch_bytes_ != 0;
  links_.ends = std::make_unique<link_end[]>(n_links);
  links_.states = std::make_unique<link_state[]>(n_links);
  links_.n_links = n_links;
  for (std::size_t link = 0; link < n_links; ++link)
    links_.states[link].next_span = static_cast<std::uint32_t>(whole / 16);
  early_post_ns_ = early_posts_share * ns_of_a_buffer_on_each_link(parts_, neighbours_, n_links);
  choices_.clear();
  if (parts_.codec.is_on()) choices_.assign(n_links, parts_.codec.new_choice());
  if (links_.only_kind.bytes == 0) return;  // a link's first item determines its kind
  step_ = step_of(links_.only_kind, stretch_bytes_);
  for (std::size_t link = 0; link < n_links; ++link) links_.ends[link].kind = &links_.only_kind;
}

void outbox::leave() noexcept {
  for (std::size_t link = 0; link < links_.n_links; ++link) {
    link_state& state = links_.states[link];
    while (!state.spilled.empty()) parts_.slots.recycle_block(account_, state.spilled.pop());
    if (state.items.open_buffer() == nullptr) continue;
    const bool is_spill = state.is_spill;
    buffer& unsent = close(link);
    if (is_spill) {
      parts_.slots.recycle_block(account_, unsent);
    } else {
      parts_.slots.give_back(unsent);
    }
  }
  SHOAL_ASSERT(n_open_ == 0 && !has_spilled());
  counts_ = {};
  links_.n_sent = 0;
}

void outbox::change_kind(const item_kind& kind) noexcept {
  links_.only_kind = kind;
  if (kind.bytes != 0) step_ = step_of(kind, stretch_bytes_);
  for (std::size_t link = 0; link < links_.n_links; ++link) links_.ends[link].kind = &links_.only_kind;
}

// Inlined into the path that every buffer takes; a spill has its own copy of these few instructions.
[[gnu::always_inline]] inline void outbox::open(std::size_t link, buffer& b, bool is_spill) noexcept {
  link_state& state = links_.states[link];
  const std::size_t whole = parts_.backend.payload_bytes();
  const std::size_t span = is_own(link) ? own_span_ : is_spill ? whole : state.next_span;
  state.is_spill = is_spill;
  n_open_ += !is_spill;
  state.items.open(links_.ends[link], b, span);
  const bool may_go_early = !is_own(link) && span < whole && latency_ns_ == 0;
  state.due_ns = may_go_early ? parts_.backend.now_ns() + early_post_ns_ : 0;
}

// Detaches the open buffer of a link and fills in its header.
buffer& outbox::close(std::size_t link) noexcept {
  open_links& links = links_;
  link_state& state = links.states[link];
  links.store_held_items();
  buffer& b = state.items.close(links.ends[link], label_, links.only_kind, links.tag_bytes);
  links.n_sent += b.header.n_items;
  if (b.header.n_items != 0) state.next_span = next_span_after(b.header.bytes, parts_.backend.payload_bytes());
  SHOAL_ASSERT(state.is_spill || n_open_ != 0);
  n_open_ -= !state.is_spill;
  return b;
}

void outbox::join_wave() noexcept {
  SHOAL_ASSERT(!has_spilled() && !has_items(links_));
  ++label_.wave;
}

// --- Room

// Moves the limit of a link with room closer to the cursor.
void outbox::cut_room(link_end& link, link_state& state, const item_kind& kind) noexcept {
  const bool has_runs = links_.only_kind.bytes == 0;
  if (latency_ns_ == 0) {
    begin_stretch(link, has_runs ? step_of(kind, stretch_bytes_) : step_, has_runs);
    if (links_.tag_bytes != 0) state.items.fetch_tags();
    return;
  }
  set_due(state);
  // One item at a time, in a run that write_run leaves alone, so that the next item asks for room again.
  link.limit = link.cursor + kind.bytes;
  if (has_runs && link.run_begin == nullptr) link.run_begin = link.cursor;
}

std::byte* outbox::make_record(link_end& link, const run_header& header, std::uint32_t align) {
  const std::size_t index = links_.index_of(link);
  link_state& state = links_.states[index];
  const item_layout layout = layout_of(links_.only_kind);
  // With a latency limit, each record must look at the clock.
  const bool lets_begin = layout == item_layout::records && links_.tag_bytes == 0 && latency_ns_ == 0;
  while (state.items.open_buffer() != nullptr) {
    if (std::byte* const begin = state.items.make_record(link, header, align, links_.tag_bytes, layout, lets_begin)) {
      if (latency_ns_ != 0) set_due(state);
      return begin;
    }
    widen_or_post(index, header.n_items);
  }
  return nullptr;
}

// The open buffer of a link lacks room for `bytes` more: widens its span, or posts it.
void outbox::widen_or_post(std::size_t link, std::uint32_t bytes) {
  link_buffer& items = links_.states[link].items;
  const std::size_t whole = parts_.backend.payload_bytes();
  if (links_.ends[link].cursor == items.open_buffer()->payload()) {
    // An empty buffer's span is short only to post it early.
    if (items.span() == whole) refuse_item(bytes, whole);
    items.widen(whole);
  } else if (!is_own(link) && items.span() < whole && !may_post_early(link)) {
    items.widen(std::min(whole, span_growth * items.span()));
  } else {
    post(link);
  }
}

// Posting costs a sender; a wait costs a receiver only if it is idle. So a buffer that is not full is posted only when
// it is due, if the receiver has read all earlier buffers of this link, and if there is a slot to continue with.
bool outbox::may_post_early(std::size_t link) noexcept {
  if (parts_.backend.now_ns() < links_.states[link].due_ns) return false;
  parts_.slots.reclaim();
  return account_.slots_of_link[link] == 1 && parts_.slots.may_take(account_, link);
}

bool outbox::open_slot(std::size_t link) noexcept {
  SHOAL_ASSERT(links_.states[link].items.open_buffer() == nullptr);
  if (!links_.states[link].spilled.empty()) return false;
  buffer* const slot = parts_.slots.acquire(account_, link);
  if (slot != nullptr) open(link, *slot, false);
  return slot != nullptr;
}

bool outbox::open_block(std::size_t link, bool is_apart) {
  SHOAL_ASSERT(links_.states[link].items.open_buffer() == nullptr);
  buffer* const block = parts_.slots.new_block(account_, is_apart);
  if (block == nullptr) return false;
  ++counts_.n_spills;
  open(link, *block, true);
  return true;
}

}  // namespace shoal::internal
