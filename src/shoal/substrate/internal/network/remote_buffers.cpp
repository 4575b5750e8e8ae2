#include "shoal/substrate/internal/network/remote_buffers.hpp"

#include <cstdint>
#include <cstring>

namespace shoal::internal::network {
namespace {

// Marks a buffer copied out of the wire's memory; no slot has this number.
constexpr std::uint32_t copied = UINT32_MAX - 1;

}  // namespace

remote_buffers::remote_buffers(guarded_wire& wire, local::local_substrate& pool, substrate& whose, bool has_core,
                               std::size_t payload_bytes)
    : wire_(wire),
      pool_(pool),
      whose_(whose),
      meter_(payload_bytes, has_core),
      queues_(static_cast<std::size_t>(wire.facts().n_ranks())),
      acknowledgements_(queues_.size(), pool.n_slots(), payload_bytes),
      n_landed_(queues_.size()),
      copies_(payload_bytes) {}

void remote_buffers::post(buffer& full, pe_id target) noexcept {
  target_queue& queue = queues_[static_cast<std::size_t>(target)];
  if (queue.first == nullptr && try_send(full, target)) return;
  full.next_pending = nullptr;
  if (queue.first == nullptr) {
    queue.first = &full;
    waiting_.push_back(target);
  } else {
    queue.last->next_pending = &full;
  }
  queue.last = &full;
}

bool remote_buffers::try_send(buffer& full, pe_id target) noexcept {
  meter_.mark(full);
  if (is_timed(full)) [[unlikely]]
    return try_send_timed(full, target);
  if (!wire_.call([&](wire& w) { return w.try_send(full, rank_of(target)); })) return false;
  meter_.note_under_way(full.header.bytes);
  acknowledgements_.hold(full, target);
  return true;
}

// A probe is an acknowledgement, perhaps of nothing, that is timed and acknowledged itself.
void remote_buffers::probe(pe_id target, std::uint64_t now_ns) noexcept {
  buffer& made = acknowledgements_.compose(target, now_ns);
  made.header.flags = buffer_header::timed;
  if (!wire_.call([&](wire& w) { return w.try_send(made, rank_of(target)); })) {
    return acknowledgements_.give_back(made);
  }
  meter_.note_probe(now_ns, pool_.now_ns());
  acknowledgements_.has_been_sent(made, target);
}

bool remote_buffers::try_send_timed(buffer& marked, pe_id target) noexcept {
  std::uint64_t begin_ns = pool_.now_ns();
  if (link_meter::size_of(marked) == link_meter::size::large && meter_.wants_probe(begin_ns)) {
    probe(target, begin_ns);
    begin_ns = pool_.now_ns();
  }
  if (!wire_.call([&](wire& w) { return w.try_send(marked, rank_of(target)); })) return false;
  meter_.note_under_way(marked.header.bytes);
  meter_.note_sent(marked, begin_ns, pool_.now_ns());
  acknowledgements_.hold(marked, target);
  return true;
}

void remote_buffers::send_waiting() noexcept {
  std::erase_if(waiting_, [this](pe_id target) {
    target_queue& queue = queues_[static_cast<std::size_t>(target)];
    while (queue.first != nullptr) {
      buffer* const next = queue.first->next_pending;  // saved first: the wire may change the buffer's first line
      if (!try_send(*queue.first, target)) return false;
      queue.first = next;
    }
    return true;
  });
}

void remote_buffers::take_sent() noexcept {
  while (buffer* const sent = wire_.call([](wire& w) { return w.take_sent(); })) {
    if (acknowledgements_.has_left(*sent)) take_back(*sent);
  }
}

void remote_buffers::take_back(buffer& slot) noexcept {
  meter_.note_back(slot.header.bytes);
  pool_.release(slot);
  ++n_returned_;
}

void remote_buffers::acknowledge(bool all) noexcept {
  for (pe_id target = 0; (target = acknowledgements_.next_due(all)) >= 0;) {
    buffer& made = acknowledgements_.compose(target, acknowledgements_.owes_time(target) ? pool_.now_ns() : 0);
    if (!wire_.call([&](wire& w) { return w.try_send(made, rank_of(target)); })) {
      return acknowledgements_.give_back(made);
    }
    acknowledgements_.has_been_sent(made, target);
  }
}

void remote_buffers::take_in_acknowledgement(buffer& landed) noexcept {
  if (is_timed(landed)) {
    holding_.note_arrival(landed, pool_.now_ns());
    acknowledgements_.owe_time(landed.sender, link_meter::size::small, landed.held_ns);
  }
  acknowledgements_.take_in(
      landed, [this](buffer& slot) { take_back(slot); },
      [this](link_meter::size which, std::uint32_t held_ns) {
        meter_.note_return(which, held_ns, pool_.now_ns(), whose_);
      });
}

buffer* remote_buffers::poll() noexcept {
  if (meter_.wants_looks()) meter_.note_look(pool_.now_ns());
  acknowledge(false);  // first, because it takes few credits and lets others continue
  send_waiting();
  while (buffer* const landed = wire_.call([](wire& w) { return w.poll(); })) {
    const auto source = static_cast<std::size_t>(landed->sender);
    if (acknowledgements::is_one(*landed)) {
      take_in_acknowledgement(*landed);
      wire_.call([&](wire& w) { w.release(*landed); });
      continue;
    }
    if (is_timed(*landed)) holding_.note_arrival(*landed, pool_.now_ns());
    // The buffer's place is taken until the buffer is consumed, perhaps for long. Meanwhile acknowledgements and the
    // buffers of other mailboxes must be able to land.
    if (n_landed_[source] < wire_.facts().n_lendable(landed->sender)) {
      ++n_landed_[source];
      return landed;
    }
    buffer& copy = copies_.take();
    copy.header = landed->header;
    copy.sender = landed->sender;
    copy.held_ns = landed->held_ns;
    copy.slot = copied;
    std::memcpy(copy.payload(), landed->payload(), landed->header.bytes);
    wire_.call([&](wire& w) { w.release(*landed); });
    return &copy;
  }
  holding_.note_none(pool_.now_ns());
  return nullptr;
}

void remote_buffers::settle() noexcept {
  acknowledge(true);
  take_sent();
}

void remote_buffers::release(buffer& done) noexcept {
  ++n_released_;
  acknowledgements_.owe(done.sender, done.header.mailbox);
  if (is_timed(done)) acknowledgements_.owe_time(done.sender, link_meter::size_of(done), done.held_ns);
  if (done.slot == copied) return copies_.give_back(done);
  --n_landed_[static_cast<std::size_t>(done.sender)];
  wire_.call([&](wire& w) { w.release(done); });
}

}  // namespace shoal::internal::network
