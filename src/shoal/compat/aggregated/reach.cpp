#include "shoal/compat/internal/aggregated_reach.hpp"

#include "shoal/compat/internal/aggregation.hpp"

namespace shoal::internal::compat::aggregated {
namespace {

// A block is most often one word. The two may be one block of this PE.
void copy_block(void* to, const void* from, std::size_t bytes) {
  if (bytes == sizeof(std::uint64_t)) {
    std::memcpy(to, from, sizeof(std::uint64_t));
  } else {
    std::memmove(to, from, bytes);
  }
}

// As compat::change, for an operation that is not known before.
std::uint64_t change_directly(const void* dest, const atomic_call& asked, int pe, const char* call) {
  const std::size_t offset = place_of(dest, asked.bytes, pe, call);
  if (std::byte* const part = direct_part(pe)) return apply_atomic(asked, part + offset);
  return change_far(asked.op, asked.bytes, offset, pe, asked.operand, asked.expected);
}

}  // namespace

// --- Elements

template <std::size_t Bytes>
void put_element(void* dest, element_bytes<Bytes> value, int pe, const char* call) {
  aggregation* const all = aggregation::now();
  auto* const there = static_cast<element_bytes<Bytes>*>(dest);
  if (all == nullptr) return compat::put_one(there, value, pe, call);
  const std::size_t offset = place_of(there, pe, call);
  if (std::byte* const part = all->near_part(pe)) {
    std::memcpy(part + offset, value.data(), Bytes);
    all->note_near_call();
  } else if (!all->is_far(pe)) {
    put_far(offset, value, pe);
  } else if constexpr (Bytes <= sizeof(std::uint64_t)) {
    std::uint64_t word = 0;
    std::memcpy(&word, value.data(), Bytes);
    all->send(pe, {{far_op::put, Bytes, offset}, word});
  } else {
    all->put(pe, offset, value.data(), Bytes);
  }
}

template <std::size_t Bytes>
element_bytes<Bytes> get_element(const void* source, int pe, const char* call) {
  if (aggregation::now() == nullptr) {
    return compat::get_one(static_cast<const element_bytes<Bytes>*>(source), pe, call);
  }
  element_bytes<Bytes> value;
  get_block(value.data(), source, Bytes, pe, false, call);
  return value;
}

template void put_element(void*, element_bytes<1>, int, const char*);
template void put_element(void*, element_bytes<2>, int, const char*);
template void put_element(void*, element_bytes<4>, int, const char*);
template void put_element(void*, element_bytes<8>, int, const char*);
template void put_element(void*, element_bytes<16>, int, const char*);
template element_bytes<1> get_element(const void*, int, const char*);
template element_bytes<2> get_element(const void*, int, const char*);
template element_bytes<4> get_element(const void*, int, const char*);
template element_bytes<8> get_element(const void*, int, const char*);
template element_bytes<16> get_element(const void*, int, const char*);

// --- Blocks

void put_block(void* dest, const void* source, std::size_t bytes, int pe, bool starts, const char* call) {
  aggregation* const all = aggregation::now();
  if (all == nullptr || bytes == 0) return compat::put_block(dest, source, bytes, pe, starts, call);
  const std::size_t offset = place_of(dest, bytes, pe, call);
  if (std::byte* const part = all->near_part(pe)) {
    copy_block(part + offset, source, bytes);
    all->note_near_call();
  } else if (all->is_far(pe)) {
    all->put(pe, offset, source, bytes);
  } else {
    compat::put_block(dest, source, bytes, pe, starts, call);
  }
}

void get_block(void* dest, const void* source, std::size_t bytes, int pe, bool starts, const char* call) {
  aggregation* const all = aggregation::now();
  if (all == nullptr || bytes == 0) return compat::get_block(dest, source, bytes, pe, starts, call);
  const std::size_t offset = place_of(source, bytes, pe, call);
  if (starts && all->is_far(pe) && bytes <= aggregation::get_bytes_max) return all->get(pe, offset, dest, bytes);
  if (!starts) all->note_blocking_call();
  if (const std::byte* const part = all->near_part(pe)) {
    copy_block(dest, part + offset, bytes);
  } else {
    all->complete(pe, call);
    compat::get_block(dest, source, bytes, pe, starts, call);
  }
}

void put_strided(void* dest, const void* source, strides of, std::size_t n, std::size_t bytes, int pe,
                 const char* call) {
  for (std::size_t i = 0; i < n; ++i) {
    put_block(const_cast<std::byte*>(element(dest, of.dst, i, bytes)), element(source, of.sst, i, bytes), bytes, pe,
              false, call);
  }
}

void get_strided(void* dest, const void* source, strides of, std::size_t n, std::size_t bytes, int pe,
                 const char* call) {
  if (aggregation* const all = aggregation::now(); all != nullptr && n != 0) {
    place_of(source, bytes, pe, call);
    all->note_blocking_call();
    all->complete(pe, call);
  }
  compat::get_strided(dest, source, of, n, bytes, pe, call);
}

// --- Atomics

std::uint64_t change(const void* dest, const atomic_call& asked, int pe, const char* call) {
  aggregation* const all = aggregation::now();
  if (all == nullptr) return change_directly(dest, asked, pe, call);
  const std::size_t offset = place_of(dest, asked.bytes, pe, call);
  all->note_blocking_call();
  if (std::byte* const part = all->near_part(pe)) return apply_atomic(asked, part + offset);
  all->complete(pe, call);
  return change_far(asked.op, asked.bytes, offset, pe, asked.operand, asked.expected);
}

void start_change(const void* dest, const atomic_call& asked, int pe, const char* call) {
  aggregation* const all = aggregation::now();
  if (all == nullptr) {
    change_directly(dest, asked, pe, call);
    return;
  }
  const std::size_t offset = place_of(dest, asked.bytes, pe, call);
  if (std::byte* const part = all->near_part(pe)) {
    apply_atomic(asked, part + offset);
    all->note_near_call();
  } else if (all->is_far(pe)) {
    all->send(pe, {{far_op_of(asked.op), asked.bytes, offset}, asked.operand});
  } else {
    change_far(asked.op, asked.bytes, offset, pe, asked.operand, asked.expected);
  }
}

void start_fetch(void* into, const void* dest, const atomic_call& asked, int pe, const char* call) {
  aggregation* const all = aggregation::now();
  const std::size_t offset = place_of(dest, asked.bytes, pe, call);
  if (all == nullptr || !all->is_far(pe)) {
    const std::uint64_t old = change(dest, asked, pe, call);
    std::memcpy(into, &old, asked.bytes);
    return;
  }
  const far_head head(far_op_of(asked.op), asked.bytes, offset);
  const auto answer_to = reinterpret_cast<std::uint64_t>(into);
  if (asked.op == atomic_op::compare_exchange) {
    all->compare(pe, {head, asked.operand, asked.expected, answer_to});
  } else {
    all->ask(pe, {head, asked.operand, answer_to});
  }
}

}  // namespace shoal::internal::compat::aggregated
