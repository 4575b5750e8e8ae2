/// Collective calls in the background, as members of shoal::world: each gives a future of its result.
/// docs/design/collectives-in-background.md
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <source_location>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "shoal/actor/future.hpp"
#include "shoal/actor/internal/collectives.hpp"
#include "shoal/actor/internal/late_part.hpp"
#include "shoal/base/internal/owner.hpp"
#include "shoal/base/types.hpp"

namespace shoal::internal {

/// What a call does.
struct background_call {
  const char* name;
  std::uint64_t digest;  // of types
  std::size_t value_bytes;
  fold_function fold;  // null: every PE gets the value of the root, or of all PEs
  void (*give)(pending_answer& to, const std::byte* result, std::size_t n_values);
  pe_id root = every_pe;  // who gives a value
  static constexpr pe_id every_pe = INT64_MIN;
};

template <class T>
void give_value(pending_answer& to, const std::byte* from, std::size_t) {
  T value;
  std::memcpy(static_cast<void*>(&value), from, sizeof value);
  answers::give(to, std::move(value));
}
template <class T>
void give_values(pending_answer& to, const std::byte* from, std::size_t n) {
  std::vector<T> all;
  for (T value; all.size() < n; from += sizeof value) {
    std::memcpy(static_cast<void*>(&value), from, sizeof value);
    all.push_back(value);
  }
  answers::give(to, std::move(all));
}

}  // namespace shoal::internal

namespace shoal {

/// A base of world. All PEs start the same calls in the same order; other collective calls may come between them in
/// different places. A call is complete when all PEs have started it. Any number may be under way. Local, does not wait;
/// what is under way moves in waits and in `progress`. In the main program only.
class started_collectives {
public:
  started_collectives(const started_collectives&) = delete;
  started_collectives& operator=(const started_collectives&) = delete;

  future<void> start_barrier(std::source_location where = std::source_location::current());

  /// As all_reduce, for values of at most 1 KiB. `Op` is folded in ascending order of PEs, in groups that depend on their
  /// number alone; so floating-point results are reproducible, but may differ from those of all_reduce.
  template <internal::single_item T, class Op = internal::addition>
  future<T> start_all_reduce(const T& value, Op = {}, std::source_location where = std::source_location::current()) {
    return reduce<T, Op>("start_all_reduce", value, where);
  }
  template <internal::single_item T>
  future<T> start_sum(const T& value, std::source_location where = std::source_location::current()) {
    return reduce<T, internal::addition>("start_sum", value, where);
  }
  template <internal::single_item T>
  future<T> start_min(const T& value, std::source_location where = std::source_location::current()) {
    return reduce<T, internal::minimum>("start_min", value, where);
  }
  template <internal::single_item T>
  future<T> start_max(const T& value, std::source_location where = std::source_location::current()) {
    return reduce<T, internal::maximum>("start_max", value, where);
  }

  /// The value of PE `root`.
  template <internal::single_item T>
  future<T> start_broadcast(const T& value, pe_id root = 0,
                            std::source_location where = std::source_location::current()) {
    return start<T>({"start_broadcast", internal::digest_of<T>(), sizeof(T), nullptr, internal::give_value<T>, root},
                    value, where);
  }
  /// All values, indexed by PE.
  template <internal::single_item T>
  future<std::vector<T>> start_gather(const T& value, std::source_location where = std::source_location::current()) {
    const internal::background_call its{"start_gather", internal::digest_of<T>(), sizeof(T), nullptr,
                                        internal::give_values<T>};
    return start<std::vector<T>>(its, value, where);
  }

protected:
  started_collectives() noexcept = default;
  ~started_collectives() = default;
  /// Collective: waits until all calls are complete. Then all PEs meet, and the background may end. `call`: for reports.
  void await_background(const char* call) {
    if (background_ != nullptr) background_->await_all(call);
  }
  /// After the last call, while the world's other parts live.
  void end_background() noexcept { background_.reset(); }

private:
  template <class T, class Op>
  future<T> reduce(const char* name, const T& value, const std::source_location& where) {
    static_assert(sizeof(T) <= internal::round_bytes_max, "the value has more than 1 KiB; call all_reduce of a span");
    static_assert(std::is_empty_v<Op>, "the operation runs on any PE, so it cannot have state");
    const auto fold = internal::fold_elements<T, Op>;
    return start<T>({name, internal::digest_of<T, Op>(), sizeof(T), fold, internal::give_value<T>}, value, where);
  }
  template <class Result, class T>
  future<Result> start(const internal::background_call& call, const T& value, const std::source_location& where) {
    return future<Result>(start_bytes(call, std::as_bytes(std::span(&value, 1)), where));
  }
  internal::pending_answer& start_bytes(const internal::background_call& call, std::span<const std::byte> mine,
                                        const std::source_location& where);

  internal::owner<internal::late_part> background_;  // internal::background_calls
};

}  // namespace shoal
