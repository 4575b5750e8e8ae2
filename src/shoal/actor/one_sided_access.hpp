/// One-sided access to arrays in symmetric memory: the part of a world that kernels call "agp".
#pragma once

#include <cstddef>
#include <source_location>
#include <span>
#include <type_traits>

#include "shoal/actor/internal/symmetric_heap.hpp"
#include "shoal/base/types.hpp"

namespace shoal {

/// Each world is one. A team has no symmetric memory: there all calls but `local` end the job.
class one_sided_access {
public:
  one_sided_access(const one_sided_access&) = delete;
  one_sided_access& operator=(const one_sided_access&) = delete;

  /// Collective. `size` zeroed elements on each PE; all give the same size. Throws setup_error on every PE
  /// if the heap is exhausted. Released by `deallocate`, latest first, or with the world.
  template <item T>
  symmetric<T> allocate(std::size_t size, std::source_location where = std::source_location::current()) {
    return heap_.allocate<T>(size, where);
  }
  template <item T>
  void deallocate(symmetric<T> array, std::source_location where = std::source_location::current()) {
    heap_.deallocate(array.offset, where);
  }

  /// For layers above that divide the heap themselves: takes all of it that is not allocated yet, for as long as the
  /// world lasts. Collective. Returns where it begins, at a page. Does not zero it.
  std::size_t take_heap(std::source_location where = std::source_location::current()) { return heap_.take_rest(where); }

  /// This PE's part of a symmetric array.
  template <item T>
  std::span<T> local(symmetric<T> array) const noexcept {
    return heap_.local(array);
  }

  // One-sided access reads and changes an array on PE `pe` without a handler; every function below that has a `pe`. Local,
  // for the main program and for handlers. May wait for the network. May wait until PE `pe` calls Shoal if `is_one_sided`
  // says no, and atomics may over MPI, too; never for more than that. What is out of range ends the job with a report.

  /// One element, or the elements from `index` on that `into` has room for.
  template <item T>
  T get(symmetric<T> array, std::size_t index, pe_id pe) {
    return heap_.get(array, index, pe);
  }
  template <item T>
  void get(symmetric<T> array, std::size_t index, std::span<std::type_identity_t<T>> into, pe_id pe) {
    heap_.get(array, index, into, pe);
  }

  /// Writes one element, or those of `from` from `index` on. Returns when the source may be reused; another PE sees the
  /// values after `quiet` and, say, a barrier.
  template <item T>
  void put(symmetric<T> array, std::size_t index, const T& value, pe_id pe) {
    heap_.put(array, index, value, pe);
  }
  template <item T>
  void put(symmetric<T> array, std::size_t index, std::span<const std::type_identity_t<T>> from, pe_id pe) {
    heap_.put(array, index, from, pe);
  }

  /// Atomic operations on integers of 4 and 8 bytes. They return what the element was. Atomic with one another, whichever
  /// PEs call them, and on nothing else: not with get and put, nor with plain loads and stores. They order nothing.
  template <atomic_item T>
  T fetch_add(symmetric<T> array, std::size_t index, T value, pe_id pe) {
    return heap_.atomic(internal::atomic_op::add, array, index, value, pe);
  }
  template <atomic_item T>
  T fetch_and(symmetric<T> array, std::size_t index, T value, pe_id pe) {
    return heap_.atomic(internal::atomic_op::bit_and, array, index, value, pe);
  }
  template <atomic_item T>
  T fetch_or(symmetric<T> array, std::size_t index, T value, pe_id pe) {
    return heap_.atomic(internal::atomic_op::bit_or, array, index, value, pe);
  }
  template <atomic_item T>
  T fetch_xor(symmetric<T> array, std::size_t index, T value, pe_id pe) {
    return heap_.atomic(internal::atomic_op::bit_xor, array, index, value, pe);
  }
  template <atomic_item T>
  T exchange(symmetric<T> array, std::size_t index, T value, pe_id pe) {
    return heap_.atomic(internal::atomic_op::exchange, array, index, value, pe);
  }
  /// Writes `desired` if the element is `expected`; so it has if it returns `expected`.
  template <atomic_item T>
  T compare_exchange(symmetric<T> array, std::size_t index, T expected, T desired, pe_id pe) {
    return heap_.atomic(internal::atomic_op::compare_exchange, array, index, desired, pe, expected);
  }

  /// As get, put and fetch_add, but they may return before anything has happened, so that many are under way at once;
  /// how many is bounded by the substrate, not by the program. Until `quiet`, `into` stays, unread, and `from` stays as
  /// it is.
  template <item T>
  void start_get(symmetric<T> array, std::size_t index, T& into, pe_id pe) {
    heap_.start_get(array, index, into, pe);
  }
  template <item T>
  void start_get(symmetric<T> array, std::size_t index, std::span<std::type_identity_t<T>> into, pe_id pe) {
    heap_.start_get(array, index, into, pe);
  }
  template <item T>
  void start_put(symmetric<T> array, std::size_t index, const T& from, pe_id pe) {
    heap_.start_put(array, index, from, pe);
  }
  template <item T>
  void start_put(symmetric<T> array, std::size_t index, const T&& from, pe_id pe) = delete;  // it would not stay
  template <item T>
  void start_put(symmetric<T> array, std::size_t index, std::span<const std::type_identity_t<T>> from, pe_id pe) {
    heap_.start_put(array, index, from, pe);
  }
  template <atomic_item T>
  void start_add(symmetric<T> array, std::size_t index, T value, pe_id pe) {
    heap_.start_add(array, index, value, pe);
  }

  /// Orders what this PE has put, or started to put, before its later puts to the same PE. Waits for no more than quiet.
  void fence() { heap_.fence(); }

  /// Completes this PE's puts and what it started, everywhere. Waits as the calls that it completes.
  void quiet() { heap_.quiet(); }

  /// Whether gets and puts reach every PE whatever its program does. Not over two-sided MPI between nodes: there the
  /// target has to call Shoal, in which it waits, sends or makes progress. This tells about speed alone: all calls work
  /// everywhere. The same on every PE.
  bool is_one_sided() const noexcept { return heap_.is_one_sided(); }

protected:
  one_sided_access(internal::substrate& backend, internal::collectives& all, bool of_team)
      : heap_(backend, all, of_team) {}
  ~one_sided_access() = default;

private:
  internal::symmetric_heap heap_;
};

}  // namespace shoal
