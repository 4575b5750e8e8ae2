/// A work_list whose items have keys: what is left twice for one key is done once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "shoal/actor/work_list.hpp"

namespace shoal {

/// The value of an item that has only a key.
struct no_value {};

namespace internal {

// The value type of a function of a key, or of a key and a value.
template <class F>
struct keyed_parameters;
template <class R, class C, class K>
struct keyed_parameters<R (C::*)(K)> {
  using value = no_value;
};
template <class R, class C, class K>
struct keyed_parameters<R (C::*)(K) const> {
  using value = no_value;
};
template <class R, class C, class K, class V>
struct keyed_parameters<R (C::*)(K, V)> {
  using value = std::remove_cvref_t<V>;
};
template <class R, class C, class K, class V>
struct keyed_parameters<R (C::*)(K, V) const> {
  using value = std::remove_cvref_t<V>;
};
template <class F>
using value_of = typename keyed_parameters<decltype(&F::operator())>::value;

}  // namespace internal

/// How two values for one key become one, if there is nothing to merge: the earlier one stays.
struct keep_earlier {
  template <class T>
  void operator()(T&, const T&) const noexcept {}
};

/// `shoal::keyed_work_list todo{world, 1000, [&](std::size_t vertex) { ... }};` is a work_list of keys below 1000.
/// `defer(vertex)` has no effect on a key whose item is left and not begun. Other items have values:
///
///     shoal::keyed_work_list todo{world, 1000,
///                                 [&](std::size_t vertex, std::int64_t distance) { ... },
///                                 [](std::int64_t& mine, std::int64_t other) { mine = std::min(mine, other); }};
///
/// There `defer(vertex, distance)` merges with what is left for the vertex. By bucket, the lower of the two buckets
/// counts. Where mailboxes have fed_by, an item sends as who has left its key first, so let all who leave items feed them.
///
/// Memory, whatever is left: the size of a value and 12 bytes a key; with lowest_bucket_first 24. Otherwise as work_list.
template <class F, class T = internal::value_of<F>, class M = keep_earlier>
class keyed_work_list final : private internal::work_queue {
  static constexpr bool has_values = !std::is_same_v<T, no_value>;
  static_assert(has_values ? std::is_invocable_v<F&, std::size_t, T&> : std::is_invocable_v<F&, std::size_t>,
                "the function of a keyed_work_list is called as function(key) or function(key, value)");
  static_assert(std::is_invocable_v<M&, T&, const T&>, "values are merged by merge(into, from)");

public:
  /// Throws std::bad_alloc. `n_keys` is less than 2^32 - 1.
  keyed_work_list(world& home, std::size_t n_keys, F on_item, M merge = {},
                  work_order order = work_order::first_in_first_out, std::string name = "keyed_work_list")
      : work_queue(home, std::move(name)), on_item_(std::move(on_item)), merge_(std::move(merge)), order_(order) {
    this->require_keys(n_keys, none);
    whose_.resize(n_keys);
    next_.resize(n_keys);
    if constexpr (has_values) values_.resize(n_keys);
    if (order_ == work_order::lowest_bucket_first) {
      previous_.resize(n_keys);
      bucket_of_.resize(n_keys);
    }
  }
  ~keyed_work_list() { this->end_life(); }

  /// Leaves an item for later, or merges it. Local, in the main program, handlers and items; does not wait.
  void defer(std::size_t key, std::uint64_t bucket = 0)
    requires(!has_values)
  {
    leave(key, {}, bucket);
  }
  void defer(std::size_t key, const T& value, std::uint64_t bucket = 0)
    requires(has_values)
  {
    leave(key, value, bucket);
  }

  /// Whether an item of this key is left and not begun.
  bool has(std::size_t key) const noexcept { return static_cast<bool>(whose_[key]); }
  /// Items that are left and not begun.
  std::size_t size() const noexcept { return size_; }

private:
  using index = std::uint32_t;
  static constexpr index none = std::numeric_limits<index>::max();

  // The keys in one order, linked through next_, and through previous_ in buckets.
  struct chain {
    index first = none;
    index last = none;
  };

  void leave(std::size_t key, const T& value, std::uint64_t bucket) {
    if (key >= whose_.size() || internal::other_worker() != nullptr) this->refuse_key(key, whose_.size());
    internal::work_owner& whose = whose_[key];
    if (!whose) {
      whose = this->leave_one();
      if constexpr (has_values) values_[key] = value;
      link(static_cast<index>(key), bucket);
      ++size_;
      return;
    }
    if constexpr (has_values) merge_(values_[key], value);
    if (this->is_of_another(whose)) this->leave_one_of_many(merged_for_);
    if (order_ == work_order::lowest_bucket_first && bucket < bucket_of_[key]) {
      unlink(static_cast<index>(key));
      link(static_cast<index>(key), bucket);
    }
  }

  chain& chain_of(std::uint64_t bucket) { return order_ == work_order::lowest_bucket_first ? buckets_[bucket] : all_; }

  void link(index key, std::uint64_t bucket) {
    chain& in = chain_of(bucket);
    const bool is_first = in.first == none;
    if (order_ == work_order::first_in_first_out) {
      next_[key] = none;
      (is_first ? in.first : next_[in.last]) = key;
      in.last = key;
      return;
    }
    next_[key] = in.first;
    if (order_ == work_order::lowest_bucket_first) {
      bucket_of_[key] = bucket;
      previous_[key] = none;
      if (!is_first) previous_[in.first] = key;
    }
    in.first = key;
  }

  // Of a bucket.
  void unlink(index key) {
    const auto in = buckets_.find(bucket_of_[key]);
    const index before = previous_[key];
    (before == none ? in->second.first : next_[before]) = next_[key];
    if (next_[key] != none) previous_[next_[key]] = before;
    if (in->second.first == none) buckets_.erase(in);
  }

  index take() {
    --size_;
    if (order_ == work_order::lowest_bucket_first) {
      const index key = buckets_.begin()->second.first;
      unlink(key);
      return key;
    }
    const index key = all_.first;
    all_.first = next_[key];
    return key;
  }

  bool run(std::size_t n_most) override {
    for (; n_most > 0 && size_ > 0; --n_most) {
      const index key = take();
      // From here on, the same key may be left again.
      const internal::work_owner whose = std::exchange(whose_[key], {});
      this->begin_item(whose);
      if constexpr (has_values) {
        T value = std::move(values_[key]);
        on_item_(key, value);
      } else {
        on_item_(key);
      }
      this->end_item(whose);
    }
    if (size_ > 0) return true;
    for (const internal::work_owner each : merged_for_) this->end_item(each);
    merged_for_.clear();
    return true;
  }

  bool is_empty() const noexcept override { return size_ == 0; }
  void drop() noexcept override {
    whose_.assign(whose_.size(), {});
    all_ = {};
    buckets_.clear();
    merged_for_.clear();
    size_ = 0;
  }

  F on_item_;
  [[no_unique_address]] M merge_;
  work_order order_;
  std::vector<internal::work_owner> whose_;  // by key; none: nothing is left
  std::vector<index> next_;  // by key
  std::vector<index> previous_;  // by key, in buckets
  std::vector<std::uint64_t> bucket_of_;  // by key, in buckets
  std::vector<T> values_;  // by key, if there are any
  chain all_;  // unless by bucket
  std::map<std::uint64_t, chain> buckets_;  // none is empty
  // Mailboxes whose work was merged into an item that counts for another one. One count of each holds until the list is
  // empty: a place for each item would take more memory than the items.
  std::vector<internal::work_owner> merged_for_;
  std::size_t size_ = 0;
};

template <class F>
keyed_work_list(world&, std::size_t, F) -> keyed_work_list<F, internal::value_of<F>>;
template <class F, class M>
keyed_work_list(world&, std::size_t, F, M) -> keyed_work_list<F, internal::value_of<F>, M>;
template <class F, class M>
keyed_work_list(world&, std::size_t, F, M, work_order) -> keyed_work_list<F, internal::value_of<F>, M>;
template <class F, class M, class Name>
keyed_work_list(world&, std::size_t, F, M, work_order, Name) -> keyed_work_list<F, internal::value_of<F>, M>;

}  // namespace shoal
