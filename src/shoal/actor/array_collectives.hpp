/// Collective calls of arrays, as members of shoal::world: reductions, scans, gathers, all-to-all.
///
/// Arrays have any length, larger than the buffers and SHOAL_MEMORY, too. Short ones travel as single values do; longer
/// ones in pieces, over buffers of Shoal's own, while handlers run. docs/design/collectives-of-arrays.md says how.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <source_location>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "shoal/actor/internal/collectives.hpp"
#include "shoal/actor/internal/late_part.hpp"
#include "shoal/base/internal/owner.hpp"
#include "shoal/base/types.hpp"

namespace shoal::internal {

class arrays;
/// What PEs get of a fold over all of them.
enum class fold_result : std::uint8_t {
  total,  // every PE gets the fold over all PEs
  inclusive,  // PE p gets the fold over PEs 0 to p
  exclusive,  // PE p gets the fold over PEs 0 to p - 1, and PE 0 gets something
};

/// How the program makes a call.
struct array_call {
  const char* name;
  std::uint64_t digest;  // of types
  std::size_t element_bytes;
  const std::source_location& where;
};

/// The root of a gather to all.
inline constexpr pe_id everybody = INT64_MIN;

struct array_operation {
  fold_function fold;
  combine_function combine;  // folds rounds of short arrays
  bool is_exact;  // folds_exactly
};

/// After its head, the contribution of a PE to a round of arrays has a word, and then values.
inline constexpr std::size_t array_values_offset = sizeof(round_head) + sizeof(std::uint64_t);

/// Combines heads and lengths. The number of elements that follow; 0 if they must not be folded.
std::size_t combine_lengths(std::byte* into, const std::byte* from, std::size_t bytes, std::size_t element_bytes);

template <class T, class Op>
void combine_arrays(std::byte* into, const std::byte* from, std::size_t bytes) {
  const std::size_t n = combine_lengths(into, from, bytes, sizeof(T));
  fold_elements<T, Op>(into + array_values_offset, from + array_values_offset, n);
}

/// 0, and the sum of the first 1, 2, ... lengths.
std::vector<std::size_t> offsets_of(std::span<const std::size_t> lengths);

template <class Arrays>
using element_of_arrays = std::remove_cvref_t<decltype(*std::data(std::declval<const Arrays&>()[0]))>;

}  // namespace shoal::internal

namespace shoal {

/// One array for each PE, of any lengths, side by side in ascending order of PEs: what gather and all_to_all return.
template <item T>
class arrays_by_pe {
  static_assert(!std::is_same_v<T, bool>, "a vector of bools has no array; take std::uint8_t");

public:
  arrays_by_pe() = default;
  /// Arrays of these lengths, by PE; their elements are T{}.
  explicit arrays_by_pe(std::span<const std::size_t> lengths)
      : offsets_(internal::offsets_of(lengths)), values_(offsets_.back()) {}

  /// The array of a PE; on a PE that gets none, empty.
  std::span<T> operator[](pe_id pe) noexcept { return values().subspan(begin_of(pe), end_of(pe) - begin_of(pe)); }
  std::span<const T> operator[](pe_id pe) const noexcept {
    return values().subspan(begin_of(pe), end_of(pe) - begin_of(pe));
  }
  /// Number of arrays: that of PEs, or 0.
  std::size_t size() const noexcept { return offsets_.size() - 1; }
  /// All elements, and where the array of each PE begins among them; the last offset is their number.
  std::span<T> values() noexcept { return values_; }
  std::span<const T> values() const noexcept { return values_; }
  std::span<const std::size_t> offsets() const noexcept { return {offsets_.data(), size() + 1}; }

private:
  std::size_t begin_of(pe_id pe) const noexcept { return offsets_[static_cast<std::size_t>(pe)]; }
  std::size_t end_of(pe_id pe) const noexcept { return offsets_[static_cast<std::size_t>(pe) + 1]; }

  std::vector<std::size_t> offsets_{0};
  std::vector<T> values_;
};

/// A base of world. All PEs make the same calls in the same order, as collectives of values (world.hpp). All wait, and
/// handlers run meanwhile. Not in a handler. Elements are folded over PEs in ascending order, as single values are, so
/// the results are the same, bit by bit. The first call with long arrays reserves the slots of one conveyor, and throws
/// setup_error on every PE if there are none.
class array_collectives {
public:
  array_collectives(const array_collectives&) = delete;
  array_collectives& operator=(const array_collectives&) = delete;

  /// into[i] = `op` over mine[i] of all PEs, in ascending order. All arrays have the same length; `into` is `mine`
  /// itself or does not overlap it. `Op` is stateless and associative. Each PE sends and receives twice its array.
  template <item T, std::size_t N, class Op = internal::addition>
  void all_reduce(std::span<const std::type_identity_t<T>> mine, std::span<T, N> into, Op op = {},
                  std::source_location where = std::source_location::current()) {
    fold(total, "all_reduce", mine, std::span<T>(into), op, where);
  }
  /// The same for an array that the result replaces.
  template <item T, std::size_t N, class Op = internal::addition>
    requires(std::is_empty_v<Op>)
  void all_reduce(std::span<T, N> values, Op op = {}, std::source_location where = std::source_location::current()) {
    fold(total, "all_reduce", values, std::span<T>(values), op, where);
  }

  /// all_reduce with `+`, as of values: ends the job if a sum does not fit into T.
  template <item T, std::size_t N>
  void sum(std::span<const std::type_identity_t<T>> mine, std::span<T, N> into,
           std::source_location where = std::source_location::current()) {
    fold(total, "sum", mine, std::span<T>(into), internal::addition{}, where);
  }
  template <item T, std::size_t N>
  void sum(std::span<T, N> values, std::source_location where = std::source_location::current()) {
    fold(total, "sum", values, std::span<T>(values), internal::addition{}, where);
  }
  template <item T, std::size_t N>
  void min(std::span<const std::type_identity_t<T>> mine, std::span<T, N> into,
           std::source_location where = std::source_location::current()) {
    fold(total, "min", mine, std::span<T>(into), internal::minimum{}, where);
  }
  template <item T, std::size_t N>
  void min(std::span<T, N> values, std::source_location where = std::source_location::current()) {
    fold(total, "min", values, std::span<T>(values), internal::minimum{}, where);
  }
  template <item T, std::size_t N>
  void max(std::span<const std::type_identity_t<T>> mine, std::span<T, N> into,
           std::source_location where = std::source_location::current()) {
    fold(total, "max", mine, std::span<T>(into), internal::maximum{}, where);
  }
  template <item T, std::size_t N>
  void max(std::span<T, N> values, std::source_location where = std::source_location::current()) {
    fold(total, "max", values, std::span<T>(values), internal::maximum{}, where);
  }

  /// into[i] = `op` over mine[i] of PE 0 to this one. Otherwise as all_reduce.
  template <item T, std::size_t N, class Op = internal::addition>
  void inclusive_scan(std::span<const std::type_identity_t<T>> mine, std::span<T, N> into, Op op = {},
                      std::source_location where = std::source_location::current()) {
    fold(inclusive, "inclusive_scan", mine, std::span<T>(into), op, where);
  }
  /// into[i] = the sum of mine[i] over all lower PEs; T{} on PE 0. Otherwise as all_reduce.
  template <item T, std::size_t N>
  void exclusive_scan(std::span<const std::type_identity_t<T>> mine, std::span<T, N> into,
                      std::source_location where = std::source_location::current()) {
    fold(exclusive, "exclusive_scan", mine, std::span<T>(into), internal::addition{}, where);
    for (T& value : is_first() ? std::span<T>(into) : std::span<T>()) value = T{};
  }

  /// The arrays of all PEs, of any lengths. Each PE sends its array to each other.
  template <class T, std::size_t N>
  arrays_by_pe<std::remove_const_t<T>> gather(std::span<T, N> mine,
                                              std::source_location where = std::source_location::current()) {
    return gather_to<std::remove_const_t<T>>(internal::everybody, mine, where);
  }
  /// The same, but only PE `root` gets them; the others get none.
  template <class T, std::size_t N>
  arrays_by_pe<std::remove_const_t<T>> gather(std::span<T, N> mine, pe_id root,
                                              std::source_location where = std::source_location::current()) {
    return gather_to<std::remove_const_t<T>>(root, mine, where);
  }

  /// Sends for_pe[pe] to each PE, and returns what came from each: arrays of any lengths. `for_pe` has an array for each
  /// PE: a vector of vectors or spans, or arrays_by_pe.
  template <class Arrays>
  auto all_to_all(const Arrays& for_pe, std::source_location where = std::source_location::current()) {
    using T = internal::element_of_arrays<Arrays>;
    static_assert(item<T>, "elements of arrays travel as bytes: make them trivially copyable, or send lists");
    const std::size_t n = for_pe.size();
    const internal::owner<array_bytes, internal::delete_array> each(new array_bytes[n]);
    for (std::size_t pe = 0; pe < n; ++pe) {
      const auto index =
          static_cast<std::conditional_t<std::is_same_v<Arrays, arrays_by_pe<T>>, pe_id, std::size_t>>(pe);
      each[pe] = std::as_bytes(std::span<const T>(for_pe[index]));
    }
    const std::span<const array_bytes> out(each.get(), n);
    const internal::array_call call{"all_to_all", internal::digest_of<T>(), sizeof(T), where};
    arrays_by_pe<T> in(lengths_to_come(call, out));
    exchange_all(call, out, in.offsets(), std::as_writable_bytes(in.values()));
    return in;
  }

protected:
  array_collectives() noexcept = default;
  ~array_collectives() = default;
  /// After the last call, while the world's other parts live.
  void end_arrays() noexcept { arrays_.reset(); }

private:
  using array_bytes = std::span<const std::byte>;

  static constexpr auto total = internal::fold_result::total;
  static constexpr auto inclusive = internal::fold_result::inclusive;
  static constexpr auto exclusive = internal::fold_result::exclusive;

  template <class T, class Op>
  void fold(internal::fold_result result, const char* name, std::span<const std::type_identity_t<T>> mine,
            std::span<T> into, Op, const std::source_location& where) {
    static_assert(std::is_empty_v<Op>, "the operation runs on any PE, so it cannot have state");
    fold_bytes({name, internal::digest_of<T, Op>(), sizeof(T), where},
               {internal::fold_elements<T, Op>, internal::combine_arrays<T, Op>, internal::folds_exactly<T, Op>},
               result, std::as_bytes(mine), std::as_writable_bytes(into));
  }
  template <item T>
  arrays_by_pe<T> gather_to(pe_id root, std::span<const T> mine, const std::source_location& where) {
    const internal::array_call call{"gather", internal::digest_of<T>(), sizeof(T), where};
    arrays_by_pe<T> all(lengths_to_gather(call, std::as_bytes(mine), root));
    gather_bytes(call, std::as_bytes(mine), all.offsets(), std::as_writable_bytes(all.values()), root);
    return all;
  }

  bool is_first() const noexcept;
  internal::arrays& its();
  void fold_bytes(const internal::array_call& call, const internal::array_operation& op, internal::fold_result result,
                  std::span<const std::byte> mine, std::span<std::byte> into);
  std::vector<std::size_t> lengths_to_gather(const internal::array_call& call, std::span<const std::byte> mine,
                                             pe_id root);
  void gather_bytes(const internal::array_call& call, std::span<const std::byte> mine,
                    std::span<const std::size_t> offsets, std::span<std::byte> into, pe_id root);
  std::vector<std::size_t> lengths_to_come(const internal::array_call& call,
                                           std::span<const array_bytes> out);
  void exchange_all(const internal::array_call& call, std::span<const array_bytes> out,
                    std::span<const std::size_t> offsets, std::span<std::byte> into);

  internal::owner<internal::late_part> arrays_;  // internal::arrays
};

}  // namespace shoal
