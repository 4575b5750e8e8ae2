#include "shoal/conveyor/conveyor.hpp"

#include <cstring>
#include <string>

#include "shoal/base/internal/ambient.hpp"
#include "shoal/base/internal/contract.hpp"
#include "shoal/conveyor/internal/exchange.hpp"
#include "shoal/conveyor/internal/misuse.hpp"
#include "shoal/conveyor/internal/outbox.hpp"
#include "shoal/conveyor/internal/route.hpp"
#include "shoal/conveyor/internal/stream_hop.hpp"

namespace shoal {

using namespace internal;

conveyor_base::conveyor_base(exchange& through, const item_kind& kind, const conveyor_options& options)
    : stream_(through, {.kind = kind, .n_hops = options.n_hops}),
      exchange_(through),
      options_(options),
      kind_(kind),
      item_bytes_(kind.bytes) {
  require_main_program(through, "a conveyor", "construction");
  through.objects().note("conveyor with items of ", nullptr, kind.bytes);
  if (options.max_latency_us != 0) stream_.limit_latency(std::uint64_t{options.max_latency_us} * 1000);
}

conveyor_base::~conveyor_base() {
  if (stream_.is_orphan()) return;
  check_destruction("conveyor", state_);
  stream_.record("conveyor");
}

void conveyor_base::require(bool is_legal, std::string_view call) const {
  if (is_legal) return;
  refuse_call("conveyor", call, name_of(state_));
}

void conveyor_base::check_push(pe_id target) const {
  require(state_ == conveyor_state::working, "push");
  if (target >= 0 && target < exchange_.n_pes()) return;
  refuse_target("conveyor", "push to", target, exchange_);
}

void conveyor_base::begin() { begin(kind_); }

void conveyor_base::begin(const item_kind& kind) {
  require(state_ == conveyor_state::dormant, "begin");
  kind_ = kind;
  item_bytes_ = kind.bytes;
  last_item_.resize((kind.bytes + sizeof(line) - 1) / sizeof(line));
  stream_.begin_session(kind);
  stream_.let_send(true);
  state_ = conveyor_state::working;
  std::size_t n_links = 0;
  for (int h = 0; h < stream_.n_hops(); ++h) n_links += stream_.hop(static_cast<std::size_t>(h)).out().links().n_links;
  last_cursor_.assign(n_links, nullptr);
  phase_ = 0;
  may_unpull_ = is_unpulled_ = false;
  next_ = end_ = nullptr;
  patience_ = 0;
  ++counts_.n_sessions;
}

progress conveyor_base::advance(bool is_done) {
  require(state_ != conveyor_state::dormant, "advance");
  require_main_program(exchange_, "conveyor", "advance");
  ++counts_.n_advances;
  if (state_ == conveyor_state::complete) return progress::complete;
  if (is_done && state_ == conveyor_state::working) {
    state_ = conveyor_state::endgame;
    stream_.let_send(false);
  }
  const bool has_moved = exchange_.progress();
  const bool has_sent_last = send_rest() && state_ != conveyor_state::working && stream_.try_send_last();
  // A PE that is done still passes on what others send.
  if (options_.steady && !has_sent_last) flush_stale();

  const bool has_more = has_more_items();
  if (has_sent_last && stream_.arrivals().has_last_arrived()) {
    // An item that could be unpulled does not delay completion.
    state_ = has_more ? conveyor_state::cleanup : conveyor_state::complete;
    if (state_ == conveyor_state::cleanup) return progress::cleanup;
    if (front_ != nullptr) drop_front();
    return progress::complete;
  }
  if (!has_moved && !has_more) {
    exchange_.note_idle_call(patience_, true);
    return progress::working;
  }
  patience_ = 0;
  // A program that never pulls what has arrived keeps other PEs waiting.
  n_unpulled_calls_ = !has_moved && next_ == next_before_ ? n_unpulled_calls_ + 1 : 0;
  next_before_ = next_;
  if (!has_moved) exchange_.note_idle_call(n_unpulled_calls_, false);
  return progress::working;
}

// Posts a link's buffer if it has not grown since the last check, one round over the links ago. One link per call keeps
// the cost of `advance` constant; a PE with nothing else to do posts all.
void conveyor_base::flush_stale() {
  if (patience_ > 1) return stream_.flush();
  if (phase_ == last_cursor_.size()) phase_ = 0;
  std::size_t link = phase_;
  std::size_t h = 0;
  while (link >= stream_.hop(h).out().links().n_links) link -= stream_.hop(h++).out().links().n_links;
  outbox& out = stream_.hop(h).out();
  const std::byte* const cursor = out.links().ends[link].cursor;
  if (cursor != nullptr && cursor == last_cursor_[phase_]) out.flush(link);
  last_cursor_[phase_++] = out.links().ends[link].cursor;
}

// Each buffer that is pending has items.
bool conveyor_base::has_more_items() const noexcept {
  const std::size_t n_taken = front_ != nullptr ? 1 : 0;  // arrived buffers that are already in hand
  return next_ != end_ || is_unpulled_ || stream_.arrivals().pending().size() != n_taken;
}

bool conveyor_base::open_front() {
  require(state_ != conveyor_state::dormant, "pull");
  if (state_ == conveyor_state::complete) return false;
  if (next_ != end_ || is_unpulled_) return true;
  if (front_ != nullptr) {
    // The last item may still be unpulled, but its buffer must be released now: it may be its sender's last credit. So
    // the item moves into memory of this conveyor.
    keep_last_item();
  }
  const buffer* const front = stream_.arrivals().pending().front();
  if (front == nullptr) return false;
  if (kind_.bytes != 0 && front->header.item_bytes() != std::uint64_t{front->header.n_items} * item_bytes_) {
    end_job(status_usage, "conveyor: items from PE " + std::to_string(front->header.source) + " are not " +
                              std::to_string(item_bytes_) +
                              " bytes long, as this PE's are; begin the session with the same size on all PEs");
  }
  front_ = front;
  source_ = front->header.source;
  const route* const way = stream_.current_route();
  origins_ = way == nullptr ? tag_origins(source_, nullptr, false) : way->origins_by(source_);
  next_ = front->payload();
  end_ = next_ + front->header.item_bytes();
  return true;
}

void conveyor_base::keep_last_item() {
  last_origin_ = origin_of(end_ - item_bytes_, item_bytes_);
  std::memcpy(last_item_.data(), end_ - item_bytes_, item_bytes_);
  drop_front();
  next_ = end_ = reinterpret_cast<const std::byte*>(last_item_.data()) + item_bytes_;
}

void conveyor_base::drop_front() {
  exchange_.backend().charge_items(item_work::handling, front_->header.n_items);
  stream_.arrivals().drop_front(front_->header.n_items);
  front_ = nullptr;
}

bool conveyor_base::unpull() {
  require(state_ != conveyor_state::dormant, "unpull");
  if (!may_unpull_ || state_ == conveyor_state::complete) return false;
  next_ -= item_bytes_;
  may_unpull_ = false;
  ++counts_.n_unpulled;
  return true;
}

void conveyor_base::reset() {
  require(state_ == conveyor_state::complete || state_ == conveyor_state::dormant, "reset");
  state_ = conveyor_state::dormant;
  stream_.end_session();
}

void byte_conveyor::begin(std::size_t bytes, std::size_t align) {
  const bool is_power = align != 0 && (align & (align - 1)) == 0 && align <= cache_line_bytes;
  if (bytes == 0 || bytes > UINT32_MAX / 2 || !is_power || bytes % align != 0) {
    end_job(status_usage, "conveyor: begin with items of " + std::to_string(bytes) + " bytes aligned to " +
                              std::to_string(align) +
                              "; the alignment is a power of two up to 64 and divides the size, which is not 0");
  }
  conveyor_base::begin({.bytes = static_cast<std::uint32_t>(bytes), .align = static_cast<std::uint32_t>(align)});
}

bool byte_conveyor::push(const void* item, pe_id target) {
  if (!stream_.may_send_to(target)) check_push(target);
  const stream::way to = stream_.way_to(target);
  link_end& link = to.link();
  if (link.cursor == link.limit && !stream_.make_room(to, stream_.links().only_kind, when_full::give_up)) return false;
  std::memcpy(link.cursor, item, item_bytes());
  link.cursor += item_bytes();
  to.write_tag();
  return true;
}

const void* byte_conveyor::pull() {
  if (next_ == end_ && !open_front()) return nullptr;
  const std::byte* const item = next_;
  next_ += item_bytes();
  may_unpull_ = true;
  return item;
}

const void* byte_conveyor::pull(pe_id& from) {
  const void* const item = pull();
  if (item != nullptr) from = origin_of(static_cast<const std::byte*>(item), item_bytes());
  return item;
}

conveyor_counts conveyor_base::counts() const noexcept {
  conveyor_counts counts = counts_;
  const stream_counts all = stream_.counts();
  counts.n_pushed = all.n_sent;
  counts.n_pulled = all.n_handled;
  counts.n_relayed = stream_.items_of_hops().n_relayed;
  counts.n_buffers = all.n_buffers;
  counts.n_bytes = all.n_bytes;
  counts.n_encoded = all.n_encoded;
  counts.n_spared = all.n_spared;
  counts.buffer_bytes_most = all.buffer_bytes_most;
  counts.monster_bytes_most = all.monster_bytes_most;
  return counts;
}

}  // namespace shoal
