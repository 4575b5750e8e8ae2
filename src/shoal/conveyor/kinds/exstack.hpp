/// Exstack: the bulk-synchronous ancestor of conveyors. Buffers for each PE are filled, exchanged by all
/// PEs at once, and emptied.
///
/// The verbs and their meaning are bale's (libexstack; Maley and DeVinney, "Conveyors for streaming
/// many-to-many communication", 2019, section 2.1):
///
///     shoal::exstack<long> ex{world.buffers(), 1024};
///     std::size_t i = 0;
///     while (ex.proceed(i == n)) {
///       for (; i < n && ex.push(index[i], owner[i]) != 0; ++i) {}
///       ex.exchange();
///       for (long slot; ex.pop(slot);) ++counts[slot];
///     }
///     ex.reset();
///
/// Every pushed item is in the next exchange; items from one PE to another are popped in push order, items of
/// several by ascending PE. After an exchange the buffers to all PEs are empty, so as many items as came from a
/// PE can be sent back to it in the next one, where `pop_from` finds them in the order of what they answer (the
/// same paper, section 6.1). Misuse ends the job with one line.
#pragma once

#include <cstdint>
#include <string_view>

#include "shoal/conveyor/kinds/boxes.hpp"

namespace shoal {

/// An exstack that was cleared has no memory until `reset`.
enum class exstack_state : std::uint8_t { working, complete, cleared };

/// What does not depend on the type of items.
class exstack_base {
public:
  exstack_base(const exstack_base&) = delete;
  exstack_base& operator=(const exstack_base&) = delete;

  /// Opens each turn of the loop. `im_done` promises that this PE has no more items of its own, and stays
  /// promised until reset; it may still push, answers to others say. False once all PEs are done, and then
  /// this object is complete; what was exchanged may still be popped, but an item not exchanged is an error.
  /// Collective; waits for all PEs, and handlers run meanwhile. Legal while working and complete (false then,
  /// without waiting).
  bool proceed(bool im_done);

  /// Exchanges the buffers. All that came with the last exchange must have been popped. Collective; waits
  /// for all PEs, and handlers run meanwhile. Legal while working.
  void exchange();

  /// Items that may be pushed to `target`, or to any PE, before the next exchange. Local. 0 unless working.
  [[nodiscard]] std::size_t headroom(pe_id target) const;
  [[nodiscard]] std::size_t min_headroom() const noexcept;

  /// Puts back the item popped last: the next pop gives it again. Once; false if there is none, or an
  /// exchange came between. Local. Legal unless cleared.
  bool unpop();
  bool unpull() { return unpop(); }

  /// Puts back the item of PE `source` popped last; false if none of the last exchange's was. Again and again
  /// it puts back one more. Local. Legal unless cleared.
  bool unpop_to(pe_id source);

  exstack_state state() const noexcept { return state_; }

protected:
  explicit exstack_base(shoal::exchange& through) noexcept;
  ~exstack_base() = default;

  /// The constructor's second half, when the boxes are there.
  void attach(detail::boxes_base& boxes, std::uint32_t serial) noexcept {
    boxes_ = &boxes;
    serial_ = serial;
  }

  void require(bool is_legal, std::string_view call) const {
    if (!is_legal) [[unlikely]]
      refuse(call);
  }
  void require_in_range(pe_id pe, std::string_view call) const;
  [[noreturn, gnu::cold]] void pushed_wrongly(pe_id target) const;
  void restart();
  void stop() noexcept;

  // PEs that may be pushed to: all while working, else none, so that the range check answers both.
  std::uint64_t n_pushable_;

private:
  [[noreturn, gnu::cold]] void refuse(std::string_view call) const;

  shoal::exchange& exchange_;
  detail::boxes_base* boxes_ = nullptr;
  std::uint32_t serial_ = 0;
  exstack_state state_ = exstack_state::working;
  bool is_done_ = false;
};

template <item T>
class exstack : public exstack_base {
public:
  /// Room for `capacity_items` to each PE between two exchanges. Collective: all PEs construct the same, in
  /// the same order. Does not wait. Throws setup_error when no buffer slot is left to reserve. It is
  /// working at once. Destruction: any time between two collective calls.
  exstack(shoal::exchange& through, std::size_t capacity_items)
      : exstack_base(through), boxes_(through, capacity_items) {
    attach(boxes_, boxes_.serial());
  }

  /// Adds one item to the buffer for `target`. Returns the room there was: 0, it was not taken, exchange
  /// first; 1, the buffer is full now. Local. Legal while working.
  [[nodiscard]] std::size_t push(const T& value, pe_id target) {
    if (static_cast<std::uint64_t>(target) >= n_pushable_) [[unlikely]]
      pushed_wrongly(target);
    const std::size_t room = boxes_.room(target);
    if (room != 0) boxes_.put(value, target);
    return room;
  }

  /// Copies out the next item of the last exchange; false if none is left. Local. Legal unless cleared.
  [[nodiscard]] bool pop(T& value) { return copy(pull(), value); }
  [[nodiscard]] bool pop(T& value, pe_id& from) { return copy(pull(from), value); }

  /// The same for the next item of PE `source`.
  [[nodiscard]] bool pop_from(pe_id source, T& value) { return copy(pull_from(source), value); }

  /// As pop, in place: readable until the next exchange, reset or clear.
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

  /// Makes it working, and nobody done, again. Drops what is left in the buffers. All PEs do it; does not
  /// wait. Legal always.
  void reset() {
    boxes_.take_memory();
    restart();
  }

  /// Gives the memory of the buffers back, with what is left in them. All PEs do it; does not wait. Legal
  /// always; only reset, clear and destruction may follow.
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

  detail::boxes<T> boxes_;
};

}  // namespace shoal
