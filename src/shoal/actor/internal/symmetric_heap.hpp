/// The symmetric heap of a PE: arrays at the same offset on every PE, and one-sided access to them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <source_location>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "shoal/actor/symmetric.hpp"
#include "shoal/base/internal/contract.hpp"
#include "shoal/base/internal/owner.hpp"
#include "shoal/base/internal/pe_worker.hpp"
#include "shoal/base/types.hpp"
#include "shoal/substrate/internal/atomic_call.hpp"
#include "shoal/substrate/internal/symmetric_memory.hpp"

namespace shoal::internal {

class collectives;
class substrate;

/// What a user must know of each call, world.hpp says.
class symmetric_heap {
public:
  /// Both outlive this object. `of_team`: refuses all.
  symmetric_heap(substrate& backend, collectives& all, bool of_team);
  ~symmetric_heap();
  symmetric_heap(const symmetric_heap&) = delete;
  symmetric_heap& operator=(const symmetric_heap&) = delete;

  template <item T>
  symmetric<T> allocate(std::size_t size, const std::source_location& where) {
    const std::size_t bytes = size > SIZE_MAX / sizeof(T) ? SIZE_MAX : size * sizeof(T);
    return {allocate_bytes(bytes, where), size};
  }

  /// Takes what is left, from a page on. Returns its offset.
  std::size_t take_rest(const std::source_location& where);

  /// Releases the array that begins at `offset`.
  void deallocate(std::size_t offset, const std::source_location& where);

  template <item T>
  std::span<T> local(symmetric<T> array) const noexcept {
    return {reinterpret_cast<T*>(memory_.mine() + array.offset), array.size};
  }

  template <item T>
  T get(symmetric<T> array, std::size_t index, pe_id pe) {
    check_access(array, index, pe);
    T value;
    if (const std::byte* const part = direct(pe)) {
      std::memcpy(static_cast<void*>(&value), part + place(array, index), sizeof(T));
    } else {
      memory_.get(&value, place(array, index), sizeof(T), pe);
    }
    return value;
  }
  template <item T>
  void get(symmetric<T> array, std::size_t index, std::span<T> into, pe_id pe) {
    check_block(array, index, into.size(), pe);
    if (!into.empty()) memory_.get(into.data(), place(array, index), into.size_bytes(), pe);
  }
  template <item T>
  void put(symmetric<T> array, std::size_t index, const T& value, pe_id pe) {
    check_access(array, index, pe);
    if (std::byte* const part = direct(pe)) {
      std::memcpy(part + place(array, index), &value, sizeof(T));
    } else {
      memory_.put(place(array, index), &value, sizeof(T), pe);
    }
  }
  template <item T>
  void put(symmetric<T> array, std::size_t index, std::span<const T> from, pe_id pe) {
    check_block(array, index, from.size(), pe);
    if (!from.empty()) memory_.put(place(array, index), from.data(), from.size_bytes(), pe);
  }

  template <item T>
  void start_get(symmetric<T> array, std::size_t index, T& into, pe_id pe) {
    check_access(array, index, pe);
    if (const std::byte* const part = direct(pe)) {
      std::memcpy(static_cast<void*>(&into), part + place(array, index), sizeof(T));
    } else {
      memory_.start_get(&into, place(array, index), sizeof(T), pe);
    }
  }
  template <item T>
  void start_get(symmetric<T> array, std::size_t index, std::span<T> into, pe_id pe) {
    check_block(array, index, into.size(), pe);
    if (!into.empty()) memory_.start_get(into.data(), place(array, index), into.size_bytes(), pe);
  }
  template <item T>
  void start_put(symmetric<T> array, std::size_t index, const T& from, pe_id pe) {
    check_access(array, index, pe);
    if (std::byte* const part = direct(pe)) {
      std::memcpy(part + place(array, index), &from, sizeof(T));
    } else {
      memory_.start_put(place(array, index), &from, sizeof(T), pe);
    }
  }
  template <item T>
  void start_put(symmetric<T> array, std::size_t index, std::span<const T> from, pe_id pe) {
    check_block(array, index, from.size(), pe);
    if (!from.empty()) memory_.start_put(place(array, index), from.data(), from.size_bytes(), pe);
  }

  /// Any atomic operation; returns what the element was.
  template <atomic_item T>
  T atomic(atomic_op op, symmetric<T> array, std::size_t index, T operand, pe_id pe, T expected = {}) {
    check_access(array, index, pe);
    const atomic_call call = call_of(op, operand, expected);
    if (std::byte* const part = direct(pe)) return static_cast<T>(apply_atomic(call, part + place(array, index)));
    return static_cast<T>(memory_.atomic(call, place(array, index), pe));
  }
  template <atomic_item T>
  void start_add(symmetric<T> array, std::size_t index, T value, pe_id pe) {
    check_access(array, index, pe);
    const atomic_call call = call_of(atomic_op::add, value, T{});
    if (std::byte* const part = direct(pe)) {
      apply_atomic(call, part + place(array, index));
    } else {
      memory_.start_atomic(call, place(array, index), pe);
    }
  }

  void fence() { memory_.fence(); }
  void quiet() { memory_.quiet(); }

  bool is_one_sided() const noexcept { return memory_.is_one_sided(); }

private:
  struct allocation {
    std::size_t offset = 0;
    std::size_t bytes = 0;  // at least a cache line, so that no two begin at one offset

    std::size_t end() const noexcept { return offset + bytes; }
  };

  // This processor's loads and stores take less than the call of a function would. Null where they do not do.
  std::byte* direct(pe_id pe) const noexcept { return direct_ == nullptr ? nullptr : direct_[pe]; }

  template <class T>
  static std::size_t place(const symmetric<T>& array, std::size_t index) noexcept {
    return array.offset + index * sizeof(T);
  }
  template <class T>
  static atomic_call call_of(atomic_op op, T operand, T expected) noexcept {
    return {.op = op,
            .bytes = sizeof(T),
            .operand = static_cast<std::uint64_t>(operand),
            .expected = static_cast<std::uint64_t>(expected)};
  }

  template <class T>
  void check_access(const symmetric<T>& array, std::size_t index, pe_id pe) const {
    SHOAL_ASSERT(array.size <= (memory_.bytes() - array.offset) / sizeof(T));
    if (static_cast<std::uint64_t>(pe) >= static_cast<std::uint64_t>(n_pes_) || index >= array.size ||
        other_worker() != nullptr) {
      access_out_of_range(index, array.size, pe);
    }
  }
  template <class T>
  void check_block(const symmetric<T>& array, std::size_t index, std::size_t n, pe_id pe) const {
    SHOAL_ASSERT(array.size <= (memory_.bytes() - array.offset) / sizeof(T));
    if (static_cast<std::uint64_t>(pe) >= static_cast<std::uint64_t>(n_pes_) || index > array.size ||
        n > array.size - index || other_worker() != nullptr) {
      block_out_of_range(index, n, array.size, pe);
    }
  }
  [[noreturn]] void access_out_of_range(std::size_t index, std::size_t size, pe_id pe) const;
  [[noreturn]] void block_out_of_range(std::size_t index, std::size_t n, std::size_t size, pe_id pe) const;
  [[noreturn]] void refuse_access(const std::string& what, std::size_t size, pe_id pe) const;
  std::size_t allocate_bytes(std::size_t bytes, const std::source_location& where);

  symmetric_memory& memory_;
  std::byte* const* direct_;  // as symmetric_memory::direct
  pe_id n_pes_;
  collectives& collectives_;
  const owner<std::vector<allocation>> allocations_;  // by offset, without overlap; the same on every PE
};

}  // namespace shoal::internal
