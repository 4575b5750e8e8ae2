// The one-sided part of simulated_pe.
#include <cstring>

#include "shoal/base/contract.hpp"
#include "shoal/substrate/sim/simulated_pe.hpp"
#include "shoal/substrate/sim/simulation.hpp"

namespace shoal::sim {

std::byte* simulated_pe::peer_heap(pe_id pe) noexcept {
  SHOAL_REQUIRE(pe >= 0 && pe < n_pes_);
  return sim_.memory_.heap(pe);
}

std::byte* simulated_pe::target_in_heap(std::size_t offset, std::size_t bytes, pe_id pe) noexcept {
  const bool lies_in_the_symmetric_heap =
      pe >= 0 && pe < n_pes_ && offset <= heap_bytes_ && bytes <= heap_bytes_ - offset;
  SHOAL_REQUIRE(lies_in_the_symmetric_heap);
  return sim_.memory_.heap(pe) + offset;
}

void simulated_pe::get(void* target, std::size_t offset, std::size_t bytes, pe_id pe) noexcept {
  const std::byte* const source = target_in_heap(offset, bytes, pe);
  const bool is_remote = pe != my_pe_;
  enter(call_ns);
  act_strictly_after(is_remote ? sim_.network_.one_way_ns(0) : 0);
  if (bytes != 0) std::memcpy(target, source, bytes);
  if (is_remote) task_.now_ns += sim_.network_.one_way_ns(bytes);
  found_nothing();  // a loop of gets may wait for a change that never comes
}

// The data travel like a buffer, so that a program which forgets `quiet` is found out.
void simulated_pe::put(std::size_t offset, const void* source, std::size_t bytes, pe_id pe) noexcept {
  std::byte* const target = target_in_heap(offset, bytes, pe);
  enter(pe == my_pe_ ? call_ns : sim_.network_.overhead_ns());
  sim_.changed(task_, offset);
  if (pe == my_pe_) {
    act_strictly_after(0);
    if (bytes != 0) std::memcpy(target, source, bytes);
    return;
  }
  const std::uint64_t written_ns = sim_.network_.send_put(my_pe_, pe, bytes, task_.now_ns);
  completes_at(written_ns + sim_.network_.latency_ns());  // the acknowledgement has to come back
  const std::uint32_t kept = sim_.keep({.target = target});
  const auto* const data = static_cast<const std::byte*>(source);
  sim_.in_flight_[kept].data.assign(data, data + bytes);
  sim_.schedule(event_kind::put, pe, kept, written_ns);
}

std::uint64_t simulated_pe::atomic(atomic_op op, std::size_t offset, std::uint64_t operand, std::uint64_t expected,
                                   pe_id pe) noexcept {
  std::byte* const target = target_in_heap(offset, sizeof(std::uint64_t), pe);
  SHOAL_REQUIRE(offset % sizeof(std::uint64_t) == 0);
  const bool is_remote = pe != my_pe_;
  enter(call_ns);
  act_strictly_after(is_remote ? sim_.network_.one_way_ns(0) : 0);
  std::uint64_t before = 0;
  std::memcpy(&before, target, sizeof before);
  std::uint64_t after = before;
  switch (op) {
    case atomic_op::add: after = before + operand; break;
    case atomic_op::exchange: after = operand; break;
    case atomic_op::compare_exchange: after = before == expected ? operand : before; break;
  }
  if (after == before) {
    found_nothing();
  } else {
    std::memcpy(target, &after, sizeof after);
    sim_.changed(task_, offset);
    if (is_remote) {
      sim_.schedule(event_kind::touch, pe, 0, task_.now_ns + sim_.network_.latency_ns());
    }
  }
  if (is_remote) task_.now_ns += sim_.network_.one_way_ns(sizeof before);
  return before;
}

// What a non-blocking operation costs its PE is the overhead of a send; the rest of its way passes meanwhile. A get
// looks at the memory when its question is there and writes to `target` when the answer is back, not before.
void simulated_pe::start_get(void* target, std::size_t offset, std::size_t bytes, pe_id pe) noexcept {
  if (pe == my_pe_) {
    get(target, offset, bytes, pe);
    return;
  }
  const std::byte* const source = target_in_heap(offset, bytes, pe);
  enter(sim_.network_.overhead_ns());
  sim_.changed(task_, offset);
  const std::uint64_t asked_ns = sim_.network_.send_put(my_pe_, pe, 0, task_.now_ns);
  const std::uint64_t answered_ns = sim_.network_.send_answer(bytes, asked_ns);
  completes_at(answered_ns);
  const std::uint32_t kept = sim_.keep(
      {.target = static_cast<std::byte*>(target), .source = source, .answered_ns = answered_ns, .asker = my_pe_});
  sim_.in_flight_[kept].data.resize(bytes);
  sim_.schedule(event_kind::question, pe, kept, asked_ns);
}

void simulated_pe::start_add(std::size_t offset, std::uint64_t operand, pe_id pe) noexcept {
  SHOAL_REQUIRE(offset % sizeof(std::uint64_t) == 0);
  if (pe == my_pe_) {
    atomic(atomic_op::add, offset, operand, 0, pe);
    return;
  }
  std::byte* const target = target_in_heap(offset, sizeof operand, pe);
  enter(sim_.network_.overhead_ns());
  sim_.changed(task_, offset);
  const std::uint64_t added_ns = sim_.network_.send_put(my_pe_, pe, sizeof operand, task_.now_ns);
  completes_at(added_ns + sim_.network_.latency_ns());
  const std::uint32_t kept = sim_.keep({.target = target, .operand = operand});
  sim_.schedule(event_kind::addition, pe, kept, added_ns);
}

void simulated_pe::completes_at(std::uint64_t done_ns) noexcept {
  if (done_ns > one_sided_done_ns_) one_sided_done_ns_ = done_ns;
}

void simulated_pe::quiet() noexcept {
  enter(call_ns);
  if (one_sided_done_ns_ == 0) return;
  sim_.scheduler_.sleep_until(task_, one_sided_done_ns_);
  take_arrivals();
  one_sided_done_ns_ = 0;
}

}  // namespace shoal::sim
