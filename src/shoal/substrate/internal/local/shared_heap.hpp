/// The symmetric heap within a node: every PE's part lies in the segment that all map.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

#include "shoal/base/types.hpp"
#include "shoal/substrate/internal/local/segment.hpp"
#include "shoal/substrate/internal/symmetric_memory.hpp"

namespace shoal::internal {
class substrate;
}

namespace shoal::internal::local {

class shared_heap final : public symmetric_memory {
public:
  /// `memory` outlives this object.
  shared_heap(segment& memory, pe_id my_pe);
  ~shared_heap();

  /// Maps this PE's part at an address that is the same on every PE of `job`, if one can be found. `job` is the substrate
  /// of these PEs, or one that has PEs of other nodes, too; its rounds decide. Collective; waits, and calls `meanwhile`
  /// before each wait. For PEs that are processes.
  void map_symmetrically(substrate& job, const std::function<void()>& meanwhile = [] {});

  std::byte* peer(pe_id pe) noexcept override { return memory_.heap(pe); }
  void get(void* target, std::size_t offset, std::size_t bytes, pe_id pe) noexcept override;
  void put(std::size_t offset, const void* source, std::size_t bytes, pe_id pe) noexcept override;
  std::uint64_t atomic(const atomic_call& call, std::size_t offset, pe_id pe) noexcept override;
  void quiet() noexcept override;
  void fence() noexcept override;

private:
  segment& memory_;
  pe_id my_pe_;
  void* mapped_ = nullptr;  // set by map_symmetrically
};

}  // namespace shoal::internal::local
