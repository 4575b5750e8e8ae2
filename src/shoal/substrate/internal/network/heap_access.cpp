#include "shoal/substrate/internal/network/heap_access.hpp"

#include <string>

#include "shoal/base/internal/ambient.hpp"

namespace shoal::internal::network {
namespace {

int rank_of(pe_id pe) noexcept { return static_cast<int>(pe); }

}  // namespace

heap_access::heap_access(guarded_wire& wire, local::local_substrate& inside, const node_map& nodes)
    : wire_(wire),
      inside_(inside),
      nodes_(nodes),
      is_one_node_(nodes.n_nodes() == 1),
      is_on_wire_(!is_one_node_ && wire.facts().heap() != nullptr) {}

std::byte* heap_access::peer_heap(pe_id pe) noexcept {
  if (pe == wire_.facts().rank()) return heap();
  if (is_on_wire_ || !nodes_.is_here(rank_of(pe))) return nullptr;
  return inside_.peer_heap(local_of(pe));
}

bool heap_access::crosses_wire(pe_id pe) const noexcept {
  if (is_one_node_) return false;
  if (is_on_wire_) return true;  // also to PEs of this node: all atomics on a word must be of one kind
  if (nodes_.is_here(rank_of(pe))) return false;
  end_job(status_usage, "a one-sided call for PE " + std::to_string(pe) + ", which is on another node, where " +
                            std::string(inside_.name()) +
                            " does not reach; set SHOAL_SUBSTRATE to mpi-rma or shmem, or send a message");
}

void heap_access::get(void* target, std::size_t offset, std::size_t bytes, pe_id pe) noexcept {
  if (crosses_wire(pe)) return wire_.call([&](wire& w) { w.get(target, offset, bytes, rank_of(pe)); });
  inside_.get(target, offset, bytes, local_of(pe));
}

void heap_access::start_get(void* target, std::size_t offset, std::size_t bytes, pe_id pe) noexcept {
  if (crosses_wire(pe)) return wire_.call([&](wire& w) { w.start_get(target, offset, bytes, rank_of(pe)); });
  inside_.get(target, offset, bytes, local_of(pe));
}

void heap_access::put(std::size_t offset, const void* source, std::size_t bytes, pe_id pe) noexcept {
  if (crosses_wire(pe)) return wire_.call([&](wire& w) { w.put(offset, source, bytes, rank_of(pe)); });
  inside_.put(offset, source, bytes, local_of(pe));
}

std::uint64_t heap_access::atomic(atomic_op op, std::size_t offset, std::uint64_t operand, std::uint64_t expected,
                                  pe_id pe) noexcept {
  if (crosses_wire(pe)) {
    return wire_.call([&](wire& w) { return w.atomic(op, offset, operand, expected, rank_of(pe)); });
  }
  return inside_.atomic(op, offset, operand, expected, local_of(pe));
}

void heap_access::start_add(std::size_t offset, std::uint64_t operand, pe_id pe) noexcept {
  if (crosses_wire(pe)) return wire_.call([&](wire& w) { w.start_add(offset, operand, rank_of(pe)); });
  inside_.atomic(atomic_op::add, offset, operand, 0, local_of(pe));
}

void heap_access::quiet() noexcept {
  if (is_on_wire_) wire_.call([](wire& w) { w.quiet(); });
  inside_.quiet();
}

}  // namespace shoal::internal::network
