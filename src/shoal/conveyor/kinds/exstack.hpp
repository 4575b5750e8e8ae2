/// Exstack: the bulk-synchronous ancestor of conveyors. A PE fills a buffer for each PE, all PEs exchange their buffers
/// at once, and each empties what it got.
///
/// The verbs and their meaning are bale's (libexstack; Maley and DeVinney, "Conveyors for streaming
/// many-to-many communication", 2019, section 2.1):
///
///     shoal::exstack<long> ex{world, 1024};
///     std::size_t i = 0;
///     while (ex.proceed(i == n)) {
///       for (; i < n && ex.push(index[i], owner[i]) != 0; ++i) {}
///       ex.exchange();
///       for (long slot; ex.pop(slot);) ++counts[slot];
///     }
///     ex.reset();
///
/// Every pushed item is in the next exchange. Items from one PE to another are popped in push order, items of several
/// PEs by ascending PE. An exchange empties the buffers to all PEs, so as many items as came from a PE can be sent back
/// to it in the next one. There `pop_from` finds them in the order of the items that they answer (same paper, section
/// 6.1). Misuse ends the job with one line.
#pragma once

#include <cstdint>
#include <string_view>

#include "shoal/conveyor/kinds/internal/boxes.hpp"

namespace shoal {

/// A cleared exstack has no memory until `reset`.
enum class exstack_state : std::uint8_t { working, complete, cleared };

/// The part that does not depend on the item type.
class exstack_base {
public:
  exstack_base(const exstack_base&) = delete;
  exstack_base& operator=(const exstack_base&) = delete;

  /// Opens each turn of the loop. `im_done` promises that this PE has no more items of its own, until reset; it may
  /// still push, for instance replies. False once all PEs are done; the object is then complete. Items already
  /// exchanged may still be popped, but an item not exchanged is an error. Collective; waits for all PEs, and handlers
  /// run meanwhile. Legal while working and complete (then false, without waiting).
  bool proceed(bool im_done);

  /// Exchanges the buffers. All items of the last exchange must have been popped. Collective; waits for all PEs, and
  /// handlers run meanwhile. Legal while working.
  void exchange();

  /// Items that may be pushed before the next exchange, to `target` or to any PE. Local. 0 unless working.
  [[nodiscard]] std::size_t headroom(pe_id target) const;
  [[nodiscard]] std::size_t min_headroom() const noexcept;

  /// Puts back the item popped last, once: the next pop returns it again. False if there is none, or an exchange came
  /// between. Local. Legal unless cleared.
  bool unpop();
  bool unpull() { return unpop(); }

  /// Puts back the item of PE `source` popped last; false if none of the last exchange is left to put back. Each
  /// further call puts back one more. Local. Legal unless cleared.
  bool unpop_to(pe_id source);

  exstack_state state() const noexcept { return state_; }

protected:
  explicit exstack_base(shoal::internal::exchange& through) noexcept;
  ~exstack_base() = default;
  /// For the destructor of a derived class, when the boxes still exist.
  void check_end() const noexcept;

  /// Second half of the constructor, once the boxes exist.
  void attach(internal::boxes_base& boxes, std::uint64_t serial) noexcept {
    boxes_ = &boxes;
    serial_ = serial;
  }

  void require(bool is_legal, std::string_view call) const {
    if (!is_legal) [[unlikely]]
      refuse(call);
  }
  void require_in_range(pe_id pe, std::string_view call) const;
  [[noreturn, gnu::cold]] void refuse_push(pe_id target) const;
  void restart();
  void stop() noexcept;

  // PEs that may be pushed to: all while working, otherwise none, so one range check covers both.
  std::uint64_t n_pushable_;

private:
  [[noreturn, gnu::cold]] void refuse(std::string_view call) const;

  shoal::internal::exchange& exchange_;
  internal::boxes_base* boxes_ = nullptr;
  std::uint64_t serial_ = 0;
  exstack_state state_ = exstack_state::working;
  bool is_done_ = false;
};

template <item T>
class exstack : public exstack_base {
public:
  /// Room for `capacity_items` to each PE between two exchanges. Collective: all PEs construct the same, in the same
  /// order. Does not wait. Throws setup_error if no buffer slot is left to reserve. Begins in the state working. May be
  /// destroyed between any two collective calls once all its items are popped; `clear` drops them.
  exstack(shoal::internal::exchange& through, std::size_t capacity_items)
      : exstack_base(through), boxes_(through, capacity_items) {
    attach(boxes_, boxes_.serial());
  }
  ~exstack() { check_end(); }

  /// Adds one item to the buffer for `target`. Returns the room before the push. 0: the item was not taken, exchange
  /// first; 1: the buffer is full now. Local. Legal while working.
  [[nodiscard]] std::size_t push(const T& value, pe_id target) {
    if (static_cast<std::uint64_t>(target) >= n_pushable_) [[unlikely]]
      refuse_push(target);
    const std::size_t room = boxes_.room(target);
    if (room != 0) boxes_.put(value, target);
    return room;
  }

  /// Copies out the next item of the last exchange; false if none is left. Local. Legal unless cleared.
  [[nodiscard]] bool pop(T& value) { return copy(pull(), value); }
  [[nodiscard]] bool pop(T& value, pe_id& from) { return copy(pull(from), value); }

  /// The same for the next item of PE `source`.
  [[nodiscard]] bool pop_from(pe_id source, T& value) { return copy(pull_from(source), value); }

  /// Like pop, in place: readable until the next exchange, reset or clear.
  [[nodiscard]] const T* pull() {
    require(state() != exstack_state::cleared, "pop");
    return found(boxes_.next());
  }
  [[nodiscard]] const T* pull(pe_id& from) {
    require(state() != exstack_state::cleared, "pop");
    const std::size_t place = boxes_.next();
    if (place != boxes_.no_place) from = boxes_.box_of(place);
    return found(place);
  }
  [[nodiscard]] const T* pull_from(pe_id source) {
    require_in_range(source, "pop from");
    return found(boxes_.next_from(source));
  }

  /// Returns to working, with no PE done. Drops what is left in the buffers. All PEs call it; does not wait. Legal
  /// always.
  void reset() {
    boxes_.take_memory();
    restart();
  }

  /// Frees the memory of the buffers and drops what is left in them. All PEs call it; does not wait. Legal always; only
  /// reset, clear and destruction may follow.
  void clear() noexcept {
    stop();
    boxes_.give_memory_back();
  }

private:
  const T* found(std::size_t place) const noexcept { return place == boxes_.no_place ? nullptr : boxes_.at(place); }
  static bool copy(const T* item, T& value) noexcept {
    if (item == nullptr) return false;
    value = *item;
    return true;
  }

  internal::boxes<T> boxes_;
};

}  // namespace shoal
