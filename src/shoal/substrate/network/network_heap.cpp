// One-sided access: to the node's memory where the heap lies there, else through the wire.
#include <cstdlib>
#include <string>

#include "shoal/base/ambient.hpp"
#include "shoal/substrate/network/network_substrate.hpp"

namespace shoal::network {

std::byte* network_substrate::peer_heap(pe_id pe) noexcept {
  if (pe == my_pe_) return heap_;
  if (!is_here(pe) || heap_ != inside_.heap()) return nullptr;
  return inside_.peer_heap(local_of(pe));
}

bool network_substrate::crosses_wire(pe_id pe) const noexcept {
  if (is_one_node()) return false;
  if (wire_.heap() != nullptr) return true;  // for PEs of this node, too: it has to be one kind of atomics
  if (is_here(pe)) return false;
  shoal::end_job(status_usage, "a one-sided call for PE " + std::to_string(pe) + ", which is on another node, where " +
                                   std::string(name()) +
                                   " does not reach; set SHOAL_SUBSTRATE to mpi-rma or shmem, or send a message");
}

void network_substrate::get(void* target, std::size_t offset, std::size_t bytes, pe_id pe) noexcept {
  if (crosses_wire(pe)) return cross([&] { return wire_.get(target, offset, bytes, rank_of(pe)); });
  inside_.get(target, offset, bytes, local_of(pe));
}

void network_substrate::start_get(void* target, std::size_t offset, std::size_t bytes, pe_id pe) noexcept {
  if (crosses_wire(pe)) return cross([&] { return wire_.start_get(target, offset, bytes, rank_of(pe)); });
  inside_.get(target, offset, bytes, local_of(pe));
}

void network_substrate::put(std::size_t offset, const void* source, std::size_t bytes, pe_id pe) noexcept {
  if (crosses_wire(pe)) return cross([&] { return wire_.put(offset, source, bytes, rank_of(pe)); });
  inside_.put(offset, source, bytes, local_of(pe));
}

std::uint64_t network_substrate::atomic(atomic_op op, std::size_t offset, std::uint64_t operand, std::uint64_t expected,
                                        pe_id pe) noexcept {
  if (crosses_wire(pe)) return cross([&] { return wire_.atomic(op, offset, operand, expected, rank_of(pe)); });
  return inside_.atomic(op, offset, operand, expected, local_of(pe));
}

void network_substrate::start_add(std::size_t offset, std::uint64_t operand, pe_id pe) noexcept {
  if (crosses_wire(pe)) return cross([&] { return wire_.start_add(offset, operand, rank_of(pe)); });
  inside_.atomic(atomic_op::add, offset, operand, 0, local_of(pe));
}

void network_substrate::quiet() noexcept {
  if (!is_one_node() && wire_.heap() != nullptr) cross([&] { wire_.quiet(); });
  inside_.quiet();
}

}  // namespace shoal::network
