#include "shoal/substrate/internal/network/network_substrate.hpp"

#include <time.h>

#include <algorithm>

#include "shoal/substrate/internal/link_costs.hpp"

namespace shoal::internal::network {
namespace {

// Nothing wakes a PE when data arrive over the wire, so its sleeps are short naps. The first is shortest, so that a
// buffer waits little; naps grow while nothing arrives.
constexpr long first_nap_ns = 50'000;
constexpr unsigned n_doublings = 4;  // up to 800 us

// Failed polls between two looks at the clock, and perhaps at whether other PEs live.
constexpr unsigned polls_between_looks = 256;

// Calls of pass_time in sequence after which a PE that shares its core begins to nap, and the calls from one nap to the
// next. After a nap many requests may have come, of which the library takes a few in each look.
constexpr unsigned n_pauses = 64;
constexpr unsigned n_pauses_per_nap = 16;

// Whether the PEs of a machine, each with its workers, have fewer cores than they could keep busy. Then nobody spins for long.
bool are_crowded(const node_map& nodes, const settings& chosen) noexcept {
  return nodes.machine_size * chosen.n_workers.value > nodes.machine_cores;
}

}  // namespace

network_substrate::network_substrate(wire& between, const node_map& nodes, local::segment& memory, leader_ring* ring,
                                     std::size_t payload_bytes, std::size_t heap_bytes, const settings& chosen)
    : substrate(between.rank(), between.n_ranks()),
      wire_(between),
      nodes_(nodes),
      memory_(memory),
      inside_(memory, nodes.my_local, payload_bytes, are_crowded(nodes, chosen), *chosen.substrate.value),
      heap_(wire_, inside_.heap(), nodes, heap_bytes),
      end_(wire_, inside_, nodes, memory.job(), ring),
      is_crowded_(are_crowded(nodes, chosen)) {
  between.pass_time_by([this](unsigned& patience) { pass_time(patience); });
  n_machine_pes_ = nodes.machine_size;
  payload_bytes_ = payload_bytes;
  n_slots_ = inside_.n_slots();
  know_links(links_of(chosen));
  if (nodes.n_nodes() == 1) return;
  remote_.emplace(wire_, inside_, *this, !is_crowded_, payload_bytes);
  rounds_.emplace(wire_, nodes, inside_, memory.extra());
}

void network_substrate::prepare_memory() {
  inside_.populate_pool();
  if (wire_.facts().heap() != nullptr) return;
  heap_.map_symmetrically(*this, [this] { end_.look_for_dead(); });
}

// --- Buffers

std::size_t network_substrate::n_free() noexcept {
  if (remote_) remote_->take_sent();
  return inside_.n_free();
}

buffer* network_substrate::try_acquire() noexcept {
  if (buffer* const slot = inside_.try_acquire()) return slot;
  if (!remote_) return nullptr;
  remote_->send_waiting();
  remote_->take_sent();
  return inside_.try_acquire();
}

void network_substrate::post(buffer& full, pe_id target) noexcept {
  ++counts_.n_posted;
  if (nodes_.is_here(static_cast<int>(target))) return inside_.post(full, local_of(target));
  counts_.n_bytes_away += full.header.bytes;
  remote_->post(full, target);
}

buffer* network_substrate::poll_all() noexcept {
  if (!remote_) return inside_.poll();
  is_wires_turn_ = !is_wires_turn_;
  buffer* b = is_wires_turn_ ? remote_->poll() : inside_.poll();
  if (b == nullptr) b = is_wires_turn_ ? inside_.poll() : remote_->poll();
  if (b == nullptr) remote_->settle();
  return b;
}

buffer* network_substrate::poll() noexcept {
  buffer* const b = poll_all();
  if (b != nullptr) {
    ++counts_.n_received;
  } else if (++n_empty_polls_ % polls_between_looks == 0) {
    end_.look_for_dead();  // also while this PE sends without end, or polls instead of sleeping
  }
  return b;
}

void network_substrate::release(buffer& done) noexcept {
  if (memory_.contains(done)) return inside_.release(done);
  remote_->release(done);
}

// --- Control messages

bool network_substrate::try_send_control(std::span<const std::byte> bytes, pe_id target) noexcept {
  if (nodes_.is_here(static_cast<int>(target))) return inside_.try_send_control(bytes, local_of(target));
  return wire_.call([&](wire& w) { return w.try_send_control(bytes, static_cast<int>(target)); });
}

bool network_substrate::poll_control_inside(control_message& into) noexcept {
  if (!inside_.poll_control(into)) return false;
  into.source = nodes_.my_members()[static_cast<std::size_t>(into.source)];
  return true;
}

bool network_substrate::poll_control(control_message& into) noexcept {
  if (is_one_node()) return poll_control_inside(into);
  const auto poll_wire = [&] { return wire_.call([&](wire& w) { return w.poll_control(into); }); };
  is_wires_control_turn_ = !is_wires_control_turn_;
  return is_wires_control_turn_ ? poll_wire() || poll_control_inside(into) : poll_control_inside(into) || poll_wire();
}

// --- Rounds

void network_substrate::arrive(std::span<const std::byte> contribution, combine_function combine) noexcept {
  ++counts_.n_rounds;
  if (rounds_) {
    rounds_->arrive(contribution, combine);
  } else {
    inside_.arrive(contribution, combine);
  }
}

bool network_substrate::is_round_complete() noexcept {
  return rounds_ ? rounds_->is_complete() : inside_.is_round_complete();
}

const std::byte* network_substrate::round_result() noexcept {
  return rounds_ ? rounds_->result() : inside_.round_result();
}

const std::byte* network_substrate::round_contribution(pe_id pe) noexcept {
  return rounds_ ? rounds_->contribution(pe) : inside_.round_contribution(local_of(pe));
}

// --- Waiting

void network_substrate::sleep_or_spin(unsigned& patience) noexcept {
  if (is_one_node()) return inside_.wait(patience);
  // The leader may have published the round after this PE looked and before it slept.
  const auto is_published = [this] { return rounds_->has_news(); };
  if (!wire_.facts().serves_others()) {
    inside_.wait_at_most(patience, first_nap_ns << std::min(n_naps_ / 4, n_doublings), is_published);
  } else if (!is_crowded_) {
    // Other PEs' gets may wait for this PE to call the library, and it cannot know. With cores to spare it keeps
    // calling.
    inside_.pause(patience);
  } else {
    inside_.wait_at_most(patience, first_nap_ns, is_published);
  }
}

void network_substrate::wait(unsigned& patience) noexcept {
  if (const std::uint64_t n_served = wire_.facts().n_served(); n_served != n_served_) {
    n_served_ = n_served;
    patience = 0;  // another PE waits for this one, and may ask more
  }
  if (patience == 0) n_naps_ = 0;  // something has happened
  const std::uint64_t n_sleeps = inside_.counts().n_sleeps;
  sleep_or_spin(patience);
  ++counts_.n_waits;
  if (inside_.counts().n_sleeps == n_sleeps) return;
  ++n_naps_;
  ++counts_.n_sleeps;
  end_.look_for_dead();
}

// While this PE waits for another one to serve it, and serves others. It cannot be woken, nor may it take in buffers.
void network_substrate::pass_time(unsigned& patience) noexcept {
  constexpr timespec a_moment{0, 1};  // and what the system adds, 50 microseconds
  if (is_crowded_ && patience >= n_pauses && patience % n_pauses_per_nap == 0) {
    ++patience;
    ::nanosleep(&a_moment, nullptr);
  } else {
    inside_.pause(patience);
  }
  if (++n_empty_polls_ % polls_between_looks == 0) end_.look_for_dead();
}

void network_substrate::pause(unsigned& patience) noexcept {
  ++counts_.n_waits;
  inside_.pause(patience);
}

flow_counts network_substrate::flow() const noexcept {
  flow_counts all = inside_.flow();
  all.n_posted = counts_.n_posted;
  all.n_received = counts_.n_received;
  if (is_one_node()) return all;
  all.n_released += remote_->n_released();
  all.n_returned += remote_->n_returned();
  all.n_rounds = rounds_->n_arrived();
  all.is_in_round = rounds_->is_open();
  return all;
}

}  // namespace shoal::internal::network
