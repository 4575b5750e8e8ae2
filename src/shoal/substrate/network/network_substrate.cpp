#include "shoal/substrate/network/network_substrate.hpp"

#include <time.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <new>

#include "shoal/base/ambient.hpp"
#include "shoal/base/contract.hpp"

namespace shoal::network {
namespace {

std::vector<int> leaders_of(const node_map& nodes) {
  std::vector<int> leaders;
  for (const std::vector<int>& members : nodes.members) leaders.push_back(members.front());
  return leaders;
}

// Nobody wakes a PE for what comes over the wire, so a sleep is a nap: short, so that a buffer waits little, and
// longer the longer nothing has come.
constexpr long first_nap_ns = 50'000;
constexpr unsigned n_doublings = 4;  // up to 800 us

// A look at other PEs, whether they live, begins with one at the clock; polls that found nothing.
constexpr unsigned polls_between_looks = 256;

// How long to let whoever may end this process do so.
constexpr time_t patience_with_others_s = 3;

// Of a buffer that was copied out of the wire's memory; no slot has this number.
constexpr std::uint32_t copied = UINT32_MAX - 1;

}  // namespace

network_substrate::network_substrate(wire& between, const node_map& nodes, local::segment& memory, leader_ring* ring,
                                     std::size_t payload_bytes, std::size_t heap_bytes, substrate_kind kind)
    : substrate(between.rank(), between.n_ranks()),
      wire_(between),
      nodes_(nodes),
      memory_(memory),
      ring_(ring),
      kind_(kind),
      local_of_(nodes.node_of.size()),
      inside_(memory, nodes.my_local, payload_bytes, nodes.machine_size > nodes.machine_cores, kind_),
      acknowledgements_(nodes.node_of.size(), memory.layout().n_slots, payload_bytes),
      n_landed_(nodes.node_of.size()),
      copies_(payload_bytes),
      watch_(nodes, memory.job(), ring) {
  payload_bytes_ = payload_bytes;
  n_slots_ = inside_.n_slots();
  for (const std::vector<int>& members : nodes.members) {
    for (std::size_t i = 0; i < members.size(); ++i) {
      local_of_[static_cast<std::size_t>(members[i])] = static_cast<pe_id>(i);
    }
  }
  heap_ = is_one_node() || wire_.heap() == nullptr ? inside_.heap() : wire_.heap();
  heap_bytes_ = heap_bytes;
  if (is_one_node()) return;
  queues_.resize(local_of_.size());
  if (nodes.is_leader()) {
    leaders_ = std::make_unique<leader_rounds>(wire_, leaders_of(nodes), nodes.my_node, block_bytes_max(nodes));
  }
}

std::size_t network_substrate::extra_bytes(std::size_t n_pes) noexcept {
  return 2 * (sizeof(published_round) + n_pes * round_bytes_max);
}

std::size_t network_substrate::block_bytes_max(const node_map& nodes) noexcept {
  std::size_t largest = 0;
  for (const std::vector<int>& members : nodes.members) largest = std::max(largest, members.size());
  return largest * round_bytes_max;
}

void network_substrate::prepare_memory() {
  inside_.populate_pool();
  if (!is_one_node()) return;
  inside_.map_heap_symmetrically([this] { look_for_dead(); });
  heap_ = inside_.heap();
}

// --- Buffers

std::size_t network_substrate::n_free() noexcept {
  take_sent();
  return inside_.n_free();
}

buffer* network_substrate::try_acquire() noexcept {
  if (buffer* const slot = inside_.try_acquire()) return slot;
  if (is_one_node()) return nullptr;
  send_queued();
  take_sent();
  return inside_.try_acquire();
}

void network_substrate::take_sent() noexcept {
  if (is_one_node()) return;
  while (buffer* const sent = cross([&] { return wire_.take_sent(); })) {
    if (acknowledgements_.has_left(*sent)) inside_.release(*sent);
  }
}

bool network_substrate::try_send(buffer& full, pe_id target) noexcept {
  if (!cross([&] { return wire_.try_send(full, rank_of(target)); })) return false;
  acknowledgements_.hold(full, target);
  return true;
}

void network_substrate::post(buffer& full, pe_id target) noexcept {
  ++counts_.n_posted;
  if (is_here(target)) return inside_.post(full, local_of(target));
  full.header.source = static_cast<std::int32_t>(my_pe_);
  target_queue& queue = queues_[static_cast<std::size_t>(target)];
  if (queue.first == nullptr && try_send(full, target)) return;
  full.next_pending = nullptr;
  if (queue.first == nullptr) {
    queue.first = &full;
    waiting_.push_back(target);
  } else {
    queue.last->next_pending = &full;
  }
  queue.last = &full;
}

void network_substrate::send_queued() noexcept {
  // Each target in its turn, as far as its credits go.
  std::erase_if(waiting_, [this](pe_id target) {
    target_queue& queue = queues_[static_cast<std::size_t>(target)];
    while (queue.first != nullptr) {
      buffer* const next = queue.first->next_pending;  // the wire may change the buffer's first line
      if (!try_send(*queue.first, target)) return false;
      queue.first = next;
    }
    return true;
  });
}

// What is owed to others goes before anything else: it asks for little and lets them go on.
void network_substrate::acknowledge(bool all) noexcept {
  for (pe_id target = 0; (target = acknowledgements_.next_due(all)) >= 0;) {
    buffer& made = acknowledgements_.compose(target);
    made.header.source = static_cast<std::int32_t>(my_pe_);
    if (!cross([&] { return wire_.try_send(made, rank_of(target)); })) return acknowledgements_.give_back(made);
    acknowledgements_.has_been_sent(made, target);
  }
}

buffer* network_substrate::poll_inside() noexcept {
  buffer* const b = inside_.poll();
  if (b != nullptr) b->header.source = nodes_.my_members()[static_cast<std::size_t>(b->header.source)];
  return b;
}

buffer* network_substrate::poll_wire() noexcept {
  acknowledge(false);
  send_queued();
  while (buffer* const landed = cross([&] { return wire_.poll(); })) {
    const auto source = static_cast<std::size_t>(landed->header.source);
    if (acknowledgements::is_one(*landed)) {
      acknowledgements_.take_in(*landed, [this](buffer& slot) { inside_.release(slot); });
      cross([&] { wire_.release(*landed); });
      continue;
    }
    // Its place is lent until the buffer is consumed, which may be long if nobody pulls. That must keep neither
    // acknowledgements nor other ports' buffers from landing.
    if (n_landed_[source] < cross([&] { return wire_.n_lendable(landed->header.source); })) {
      ++n_landed_[source];
      return landed;
    }
    buffer& copy = copies_.take();
    copy.header = landed->header;
    copy.slot = copied;
    std::memcpy(copy.payload(), landed->payload(), landed->header.bytes);
    cross([&] { wire_.release(*landed); });
    return &copy;
  }
  return nullptr;
}

buffer* network_substrate::poll_all() noexcept {
  if (is_one_node()) return poll_inside();
  is_wires_turn_ = !is_wires_turn_;
  buffer* b = is_wires_turn_ ? poll_wire() : poll_inside();
  if (b == nullptr) b = is_wires_turn_ ? poll_inside() : poll_wire();
  if (b != nullptr) return b;
  acknowledge(true);
  take_sent();
  return nullptr;
}

buffer* network_substrate::poll() noexcept {
  buffer* const b = poll_all();
  if (b != nullptr) {
    ++counts_.n_received;
  } else if (++n_empty_polls_ % polls_between_looks == 0) {
    look_for_dead();  // also while this PE sends without end, or polls instead of sleeping
  }
  return b;
}

void network_substrate::release(buffer& done) noexcept {
  if (memory_.contains(done)) return inside_.release(done);
  acknowledgements_.owe(done.header.source, done.header.mailbox);
  if (done.slot == copied) return copies_.give_back(done);
  --n_landed_[static_cast<std::size_t>(done.header.source)];
  cross([&] { wire_.release(done); });
}

// --- Rounds

published_round& network_substrate::published(std::uint64_t round) const noexcept {
  return reinterpret_cast<published_round*>(memory_.extra())[round & 1];
}

std::byte* network_substrate::published_contribution(std::uint64_t round, pe_id pe) const noexcept {
  const std::size_t place = (round & 1) * static_cast<std::size_t>(n_pes_) + static_cast<std::size_t>(pe);
  return memory_.extra() + 2 * sizeof(published_round) + place * round_bytes_max;
}

void network_substrate::arrive(std::span<const std::byte> contribution, combine_function combine) noexcept {
  ++counts_.n_rounds;
  ++round_;
  if (is_one_node()) return inside_.arrive(contribution, combine);
  is_round_open_ = true;
  contribution_bytes_ = contribution.size();
  combine_ = combine;
  inside_.arrive(contribution, nullptr);
  if (nodes_.is_leader()) step_ = leader_step::gathering;
}

bool network_substrate::is_round_complete() noexcept {
  const bool is_complete_here = inside_.is_round_complete();
  if (is_one_node()) return is_complete_here;
  if (step_ == leader_step::gathering && is_complete_here) {
    cross([&] { leaders_->start(gather_node()); });
    step_ = leader_step::exchanging;
  }
  if (step_ == leader_step::exchanging && cross([&] { return leaders_->is_complete(); })) {
    publish();
    step_ = leader_step::idle;
  }
  // acquire: pairs with the leader's release of what it published.
  is_round_open_ = published(round_).number.load(std::memory_order_acquire) != round_;
  // So that its end on this node, too, has been seen, and is no news any more.
  if (!is_round_open_) inside_.is_round_complete();
  return !is_round_open_;
}

std::span<const std::byte> network_substrate::gather_node() noexcept {
  const std::size_t n = nodes_.my_members().size();
  node_block_.resize(n * contribution_bytes_);
  for (std::size_t i = 0; i < n && contribution_bytes_ != 0; ++i) {
    std::memcpy(node_block_.data() + i * contribution_bytes_, inside_.round_contribution(static_cast<pe_id>(i)),
                contribution_bytes_);
  }
  return node_block_;
}

void network_substrate::publish() noexcept {
  for (std::size_t node = 0; node < nodes_.members.size(); ++node) {
    const std::span<const std::byte> block = leaders_->block(node);
    const std::vector<int>& members = nodes_.members[node];
    // Contributions of one round are equally long, but for a mistake that their heads tell the layer above.
    const std::size_t bytes = std::min(block.size() / members.size(), round_bytes_max);
    for (std::size_t i = 0; i < members.size() && bytes != 0; ++i) {
      std::memcpy(published_contribution(round_, members[i]), block.data() + i * bytes, bytes);
    }
  }
  published_round& out = published(round_);
  if (combine_ != nullptr) {
    std::memcpy(out.result, published_contribution(round_, 0), contribution_bytes_);
    for (pe_id pe = 1; pe < n_pes_; ++pe) {
      combine_(out.result, published_contribution(round_, pe), contribution_bytes_);
    }
  }
  // seq_cst: releases the round, and is ordered before wake's look at who sleeps, as the sleeper's look at the number
  // is behind its store: one of the two sees the other.
  out.number.store(round_, std::memory_order_seq_cst);
  for (std::size_t i = 1; i < nodes_.my_members().size(); ++i) inside_.wake(static_cast<pe_id>(i));
}

const std::byte* network_substrate::round_result() noexcept {
  return is_one_node() ? inside_.round_result() : published(round_).result;
}

const std::byte* network_substrate::round_contribution(pe_id pe) noexcept {
  return is_one_node() ? inside_.round_contribution(local_of(pe)) : published_contribution(round_, pe);
}

// --- Waiting

void network_substrate::wait(unsigned& patience) noexcept {
  if (patience == 0) n_naps_ = 0;  // something has happened
  const std::uint64_t n_sleeps = inside_.counts().n_sleeps;
  // The leader may have published the round since this PE looked, and found it awake.
  const auto is_published = [this] { return is_round_open_ && published(round_).number.load() == round_; };
  if (is_one_node()) {
    inside_.wait(patience);
  } else if (wire_.serves_others()) {
    // Others' gets may be waiting for this PE to look, and it cannot know. With cores to spare it looks all the time.
    if (nodes_.machine_size <= nodes_.machine_cores) {
      inside_.pause(patience);
    } else {
      inside_.wait_at_most(patience, first_nap_ns, is_published);
    }
  } else {
    inside_.wait_at_most(patience, first_nap_ns << std::min(n_naps_ / 4, n_doublings), is_published);
  }
  ++counts_.n_waits;
  const bool has_slept = inside_.counts().n_sleeps != n_sleeps;
  n_naps_ += has_slept;
  counts_.n_sleeps += has_slept;
  if (has_slept) look_for_dead();
}

void network_substrate::pause(unsigned& patience) noexcept {
  ++counts_.n_waits;
  inside_.pause(patience);
}

// --- End

void network_substrate::finished() noexcept {
  inside_.finished();
  if (ring_ != nullptr) ring_->bid_farewell();
}

void network_substrate::meet() noexcept {
  // One that died behind its last round does not come.
  constexpr std::uint64_t longest_ns = 30'000'000'000;
  const auto meet_on_node = [this, end_ns = now_ns() + longest_ns] {
    inside_.arrive({}, nullptr);
    for (unsigned patience = 0; !inside_.is_round_complete() && now_ns() < end_ns;) inside_.wait(patience);
  };
  meet_on_node();
  if (is_one_node()) return;
  if (ring_ == nullptr || !ring_->is_whole()) return let_others_leave();
  if (nodes_.is_leader()) ring_->meet();
  meet_on_node();
}

void network_substrate::let_others_leave() noexcept {
  constexpr timespec skew_max{0, 100'000'000};
  ::nanosleep(&skew_max, nullptr);
}

// Most launchers end the job when a process has died, and say how it did. They are left the time for it.
void network_substrate::look_for_dead() noexcept {
  const pe_id dead = watch_.look(now_ns());
  if (dead < 0) return;
  // If it has left others on its node, they have seen it, too, and report first.
  const bool has_mates = nodes_.members[nodes_.node_of[static_cast<std::size_t>(dead)]].size() > 1;
  timespec patience{!is_here(dead) && has_mates ? 2 * patience_with_others_s : patience_with_others_s, 0};
  while (::nanosleep(&patience, &patience) != 0) {
  }  // interrupted by the launcher's signal before it kills, perhaps
  if (!watch_.is_dead(dead)) return;
  end_job(status_failure, "PE " + std::to_string(dead) + " has died without a report: killed, or left by _exit");
}

// Whoever reports ends us all, unless it cannot. Until then it may wait for this PE's answer to its claim.
void network_substrate::outlive_reporter() noexcept {
  constexpr timespec a_moment{0, 1'000'000};
  constexpr std::uint64_t patience_ns = std::uint64_t{patience_with_others_s} * 1'000'000'000;
  for (const std::uint64_t begin = now_ns(); now_ns() - begin < patience_ns;) {
    if (!is_one_node()) wire_.poll();
    ::nanosleep(&a_moment, nullptr);
  }
}

void network_substrate::end_job(int status, std::string_view report) noexcept {
  is_inside_wire_ = true;  // for good: the library's abort may call exit
  // The first of a node to fail asks for its node; rank 0 knows whether another node was faster.
  if (inside_.claim_report() && (is_one_node() || wire_.claim_report())) {
    print_report(my_pe_, report);
  } else {
    outlive_reporter();
  }
  wire_.abort(status);
  std::abort();  // never reached; gcc 12 forgets [[noreturn]] across the virtual call
}

}  // namespace shoal::network
