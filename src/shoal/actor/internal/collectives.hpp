/// Collective calls of a PE, each built from rounds: of the substrate, or of a team.
///
/// Every contribution begins with a head that says which call it belongs to and where that was made. So PEs that make
/// different calls get a report. See docs/design/collectives-as-rounds.md.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <source_location>
#include <span>
#include <type_traits>
#include <typeinfo>
#include <vector>

#include "shoal/base/internal/ambient.hpp"
#include "shoal/base/internal/owner.hpp"
#include "shoal/base/internal/type_name.hpp"
#include "shoal/base/types.hpp"
#include "shoal/conveyor/internal/round.hpp"
#include "shoal/substrate/internal/round_head.hpp"
#include "shoal/substrate/internal/substrate.hpp"

namespace shoal::internal {

class main_program;

/// The collective calls of this layer, as tags of rounds.
enum class collective_call : call_tag {
  finish = first_tag_above_conveyors,
  close_mailbox,
  barrier,
  reduce,
  scan,
  broadcast,
  gather,
  reduce_arrays,
  scan_arrays,
  gather_arrays,
  all_to_all,
  allocate,
  deallocate,
  end_of_body,
  begin_world,
  close_job,
  end_of_process,
  split,
  end_of_team,
};

/// Ends the job: a sum does not fit into `type`, as the compiler names it.
[[noreturn]] void refuse_sum(const char* type);

/// The operation of `sum`, and the default of all_reduce. Ends the job if an integer overflows; but 64 bits without sign
/// wrap, as checksums want.
struct addition {
  template <class T>
  T operator()(const T& a, const T& b) const {
    static_assert(!std::is_same_v<T, bool>, "a sum of bools is a bool; sum std::int64_t{value} to count");
    if constexpr (std::is_integral_v<T> && (std::is_signed_v<T> || sizeof(T) < sizeof(std::uint64_t))) {
      T sum;
      if (__builtin_add_overflow(a, b, &sum)) refuse_sum(typeid(T).name());
      return sum;
    } else {
      return static_cast<T>(a + b);
    }
  }
};
struct minimum {
  template <class T>
  constexpr T operator()(const T& a, const T& b) const {
    return b < a ? b : a;
  }
};
struct maximum {
  template <class T>
  constexpr T operator()(const T& a, const T& b) const {
    return a < b ? b : a;
  }
};

/// Whether a fold has the same value in whatever order its parts are folded. Folds of other kinds, as of floating-point
/// numbers, or of integers whose sums may not fit, run strictly in ascending order of PEs. A team, whose rounds fold along a tree, gathers their values for that.
template <class T, class Op>
inline constexpr bool folds_exactly =
    std::is_integral_v<T> && (std::is_same_v<Op, minimum> || std::is_same_v<Op, maximum> ||
                              (std::is_same_v<Op, addition> && std::is_same_v<T, std::uint64_t>));

/// A value, not an array of values.
template <class T>
inline constexpr bool is_span = false;
template <class T, std::size_t N>
inline constexpr bool is_span<std::span<T, N>> = true;
template <class T>
concept single_item = item<T> && !is_span<T>;

/// into[i] = op(into[i], from[i]) for n elements, which need no alignment. The two do not overlap.
using fold_function = void (*)(std::byte* into, const std::byte* from, std::size_t n);

[[noreturn]] void refuse_exception_in_fold() noexcept;

template <class T, class Op>
void fold_elements(std::byte* into, const std::byte* from, std::size_t n) {
  try {
    for (std::size_t i = 0; i < n; ++i) {
      T a;
      T b;
      std::memcpy(static_cast<void*>(&a), into + i * sizeof(T), sizeof(T));
      std::memcpy(static_cast<void*>(&b), from + i * sizeof(T), sizeof(T));
      a = Op{}(a, b);
      std::memcpy(into + i * sizeof(T), &a, sizeof(T));
    }
  } catch (...) {  // in the middle of a round nobody can catch it
    refuse_exception_in_fold();
  }
}

/// A combine_function: combines the heads, and the values of type T after them by `Op`.
template <class T, class Op>
void combine_values(std::byte* into, const std::byte* from, std::size_t) {
  if (!combine_heads(into, from)) return;  // then they need not be values of T
  fold_elements<T, Op>(into + sizeof(round_head), from + sizeof(round_head), 1);
}

/// Identifies types within one binary; equal in all processes that run it. Computed once.
template <class... T>
std::uint64_t digest_of() {
  static const std::uint64_t value = digest_of_names({typeid(T).name()...});
  return value;
}

/// All functions but `arrive` and `try_result` wait, while handlers run. world.hpp documents each call for users.
class collectives {
public:
  /// `through` and `caller` outlive this object.
  collectives(exchange& through, main_program& caller) noexcept;
  collectives(const collectives&) = delete;
  collectives& operator=(const collectives&) = delete;

  void barrier(const std::source_location& where) { agree(collective_call::barrier, "barrier", 0, where); }

  /// The last collective call: end_of_body or close_job.
  void end(collective_call as) { agree(as, "the end of the program's body", 0, {}); }

  /// `name`: what the program called, for reports.
  template <item T, class Op>
  T all_reduce(const T& value, Op, const std::source_location& where, const char* name = "all_reduce") {
    static_assert(sizeof(T) <= round_payload_max, "the value is too large for a round; reduce a span of one");
    static_assert(std::is_empty_v<Op>, "the operation runs on any PE, so it cannot have state");
    T result;
    std::memcpy(static_cast<void*>(&result),
                round(collective_call::reduce, name, digest_of<T, Op>(), std::as_bytes(std::span(&value, 1)),
                      combine_values<T, Op>, where, folds_exactly<T, Op>),
                sizeof(T));
    return result;
  }

  /// Folds the values of all PEs before this one, or up to it; T{} if there are none.
  template <item T, class Op>
  T scan(const T& value, Op op, bool is_inclusive, const std::source_location& where) {
    static_assert(sizeof(T) <= round_payload_max, "the value is too large for a round; scan a span of one");
    static_assert(std::is_empty_v<Op>, "the operation has no state, as in all_reduce");
    round(collective_call::scan, is_inclusive ? "inclusive_scan" : "exclusive_scan",
          digest_of<T, Op>() ^ std::uint64_t{is_inclusive}, std::as_bytes(std::span(&value, 1)), combine_only_heads,
          where);
    await_contributions(exchange_, group_rounds::everybody);
    const pe_id end = my_pe_ + pe_id{is_inclusive};
    if (end == 0) return T{};
    T all = contribution<T>(0);
    for (pe_id pe = 1; pe < end; ++pe) all = op(all, contribution<T>(pe));
    return all;
  }

  /// `only_first`: PE 0 gets the values, and the others get none.
  template <item T>
  std::vector<T> gather(const T& value, const std::source_location& where, collective_call as = collective_call::gather,
                        const char* name = "gather", bool only_first = false) {
    static_assert(sizeof(T) <= round_payload_max, "the value is too large for a round; gather a span of one");
    round(as, name, digest_of<T>(), std::as_bytes(std::span(&value, 1)), combine_only_heads, where);
    await_contributions(exchange_, group_rounds::everybody);
    std::vector<T> all;
    for (pe_id pe = 0; pe < n_pes_ && (my_pe_ == 0 || !only_first); ++pe) all.push_back(contribution<T>(pe));
    return all;
  }

  template <item T>
  void broadcast(std::span<T> values, pe_id root, const std::source_location& where) {
    broadcast_bytes(std::as_writable_bytes(values), root, where);
  }

  /// Ends the job unless all PEs make this call now, with the same digest.
  void agree(collective_call call, const char* name, std::uint64_t digest, const std::source_location& where);

  /// Runs a whole round and returns the fold's payload. Unless `is_exact`, it is folded in ascending order of PEs.
  const std::byte* round(collective_call call, const char* name, std::uint64_t digest,
                         std::span<const std::byte> payload, combine_function combine,
                         const std::source_location& where, bool is_exact = true);

  // --- A round in two halves, for a caller that works until the round is complete.

  /// Starts this PE's part of a round with `payload`. `combine` folds contributions, heads included. Local,
  /// nonblocking.
  void arrive(collective_call call, std::uint64_t digest, std::span<const std::byte> payload, combine_function combine,
              const std::source_location& where);

  /// The fold's payload, once every PE has arrived; null before. Ends the job if PEs arrived in different calls. Valid
  /// until the next `arrive`. Local, nonblocking.
  const std::byte* try_result();

private:
  template <class T>
  T contribution(pe_id pe) {
    T value;
    std::memcpy(static_cast<void*>(&value), rounds_.round_contribution(pe) + sizeof(round_head), sizeof(T));
    return value;
  }

  void broadcast_bytes(std::span<std::byte> bytes, pe_id root, const std::source_location& where);

  exchange& exchange_;
  group_rounds& rounds_;
  const pe_id my_pe_;
  const pe_id n_pes_;
  main_program& caller_;
  bool is_under_way_ = false;  // a round is in progress; at most one is
  owner<std::vector<std::byte>> in_order_;  // the last fold that a team made in ascending order
};

}  // namespace shoal::internal
