/// Where the symmetric objects of this process lie: what puts, gets and atomics look at.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "shoal/base/types.hpp"
#include "shoal/substrate/internal/symmetric_memory.hpp"

namespace shoal::internal::compat {

class far_calls;

/// Symmetric objects lie in the heap, or in the program's writable segment, which is mapped to a part of the heap. So
/// each has an offset in the heap, which is the same on all PEs.
struct reach {
  std::byte* heap = nullptr;
  std::size_t heap_bytes = 0;
  std::byte* statics = nullptr;
  std::size_t static_bytes = 0;  // 0: they are not mapped
  std::size_t static_offset = 0;
  // By PE, as symmetric_memory::direct. No PE where others need this one to call Shoal: a program may look at a word again and again
  // that only such a call lets another PE change.
  std::byte* const* direct = nullptr;
  symmetric_memory* memory = nullptr;
  std::uint64_t n_pes = 0;  // 0: no job is open
  bool must_serve = false;  // others' access to this PE needs its calls
  unsigned n_calls = 0;  // that might have served
  far_calls* far = nullptr;  // null: no calls travel as messages
};

/// Of this process. Its parts are set when the job opens. The functions of shmem.h have no parameter that could name it.
extern constinit reach here;

/// Ends the job with a line that names the call and what is wrong with the address or PE.
[[noreturn, gnu::cold]] void refuse_place(const void* address, std::size_t bytes, int pe, const char* call);

/// The offset in the heap of `bytes` bytes at `address`, as the caller has them. Ends the job if they are not symmetric, or
/// there is no such PE.
inline std::size_t place_of(const void* address, std::size_t bytes, int pe, const char* call) {
  const auto* const at = static_cast<const std::byte*>(address);
  auto offset = static_cast<std::size_t>(at - here.heap);
  if (offset >= here.heap_bytes || bytes > here.heap_bytes - offset) [[unlikely]] {
    offset = static_cast<std::size_t>(at - here.statics);
    if (offset >= here.static_bytes || bytes > here.static_bytes - offset) refuse_place(address, bytes, pe, call);
    offset += here.static_offset;
  }
  if (static_cast<std::uint32_t>(pe) >= here.n_pes) [[unlikely]]
    refuse_place(address, bytes, pe, call);
  return offset;
}

/// The same for one element, in a comparison less: the size of an open job's heap is more than that of any element, and
/// without a job there is no PE.
template <class T>
[[gnu::always_inline]] inline std::size_t place_of(const T* address, int pe, const char* call) {
  const auto* const at = reinterpret_cast<const std::byte*>(address);
  const auto offset = static_cast<std::size_t>(at - here.heap);
  if (offset > here.heap_bytes - sizeof(T)) [[unlikely]]
    return place_of(address, sizeof(T), pe, call);
  if (static_cast<std::uint32_t>(pe) >= here.n_pes) [[unlikely]]
    refuse_place(address, sizeof(T), pe, call);
  return offset;
}

/// PE `pe`'s part of the heap, if this processor's loads and stores do there; otherwise null.
inline std::byte* direct_part(int pe) { return here.direct[pe]; }

/// Waits until all calls that this PE has begun are carried out, which `call` asks for.
void complete_calls(const char* call);
/// Lets others go on, now and then, in a loop of calls that only look: they may wait for what passes this PE. Local.
void let_others_go_on();

/// After calls that direct access would not need: lets other PEs' access to this one go on, now and then. Local.
void serve_others();

// On other PEs. In functions of their own, so that the usual way keeps values in registers.
template <class T>
[[gnu::noinline]] void put_far(std::size_t offset, T value, int pe) {
  here.memory->put(offset, &value, sizeof(T), pe);
  serve_others();
}
template <class T>
[[gnu::noinline]] T get_far(std::size_t offset, int pe) {
  T value;
  here.memory->get(&value, offset, sizeof(T), pe);
  serve_others();
  return value;
}

template <class T>
void put_one(T* dest, T value, int pe, const char* call) {
  const std::size_t offset = place_of(dest, pe, call);
  if (std::byte* const part = direct_part(pe)) [[likely]] {
    std::memcpy(part + offset, &value, sizeof(T));
  } else {
    put_far(offset, value, pe);
  }
}

template <class T>
T get_one(const T* source, int pe, const char* call) {
  const std::size_t offset = place_of(source, pe, call);
  const std::byte* const part = direct_part(pe);
  if (part == nullptr) [[unlikely]]
    return get_far<T>(offset, pe);
  T value;
  std::memcpy(&value, part + offset, sizeof(T));
  return value;
}

// Blocks. `starts`: may return before anything has happened.
void put_block(void* dest, const void* source, std::size_t bytes, int pe, bool starts, const char* call);
void get_block(void* dest, const void* source, std::size_t bytes, int pe, bool starts, const char* call);

/// Every dst-th element of dest is every sst-th of source.
struct strides {
  std::ptrdiff_t dst;
  std::ptrdiff_t sst;
};
inline const std::byte* element(const void* first, std::ptrdiff_t stride, std::size_t i, std::size_t bytes) {
  return static_cast<const std::byte*>(first) + static_cast<std::ptrdiff_t>(i * bytes) * stride;
}
void put_strided(void* dest, const void* source, strides of, std::size_t n, std::size_t element_bytes, int pe,
                 const char* call);
void get_strided(void* dest, const void* source, strides of, std::size_t n, std::size_t element_bytes, int pe,
                 const char* call);

}  // namespace shoal::internal::compat
