#include "shoal/substrate/internal/sim/heap_access.hpp"

#include <algorithm>
#include <cstring>

#include "shoal/base/internal/contract.hpp"

namespace shoal::internal::sim {

std::byte* heap_access::peer(pe_id pe) noexcept {
  SHOAL_REQUIRE(pe >= 0 && pe < job_.chosen.n_pes.value);
  return job_.memory.heap(pe);
}

std::byte* heap_access::place(std::size_t offset, std::size_t bytes, pe_id pe) const noexcept {
  const std::size_t heap_bytes = job_.memory.heap_bytes();
  const bool lies_in_the_symmetric_heap =
      pe >= 0 && pe < job_.chosen.n_pes.value && offset <= heap_bytes && bytes <= heap_bytes - offset;
  SHOAL_REQUIRE(lies_in_the_symmetric_heap);
  return job_.memory.heap(pe) + offset;
}

void heap_access::get(void* target, std::size_t offset, std::size_t bytes, pe_id pe) noexcept {
  const std::byte* const source = place(offset, bytes, pe);
  const bool is_remote = pe != my_pe_;
  const auto inside = time_.enter(pe_time::call_ns);
  time_.act_strictly_after(is_remote ? job_.links.one_way_ns(my_pe_, pe, 0) : 0);
  if (bytes != 0) std::memcpy(target, source, bytes);
  if (is_remote) time_.pass(job_.links.one_way_ns(pe, my_pe_, bytes));
  fruitless_.add();  // a loop of gets may wait for a change that never comes
}

// What an operation costs that its PE does not wait for: the overhead of a send. The rest of its way passes meanwhile.
pe_time::call heap_access::begin_remote_change(pe_id pe) noexcept {
  return time_.enter(job_.links.overhead_ns(my_pe_, pe));
}

// The data travel like a buffer, so that a program that forgets `quiet` is found out.
void heap_access::put(std::size_t offset, const void* source, std::size_t bytes, pe_id pe) noexcept {
  std::byte* const target = place(offset, bytes, pe);
  if (pe == my_pe_) {
    const auto inside = time_.enter(pe_time::call_ns);
    job_.past.note(my_pe_, time_.now_ns(), offset);
    time_.act_strictly_after(0);
    if (bytes != 0) std::memcpy(target, source, bytes);
    return;
  }
  const auto inside = begin_remote_change(pe);
  job_.past.note(my_pe_, time_.now_ns(), offset);
  const std::uint64_t written_ns = job_.links.send_put(my_pe_, pe, bytes, time_.now_ns());
  completes_at(written_ns + job_.links.latency_ns(pe, my_pe_));  // the acknowledgement has to come back
  ordered_until_ns_ = std::max(ordered_until_ns_, written_ns);
  const std::uint32_t number = job_.started.start_put(target, {static_cast<const std::byte*>(source), bytes});
  job_.schedule(event_kind::put, pe, number, written_ns);
}

std::byte* heap_access::word(const atomic_call& call, std::size_t offset, pe_id pe) const noexcept {
  SHOAL_REQUIRE(call.bytes == sizeof(std::uint32_t) || call.bytes == sizeof(std::uint64_t));
  SHOAL_REQUIRE(offset % call.bytes == 0);
  return place(offset, call.bytes, pe);
}

std::uint64_t heap_access::atomic(const atomic_call& call, std::size_t offset, pe_id pe) noexcept {
  std::byte* const target = word(call, offset, pe);
  const bool is_remote = pe != my_pe_;
  const auto inside = time_.enter(pe_time::call_ns);
  time_.act_strictly_after(is_remote ? job_.links.one_way_ns(my_pe_, pe, 0) : 0);
  const std::uint64_t before = apply_atomic(call, target);
  if (std::memcmp(target, &before, call.bytes) == 0) {
    fruitless_.add();
  } else {
    job_.past.note(my_pe_, time_.now_ns(), offset);
    if (is_remote) job_.schedule(event_kind::touch, pe, 0, time_.now_ns() + job_.links.latency_ns(pe, my_pe_));
  }
  if (is_remote) time_.pass(job_.links.one_way_ns(pe, my_pe_, call.bytes));
  return before;
}

// Looks at the memory when its question is there, and writes to `target` when the answer is back, not before.
void heap_access::start_get(void* target, std::size_t offset, std::size_t bytes, pe_id pe) noexcept {
  if (pe == my_pe_) return get(target, offset, bytes, pe);
  const std::byte* const source = place(offset, bytes, pe);
  const auto inside = begin_remote_change(pe);
  job_.past.note(my_pe_, time_.now_ns(), offset);
  const std::uint64_t asked_ns = job_.links.send_put(my_pe_, pe, 0, time_.now_ns());
  const std::uint64_t answered_ns = job_.links.send_answer(pe, my_pe_, bytes, asked_ns);
  completes_at(answered_ns);
  const std::uint32_t number =
      job_.started.start_get({static_cast<std::byte*>(target), bytes}, source, {answered_ns, my_pe_});
  job_.schedule(event_kind::question, pe, number, asked_ns);
}

// Unlike a put, it keeps no order, and reads its source as late as it may: so that a program that forgets `fence`, or
// changes the source before `quiet`, is found out.
void heap_access::start_put(std::size_t offset, const void* source, std::size_t bytes, pe_id pe) noexcept {
  if (pe == my_pe_) return put(offset, source, bytes, pe);
  std::byte* const target = place(offset, bytes, pe);
  const auto inside = begin_remote_change(pe);
  job_.past.note(my_pe_, time_.now_ns(), offset);
  const std::uint64_t alone_ns = job_.links.send_put_alone(my_pe_, pe, bytes, time_.now_ns());
  const std::uint64_t written_ns = std::max(alone_ns, fenced_until_ns_ + 1);
  completes_at(written_ns + job_.links.latency_ns(pe, my_pe_));
  unordered_until_ns_ = std::max(unordered_until_ns_, written_ns);
  const std::uint32_t number = job_.started.start_late_put(target, {static_cast<const std::byte*>(source), bytes});
  job_.schedule(event_kind::put, pe, number, written_ns);
}

void heap_access::start_atomic(const atomic_call& call, std::size_t offset, pe_id pe) noexcept {
  if (pe == my_pe_) {
    atomic(call, offset, pe);
    return;
  }
  std::byte* const target = word(call, offset, pe);
  const auto inside = begin_remote_change(pe);
  job_.past.note(my_pe_, time_.now_ns(), offset);
  const std::uint64_t changed_ns = job_.links.send_put(my_pe_, pe, call.bytes, time_.now_ns());
  completes_at(changed_ns + job_.links.latency_ns(pe, my_pe_));
  job_.schedule(event_kind::atomic, pe, job_.started.start_atomic(target, call), changed_ns);
}

void heap_access::completes_at(std::uint64_t done_ns) noexcept { done_ns_ = std::max(done_ns_, done_ns); }

void heap_access::quiet() noexcept {
  const auto inside = time_.enter(pe_time::call_ns);
  if (done_ns_ == 0) return;
  time_.sleep_until(done_ns_);
  done_ns_ = 0;
  unordered_until_ns_ = 0;
}

void heap_access::fence() noexcept {
  const auto inside = time_.enter(pe_time::call_ns);
  fenced_until_ns_ = ordered_until_ns_;
  if (unordered_until_ns_ == 0) return;
  time_.sleep_until(unordered_until_ns_);
  unordered_until_ns_ = 0;
}

}  // namespace shoal::internal::sim
