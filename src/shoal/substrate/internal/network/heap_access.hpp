/// One-sided access to the symmetric heap: within the node through its memory if the heap lies there, else through the
/// wire.
#pragma once

#include <cstddef>
#include <cstdint>

#include "shoal/base/types.hpp"
#include "shoal/substrate/internal/local/local_substrate.hpp"
#include "shoal/substrate/internal/network/guarded_wire.hpp"
#include "shoal/substrate/internal/network/node_map.hpp"
#include "shoal/substrate/internal/substrate.hpp"

namespace shoal::internal::network {

/// The calls are those of `substrate`.
class heap_access {
public:
  /// All outlive this object.
  heap_access(guarded_wire& wire, local::local_substrate& inside, const node_map& nodes);

  /// This PE's part.
  std::byte* heap() const noexcept { return is_on_wire_ ? wire_.facts().heap() : inside_.heap(); }
  std::byte* peer_heap(pe_id pe) noexcept;

  /// Whether gets and puts reach every PE whatever its program does.
  bool is_one_sided() const noexcept { return is_one_node_ || wire_.facts().is_one_sided(); }

  void get(void* target, std::size_t offset, std::size_t bytes, pe_id pe) noexcept;
  void start_get(void* target, std::size_t offset, std::size_t bytes, pe_id pe) noexcept;
  void put(std::size_t offset, const void* source, std::size_t bytes, pe_id pe) noexcept;
  void start_put(std::size_t offset, const void* source, std::size_t bytes, pe_id pe) noexcept;
  std::uint64_t atomic(const atomic_call& call, std::size_t offset, pe_id pe) noexcept;
  void start_atomic(const atomic_call& call, std::size_t offset, pe_id pe) noexcept;
  void quiet() noexcept;
  void fence() noexcept;

private:
  bool crosses_wire(pe_id pe) const noexcept;
  pe_id local_of(pe_id pe) const noexcept { return nodes_.local_of[static_cast<std::size_t>(pe)]; }

  guarded_wire& wire_;
  local::local_substrate& inside_;
  const node_map& nodes_;
  bool is_one_node_;
  bool is_on_wire_;  // the wire made the heap; the node's memory has none, so all accesses go through the wire
};

}  // namespace shoal::internal::network
