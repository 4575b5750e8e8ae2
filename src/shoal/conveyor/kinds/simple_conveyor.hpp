/// Simple conveyors: the bulk-synchronous kind. Items gather in a buffer for each PE; `advance` is collective, and
/// exchanges all buffers at once when some PE wants it.
///
/// The contract is that of bale's simple conveyors (Maley and DeVinney, "Conveyors for streaming many-to-many
/// communication", 2019, section 4.1): the calls, states and loop of shoal::conveyor (conveyor.hpp), except that
/// - advance waits for all PEs, until the session is over for this PE;
/// - there is room for a fixed number of items to each PE, so a push fails only when that room is used up;
/// - items are pulled by ascending sender, and stay readable until the next advance.
/// Every pushed item is delivered exactly once; items from one PE to another arrive in push order. Misuse ends the job
/// with one line.
#pragma once

#include <cstdint>
#include <string_view>

#include "shoal/conveyor/kinds/internal/boxes.hpp"

namespace shoal {

struct simple_conveyor_options {
  /// Items to each PE between two exchanges; the same on all PEs. Each PE has memory for 2 * n_pes times as many.
  std::size_t capacity_items = 1024;
  /// Exchanges whenever there are items. Otherwise a buffer that is not full waits until it is, or its PE is done, or
  /// another PE wants to exchange.
  bool steady = false;
  /// Hops of each exchange, as conveyor_options::n_hops: 2 is bale's two-hop conveyor (row, then column).
  int n_hops = 0;
};

/// The part that does not depend on the item type.
class simple_conveyor_base {
public:
  simple_conveyor_base(const simple_conveyor_base&) = delete;
  simple_conveyor_base& operator=(const simple_conveyor_base&) = delete;

  /// dormant -> working. All PEs call it; does not wait.
  void begin();

  /// Exchanges buffers if some PE wants it and no PE has items left to pull. `is_done` promises that this PE pushes no
  /// more in this session; the promise cannot be taken back. While working and in the endgame: collective, waits for
  /// all PEs, and handlers run meanwhile. In cleanup and when complete: local. Illegal while dormant.
  progress advance(bool is_done);

  /// Puts the last pulled item back, once: the next pull returns it again. False if there is none, an advance has
  /// exchanged since, or the session is complete. Local. Legal unless dormant.
  bool unpull();

  /// complete -> dormant, or stays dormant. All PEs call it; does not wait.
  void reset();

  conveyor_state state() const noexcept { return state_; }

protected:
  simple_conveyor_base(shoal::internal::exchange& through, bool is_steady) noexcept;
  ~simple_conveyor_base();

  /// Second half of the constructor, once the boxes exist.
  void attach(internal::boxes_base& boxes, std::uint64_t serial) noexcept {
    boxes_ = &boxes;
    serial_ = serial;
  }

  void require(bool is_legal, std::string_view call) const {
    if (!is_legal) [[unlikely]]
      refuse(call);
  }
  [[noreturn, gnu::cold]] void refuse_push(pe_id target) const;

  // As in conveyor_base.
  std::uint64_t n_pushable_ = 0;
  conveyor_counts counts_;

private:
  [[noreturn, gnu::cold]] void refuse(std::string_view call) const;

  shoal::internal::exchange& exchange_;
  internal::boxes_base* boxes_ = nullptr;
  std::uint64_t serial_ = 0;
  bool is_steady_;
  conveyor_state state_ = conveyor_state::dormant;
};

template <item T>
class simple_conveyor : public simple_conveyor_base {
public:
  /// Collective: all PEs construct the same conveyors in the same order. Does not wait. Throws setup_error if no buffer
  /// slot is left to reserve. May be destroyed only while dormant or complete.
  explicit simple_conveyor(shoal::internal::exchange& through, const simple_conveyor_options& options = {})
      : simple_conveyor_base(through, options.steady), boxes_(through, options.capacity_items, options.n_hops) {
    attach(boxes_, boxes_.serial());
  }

  /// Offers one item to `target`. Local, nonblocking; legal while working. False: the buffer is full; advance and offer
  /// it again. The item is copied.
  [[nodiscard]] bool push(const T& value, pe_id target) {
    if (static_cast<std::uint64_t>(target) >= n_pushable_) [[unlikely]]
      refuse_push(target);
    if (boxes_.room(target) == 0) [[unlikely]]
      return false;
    boxes_.put(value, target);
    ++counts_.n_pushed;
    return true;
  }

  /// The next item of the last exchange, in place; null if none is left (only `advance` tells whether more will come).
  /// Readable until the next advance or reset. Local, nonblocking; legal unless dormant.
  [[nodiscard]] const T* pull() {
    pe_id from = 0;
    return pull(from);
  }
  [[nodiscard]] const T* pull(pe_id& from) {
    require(state() != conveyor_state::dormant, "pull");
    const std::size_t place = boxes_.next();
    if (place == boxes_.no_place) return nullptr;
    ++counts_.n_pulled;
    from = boxes_.box_of(place);
    return boxes_.at(place);
  }

  /// Counts since construction. Buffers and bytes are those of the exchanges.
  conveyor_counts counts() const noexcept {
    conveyor_counts counts = counts_;
    const conveyor_counts carried = boxes_.counts();
    counts.n_buffers = carried.n_buffers;
    counts.n_bytes = carried.n_bytes;
    counts.n_encoded = carried.n_encoded;
    counts.n_spared = carried.n_spared;
    return counts;
  }

private:
  internal::boxes<T> boxes_;
};

}  // namespace shoal
