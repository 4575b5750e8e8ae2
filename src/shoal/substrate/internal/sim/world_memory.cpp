#include "shoal/substrate/internal/sim/world_memory.hpp"

#include <sys/mman.h>

#include <cerrno>
#include <cstdint>
#include <cstring>
#include <string>

#include "shoal/base/internal/machine_context.hpp"
#include "shoal/base/setup_error.hpp"
#include "shoal/substrate/internal/substrate.hpp"

#if SHOAL_ADDRESS_SANITIZER
#include <sanitizer/asan_interface.h>
#endif

namespace shoal::internal::sim {
namespace {

// Enough for tests that do not choose a number.
constexpr std::size_t n_slots_default = 16;
constexpr std::size_t slot_bytes_default = 4096;
constexpr std::size_t heap_bytes_default = 1 << 20;

// A multiple of the page size would do as well: heaps just must not share a page.
constexpr std::size_t heap_alignment = 4096;

// More than any processor has; sums of sizes below it do not wrap.
constexpr std::size_t address_space_bytes = SIZE_MAX / 2;

std::size_t rounded_up(std::size_t bytes, std::size_t unit) noexcept { return (bytes + unit - 1) / unit * unit; }

}  // namespace

world_memory::world_memory(const settings& chosen)
    : n_pes_(static_cast<std::size_t>(chosen.n_pes.value)),
      n_slots_(chosen.n_slots.value != 0 ? chosen.n_slots.value : n_slots_default),
      payload_bytes_(
          rounded_up(chosen.slot_bytes.value != 0 ? chosen.slot_bytes.value : slot_bytes_default, cache_line_bytes)),
      heap_bytes_(chosen.heap_bytes.value != 0 ? chosen.heap_bytes.value : heap_bytes_default) {
  if (n_slots_ >= no_slot / n_pes_) {
    throw setup_error(chosen.n_slots.origin + "=" + std::to_string(n_slots_) + ": " + std::to_string(n_pes_) +
                      " PEs can have at most " + std::to_string((no_slot - 1) / n_pes_) +
                      " slots each; lower SHOAL_SLOTS");
  }
  if (heap_bytes_ > address_space_bytes / n_pes_) {
    throw setup_error(chosen.heap_bytes.origin + "=" + std::to_string(heap_bytes_) + ": the heaps of " +
                      std::to_string(n_pes_) +
                      " simulated PEs are more than an address space holds; lower SHOAL_HEAP or SHOAL_PES");
  }
  heap_stride_ = rounded_up(heap_bytes_, heap_alignment);
  const std::size_t heaps_bytes = n_pes_ * heap_stride_;
  const std::size_t pools_bytes = n_pes_ * n_slots_ * (sizeof(buffer) + payload_bytes_);
  const std::size_t rounds_bytes = 2 * (n_pes_ + 1) * round_bytes_max;
  mapped_bytes_ = heaps_bytes + pools_bytes + rounds_bytes;
  void* const got =
      ::mmap(nullptr, mapped_bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (got == MAP_FAILED) {
    throw setup_error("cannot reserve " + std::to_string(mapped_bytes_ >> 20) + " MiB for " + std::to_string(n_pes_) +
                      " simulated PEs (" + std::strerror(errno) + "); lower SHOAL_HEAP, SHOAL_SLOTS or SHOAL_PES");
  }
  base_ = static_cast<std::byte*>(got);
  pools_ = base_ + heaps_bytes;
  rounds_ = pools_ + pools_bytes;
}

world_memory::~world_memory() { ::munmap(base_, mapped_bytes_); }

#if SHOAL_ADDRESS_SANITIZER
void world_memory::forbid_payload(buffer& slot) const noexcept {
  __asan_poison_memory_region(slot.payload(), payload_bytes_);
}
void world_memory::allow_payload(buffer& slot) const noexcept {
  __asan_unpoison_memory_region(slot.payload(), payload_bytes_);
}
#else
void world_memory::forbid_payload(buffer&) const noexcept {}
void world_memory::allow_payload(buffer&) const noexcept {}
#endif

}  // namespace shoal::internal::sim
