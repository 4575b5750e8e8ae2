/// An array distributed over all PEs, with global indices.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <source_location>
#include <span>
#include <string>
#include <type_traits>
#include <utility>

#include "shoal/actor/closure.hpp"
#include "shoal/actor/world.hpp"
#include "shoal/base/internal/contract.hpp"
#include "shoal/base/random.hpp"
#include "shoal/base/setup_error.hpp"
#include "shoal/base/types.hpp"
#include "shoal/pgas/distribution.hpp"
#include "shoal/pgas/internal/aggregated_loop.hpp"
#include "shoal/pgas/internal/array_memory.hpp"
#include "shoal/pgas/internal/array_messages.hpp"
#include "shoal/pgas/internal/array_reads.hpp"

namespace shoal {

struct array_options {
  /// Reads of elements on the same node are plain loads. False: all go by message, for tests and measurements.
  bool reads_directly = true;
  std::string name = "distributed_array";  // for reports
};

/// What an array asks of a distribution: `distribution` is one, and a program may have its own. The same value on all PEs.
template <class D>
concept index_distribution = std::copyable<D> && requires(const D& d, std::int64_t index, pe_id pe) {
  { d.n() } -> std::same_as<std::int64_t>;
  { d.n_pes() } -> std::same_as<pe_id>;
  { d.place_of(index) } -> std::same_as<place>;
  { d.global(pe, index) } -> std::same_as<std::int64_t>;
  { d.n_local(pe) } -> std::same_as<std::int64_t>;
};

/// `shoal::distributed_array<std::int64_t> counts(world, n);`, then `counts.add(g, 1)` in a superstep. Elements begin as
/// zero bytes.
///
/// The owner of an element alone writes it: put, add and compare_exchange are messages to it, in order with one another
/// from one PE to one element, and each is atomic. They are complete at the end of the superstep: of the innermost
/// `finish` that was open when the array was constructed or, if none was, of the outermost one. A read during a
/// superstep gives a value that the element has at some time between the call and the answer, and is not in order with
/// the writes. What a PE writes through `local` or `mine`, others see after a `barrier`, or in a `gather` that it calls
/// later; the beginning of a `finish` is not enough.
///
/// An element is a message: it fits into a buffer (SHOAL_SLOT_BYTES), for compare_exchange twice. Memory is that of
/// world::allocate, so arrays that are made in a loop are destroyed in the opposite order, or their memory is not used
/// again.
///
/// Construction and destruction are collective, and wait; not in a handler. Throws setup_error if the symmetric heap
/// (SHOAL_HEAP) is exhausted or a part has 2^32 elements or more. An index out of range ends the job, and so do PEs that
/// construct it differently. In a team, memory is the PE's own, and all reads go by message.
/// docs/design/distributed-array.md
template <item T, index_distribution Distribution = distribution>
class distributed_array {
  static_assert(alignof(T) <= cache_line_bytes, "elements of a distributed array are aligned to at most 64 bytes");
  class element_iterator;

public:
  distributed_array(world& home, const Distribution& indices, const array_options& options = {},
                    const std::source_location where = std::source_location::current())
      : home_(home),
        indices_(indices),
        memory_(home, n_of_part(home, indices, options.reads_directly, where) * sizeof(T), options.reads_directly,
                where),
        updates_(home, *part(), options.name) {}
  distributed_array(world& home, std::int64_t size, layout kind = layout::cyclic, const array_options& options = {},
                    const std::source_location where = std::source_location::current())
    requires std::same_as<Distribution, distribution>
      : distributed_array(home, distribution(kind, internal::checked_size(size, where), home.n_pes()), options, where) {
  }
  distributed_array(const distributed_array&) = delete;
  distributed_array& operator=(const distributed_array&) = delete;

  // --- Local; do not wait

  std::int64_t size() const noexcept { return indices_.n(); }
  const Distribution& indices() const noexcept { return indices_; }
  pe_id owner(std::int64_t index, const std::source_location where = std::source_location::current()) const {
    return place_of(index, where).pe;
  }
  /// Whether `get` and `gather` read elements of PE `pe` by plain loads.
  bool reads_directly(pe_id pe) const noexcept {
    SHOAL_EXPECT(pe >= 0 && pe < home_.n_pes());
    return internal::is_one_word<T> && part_of(pe) != nullptr;
  }
  /// This PE's elements, in the order of their indices.
  std::span<T> local() noexcept { return {part(), n_local()}; }
  std::span<const T> local() const noexcept { return {part(), n_local()}; }
  /// The index of an element of `local`.
  std::int64_t index_of(std::size_t position) const noexcept {
    return indices_.global(home_.my_pe(), static_cast<std::int64_t>(position));
  }
  /// This PE's elements with their indices: `for (auto [index, value] : a.mine()) value = f(index);`.
  struct element {
    std::int64_t index;
    T& value;
  };
  struct element_range {
    distributed_array& array;

    element_iterator begin() const noexcept { return {array, 0}; }
    element_iterator end() const noexcept { return {array, array.n_local()}; }
  };
  element_range mine() noexcept { return {*this}; }

  // --- In a superstep, for the main program, which may wait for room, and for handlers, which never wait

  void put(std::int64_t index, const T& value, const std::source_location where = std::source_location::current()) {
    const place at = place_of(index, where);
    updates_.send(at.pe, internal::put_message<T>{word(at), internal::packed_value<T>(value)}, where);
  }
  /// Integers wrap.
  void add(std::int64_t index, const T& value, const std::source_location where = std::source_location::current())
    requires std::is_arithmetic_v<T>
  {
    const place at = place_of(index, where);
    updates_.send(at.pe, internal::add_message<T>{word(at), internal::packed_value<T>(value)}, where);
  }
  /// A future of the element; ready at once if a plain load reaches it. So a chain of reads by `then` is a recursion;
  /// a coroutine's loop is none.
  future<T> get(std::int64_t index, const std::source_location where = std::source_location::current()) {
    const place at = place_of(index, where);
    if constexpr (internal::is_one_word<T>) {
      // Outside of a superstep ask reports the mistake, on any node.
      const T* const its = part_of(at.pe);
      if (its != nullptr && updates_.current_state() != mailbox::state::dormant) {
        return future<T>(internal::load_element(its[at.local]));
      }
    }
    return updates_.ask({at.pe, where}, internal::get_question<T>{word(at)});
  }
  /// Writes `desired` if the element has the bytes of `expected`. A future of what it was before.
  future<T> compare_exchange(std::int64_t index, const T& expected, const T& desired,
                             const std::source_location where = std::source_location::current())
    requires(std::has_unique_object_representations_v<T> || std::is_same_v<T, float> || std::is_same_v<T, double>)
  {
    const place at = place_of(index, where);
    return updates_.ask({at.pe, where},
                        internal::compare_exchange_question<T>{word(at), internal::packed_value<T>(expected),
                                                               internal::packed_value<T>(desired)});
  }

  // --- Collective, and wait; inside or outside of `finish`, not in a handler. Complete everywhere when they return.
  // PEs may give different numbers of indices, fewer than 2^32. The other span is no part of the array.

  /// into[i] = element indices[i]. Sees what any PE wrote through `local` before its call.
  void gather(std::span<const std::int64_t> indices, std::span<T> into,
              const std::source_location where = std::source_location::current()) {
    check_sizes("gather", indices.size(), into.size(), where);
    check_apart("gather", into, where);
    if (memory_.reads_directly()) home_.barrier(where);
    if constexpr (internal::is_one_word<T>) {
      if (memory_.reads_all_directly()) {
        internal::read_elements<T>(indices_, memory_, indices, into, where);
        home_.barrier(where);  // nobody writes before all have read
        return;
      }
    }
    std::optional<internal::gatherer<T>> messages;
    home_.finish(
        [&] {
          messages.emplace(home_, part(), into);
          for (std::size_t i = 0; i < indices.size(); ++i) {
            const place at = place_of(indices[i], where);
            if constexpr (internal::is_one_word<T>) {
              if (const T* const its = part_of(at.pe)) {
                into[i] = internal::load_element(its[at.local]);
                continue;
              }
            }
            messages->send(at.pe, internal::gather_query{static_cast<std::uint32_t>(i), word(at)});
          }
        },
        where);
  }
  /// Element indices[i] = values[i]. Of equal indices one value wins.
  void scatter(std::span<const std::int64_t> indices, std::span<const T> values,
               const std::source_location where = std::source_location::current()) {
    check_sizes("scatter", indices.size(), values.size(), where);
    check_apart("scatter", values, where);
    home_.finish(
        [&] {
          lambda_actor<T> writes(home_, *part(), "scatter");
          for (std::size_t i = 0; i < indices.size(); ++i) {
            const place at = place_of(indices[i], where);
            writes.send(at.pe, internal::put_message<T>{word(at), internal::packed_value<T>(values[i])}, where);
          }
        },
        where);
  }

  // --- One by one, the slow form, for set-up and checks: each access waits for the network, as one-sided access of the
  // world, in a superstep or outside. Not beside the calls above on the same element: these know nothing of each other.
  // In a team it ends the job. In the functions that `aggregate` calls, the same text is the fast form (aggregate.hpp).

  /// `T x = a[i];` reads an element; `a[i] = x;` has written it when it returns. So have `a[i] += x;`, `a[i] -= x;` and
  /// `++a[i];`, for numbers of 4 and 8 bytes; these are atomic with one another.
  class reference;
  reference operator[](internal::index_in_program index) { return reference_to(index); }
  T operator[](internal::index_in_program index) const { return const_cast<distributed_array&>(*this)[index]; }

private:
  // A part as large as the largest, so that the parts are symmetric.
  static std::size_t n_of_part(world& home, const Distribution& indices, bool reads_directly,
                               const std::source_location& where) {
    std::int64_t n_most = 0;
    for (pe_id pe = 0; pe < indices.n_pes(); ++pe) n_most = std::max(n_most, indices.n_local(pe));
    // Some places tell one distribution from another, and show whether its functions agree.
    const std::int64_t n = internal::checked_size(indices.n(), where);
    random_engine samples(static_cast<std::uint64_t>(n));
    std::uint64_t digest = samples() + static_cast<std::uint64_t>(reads_directly);
    for (int i = 0; i < 64 && n != 0; ++i) {
      const std::int64_t index =
          i == 0 ? n - 1 : static_cast<std::int64_t>(samples.below(static_cast<std::uint64_t>(n)));
      const place at = indices.place_of(index);
      if (at.pe < 0 || at.pe >= indices.n_pes() || at.local < 0 || at.local >= indices.n_local(at.pe) ||
          indices.global(at.pe, at.local) != index)
        internal::refuse_distribution(index, at, where);
      digest = (digest ^ static_cast<std::uint64_t>(at.pe)) * 0x9e3779b97f4a7c15 + static_cast<std::uint64_t>(at.local);
    }
    internal::check_array(home, n_most, indices.n_pes(), digest, where);
    return static_cast<std::size_t>(n_most);
  }
  static void check_sizes(const char* what, std::size_t n_indices, std::size_t n_values,
                          const std::source_location& where) {
    if (n_indices != n_values || n_indices > UINT32_MAX) internal::refuse_sizes(what, n_indices, n_values, where);
  }
  void check_apart(const char* what, std::span<const T> values, const std::source_location& where) const {
    const std::less<const T*> is_before;
    if (!values.empty() && is_before(values.data(), part() + n_local()) &&
        is_before(part(), values.data() + values.size()))
      internal::refuse_overlap(what, where);
  }
  place place_of(std::int64_t index, const std::source_location& where) const {
    return internal::checked_place(indices_, index, where);
  }
  reference reference_to(const internal::index_in_program& index) {
    if (static_cast<std::uint64_t>(index.value) >= static_cast<std::uint64_t>(size())) [[unlikely]] {
      internal::aggregated_loop* const loop = internal::loop_now(home_);
      if (loop != nullptr && loop->has_made_up_values()) return {*this, internal::nowhere, index.where};
    }
    return {*this, place_of(index.value, index.where), index.where};
  }
  static std::uint32_t word(const place& at) noexcept { return static_cast<std::uint32_t>(at.local); }
  std::size_t n_local() const noexcept { return static_cast<std::size_t>(indices_.n_local(home_.my_pe())); }
  T* part() const noexcept { return reinterpret_cast<T*>(memory_.mine()); }
  const T* part_of(pe_id pe) const noexcept { return reinterpret_cast<const T*>(memory_.part_of(pe)); }

  world& home_;
  const Distribution indices_;
  internal::array_memory memory_;
  lambda_actor<T> updates_;  // on the first element of a part
};

template <item T, index_distribution Distribution>
class distributed_array<T, Distribution>::reference {
public:
  using aggregated_value = T;  // what `aggregate` makes of it

  reference(const reference&) = default;

  operator T() const {
    const symmetric<T> its = shared();
    if (internal::aggregated_loop* const loop = internal::loop_now(array_.home_)) [[unlikely]]
      return read_in(*loop);
    return array_.home_.get(its, local(), at_.pe);
  }
  const reference& operator=(const T& value) const {
    const symmetric<T> its = shared();
    if (internal::aggregated_loop* const loop = internal::loop_now(array_.home_)) [[unlikely]] {
      change_in<internal::put_element<T>>(*loop, value);
      return *this;
    }
    array_.home_.put(its, local(), value, at_.pe);
    array_.home_.quiet();
    return *this;
  }
  const reference& operator=(const reference& other) const { return *this = static_cast<T>(other); }

  /// Integers wrap.
  void operator+=(const T& value) const
    requires(internal::is_added_at_once<T>)
  {
    const symmetric<T> its = shared();
    if (internal::aggregated_loop* const loop = internal::loop_now(array_.home_)) [[unlikely]]
      return change_in<internal::add_element<T>>(*loop, value);
    internal::add_at_once(array_.home_, its, local(), value, at_.pe);
  }
  void operator-=(const T& value) const
    requires(internal::is_added_at_once<T>)
  {
    *this += internal::negative_of(value);
  }
  void operator++() const
    requires(internal::is_added_at_once<T>)
  {
    *this += T{1};
  }

private:
  friend class distributed_array;
  reference(distributed_array& array, const place& at, const std::source_location& where)
      : array_(array), at_(at), where_(where) {}

  std::size_t local() const noexcept { return static_cast<std::size_t>(at_.local); }
  symmetric<T> shared() const { return array_.memory_.template shared<T>(where_); }
  internal::element_place element() const { return {at_.pe, shared().offset + local() * sizeof(T)}; }
  // Apart, so that access outside of loops is inlined as before.
  [[gnu::noinline]] T read_in(internal::aggregated_loop& loop) const {
    if (at_.pe == internal::nowhere.pe) return loop.template made_up_value<T>();
    if constexpr (internal::is_one_word<T>) {
      if (const T* const part = array_.part_of(at_.pe)) {
        loop.note_plain_read(element(), where_);
        return internal::load_element(part[at_.local]);
      }
    }
    return loop.template read<T>(element(), where_);
  }
  template <class Change>
  [[gnu::noinline]] void change_in(internal::aggregated_loop& loop, const T& value) const {
    loop.template change<T, Change>(element(), value, where_);
  }

  distributed_array& array_;
  const place at_;
  const std::source_location where_;
};

template <item T, index_distribution Distribution>
class distributed_array<T, Distribution>::element_iterator {
public:
  using value_type = element;
  using difference_type = std::ptrdiff_t;

  element_iterator() noexcept = default;

  element operator*() const noexcept { return {array_->index_of(position_), array_->part()[position_]}; }
  element_iterator& operator++() noexcept {
    ++position_;
    return *this;
  }
  element_iterator operator++(int) noexcept {
    const element_iterator before = *this;
    ++position_;
    return before;
  }
  friend bool operator==(const element_iterator&, const element_iterator&) = default;

private:
  friend class distributed_array;
  element_iterator(const distributed_array& array, std::size_t position) noexcept
      : array_(&array), position_(position) {}

  const distributed_array* array_ = nullptr;
  std::size_t position_ = 0;
};

}  // namespace shoal
