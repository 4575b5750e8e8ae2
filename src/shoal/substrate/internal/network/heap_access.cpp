#include "shoal/substrate/internal/network/heap_access.hpp"

namespace shoal::internal::network {

heap_access::heap_access(guarded_wire& wire, local::shared_heap& inside, const node_map& nodes, std::size_t bytes)
    : symmetric_memory(inside.mine(), bytes),
      wire_(wire),
      inside_(inside),
      nodes_(nodes),
      is_one_node_(nodes.n_nodes() == 1),
      is_on_wire_(!is_one_node_ && wire.facts().heap() != nullptr) {
  if (is_on_wire_) {
    mine_ = wire.facts().heap();
    return;
  }
  for (pe_id pe = 0; pe < static_cast<pe_id>(nodes.local_of.size()); ++pe) {
    direct_.push_back(nodes.is_here(rank_of(pe)) ? inside.peer(local_of(pe)) : nullptr);
  }
}

void heap_access::map_symmetrically(substrate& job, const std::function<void()>& meanwhile) {
  if (is_on_wire_) return;
  inside_.map_symmetrically(job, meanwhile);
  mine_ = inside_.mine();
}

std::byte* heap_access::peer(pe_id pe) noexcept {
  if (!nodes_.is_here(rank_of(pe))) return nullptr;
  if (is_on_wire_) return wire_.call([&](wire& w) { return w.peer_heap(rank_of(pe)); });
  return pe == wire_.facts().rank() ? mine() : inside_.peer(local_of(pe));
}

// All atomics on a word go one way. Where the library makes the heap, the library carries them out, also those of PEs of
// the word's node. Else processors of that node do: directly, or as they serve the wire.
bool heap_access::crosses_wire(pe_id pe) const noexcept {
  return !is_one_node_ && (is_on_wire_ || !nodes_.is_here(rank_of(pe)));
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

void heap_access::start_put(std::size_t offset, const void* source, std::size_t bytes, pe_id pe) noexcept {
  if (crosses_wire(pe)) return wire_.call([&](wire& w) { w.start_put(offset, source, bytes, rank_of(pe)); });
  inside_.put(offset, source, bytes, local_of(pe));
}

std::uint64_t heap_access::atomic(const atomic_call& call, std::size_t offset, pe_id pe) noexcept {
  if (crosses_wire(pe)) return wire_.call([&](wire& w) { return w.atomic(call, offset, rank_of(pe)); });
  return inside_.atomic(call, offset, local_of(pe));
}

void heap_access::start_atomic(const atomic_call& call, std::size_t offset, pe_id pe) noexcept {
  if (crosses_wire(pe)) return wire_.call([&](wire& w) { w.start_atomic(call, offset, rank_of(pe)); });
  inside_.atomic(call, offset, local_of(pe));
}

void heap_access::quiet() noexcept {
  if (!is_one_node_) wire_.call([](wire& w) { w.quiet(); });
  inside_.quiet();
}

void heap_access::fence() noexcept {
  if (!is_one_node_) wire_.call([](wire& w) { w.fence(); });
  inside_.fence();
}

}  // namespace shoal::internal::network
