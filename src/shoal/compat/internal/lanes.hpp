/// bale's three ways to carry many small items, under the same verbs, and the two loops that the functions of spmat.h
/// need.
///
/// A lane is open from its construction to the end of the loop. Where memory lacks it is none: `is_open` says so, on
/// all PEs.
///
///     lane.proceed(done)   moves items along; false once all PEs were done and everything has been pulled
///     lane.push(item, pe)  false: no room now
///     lane.pull(item)      false: nothing is here now
///     lane.unpull()        undoes the last pull
#pragma once

#include <cstdint>
#include <cstdlib>

#include "shoal/actor/world.hpp"
#include "shoal/compat/include/convey.h"
#include "shoal/compat/include/exstack.h"
#include "shoal/compat/internal/process_world.hpp"

namespace shoal::internal::compat {

template <class Item>
class conveyor_lane {
public:
  explicit conveyor_lane(std::int64_t /*buf_cnt*/) : items_(convey_new(SIZE_MAX, 0, nullptr, 0)) {
    if (items_ != nullptr) convey_begin(items_, sizeof(Item), alignof(Item));
  }
  ~conveyor_lane() {
    if (items_ != nullptr) convey_free(items_);
  }
  conveyor_lane(const conveyor_lane&) = delete;
  conveyor_lane& operator=(const conveyor_lane&) = delete;

  bool is_open() const { return items_ != nullptr; }
  bool proceed(bool done) { return convey_advance(items_, done) != convey_DONE; }
  bool push(const Item& item, std::int64_t pe) { return convey_push(items_, &item, pe) == convey_OK; }
  bool pull(Item& item) { return convey_pull(items_, &item, nullptr) == convey_OK; }
  void unpull() { convey_unpull(items_); }

private:
  convey_t* items_;
};

template <class Item>
class exstack2_lane {
public:
  explicit exstack2_lane(std::int64_t buf_cnt) : items_(exstack2_init(buf_cnt, sizeof(Item))) {}
  ~exstack2_lane() {
    if (items_ != nullptr) exstack2_clear(items_);
    std::free(items_);
  }
  exstack2_lane(const exstack2_lane&) = delete;
  exstack2_lane& operator=(const exstack2_lane&) = delete;

  bool is_open() const { return items_ != nullptr; }
  bool proceed(bool done) { return exstack2_proceed(items_, done) != 0; }
  bool push(Item& item, std::int64_t pe) { return exstack2_push(items_, &item, pe) != 0; }
  bool pull(Item& item) { return exstack2_pop(items_, &item, nullptr) != 0; }
  void unpull() { exstack2_unpop(items_); }

private:
  exstack2_t* items_;
};

/// Here `proceed` is collective. An exchange would drop what has not been popped, so there is none while any PE has
/// such items.
template <class Item>
class exstack_lane {
public:
  explicit exstack_lane(std::int64_t buf_cnt) : items_(exstack_init(buf_cnt, sizeof(Item))) {}
  ~exstack_lane() {
    if (items_ != nullptr) exstack_clear(items_);
    std::free(items_);
  }
  exstack_lane(const exstack_lane&) = delete;
  exstack_lane& operator=(const exstack_lane&) = delete;

  bool is_open() const { return items_ != nullptr; }
  bool proceed(bool done) {
    enum : std::int64_t { finished, working, has_items_left };
    const std::int64_t mine = has_left_ ? has_items_left : !done || has_pushed_ ? working : finished;
    const std::int64_t all = world_for("exstack_proceed").max(mine);
    if (all == working) {
      exstack_exchange(items_);
      has_pushed_ = false;
      has_left_ = true;  // as far as is known
    }
    return all != finished;
  }
  bool push(Item& item, std::int64_t pe) {
    const bool has_room = exstack_push(items_, &item, pe) != 0;
    has_pushed_ = has_pushed_ || has_room;
    return has_room;
  }
  bool pull(Item& item) { return has_left_ = exstack_pop(items_, &item, nullptr) != 0; }
  void unpull() { exstack_unpop(items_); }

private:
  exstack_t* items_;
  bool has_pushed_ = false;  // since the last exchange
  bool has_left_ = false;  // something of it to pop
};

/// Sends what `next(item, pe)` gives until it says false; the target calls `take(item)`, in order of each sender.
/// Collective.
template <class Item, template <class> class Lane, class Next, class Take>
void carry(Lane<Item>& lane, Next next, Take take) {
  Item item{};
  Item came{};
  std::int64_t pe = 0;
  bool has_item = next(item, pe);
  while (lane.proceed(!has_item)) {
    while (has_item && lane.push(item, pe)) has_item = next(item, pe);
    while (lane.pull(came)) take(came);
  }
}

/// The same with a stop: each item travels to the PE where `turn(item, pe)` changes it and says where it goes on to.
/// Collective.
template <class Item, template <class> class Lane, class Next, class Turn, class Take>
void carry_by_way_of(Lane<Item>& first, Lane<Item>& second, Next next, Turn turn, Take take) {
  Item item{};
  Item came{};
  std::int64_t pe = 0;
  std::int64_t pe_after = 0;
  bool has_item = next(item, pe);
  bool first_goes = true;
  bool second_goes = true;
  while (first_goes || second_goes) {
    first_goes = first_goes && first.proceed(!has_item);
    second_goes = second_goes && second.proceed(!first_goes);
    while (has_item && first.push(item, pe)) has_item = next(item, pe);
    while (first_goes && first.pull(came)) {
      turn(came, pe_after);
      if (second.push(came, pe_after)) continue;
      first.unpull();
      break;
    }
    while (second_goes && second.pull(came)) take(came);
  }
}

}  // namespace shoal::internal::compat
