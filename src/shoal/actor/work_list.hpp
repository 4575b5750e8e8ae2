/// Work that handlers leave for later on their PE, for handlers that would send more than they receive.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "shoal/actor/handler.hpp"
#include "shoal/actor/internal/deferred_work.hpp"
#include "shoal/actor/world.hpp"

namespace shoal {

/// The order in which a PE does the items of one list.
enum class work_order : std::uint8_t {
  first_in_first_out,
  last_in_first_out,
  lowest_bucket_first,  // in a bucket, last in first out
};

/// `shoal::work_list todo{world, [&](std::int64_t vertex) { ... }};` makes a list of items for this PE. In a superstep,
/// `defer(vertex)` leaves an item for later. The function's parameter determines the type of items, which stay on
/// their PE and may be of any movable type. An item belongs to the superstep of what left it, and `finish` waits for it.
///
/// The function runs as a part of the main program: it may send, and wait for room; but collective calls, `progress` and
/// constructions are errors in it. It runs in `finish`, `close`, collective calls and `progress`, one item at a time,
/// never inside a send or another item. docs/tutorial.md has a section on this.
///
/// The function may be an object with a member `const void* prefetch(const T& item) const`, which returns an address that
/// the function will touch. It is called some items before the function, or not at all; the address is prefetched.
///
/// Construction and destruction are local, in the main program. It must outlive its items.
template <class F, class T = message_of<F>>
class work_list final : private internal::work_queue {
  static_assert(std::is_invocable_v<F&, T&>, "the function of a work_list is called as function(item)");
  static constexpr bool fetches = requires(const F& f, const T& item) {
    { f.prefetch(item) } -> std::convertible_to<const void*>;
  };
  static_assert(
      fetches || !requires { &F::prefetch; },
      "the prefetch of a work_list's function is const, takes the item and returns an address");

public:
  work_list(world& home, F on_item, std::string name = "work_list")
      : work_list(home, std::move(on_item), work_order::first_in_first_out, std::move(name)) {}
  work_list(world& home, F on_item, work_order order, std::string name = "work_list")
      : work_queue(home, std::move(name)), on_item_(std::move(on_item)), order_(order) {}
  ~work_list() { this->end_life(); }

  /// Leaves an item for later. Local, in the main program, handlers and items; does not wait. `bucket` matters to
  /// lowest_bucket_first only.
  void defer(T item, std::uint64_t bucket = 0) {
    entry next{std::move(item), this->leave_one()};
    if (order_ == work_order::lowest_bucket_first) {
      buckets_[bucket].push_back(std::move(next));
    } else {
      items_.push_back(std::move(next));
    }
    ++size_;
  }

  /// Items that are left and not begun.
  std::size_t size() const noexcept { return size_; }

private:
  struct entry {
    T item;
    internal::work_owner whose;
  };

  entry take() {
    --size_;
    if (order_ == work_order::lowest_bucket_first) {
      const auto lowest = buckets_.begin();
      entry next = std::move(lowest->second.back());
      lowest->second.pop_back();
      if (lowest->second.empty()) buckets_.erase(lowest);
      return next;
    }
    const bool is_first = order_ == work_order::first_in_first_out;
    entry next = std::move(is_first ? items_.front() : items_.back());
    is_first ? items_.pop_front() : items_.pop_back();
    return next;
  }

  // How many items the prefetch runs ahead. An item sends several messages, so it takes longer than one message
  // (prefetch_distance in fetch_loop.hpp). Topological sort took as long with 4 and with 16.
  static constexpr std::size_t n_ahead = 8;

  // The item that is taken after `n` others unless more is left meanwhile. Null if there is none, or by bucket, if it is in
  // another bucket.
  const T* later(std::size_t n) const noexcept {
    if (order_ == work_order::lowest_bucket_first) {
      const std::vector<entry>& lowest = buckets_.begin()->second;
      return n < lowest.size() ? &lowest[lowest.size() - 1 - n].item : nullptr;
    }
    if (n >= size_) return nullptr;
    return &items_[order_ == work_order::first_in_first_out ? n : size_ - 1 - n].item;
  }

  bool run(std::size_t n_most) override {
    for (; n_most > 0 && size_ > 0; --n_most) {
      if constexpr (fetches) {
        if (const T* next = later(n_ahead)) __builtin_prefetch(on_item_.prefetch(*next));
      }
      entry next = take();  // handlers that run while the item waits may leave more
      this->begin_item(next.whose);
      on_item_(next.item);
      this->end_item(next.whose);
    }
    return true;
  }
  bool is_empty() const noexcept override { return size_ == 0; }
  void drop() noexcept override {
    items_.clear();
    buckets_.clear();
    size_ = 0;
  }

  F on_item_;
  work_order order_;
  std::deque<entry> items_;  // unless by bucket
  std::map<std::uint64_t, std::vector<entry>> buckets_;  // none is empty
  std::size_t size_ = 0;
};

}  // namespace shoal
