#include "shoal/substrate/internal/local/shared_heap.hpp"

#include <sys/mman.h>

#include <atomic>
#include <cstring>

#include "shoal/substrate/internal/substrate.hpp"

namespace shoal::internal::local {

shared_heap::shared_heap(segment& memory, pe_id my_pe)
    : symmetric_memory(memory.heap(my_pe), memory.layout().heap_bytes), memory_(memory), my_pe_(my_pe) {
  for (pe_id pe = 0; pe < memory.layout().n_pes; ++pe) direct_.push_back(memory.heap(pe));
}

shared_heap::~shared_heap() {
  if (mapped_ != nullptr) ::munmap(mapped_, bytes_);
}

void shared_heap::map_symmetrically(substrate& job, const std::function<void()>& meanwhile) {
  if (bytes_ == 0 || memory_.fd() < 0) return;
  // A list, because the sanitizers reserve different parts of the address space. Zero votes "no".
  constexpr std::uintptr_t candidates[] = {0x10'0000'0000, 0x2000'0000'0000, 0x6000'0000'0000, 0x7a00'0000'0000};
  const auto fold_and = [](std::byte* into, const std::byte* from, std::size_t) { *into &= *from; };
  for (const std::uintptr_t candidate : candidates) {
    void* wanted = reinterpret_cast<void*>(candidate);
    const auto offset = static_cast<off_t>(memory_.layout().heaps_offset + static_cast<std::size_t>(my_pe_) * bytes_);
    void* got = ::mmap(wanted, bytes_, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_NORESERVE | MAP_FIXED_NOREPLACE,
                       memory_.fd(), offset);
    // A kernel older than 4.17 treats the address as a hint and may map elsewhere.
    const std::byte vote{static_cast<unsigned char>(got == wanted)};
    job.arrive({&vote, 1}, fold_and);
    for (unsigned patience = 0; !job.is_round_complete(); job.wait(patience)) meanwhile();
    if (*job.round_result() == std::byte{1}) {
      mapped_ = got;
      mine_ = static_cast<std::byte*>(got);
      return;
    }
    if (got != MAP_FAILED) ::munmap(got, bytes_);
  }
}

void shared_heap::get(void* target, std::size_t offset, std::size_t bytes, pe_id pe) noexcept {
  std::memcpy(target, memory_.heap(pe) + offset, bytes);
}

void shared_heap::put(std::size_t offset, const void* source, std::size_t bytes, pe_id pe) noexcept {
  std::memcpy(memory_.heap(pe) + offset, source, bytes);
}

std::uint64_t shared_heap::atomic(const atomic_call& call, std::size_t offset, pe_id pe) noexcept {
  return apply_atomic(call, memory_.heap(pe) + offset);
}

void shared_heap::quiet() noexcept {
  // Puts are plain stores; a read-modify-write orders them before whatever this PE signals next.
  memory_.page(my_pe_).asleep.fetch_add(0, std::memory_order_seq_cst);
}

// Puts are plain stores, and stay in order if neither the compiler nor the processor turns them round.
void shared_heap::fence() noexcept { std::atomic_thread_fence(std::memory_order_release); }

}  // namespace shoal::internal::local
