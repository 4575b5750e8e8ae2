/// Loops over elements of distributed arrays, written one element at a time, whose accesses travel together.
///
///     shoal::aggregate(n, [&](std::int64_t i) { counts[slots[i]] += 1; });
///     shoal::aggregate(
///         n, [&](std::int64_t i) { return table[wanted[i]]; },
///         [&](std::int64_t i, std::int64_t value) { found[i] = value; });
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <source_location>
#include <type_traits>
#include <utility>

#include "shoal/actor/world.hpp"
#include "shoal/pgas/internal/aggregated_loop.hpp"

namespace shoal {

struct aggregate_options {
  /// What reads that are under way may take of this PE's memory. A single iteration may take more.
  std::size_t memory_bytes = std::size_t{8} << 20;
};

namespace internal {

template <class F>
inline constexpr bool is_loop_body = std::is_void_v<std::invoke_result_t<F&, std::int64_t>>;

/// What a first function returns; of an element its value.
template <class R>
struct value_read {
  using type = R;
};
template <class R>
  requires requires { typename R::aggregated_value; }
struct value_read<R> {
  using type = typename R::aggregated_value;
};
template <class Read>
using value_read_by = typename value_read<std::remove_cvref_t<std::invoke_result_t<Read&, std::int64_t>>>::type;

// These are not inlined, so that what the program's functions have captured lies above what changes here
// (digest_of_captured).

template <class Body>
[[gnu::noinline]] void run_loop(std::int64_t n, std::size_t memory_bytes, const std::source_location& where,
                                Body& body) {
  aggregated_loop loop(n, memory_bytes, where);
  loop.finish([&](std::int64_t i) {
    const auto run = [&] { return loop.try_run(aggregated_loop::part::body, [&] { body(i); }); };
    bool is_over = run();
    if constexpr (are_iterations_checked) {
      if (!is_over) {  // it will run again; so it may do so at once
        const std::uint64_t before = digest_of_captured(&body, sizeof(Body));
        is_over = run();
        if (digest_of_captured(&body, sizeof(Body)) != before) loop.refuse(loop_misuse::is_not_the_same_twice);
      }
    }
    if (is_over) loop.send_changes();
    return is_over;
  });
}

template <class Read, class Use>
[[gnu::noinline]] void run_loop(std::int64_t n, std::size_t memory_bytes, const std::source_location& where, Read& read,
                                Use& use) {
  using value_type = value_read_by<Read>;
  aggregated_loop loop(n, memory_bytes, where);
  loop.finish([&](std::int64_t i) {
    std::uint64_t before = 0;
    if constexpr (are_iterations_checked) {
      loop.try_run(aggregated_loop::part::reading, [&] { static_cast<void>(value_type(read(i))); });
      before = digest_of_captured(&read, sizeof(Read));
    }
    bool is_over = false;
    loop.try_run(aggregated_loop::part::reading, [&] {
      value_type value = read(i);
      if constexpr (are_iterations_checked) {
        if (digest_of_captured(&read, sizeof(Read)) != before) loop.refuse(loop_misuse::is_not_the_same_twice);
      }
      is_over = !loop.has_made_up_values() && loop.is_next();
      if (!is_over) return;
      loop.use_what_was_read();
      use(i, std::move(value));
    });
    return is_over;
  });
}

}  // namespace internal

/// `shoal::aggregate(n, body);` calls body(i) for each i from 0 to n - 1, as a plain loop would. In it, elements of
/// distributed arrays of the whole job are read and changed one by one, by `a[g]`: `x = a[g]`, `a[g] = x`, `a[g] += x`,
/// `a[g] -= x`, `++a[g]`. They travel as messages, many at a time, and all is complete when the call returns.
///
/// A read whose value is not on this PE leaves the body by an exception, and body(i) runs again from its beginning when
/// the value has come. So a body reads first, by functions that are not noexcept, and then does what must happen once:
/// what follows the last read does, and so do its changes of elements, wherever they stand. It keeps in a variable what
/// it needs of an element that it has changed.
///
/// The iterations are independent: none reads an element that another one changes, whichever PEs run them, and none
/// puts what another one adds to. They may run in any order. If several put the same element, one of the values is
/// left. An element that is changed nevertheless is read as it is at some time during the call.
///
/// Collective: all PEs call it, each with its own n, inside or outside of finish; waits, and handlers run meanwhile.
/// Sees what any PE wrote through `local` before its call. Not in a handler, in a team, or in a function that another
/// aggregate calls; such a function makes no collective call. Mistakes end the job; checked builds find more of them.
/// docs/design/inspector-executor.md
template <class Body>
  requires std::invocable<Body&, std::int64_t>
void aggregate(std::int64_t n, Body&& body, const aggregate_options& options = {},
               const std::source_location where = std::source_location::current()) {
  static_assert(internal::is_loop_body<Body>,
                "the body of an aggregate returns nothing; to read in one function and use what it returns in another, "
                "give both: aggregate(n, read, use)");
  internal::run_loop(n, options.memory_bytes, where, body);
}

/// The fast form for loops that read: `use(i, read(i))` for each i, in order.
///
/// `read` reads elements, returns what it makes of them, and does nothing else. It runs at least twice, and may see
/// zeros in place of elements that have not come yet; what it returns then is dropped. So it does not divide by an
/// element unasked, and does not compute for ever if there are zeros. (Its reads may be in a loop that only a true
/// value ends, and indices of arrays may be out of range then.) `use` runs once, in order, and does all else: it
/// changes variables and elements, but reads no elements. Otherwise as above.
template <class Read, class Use>
  requires std::invocable<Read&, std::int64_t> &&
           (!internal::is_loop_body<Read>) && std::invocable<Use&, std::int64_t, internal::value_read_by<Read>>
void aggregate(std::int64_t n, Read&& read, Use&& use, const aggregate_options& options = {},
               const std::source_location where = std::source_location::current()) {
  internal::run_loop(n, options.memory_bytes, where, read, use);
}

}  // namespace shoal
