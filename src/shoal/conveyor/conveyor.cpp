#include "shoal/conveyor/conveyor.hpp"

#include <cstring>
#include <string>

#include "shoal/base/ambient.hpp"
#include "shoal/base/contract.hpp"
#include "shoal/conveyor/detail/misuse.hpp"
#include "shoal/conveyor/exchange.hpp"

namespace shoal {
namespace {

constexpr std::string_view name_of(conveyor_state state) {
  constexpr std::string_view names[] = {"dormant", "working", "endgame", "cleanup", "complete"};
  return names[static_cast<std::size_t>(state)];
}

}  // namespace

conveyor_base::conveyor_base(exchange& through, const item_kind& kind, const conveyor_options& options)
    : route_(through.route_of(options.n_hops)),
      relays_(make_relays(through, route_, {.kind = kind})),
      port_(through, last_port_options(route_, kind)),
      exchange_(through),
      options_(options),
      kind_(kind),
      item_bytes_(kind.bytes) {
  chain(relays_, port_);
  if (options.max_latency_us == 0) return;
  for (std::size_t h = 0; h < n_stages(); ++h) stage(h).limit_latency(std::uint64_t{options.max_latency_us} * 1000);
}

conveyor_base::~conveyor_base() {
  for (std::size_t h = 0; h < n_stages(); ++h) {
    exchange_.record(stage(h), n_stages() == 1 ? "conveyor" : "conveyor, hop " + std::to_string(h + 1),
                     stage(h).serial());
  }
}

void conveyor_base::require(bool is_legal, std::string_view call) const {
  if (is_legal) return;
  end_job(status_usage, "conveyor: " + std::string(call) + " is illegal while " + std::string(name_of(state_)) +
                            " (docs/contract.md has the states)");
}

void conveyor_base::check_push(pe_id target) const {
  require(state_ == conveyor_state::working, "push");
  if (target >= 0 && target < exchange_.n_pes()) return;
  end_job(status_usage, "conveyor: push to PE " + std::to_string(target) + ", which is out of range; PEs are 0 to " +
                            std::to_string(exchange_.n_pes() - 1));
}

void conveyor_base::begin() { begin(kind_); }

void conveyor_base::begin(const item_kind& kind) {
  require(state_ == conveyor_state::dormant, "begin");
  kind_ = kind;
  item_bytes_ = kind.bytes;
  last_item_.resize((kind.bytes + sizeof(line) - 1) / sizeof(line));
  for (const auto& each : relays_) each->in().begin_session(kind);
  port_.begin_session(kind);
  n_pushable_ = static_cast<std::uint64_t>(exchange_.n_pes());
  n_direct_ = relays_.empty() ? n_pushable_ : 0;
  state_ = conveyor_state::working;
  n_last_sent_ = 0;
  std::size_t n_links = 0;
  for (std::size_t h = 0; h < n_stages(); ++h) n_links += stage(h).n_links();
  last_cursor_.assign(n_links, nullptr);
  phase_ = 0;
  may_unpull_ = is_unpulled_ = false;
  next_ = end_ = nullptr;
  patience_ = 0;
  ++counts_.n_sessions;
}

progress conveyor_base::advance(bool is_done) {
  require(state_ != conveyor_state::dormant, "advance");
  detail::require_main_program(exchange_, "conveyor", "advance");
  ++counts_.n_advances;
  if (state_ == conveyor_state::complete) return progress::complete;
  if (is_done && state_ == conveyor_state::working) {
    state_ = conveyor_state::endgame;
    n_direct_ = n_pushable_ = 0;
  }
  const bool has_moved = exchange_.progress();
  if (state_ == conveyor_state::endgame) {
    send_lasts();
  } else {
    send_rest();
  }
  // A PE that is done itself still passes on what others send.
  if (options_.steady && n_last_sent_ < n_stages()) flush_stale();

  const bool is_drained = next_ == end_ && !is_unpulled_ && port_.pending().size() == (front_ != nullptr ? 1U : 0U);
  if (n_last_sent_ == n_stages() && port_.has_last_arrived()) {
    // An item that could still be unpulled keeps nobody from completing.
    state_ = has_more_items() ? conveyor_state::cleanup : conveyor_state::complete;
    if (state_ == conveyor_state::cleanup) return progress::cleanup;
    if (front_ != nullptr) drop_front();
    while (!port_.pending().empty()) port_.drop_front(0);
    return progress::complete;
  }
  if (has_moved || !is_drained) {
    patience_ = 0;
  } else {
    exchange_.machine().pause(patience_);
  }
  return progress::working;
}

// This PE has nothing more to send on a hop once all who send to it on the hop before have said the same and
// everything that they sent is passed on.
void conveyor_base::send_lasts() {
  if (n_last_sent_ == 0 && !send_rest()) return;
  for (; n_last_sent_ < n_stages(); ++n_last_sent_) {
    if (n_last_sent_ > 0) {
      const port& before = stage(n_last_sent_ - 1);
      if (!before.has_last_arrived() || !before.has_consumed_all()) return;
    }
    if (!stage(n_last_sent_).try_send_last()) return;
  }
}

// A link whose buffer has not grown since we last looked, one round of links ago, is sent as it is. One
// link a call keeps the cost of advance constant; a PE with nothing else to do sends all.
void conveyor_base::flush_stale() {
  if (patience_ > 1) {
    for (std::size_t h = 0; h < n_stages(); ++h) stage(h).flush();
    return;
  }
  if (phase_ == last_cursor_.size()) phase_ = 0;
  std::size_t link = phase_;
  std::size_t h = 0;
  while (link >= stage(h).n_links()) link -= stage(h++).n_links();
  port& p = stage(h);
  const std::byte* cursor = p.cursor_of(link);
  if (cursor != nullptr && cursor == last_cursor_[phase_]) p.flush(link);
  last_cursor_[phase_++] = p.cursor_of(link);
}

// Only looks: the item pulled last stays where it is.
bool conveyor_base::has_more_items() noexcept {
  if (next_ != end_ || is_unpulled_) return true;
  return port_.pending().any_of([this](const buffer& b) { return &b != front_ && b.header.n_items != 0; });
}

bool conveyor_base::open_front() {
  require(state_ != conveyor_state::dormant, "pull");
  if (state_ == conveyor_state::complete) return false;
  if (next_ != end_ || is_unpulled_) return true;
  if (front_ != nullptr) {
    // The last item may still be unpulled, but its buffer must go back now: it may be the last credit that
    // its sender has. So the item moves into memory of our own.
    keep_last_item();
  }
  while (!port_.pending().empty()) {
    const buffer* front = port_.pending().front();
    if (front->header.n_items == 0) {
      port_.drop_front(0);
      continue;
    }
    if (kind_.bytes != 0 && front->header.item_bytes() != std::uint64_t{front->header.n_items} * item_bytes_) {
      end_job(status_usage, "conveyor: items from PE " + std::to_string(front->header.source) + " have not the " +
                                std::to_string(item_bytes_) +
                                " bytes of this PE's; all PEs begin a session with the same size");
    }
    front_ = front;
    source_ = front->header.source;
    origins_ = route_.origins_by(source_);
    next_ = front->payload();
    end_ = next_ + front->header.item_bytes();
    return true;
  }
  return false;
}

void conveyor_base::keep_last_item() {
  last_origin_ = origin_of(end_ - item_bytes_, item_bytes_);
  std::memcpy(last_item_.data(), end_ - item_bytes_, item_bytes_);
  drop_front();
  next_ = end_ = reinterpret_cast<const std::byte*>(last_item_.data()) + item_bytes_;
}

void conveyor_base::drop_front() {
  port_.drop_front(front_->header.n_items);
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
  for (std::size_t h = 0; h < n_stages(); ++h) stage(h).end_session();
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
  const bool is_direct = static_cast<std::uint64_t>(target) < n_direct_;
  if (static_cast<std::uint64_t>(target) >= n_pushable_) check_push(target);
  port& out = first_port();
  const next_hop next = is_direct ? next_hop{static_cast<std::uint32_t>(target), 0} : route_.first(target);
  link_end& link = out.link_at(next.link);
  if (link.cursor == link.limit && !out.make_room(link, when_full::give_up)) return false;
  std::memcpy(link.cursor, item, item_bytes());
  link.cursor += item_bytes();
  if (!is_direct) out.write_tag(next.link, next.tag);
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
  port_counts all = port_.counts();
  for (const auto& r : relays_) {
    all = all + r->in().counts();
    counts.n_relayed += r->in().counts().n_handled;
  }
  counts.n_pushed = (relays_.empty() ? port_ : relays_.front()->in()).counts().n_sent;
  counts.n_pulled = port_.counts().n_handled;
  counts.n_buffers = all.n_buffers;
  counts.n_bytes = all.n_bytes;
  counts.n_encoded = all.n_encoded;
  counts.n_spared = all.n_spared;
  counts.buffer_bytes_most = all.buffer_bytes_most;
  counts.monster_bytes_most = all.monster_bytes_most;
  return counts;
}

}  // namespace shoal
