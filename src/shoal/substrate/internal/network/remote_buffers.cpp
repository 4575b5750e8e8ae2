#include "shoal/substrate/internal/network/remote_buffers.hpp"

#include <cstdint>
#include <cstring>

namespace shoal::internal::network {
namespace {

int rank_of(pe_id pe) noexcept { return static_cast<int>(pe); }

// Marks a buffer copied out of the wire's memory; no slot has this number.
constexpr std::uint32_t copied = UINT32_MAX - 1;

}  // namespace

remote_buffers::remote_buffers(guarded_wire& wire, local::local_substrate& pool, std::size_t payload_bytes)
    : wire_(wire),
      pool_(pool),
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
  if (!wire_.call([&](wire& w) { return w.try_send(full, rank_of(target)); })) return false;
  acknowledgements_.hold(full, target);
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
  pool_.release(slot);
  ++n_returned_;
}

void remote_buffers::acknowledge(bool all) noexcept {
  for (pe_id target = 0; (target = acknowledgements_.next_due(all)) >= 0;) {
    buffer& made = acknowledgements_.compose(target);
    if (!wire_.call([&](wire& w) { return w.try_send(made, rank_of(target)); })) {
      return acknowledgements_.give_back(made);
    }
    acknowledgements_.has_been_sent(made, target);
  }
}

buffer* remote_buffers::poll() noexcept {
  acknowledge(false);  // first, because it takes few credits and lets others continue
  send_waiting();
  while (buffer* const landed = wire_.call([](wire& w) { return w.poll(); })) {
    const auto source = static_cast<std::size_t>(landed->sender);
    if (acknowledgements::is_one(*landed)) {
      acknowledgements_.take_in(*landed, [this](buffer& slot) { take_back(slot); });
      wire_.call([&](wire& w) { w.release(*landed); });
      continue;
    }
    // The buffer's place is taken until the buffer is consumed, perhaps for long. Meanwhile acknowledgements and the
    // buffers of other mailboxes must be able to land.
    if (n_landed_[source] < wire_.facts().n_lendable(landed->sender)) {
      ++n_landed_[source];
      return landed;
    }
    buffer& copy = copies_.take();
    copy.header = landed->header;
    copy.sender = landed->sender;
    copy.slot = copied;
    std::memcpy(copy.payload(), landed->payload(), landed->header.bytes);
    wire_.call([&](wire& w) { w.release(*landed); });
    return &copy;
  }
  return nullptr;
}

void remote_buffers::settle() noexcept {
  acknowledge(true);
  take_sent();
}

void remote_buffers::release(buffer& done) noexcept {
  ++n_released_;
  acknowledgements_.owe(done.sender, done.header.mailbox);
  if (done.slot == copied) return copies_.give_back(done);
  --n_landed_[static_cast<std::size_t>(done.sender)];
  wire_.call([&](wire& w) { w.release(done); });
}

}  // namespace shoal::internal::network
