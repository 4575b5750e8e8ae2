/// The calls of reach.hpp and atomic_access.hpp as shmem/transfer.cpp and shmem/atomics.cpp make them in programs that
/// are linked with -lshoal_aggregated. On PEs of other nodes, those without a result travel as messages. Calls with a
/// result first wait until this PE's earlier ones on the same PE are carried out.
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "shoal/compat/internal/atomic_access.hpp"
#include "shoal/compat/internal/reach.hpp"

namespace shoal::internal::compat::aggregated {

// By the length of an element, not by its type, so that the functions of shmem.h share them.
template <std::size_t Bytes>
using element_bytes = std::array<std::byte, Bytes>;
template <std::size_t Bytes>
void put_element(void* dest, element_bytes<Bytes> value, int pe, const char* call);
template <std::size_t Bytes>
element_bytes<Bytes> get_element(const void* source, int pe, const char* call);

template <class T>
void put_one(T* dest, T value, int pe, const char* call) {
  element_bytes<sizeof(T)> bytes;
  std::memcpy(bytes.data(), &value, sizeof(T));
  put_element<sizeof(T)>(dest, bytes, pe, call);
}
template <class T>
T get_one(const T* source, int pe, const char* call) {
  const auto bytes = get_element<sizeof(T)>(source, pe, call);
  T value;
  std::memcpy(&value, bytes.data(), sizeof(T));
  return value;
}

void put_block(void* dest, const void* source, std::size_t bytes, int pe, bool starts, const char* call);
void get_block(void* dest, const void* source, std::size_t bytes, int pe, bool starts, const char* call);

using compat::strides;
void put_strided(void* dest, const void* source, strides of, std::size_t n, std::size_t bytes, int pe,
                 const char* call);
void get_strided(void* dest, const void* source, strides of, std::size_t n, std::size_t bytes, int pe,
                 const char* call);

// --- Atomics. `asked` has the operation, its length and operands.

std::uint64_t change(const void* dest, const atomic_call& asked, int pe, const char* call);
void start_change(const void* dest, const atomic_call& asked, int pe, const char* call);
void start_fetch(void* into, const void* dest, const atomic_call& asked, int pe, const char* call);

template <class T>
atomic_call call_of(atomic_op op, T operand, T expected = {}) {
  return {.op = op,
          .bytes = sizeof(T),
          .operand = std::bit_cast<word_of<T>>(operand),
          .expected = std::bit_cast<word_of<T>>(expected)};
}

template <atomic_op Op, class T>
T change(const T* dest, T operand, int pe, const char* call, T expected = {}) {
  return std::bit_cast<T>(static_cast<word_of<T>>(change(dest, call_of(Op, operand, expected), pe, call)));
}
template <class T>
T fetch(const T* source, int pe, const char* call) {
  return change<atomic_op::bit_or>(source, T{}, pe, call);
}
template <atomic_op Op, class T>
void start_change(T* dest, T operand, int pe, const char* call) {
  start_change(dest, call_of(Op, operand), pe, call);
}
template <atomic_op Op, class T>
void start_fetch(T* into, const T* dest, T operand, int pe, const char* call, T expected = {}) {
  start_fetch(into, dest, call_of(Op, operand, expected), pe, call);
}

}  // namespace shoal::internal::compat::aggregated
