/// Boxes: room for a fixed number of items to and from each PE, exchanged by all PEs at once. The bulk-synchronous
/// conveyors use them.
#pragma once

#include <cstdint>
#include <cstring>
#include <memory>
#include <new>
#include <vector>

#include "shoal/base/types.hpp"
#include "shoal/conveyor/conveyor.hpp"
#include "shoal/conveyor/internal/exchange.hpp"

namespace shoal::internal {

/// The part that does not depend on the item type: how full the boxes are, and what has been read from them. An item is
/// identified by its place: box number times capacity, plus position in the box.
class boxes_base {
public:
  static constexpr std::size_t no_place = SIZE_MAX;

  boxes_base(shoal::internal::exchange& through, std::size_t capacity_items);
  boxes_base(const boxes_base&) = delete;
  boxes_base& operator=(const boxes_base&) = delete;

  std::size_t capacity() const noexcept { return capacity_; }
  pe_id n_pes() const noexcept { return n_pes_; }

  /// Exchanges the boxes: what was put for a PE is there when this returns, and replaces what had arrived before.
  /// Collective; waits for all PEs while buffers and handlers proceed.
  virtual void carry() = 0;

  // --- Outgoing

  std::size_t room(pe_id target) const noexcept { return capacity_ - n_out_[static_cast<std::size_t>(target)]; }
  std::size_t min_room() const noexcept;
  std::size_t n_outgoing() const noexcept;

  // --- Incoming, by ascending source; items of one source in push order

  std::size_t n_unread() const noexcept { return n_unread_; }

  /// The place of the next item, of any source or of one, which counts as read from now on; no_place if none is left.
  std::size_t next() noexcept {
    if (n_unread_ == 0) return no_place;
    while (n_read_[source_] == n_in_[source_]) ++source_;
    return next_from(static_cast<pe_id>(source_));
  }
  std::size_t next_from(pe_id source) noexcept {
    const auto box = static_cast<std::size_t>(source);
    if (n_read_[box] == n_in_[box]) return no_place;
    --n_unread_;
    last_ = box;
    return box * capacity_ + n_read_[box]++;
  }

  /// The box that a place lies in.
  pe_id box_of(std::size_t place) const noexcept { return static_cast<pe_id>(place / capacity_); }

  /// Puts back the item read last, once; or the item of `source` read last, any number of times down to its first.
  /// False if there is none.
  bool put_back() noexcept;
  bool put_back(pe_id source) noexcept;

  /// Empties all boxes.
  void drop() noexcept;

protected:
  ~boxes_base() = default;

  [[noreturn]] void no_memory(std::size_t item_bytes) const;

  std::size_t place_out(pe_id target) noexcept {
    const auto box = static_cast<std::size_t>(target);
    return box * capacity_ + n_out_[box]++;
  }
  std::size_t place_in(pe_id source);
  void begin_carry() noexcept;  // empties the incoming boxes
  void end_carry() noexcept;  // empties the outgoing boxes

  std::vector<std::size_t> n_out_;  // items in each outgoing box

private:
  std::size_t capacity_;
  pe_id n_pes_;
  std::vector<std::size_t> n_in_;  // items in each incoming box
  std::vector<std::size_t> n_read_;  // how many of these are read
  std::size_t n_unread_ = 0;  // over all boxes
  std::size_t source_ = 0;  // all boxes before this one are read
  std::size_t last_ = SIZE_MAX;  // box of the item read last, if it may be put back
};

template <item T>
class boxes final : public boxes_base {
public:
  /// As conveyor's constructor.
  boxes(shoal::internal::exchange& through, std::size_t capacity_items, int n_hops = 0)
      : boxes_base(through, capacity_items), me_(through.my_pe()), items_(through, {.n_hops = n_hops}) {
    take_memory();
  }

  /// Identifies this object; the same on all PEs.
  std::uint64_t serial() const noexcept { return items_.serial(); }

  conveyor_counts counts() const noexcept { return items_.counts(); }

  /// Requires room.
  void put(const T& value, pe_id target) noexcept { std::memcpy(out_[place_out(target)].bytes, &value, sizeof(T)); }

  /// An arrived item, readable until the next carry.
  const T* at(std::size_t place) const noexcept { return reinterpret_cast<const T*>(in_[place].bytes); }

  void carry() override {
    begin_carry();
    items_.begin();
    // Start after this PE, so that PEs do not all send to the same target at once.
    pe_id n_sent = 0;  // boxes
    std::size_t i = 0;
    do {
      for (; n_sent < n_pes(); ++n_sent, i = 0) {
        const pe_id target = (me_ + 1 + n_sent) % n_pes();
        if (!send(target, i)) break;
      }
      pe_id source = 0;
      while (const T* value = items_.pull(source)) {
        std::memcpy(in_[place_in(source)].bytes, value, sizeof(T));
      }
    } while (items_.advance(n_sent == n_pes()) != progress::complete);
    items_.reset();
    end_carry();
  }

  void give_memory_back() noexcept {
    out_.reset();
    in_.reset();
  }
  void take_memory() {
    if (out_ != nullptr) return;
    const auto n_boxes = static_cast<std::size_t>(n_pes());
    if (capacity() > PTRDIFF_MAX / n_boxes / sizeof(cell)) no_memory(sizeof(T));
    try {
      out_ = std::make_unique_for_overwrite<cell[]>(capacity() * n_boxes);
      in_ = std::make_unique_for_overwrite<cell[]>(capacity() * n_boxes);
    } catch (const std::bad_alloc&) {
      no_memory(sizeof(T));
    }
  }

private:
  struct cell {
    alignas(T) std::byte bytes[sizeof(T)];
  };

  // Pushes the items of a box from the i-th on; false if there is no room for all of them.
  bool send(pe_id target, std::size_t& i) {
    const auto box = static_cast<std::size_t>(target);
    const cell* const items = &out_[box * capacity()];
    for (; i < n_out_[box]; ++i) {
      if (!items_.push(*reinterpret_cast<const T*>(items[i].bytes), target)) return false;
    }
    return true;
  }

  pe_id me_;
  conveyor<T> items_;
  std::unique_ptr<cell[]> out_;
  std::unique_ptr<cell[]> in_;
};

}  // namespace shoal::internal
