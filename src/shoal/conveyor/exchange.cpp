#include "shoal/conveyor/exchange.hpp"

#include <algorithm>
#include <cstdlib>
#include <new>
#include <string>

#include "shoal/base/ambient.hpp"
#include "shoal/base/contract.hpp"
#include "shoal/base/setup_error.hpp"

namespace shoal {

namespace {

node_layout layout_of(const substrate& machine, pe_id node_size) {
  const std::span<const std::uint32_t> known = machine.nodes();
  return known.empty() ? node_layout(machine.n_pes(), node_size) : node_layout(known);
}

}  // namespace

void free_block::operator()(buffer* block) const noexcept { std::free(block); }

exchange::exchange(substrate& machine, const exchange_options& options)
    : machine_(machine),
      options_(options),
      nodes_(layout_of(machine, options.node_size)),
      holders_(machine.n_slots()),
      n_turn_(std::max<std::size_t>(1, machine.n_slots() / 8)) {
  if (options_.codec != codec_number::none && nodes_.n_nodes() > 1) {
    codecs_ = standard_codecs();
    use_codec(options_.codec);
  }
  reclaim();
}

exchange::~exchange() = default;

// --- Ports

std::uint32_t exchange::enlist(port& p) {
  if (ports_.size() + 1 > machine_.n_slots()) {
    throw setup_error("no buffer slot left to reserve for mailbox " + std::to_string(ports_.size() + 1) +
                      " (this PE has " + std::to_string(machine_.n_slots()) + "); raise SHOAL_SLOTS or SHOAL_MEMORY, " +
                      (n_streams() == ports_.size() ? "" : "take fewer hops (SHOAL_HOPS), as each reserves one, ") +
                      "or close mailboxes no longer used");
  }
  const std::uint32_t serial = next_serial_++;
  ports_.emplace(serial, &p);
  in_order_.push_back(&p);
  ++n_idle_reserves_;
  return serial;
}

void exchange::delist(port& p) noexcept {
  reclaim();
  if (p.n_slots_ != 0) {  // receivers still hold slots of a port that this PE is done with
    for (holder& h : holders_) {
      if (h.held_by == &p) h.held_by = nullptr;
    }
    n_shared_taken_ -= p.n_slots_ - 1;
  } else {
    --n_idle_reserves_;
  }
  if (p.is_ready_) std::erase(ready_, &p);
  std::erase(in_order_, &p);
  for (port* other : in_order_) std::erase(other->spills_into_, &p);
  ports_.erase(p.serial_);
}

std::size_t exchange::n_streams() const noexcept {
  return static_cast<std::size_t>(std::ranges::count_if(in_order_, [](const port* p) { return p->may_overrun_; }));
}

const route& exchange::route_of(int n_hops) {
  const int n = n_hops == 0 ? options_.n_hops : n_hops;
  SHOAL_REQUIRE(n >= 1 && n <= n_hops_max);
  std::unique_ptr<const route>& made = routes_[n - 1];
  if (made == nullptr) made = std::make_unique<route>(nodes_, my_pe(), n);
  return *made;
}

void exchange::record(const port& p, std::string name, std::uint32_t serial) {
  if (!options_.keeps_records) return;
  port_counts& counts = records_[{serial, std::move(name)}];
  counts = followed_by(counts, p.counts());
}

std::vector<port_record> exchange::take_records() {
  std::vector<port_record> records;
  for (const auto& [key, counts] : records_) records.push_back({key.second, key.first, counts});
  records_.clear();
  return records;
}

// --- Slots

bool exchange::may_take(const port& p, std::size_t link) const noexcept {
  if (free_.empty()) return false;
  if (p.n_slots_ == 0) return true;  // its reserve
  const std::size_t n_shared =
      std::min(options_.n_shared_slots, machine_.n_slots() - std::min(machine_.n_slots(), ports_.size()));
  return free_.size() > n_idle_reserves_ && n_shared_taken_ < n_shared &&
         p.states_[link].n_slots < std::max<std::size_t>(1, n_shared / 2);
}

buffer* exchange::acquire(port& p, std::size_t link) noexcept {
  if (!may_take(p, link)) {
    reclaim();
    if (!may_take(p, link)) return nullptr;
  }
  buffer& slot = *free_.front();
  free_.pop_front();
  holders_[slot.slot % machine_.n_slots()] = {&p, static_cast<std::uint32_t>(link), true};
  ++n_in_use_;
  if (p.n_slots_++ == 0) {
    --n_idle_reserves_;
  } else {
    ++n_shared_taken_;
  }
  ++p.states_[link].n_slots;
  note_memory(p);
  return &slot;
}

// Called when a port has taken memory.
void exchange::note_memory(port& p) noexcept {
  const std::uint64_t bytes = sizeof(buffer) + payload_bytes();
  buffer_bytes_most_ = std::max(buffer_bytes_most_, (n_in_use_ + n_spilled_) * bytes);
  p.counts_.buffer_bytes_most = std::max(p.counts_.buffer_bytes_most, (p.n_slots_ + p.n_spilled_) * bytes);
}

// Posting costs a sender, waiting costs a receiver that has nothing to do. So a buffer that is not full goes only when
// it is due, if all that was sent before by this link has been read, and if there is a slot to go on with.
bool exchange::may_post_early(const port& p, std::size_t link) noexcept {
  if (machine_.now_ns() < p.states_[link].due_ns) return false;
  reclaim();
  return p.states_[link].n_slots == 1 && may_take(p, link);
}

void exchange::look_for_overdue() noexcept {
  const std::uint64_t now_ns = machine_.now_ns();
  if (now_ns < next_due_ns_) return;
  std::uint64_t next = UINT64_MAX;
  for (port* p : in_order_) {
    if (p->latency_ns_ != 0) next = std::min(next, p->post_overdue(now_ns));
  }
  next_due_ns_ = next;
}

void exchange::post_overdue_of_main() {
  post_overdue();
  if (!ready_.empty()) deliver_ready();
}

void exchange::unhold(buffer& slot) noexcept {
  holder& h = holders_[slot.slot % machine_.n_slots()];
  n_in_use_ -= h.is_in_use;
  h.is_in_use = false;
  if (h.held_by == nullptr) return;
  port& p = *h.held_by;
  --p.states_[h.link].n_slots;
  if (--p.n_slots_ == 0) {
    ++n_idle_reserves_;
  } else {
    --n_shared_taken_;
  }
  h.held_by = nullptr;
}

void exchange::reclaim() noexcept {
  while (buffer* slot = machine_.try_acquire()) {
    unhold(*slot);
    // To the back: what other PEs read is reused last, when its lines have left their caches.
    free_.push_back(slot);
  }
}

void exchange::give_back(buffer& b) noexcept {
  if (!machine_.owns(b)) {
    machine_.release(b);
    return;
  }
  unhold(b);
  // To the front: a message to oneself is read where it was written, so this slot is in our cache.
  free_.push_front(&b);
}

buffer& exchange::new_spill_block(port& p) {
  const std::size_t bytes = sizeof(buffer) + payload_bytes();
  if ((n_spilled_ + 1) * bytes > options_.spill_bytes_max) {
    end_job(status_failure, "handlers sent " + std::to_string(n_spilled_ * bytes >> 10) +
                                " KiB more than their receivers accept (the last to " + p.describe() +
                                "); raise SHOAL_MEMORY, or let handlers send less than they receive");
  }
  ++n_spilled_;
  if (!spare_blocks_.empty()) {
    buffer* block = spare_blocks_.back().release();
    spare_blocks_.pop_back();
    return *block;
  }
  void* memory = std::aligned_alloc(cache_line_bytes, bytes);
  if (memory == nullptr) end_job(status_failure, "out of memory for what handlers sent");
  return *new (memory) buffer;
}

void exchange::recycle_spill_block(buffer& block) noexcept {
  --n_spilled_;
  constexpr std::size_t n_spare_max = 64;
  spill_block owned(&block);
  if (spare_blocks_.size() < n_spare_max) spare_blocks_.push_back(std::move(owned));
}

// --- Progress

bool exchange::progress() {
  SHOAL_ASSERT(delivering_ == nullptr);
  post_overdue();
  bool has_moved = take_arrived();
  if (n_spilled_ != 0) has_moved |= drain_spills();
  if (!ready_.empty()) has_moved |= deliver_ready();
  if (has_moved || !is_held_back()) {
    held_back_since_ns_ = 0;
    return has_moved;
  }
  return grow_spill();
}

// Held back only for lack of credits. On a cycle of handlers that send to one another nobody else's
// progress need ever free us, so after some time accept input although the spill will grow. A PE knows only
// the edges that it noted itself, and a cycle may lie across PEs: after more time, accept input for any
// mailbox, and take it to be on a cycle for the rest of its superstep.
bool exchange::grow_spill() {
  constexpr std::uint64_t growth_after_ns = 50'000;
  constexpr std::uint64_t any_growth_after_ns = 2'000'000;
  const std::uint64_t now = machine_.now_ns();
  if (held_back_since_ns_ == 0) held_back_since_ns_ = now;
  const std::uint64_t held_ns = now - held_back_since_ns_;
  return held_ns >= growth_after_ns && deliver_blocked(held_ns >= any_growth_after_ns);
}

void exchange::take_turn() {
  if (delivering_ != nullptr) return;
  while (buffer* b = machine_.poll()) waiting_room_.push(*b);
  if (waiting_room_.size() >= n_turn_) progress();
}

void exchange::deliver_own(port& p) {
  if (is_blocked(p)) return;
  deliver(p);
  if (!ready_.empty()) deliver_ready();
}

bool exchange::take_arrived() {
  while (buffer* b = machine_.poll()) waiting_room_.push(*b);
  const bool has_moved = !waiting_room_.empty();
  while (!waiting_room_.empty()) {
    buffer* b = &waiting_room_.pop();
    SHOAL_ASSERT(b->header.version == buffer_header::current_version);
    const auto found = ports_.find(b->header.mailbox);
    if (found != ports_.end()) {
      found->second->deliver(*b);
    } else {
      unclaimed_.push_back(b);
    }
  }
  return has_moved;
}

bool exchange::drain_spills() noexcept {
  reclaim();
  bool has_moved = false;
  for (port* p : in_order_) {
    if (p->n_spilled_ == 0) continue;
    for (std::size_t link = 0; link < p->states_.size(); ++link) has_moved |= p->drain_spill(link);
    // Its only slot may lie open and partly filled on another link.
    if (p->n_spilled_ != 0) has_moved |= p->free_a_slot();
  }
  return has_moved;
}

void exchange::mark_ready(port& p) {
  if (p.is_ready_) return;
  p.is_ready_ = true;
  ready_.push_back(&p);
}

bool exchange::deliver(port& p) {
  delivering_ = &p;
  const bool has_moved = p.consume_pending();
  delivering_ = nullptr;
  return has_moved;
}

bool exchange::deliver_ready() {
  bool has_moved = false;
  for (std::size_t n = ready_.size(); n > 0; --n) {
    port& p = *ready_.front();
    ready_.pop_front();
    p.is_ready_ = false;
    if (!is_blocked(p)) has_moved |= deliver(p);
    if (!p.pending_.empty()) mark_ready(p);
  }
  return has_moved;
}

bool exchange::flush() noexcept {
  bool has_moved = false;
  for (port* p : in_order_) has_moved |= p->flush();
  next_due_ns_ = UINT64_MAX;  // spilled items are due when they get credits
  return has_moved;
}

void exchange::idle(unsigned& patience) {
  // Slots that came back are no news any more once taken in; otherwise no wait would ever sleep.
  reclaim();
  // Nobody wakes a PE that sleeps when something of its own is due.
  if (is_held_back() || next_due_ns_ != UINT64_MAX) {
    machine_.pause(patience);
  } else {
    machine_.wait(patience);
  }
}

// --- Back-pressure

// docs/design/back-pressure.md: a port whose handler spilled accepts nothing, nor do the ports whose handlers
// send to it, until the spill is gone. A relay waits for its next hop alone: it may not overrun, so it must not
// be held back by what the handlers behind it wait for.
bool exchange::is_blocked(const port& p) const {
  if (n_spilled_ == 0) return false;
  if (!p.may_overrun_) return std::ranges::any_of(p.spills_into_, [](const port* q) { return q->n_spilled_ != 0; });
  std::vector<const port*> to_see{&p};
  for (std::size_t i = 0; i < to_see.size(); ++i) {
    for (const port* target : to_see[i]->spills_into_) {
      if (target->n_spilled_ != 0) return true;
      if (std::find(to_see.begin(), to_see.end(), target) == to_see.end()) to_see.push_back(target);
    }
  }
  return false;
}

bool exchange::is_on_cycle(const port& p) const {
  std::vector<const port*> to_see{&p};
  for (std::size_t i = 0; i < to_see.size(); ++i) {
    for (const port* target : to_see[i]->spills_into_) {
      if (target == &p) return true;
      if (std::find(to_see.begin(), to_see.end(), target) == to_see.end()) to_see.push_back(target);
    }
  }
  return false;
}

bool exchange::deliver_blocked(bool is_any) {
  for (std::size_t n = ready_.size(); n > 0; --n) {
    port& p = *ready_.front();
    ready_.pop_front();
    p.is_ready_ = false;
    const bool has_moved = p.may_overrun_ && (is_any || p.is_presumed_on_cycle_ || is_on_cycle(p)) && deliver(p);
    if (has_moved && is_any) p.is_presumed_on_cycle_ = true;
    if (!p.pending_.empty()) mark_ready(p);
    if (has_moved) return true;
  }
  return false;
}

}  // namespace shoal
