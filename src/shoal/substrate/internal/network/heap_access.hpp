/// One-sided access to the symmetric heap: within the node through its memory if the heap lies there, else through the
/// wire.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

#include "shoal/base/types.hpp"
#include "shoal/substrate/internal/local/shared_heap.hpp"
#include "shoal/substrate/internal/network/guarded_wire.hpp"
#include "shoal/substrate/internal/network/node_map.hpp"
#include "shoal/substrate/internal/symmetric_memory.hpp"

namespace shoal::internal {
class substrate;
}

namespace shoal::internal::network {

class heap_access final : public symmetric_memory {
public:
  /// All outlive this object.
  heap_access(guarded_wire& wire, local::shared_heap& inside, const node_map& nodes, std::size_t bytes);

  /// As shared_heap::map_symmetrically, if the heap is in the node's memory.
  void map_symmetrically(substrate& job, const std::function<void()>& meanwhile);

  std::byte* peer(pe_id pe) noexcept override;
  bool is_one_sided() const noexcept override { return is_one_node_ || wire_.facts().is_one_sided(); }
  void get(void* target, std::size_t offset, std::size_t bytes, pe_id pe) noexcept override;
  void start_get(void* target, std::size_t offset, std::size_t bytes, pe_id pe) noexcept override;
  void put(std::size_t offset, const void* source, std::size_t bytes, pe_id pe) noexcept override;
  void start_put(std::size_t offset, const void* source, std::size_t bytes, pe_id pe) noexcept override;
  std::uint64_t atomic(const atomic_call& call, std::size_t offset, pe_id pe) noexcept override;
  void start_atomic(const atomic_call& call, std::size_t offset, pe_id pe) noexcept override;
  void quiet() noexcept override;
  void fence() noexcept override;

private:
  bool crosses_wire(pe_id pe) const noexcept;
  pe_id local_of(pe_id pe) const noexcept { return nodes_.local_of[static_cast<std::size_t>(pe)]; }

  guarded_wire& wire_;
  local::shared_heap& inside_;
  const node_map& nodes_;
  bool is_one_node_;
  bool is_on_wire_;  // the wire made the heap; the node's memory has none, so all accesses go through the wire
};

}  // namespace shoal::internal::network
