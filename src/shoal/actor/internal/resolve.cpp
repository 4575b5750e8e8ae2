#include "shoal/actor/internal/resolve.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "shoal/base/machine.hpp"
#include "shoal/base/parse.hpp"
#include "shoal/base/settings.hpp"
#include "shoal/base/setup_error.hpp"
#include "shoal/codec/internal/known_codecs.hpp"
#include "shoal/conveyor/internal/buffer_budget.hpp"
#include "shoal/substrate/internal/link_costs.hpp"
#include "shoal/substrate/internal/run.hpp"
#include "shoal/substrate/substrate_kind.hpp"

namespace shoal::internal {
namespace {

constexpr std::size_t kib = 1024;
constexpr std::size_t mib = 1024 * kib;

constexpr std::size_t memory_bytes_most = 256 * mib;  // unless the user wants more

template <class T>
bool is_open(const setting<T>& s) {
  return s.value == T{} && s.origin == setting<T>{}.origin;
}

template <class T>
void decide(setting<T>& s, T value, std::string origin) {
  if (!is_open(s)) return;
  s.value = value;
  s.origin = std::move(origin);
}

std::size_t n_pes_here(const settings& s) {
  return static_cast<std::size_t>(s.n_pes_here.value > 0 ? s.n_pes_here.value : s.n_pes.value);
}

buffer_budget budget_of(const settings& s) { return buffer_budget(s.memory_bytes.value / n_budget_parts(s)); }

void check(const settings& s, const machine& here) {
  check_start(s);
  if (s.debug_pe.value >= s.n_pes.value) {
    throw setup_error(s.debug_pe.origin + "=" + std::to_string(s.debug_pe.value) + ": there is no such PE; take 0" +
                      (s.n_pes.value > 1 ? " to " + std::to_string(s.n_pes.value - 1) : ""));
  }
  if (s.heap_bytes.value < heap_bytes_min) {
    throw setup_error(s.heap_bytes.origin + "=" + std::to_string(s.heap_bytes.value) +
                      ": the symmetric heap must be at least 4k; 64M is usual");
  }
  if (s.heap_bytes.value > bytes_max) {
    throw setup_error(s.heap_bytes.origin + "=" + std::to_string(s.heap_bytes.value) +
                      ": the symmetric heap can have at most 64T; 64M is usual");
  }
  const std::size_t n_slots_max = here.memory_bytes / s.slot_bytes.value / n_pes_here(s);
  if (!is_simulated(*s.substrate.value) && s.n_slots.value > n_slots_max) {
    throw setup_error(s.n_slots.origin + "=" + std::to_string(s.n_slots.value) + " of " +
                      std::to_string(s.slot_bytes.value) + " bytes for each of " + std::to_string(n_pes_here(s)) +
                      " PEs is more than the " + std::to_string(here.memory_bytes / mib) +
                      " MiB of this machine; choose fewer or smaller slots");
  }
}

// Slots that the user chose larger than the budget take precedence over it.
void check_memory_bytes(const settings& s) {
  if (s.memory_bytes.origin == setting<std::size_t>{}.origin) return;
  if (s.slot_bytes.value != 0 || s.n_slots.value != 0) return;
  const std::size_t least = buffer_budget::bytes_min() * n_budget_parts(s);
  if (s.memory_bytes.value >= least) return;
  throw setup_error(s.memory_bytes.origin + "=" + std::to_string(s.memory_bytes.value) +
                    ": the buffers of a PE need at least " + std::to_string(least / kib) + "k; 64M is usual");
}

void check_slot_bytes(const settings& s) {
  if (s.slot_bytes.value >= slot_bytes_min && s.slot_bytes.value <= slot_bytes_max) return;
  throw setup_error(s.slot_bytes.origin + "=" + std::to_string(s.slot_bytes.value) +
                    ": a slot holds from 64 bytes to 64M; 32k is usual");
}

void check_task_stack(const settings& s) {
  if (s.task_stack_bytes.value >= task_stack_bytes_min && s.task_stack_bytes.value <= task_stack_bytes_max) return;
  throw setup_error(s.task_stack_bytes.origin + "=" + std::to_string(s.task_stack_bytes.value) +
                    ": the stack of a task has from 16k to 512M; 256k is usual");
}

}  // namespace

std::size_t spill_bytes_max(const settings& s) { return budget_of(s).spill_bytes(s.n_slots.value, s.slot_bytes.value); }

void resolve(settings& s, const machine& here) {
  choose_substrate(s);
  const auto n_pes = static_cast<std::size_t>(s.n_pes.value);
  const std::size_t n_here = n_pes_here(s);
  decide(s.n_cores, static_cast<std::int64_t>(here.n_cores), "affinity mask and cgroup quota");
  decide(s.node_size, s.n_pes.value, "all PEs on one machine");
  const auto node_size = static_cast<std::size_t>(std::min(s.node_size.value, s.n_pes.value));
  if (!s.codec.value) s.codec.value = codec_number::best;

  check_memory_bytes(s);
  const std::size_t share = here.memory_bytes / 16 / n_here;
  decide(s.memory_bytes, std::min(memory_bytes_most, share),
         share < memory_bytes_most ? "1/16 of the memory, divided among the PEs" : "1/16 of the memory is more");
  const buffer_budget budget = budget_of(s);
  if (s.n_hops.value == 0) s.adapts_hops = true;
  decide(s.n_hops, budget.n_hops(n_pes, node_size), "number of PEs, nodes and memory budget");
  const std::size_t wanted = slot_bytes_for(links_of(s));
  decide(s.slot_bytes, budget.slot_bytes(n_links_of(n_pes, node_size, s.n_hops.value), wanted),
         wanted == slot_bytes_usual ? "memory budget and number of links"
                                    : "costs of links, memory budget and number of links");
  check_slot_bytes(s);
  check_task_stack(s);
  s.slot_bytes.value = (s.slot_bytes.value + 63) / 64 * 64;
  decide(s.n_slots, budget.n_slots(s.slot_bytes.value), "memory budget");

  // Untouched heap pages cost nothing, so the default is generous.
  decide(s.heap_bytes, std::max(here.memory_bytes / 4 / n_here / mib, std::size_t{1}) * mib,
         "1/4 of the memory, divided among the PEs");
  check(s, here);
}

}  // namespace shoal::internal
