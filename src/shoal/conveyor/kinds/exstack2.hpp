/// Exstack2: the asynchronous exstack. The buffer for a PE is sent when it is full, when `send` says so, or when this
/// PE is done; no call waits for other PEs.
///
/// The verbs and their meaning are bale's (libexstack; Maley and DeVinney, "Conveyors for streaming
/// many-to-many communication", 2019, sections 2.1 and 6.1):
///
///     shoal::exstack2<long> ex{world, 1024};
///     std::size_t i = 0;
///     while (ex.proceed(i == n)) {
///       for (; i < n && ex.push(index[i], owner[i]) != 0; ++i) {}
///       for (long slot; ex.pop(slot);) ++counts[slot];
///     }
///     ex.reset();
///
/// It is a steady conveyor under other names: every item is popped once, items from one PE to another in push order.
/// Misuse ends the job with one line.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "shoal/conveyor/conveyor.hpp"

namespace shoal {

/// The part that does not depend on the item type.
class exstack2_base {
public:
  exstack2_base(const exstack2_base&) = delete;
  exstack2_base& operator=(const exstack2_base&) = delete;

  /// Opens each turn of the loop and makes progress; no other call does. `im_done` promises that this PE pushes no more
  /// until reset. False once all PEs are done and everything that arrived here has been popped. Local, nonblocking.
  /// Legal always.
  bool proceed(bool im_done);

  /// Sends what was pushed to `target` so far. Buffers for other PEs may go with it. Local, nonblocking. Legal until
  /// done.
  void send(pe_id target);

  /// Puts back the item popped last, once: the next pop returns it again. False if there is none, or all is over.
  /// Local. Legal always.
  bool unpop();
  bool unpull() { return unpop(); }

  /// Prepares it for another loop. Local, does not wait. Legal after proceed returned false, or before the first use.
  void reset();

  /// dormant before the first use and after reset; otherwise a conveyor's states.
  conveyor_state state() const noexcept { return items_->state(); }

  /// The counts of the underlying conveyor, which counts a push when its buffer goes.
  conveyor_counts counts() const noexcept { return items_->counts(); }

protected:
  exstack2_base(internal::exchange& through, std::size_t capacity_items);
  ~exstack2_base() = default;
  /// For the destructor of a derived class, when the conveyor still exists.
  void check_end() const noexcept;

  /// Second half of the constructor, once the conveyor exists.
  void attach(conveyor_base& items) noexcept { items_ = &items; }

  // Begins a session at its first use.
  void begin_if_dormant() {
    if (items_->state() == conveyor_state::dormant) [[unlikely]]
      begin();
  }
  /// Begins the session if `target` is out of bounds only because no session has begun.
  [[gnu::cold]] void admit(pe_id target, std::string_view call);

  std::uint64_t n_pushable_ = 0;  // as in conveyor_base
  std::size_t capacity_;
  std::vector<std::size_t> n_gathered_;  // items pushed to each PE since its buffer was last full or sent

private:
  void begin();

  internal::exchange& exchange_;
  conveyor_base* items_ = nullptr;
};

template <item T>
class exstack2 : public exstack2_base {
public:
  /// Buffers of `capacity_items`; the exchange decides how many of them share a transfer. Collective: all PEs construct
  /// the same, in the same order. Does not wait. Throws setup_error if no buffer slot is left to reserve. May be
  /// destroyed before the first use, or after proceed returned false.
  exstack2(internal::exchange& through, std::size_t capacity_items)
      : exstack2_base(through, capacity_items), items_(through, {.steady = true}) {
    attach(items_);
  }
  ~exstack2() { check_end(); }

  /// Adds one item to the buffer for `target`. Returns the room before the push. 0: the item was not taken, because
  /// there is no buffer now; 1: the buffer is full now and goes. Local, nonblocking. Legal until done.
  [[nodiscard]] std::size_t push(const T& value, pe_id target) {
    if (static_cast<std::uint64_t>(target) >= n_pushable_) [[unlikely]]
      admit(target, "push to");
    if (!items_.push(value, target)) return 0;
    std::size_t& n_gathered = n_gathered_[static_cast<std::size_t>(target)];
    const std::size_t room = capacity_ - n_gathered;
    n_gathered = room == 1 ? 0 : n_gathered + 1;
    return room;
  }

  /// Copies out the next arrived item; false if there is none now. Local, nonblocking. Legal always.
  [[nodiscard]] bool pop(T& value) {
    pe_id from = 0;
    return pop(value, from);
  }
  [[nodiscard]] bool pop(T& value, pe_id& from) {
    const T* item = pull(from);
    if (item == nullptr) return false;
    value = *item;
    return true;
  }

  /// Like pop, in place: readable until the next pop or pull, or the end.
  [[nodiscard]] const T* pull() {
    begin_if_dormant();
    return items_.pull();
  }
  [[nodiscard]] const T* pull(pe_id& from) {
    begin_if_dormant();
    return items_.pull(from);
  }

private:
  conveyor<T> items_;
};

}  // namespace shoal
