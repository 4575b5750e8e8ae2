#include "shoal/substrate/internal/local/local_substrate.hpp"

#include <linux/futex.h>
#include <sched.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "shoal/base/internal/ambient.hpp"
#include "shoal/base/internal/contract.hpp"
#include "shoal/substrate/substrate_kind.hpp"

namespace shoal::internal::local {
namespace {

// The futex words lie in memory shared between processes, hence no FUTEX_PRIVATE_FLAG.
void futex_wait(std::atomic<std::uint32_t>& word, std::uint32_t expected, long timeout_ns) noexcept {
  const timespec timeout{0, timeout_ns};
  ::syscall(SYS_futex, &word, FUTEX_WAIT, expected, &timeout, nullptr, 0);
}

void futex_wake(std::atomic<std::uint32_t>& word) noexcept {
  ::syscall(SYS_futex, &word, FUTEX_WAKE, 1, nullptr, nullptr, 0);
}

void cpu_relax() noexcept {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

// Not a polling interval, since a sleeper is always woken. It limits the damage if a peer is killed between its push
// and its wake.
constexpr long sleep_ns_max = 100'000'000;

}  // namespace

local_substrate::local_substrate(segment& memory, pe_id my_pe, std::size_t payload_bytes, bool is_oversubscribed,
                                 substrate_kind kind)
    : substrate(my_pe, memory.layout().n_pes),
      memory_(memory),
      mine_(memory.page(my_pe)),
      kind_(kind),
      controls_(memory, my_pe),
      heap_(memory, my_pe),
      free_(memory.layout().n_slots),
      threads_([this] { notify(); }) {
  payload_bytes_ = payload_bytes;
  n_slots_ = memory.layout().n_slots;
  for (std::size_t i = 0; i < n_slots_; ++i) {
    const auto number = static_cast<std::uint32_t>(static_cast<std::size_t>(my_pe) * n_slots_ + i);
    buffer* slot = new (&memory_.slot(number)) buffer;
    slot->slot = number;
    free_[i] = number;
  }
  n_free_ = n_slots_;
  // A PE alone on its core may spin for about as long as a sleep and a wake cost (some 20 us), which is within a factor
  // of two of the optimum. A PE that shares its core must not keep it from the PE for which it waits.
  n_spins_ = is_oversubscribed ? 20 : 1000;
  n_yields_ = is_oversubscribed ? 2 : 20;
}

void local_substrate::populate_pool() noexcept {
#if defined(MADV_POPULATE_WRITE)
  ::madvise(memory_.pool(my_pe_), memory_.layout().pool_bytes, MADV_POPULATE_WRITE);
#endif
}

// --- Buffers

std::size_t local_substrate::n_free() noexcept {
  take_returned();
  return n_free_;
}

buffer* local_substrate::try_acquire() noexcept {
  if (n_free_ == 0) take_returned();
  if (n_free_ == 0) return nullptr;
  const std::uint32_t number = free_[free_head_];
  free_head_ = free_head_ + 1 == n_slots_ ? 0 : free_head_ + 1;
  --n_free_;
  return &memory_.slot(number);
}

void local_substrate::post(buffer& full, pe_id target) noexcept {
  push(memory_.page(target).inbox, full.next, full.slot);
  ++counts_.n_posted;
  wake(target);
}

buffer* local_substrate::poll() noexcept {
  if (arrived_ == 0) {
    // Look first: an exchange would take the line away from the senders at every poll.
    if (mine_.inbox.load(std::memory_order_relaxed) == 0) return nullptr;
    std::uint32_t newest = pop_all(mine_.inbox);
    while (newest != 0) {  // reverses the stack: oldest first
      buffer& slot = memory_.slot(newest - 1);
      const std::uint32_t older = slot.next.load(std::memory_order_relaxed);
      slot.next.store(arrived_, std::memory_order_relaxed);
      arrived_ = newest;
      newest = older;
    }
  }
  buffer& oldest = memory_.slot(arrived_ - 1);
  arrived_ = oldest.next.load(std::memory_order_relaxed);
  ++counts_.n_received;
  return &oldest;
}

void local_substrate::release(buffer& done) noexcept {
  const pe_id owner = done.slot / static_cast<std::uint32_t>(n_slots_);
  if (owner == my_pe_) {
    std::size_t tail = free_head_ + n_free_;
    if (tail >= n_slots_) tail -= n_slots_;
    free_[tail] = done.slot;
    ++n_free_;
    return;
  }
  push(memory_.page(owner).returned, done.next, done.slot);
  ++n_released_;
  wake(owner);
}

void local_substrate::take_returned() noexcept {
  if (mine_.returned.load(std::memory_order_relaxed) == 0) return;
  // acquire: the receivers' last reads of these slots happened before we write to them again.
  std::uint32_t newest = pop_all(mine_.returned);
  while (newest != 0) {
    buffer& slot = memory_.slot(newest - 1);
    newest = slot.next.load(std::memory_order_relaxed);
    release(slot);
    ++n_returned_;
  }
}

// --- Control messages

bool local_substrate::try_send_control(std::span<const std::byte> bytes, pe_id target) noexcept {
  if (!controls_.try_send(bytes, target)) return false;
  if (target != my_pe_) wake(target);
  return true;
}

bool local_substrate::poll_control(control_message& into) noexcept {
  bool source_may_wait = false;
  if (!controls_.poll(into, source_may_wait)) return false;
  if (source_may_wait) wake(into.source);
  return true;
}

// --- Rounds

void local_substrate::arrive(std::span<const std::byte> contribution, combine_function combine) noexcept {
  SHOAL_ASSERT(contribution.size() <= round_bytes_max);
  round_page& rounds = memory_.rounds();
  const std::size_t turn = round_ & 1;
  ++round_;
  ++counts_.n_rounds;
  if (!contribution.empty()) {
    std::memcpy(mine_.contribution[turn], contribution.data(), contribution.size());
  }
  // acq_rel: releases our contribution; the last to arrive acquires all of them.
  const std::uint32_t n_before = rounds.n_arrived[turn].fetch_add(1, std::memory_order_acq_rel);
  if (n_before + 1 != n_pes_) return;

  if (combine != nullptr) {
    std::memcpy(rounds.result, memory_.page(0).contribution[turn], contribution.size());
    for (pe_id pe = 1; pe < n_pes_; ++pe) {
      combine(rounds.result, memory_.page(pe).contribution[turn], contribution.size());
    }
  }
  // No PE arrives at this turn again before all have seen this round and the next one complete.
  rounds.n_arrived[turn].store(0, std::memory_order_relaxed);
  // seq_cst: releases the result; ordered before the loads of `asleep`, as in push.
  rounds.n_completed.store(round_, std::memory_order_seq_cst);
  for (pe_id pe = 0; pe < n_pes_; ++pe) {
    if (pe != my_pe_) wake(pe);
  }
}

bool local_substrate::is_round_complete() noexcept {
  if (memory_.rounds().n_completed.load(std::memory_order_acquire) < round_) return false;
  round_seen_ = round_;
  return true;
}

bool local_substrate::wait_for_round(const std::function<bool()>& goes_on) {
  for (unsigned patience = 0; !is_round_complete(); wait(patience)) {
    if (!goes_on()) return false;
  }
  return true;
}

const std::byte* local_substrate::round_result() noexcept { return memory_.rounds().result; }

const std::byte* local_substrate::round_contribution(pe_id pe) noexcept {
  return memory_.page(pe).contribution[(round_ - 1) & 1];
}

// --- Waiting

bool local_substrate::has_news() noexcept {
  // seq_cst: either these loads come after our store to `asleep` in the single total order, or the pusher's load of
  // `asleep` comes after ours. In both cases one of the two sees the other.
  return mine_.inbox.load(std::memory_order_seq_cst) != 0 || mine_.returned.load(std::memory_order_seq_cst) != 0 ||
         (round_seen_ != round_ && memory_.rounds().n_completed.load(std::memory_order_seq_cst) >= round_) ||
         controls_.has_news() || is_notified_.load(std::memory_order_seq_cst);
}

void local_substrate::wait(unsigned& patience) noexcept {
  wait_at_most(patience, sleep_ns_max, [] { return false; });
}

void local_substrate::wait_at_most(unsigned& patience, long sleep_ns,
                                   const std::function<bool()>& has_more_news) noexcept {
  if (patience < n_spins_ + n_yields_) {
    pause(patience);
    return;
  }
  ++counts_.n_waits;
  mine_.asleep.store(1, std::memory_order_seq_cst);
  if (!has_news() && !has_more_news()) {
    ++counts_.n_sleeps;
    futex_wait(mine_.asleep, 1, sleep_ns);
  }
  mine_.asleep.store(0, std::memory_order_relaxed);
  is_notified_.store(false, std::memory_order_seq_cst);
  controls_.announce();
}

void local_substrate::pause(unsigned& patience) noexcept {
  ++counts_.n_waits;
  ++patience;
  if (patience <= n_spins_) {
    cpu_relax();
  } else {
    ::sched_yield();
  }
}

// Called by another thread of this PE.
void local_substrate::notify() noexcept {
  is_notified_.store(true, std::memory_order_seq_cst);
  wake(my_pe_);
}

void local_substrate::wake(pe_id pe) noexcept {
  std::atomic<std::uint32_t>& asleep = memory_.page(pe).asleep;
  if (asleep.load(std::memory_order_seq_cst) == 0) return;
  if (asleep.exchange(0, std::memory_order_relaxed) != 0) futex_wake(asleep);
}

// --- Time and end

std::uint64_t local_substrate::now_ns() noexcept {
  timespec now{};
  ::clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<std::uint64_t>(now.tv_sec) * 1'000'000'000U + static_cast<std::uint64_t>(now.tv_nsec);
}

bool local_substrate::claim_report() noexcept {
  std::int32_t nobody = 0;
  return memory_.job().reporter.compare_exchange_strong(nobody, static_cast<std::int32_t>(my_pe_ + 1));
}

void local_substrate::end_job(int status, std::string_view report) noexcept {
  ending_.claim();
  if (claim_report()) {
    print_report(my_pe_, report);
  } else if (memory_.job().reporter != my_pe_ + 1 && kind_ == substrate_kind::threads) {
    // The PE that reports is in this process and will end it after printing. Between processes, the launcher waits for
    // the reporter.
    ending_thread::stay();
  }
  if (status == 0) memory_.job().stage[my_pe_].store(pe_stage::ended_all, std::memory_order_release);
  std::_Exit(status);
}

void local_substrate::finished() noexcept {
  memory_.job().stage[my_pe_].store(pe_stage::finished, std::memory_order_release);
}

}  // namespace shoal::internal::local
