#include "shoal/substrate/internal/shmem/control_cells.hpp"

#include <shmem.h>

#include <algorithm>
#include <atomic>
#include <cstddef>

namespace shoal::internal::shmem {
namespace {

// Open MPI 4 leaves out the atomics on uint64_t.
static_assert(sizeof(unsigned long) == sizeof(std::uint64_t));

std::uint64_t load(std::uint64_t& word) { return std::atomic_ref(word).load(std::memory_order_acquire); }

}  // namespace

std::size_t control_cells::bytes() noexcept { return cache_line_bytes + n_cells * sizeof(cell); }

control_cells::cell& control_cells::cell_of(std::uint64_t ticket) const noexcept {
  return reinterpret_cast<cell*>(memory_ + cache_line_bytes)[ticket % n_cells];
}

void control_cells::open(std::byte* memory, int my_rank) {
  memory_ = memory;
  my_rank_ = my_rank;
  waiting_.reserve(n_controls_max);
  *counter() = 0;
  for (std::uint64_t ticket = 0; ticket < n_cells; ++ticket) cell_of(ticket).word = free_for(ticket);
}

bool control_cells::try_send(std::span<const std::byte> bytes, int target) {
  send_waiting();
  if (waiting_.size() == n_controls_max) return false;
  outgoing& made = waiting_.emplace_back();
  made.target = target;
  made.message.source = my_rank_;
  made.message.bytes = static_cast<std::uint32_t>(bytes.size());
  std::ranges::copy(bytes, made.message.data);
  made.ticket = shmem_ulong_atomic_fetch_inc(counter(), target);
  if (try_put(made)) waiting_.pop_back();
  return true;
}

void control_cells::send_waiting() {
  std::erase_if(waiting_, [this](const outgoing& each) { return try_put(each); });
}

bool control_cells::try_put(const outgoing& message) {
  cell& place = cell_of(message.ticket);
  if (shmem_ulong_atomic_fetch(&place.word, message.target) != free_for(message.ticket)) return false;
  constexpr std::size_t begin = offsetof(cell, source);
  const std::size_t n_bytes = offsetof(cell, data) - begin + message.message.bytes;
  shmem_putmem(&place.source, &message.message.source, n_bytes, message.target);
  shmem_fence();
  shmem_ulong_atomic_set(&place.word, here_is(message.ticket), message.target);
  return true;
}

bool control_cells::poll(control_message& into) {
  if (!waiting_.empty()) send_waiting();
  // Not beyond the tickets that have been drawn: usually none has, and that is one load.
  const std::uint64_t end = std::min<std::uint64_t>(load(*counter()), oldest_ + n_cells);
  for (std::uint64_t ticket = oldest_; ticket < end; ++ticket) {
    const std::uint32_t bit = 1U << (ticket - oldest_);
    cell& place = cell_of(ticket);
    if ((is_taken_ & bit) != 0 || load(place.word) != here_is(ticket)) continue;
    into.source = place.source;
    into.bytes = place.bytes;
    std::copy_n(place.data, into.bytes, into.data);
    shmem_ulong_atomic_set(&place.word, free_for(ticket + n_cells), my_rank_);
    is_taken_ |= bit;
    for (; (is_taken_ & 1) != 0; is_taken_ >>= 1) ++oldest_;
    return true;
  }
  return false;
}

}  // namespace shoal::internal::shmem
