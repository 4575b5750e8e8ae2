/// Toy programs for tests of the simulator, written against the bare substrate.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <utility>
#include <vector>

#include "shoal/base/random.hpp"
#include "shoal/base/settings.hpp"
#include "shoal/substrate/internal/sim/simulation.hpp"
#include "shoal/substrate/substrate_kind.hpp"

namespace shoal::internal::sim::test {

inline settings world_of(std::int64_t n_pes, std::uint64_t seed, const sim_settings& knobs = {}) {
  settings chosen;
  chosen.substrate.value = substrate_kind::sim;
  chosen.n_pes.value = n_pes;
  chosen.sim.value = knobs;
  chosen.sim.value.seed = seed;
  chosen.n_slots.value = 4;
  chosen.slot_bytes.value = 256;
  chosen.heap_bytes.value = 1 << 16;
  return chosen;
}

/// All hostile conditions at once.
inline sim_settings hostile() {
  sim_settings knobs;
  knobs.refuse = 0.5;
  knobs.hold = 0.3;
  knobs.hold_ns = 20'000;
  knobs.slow_share = 0.3;
  knobs.preempt = 0.2;
  return knobs;
}

/// Nodes of `node_size` PEs, with fast links of their own.
inline void make_nodes(settings& chosen, std::int64_t node_size) {
  chosen.node_size.value = node_size;
  chosen.sim.value.node_link = {.latency_ns = 100, .overhead_ns = 50, .gap_ns = 10, .gap_per_byte_ns = 0.05};
}

/// Takes part in a round without content and handles nothing meanwhile.
inline void barrier(substrate& machine) {
  machine.arrive({}, nullptr);
  for (unsigned patience = 0; !machine.is_round_complete();) machine.wait(patience);
}

/// Every PE sends numbered buffers of random sizes to random PEs, itself among them; every receiver checks
/// that it gets each exactly once, in the order sent, with its contents and not too early. Receivers keep buffers for a
/// while and give them back in another order.
class traffic {
public:
  traffic(const settings& chosen, std::size_t n_buffers_per_pe)
      : n_pes_(chosen.n_pes.value),
        seed_(chosen.sim.value.seed),
        node_size_(chosen.node_size.value),
        links_(chosen.sim.value),
        n_expected_(static_cast<std::size_t>(n_pes_)) {
    targets_.resize(n_expected_.size());
    for (std::size_t pe = 0; pe < targets_.size(); ++pe) {
      random_engine random(seed_, pe);
      for (std::size_t i = 0; i < n_buffers_per_pe; ++i) {
        const std::uint64_t target = random.below(static_cast<std::uint64_t>(n_pes_));
        targets_[pe].push_back(static_cast<pe_id>(target));
        ++n_expected_[target];
      }
    }
  }

  /// The body of each PE.
  int operator()(substrate& machine) const { return one_pe(*this, machine).run(); }

private:
  struct contents {
    std::int64_t source;
    std::int64_t target;
    std::uint64_t number;
    std::uint64_t sent_ns;
    std::uint64_t sum;
  };

  std::uint64_t least_ns(std::int64_t source, std::int64_t target) const {
    if (source == target) return 0;
    if (links_.node_link && source / node_size_ == target / node_size_) return links_.node_link->latency_ns;
    return links_.link.latency_ns - links_.jitter_ns;
  }

  class one_pe {
  public:
    one_pe(const traffic& plan, substrate& machine)
        : plan_(plan),
          machine_(machine),
          random_(plan.seed_, 1'000'000 + static_cast<std::uint64_t>(machine.my_pe())),
          n_sent_to_(static_cast<std::size_t>(plan.n_pes_)),
          n_received_from_(static_cast<std::size_t>(plan.n_pes_)) {}

    int run() {
      const auto me = static_cast<std::size_t>(machine_.my_pe());
      const std::vector<pe_id>& targets = plan_.targets_[me];
      std::size_t n_sent = 0;
      unsigned patience = 0;
      while (n_sent < targets.size() || n_received_ < plan_.n_expected_[me]) {
        bool did_something = false;
        if (n_sent < targets.size()) {
          if (buffer* open = machine_.try_acquire()) {
            send(*open, targets[n_sent++]);
            did_something = true;
          }
        }
        while (buffer* arrived = machine_.poll()) {
          receive(*arrived);
          did_something = true;
          if (random_.chance(0.3)) break;
        }
        if (did_something) {
          patience = 0;
        } else {
          give_back_all();
          machine_.wait(patience);
        }
      }
      give_back_all();
      barrier(machine_);
      EXPECT_EQ(machine_.poll(), nullptr) << "a buffer more than were sent";
      barrier(machine_);
      return 0;
    }

  private:
    void send(buffer& open, pe_id target) {
      const std::uint64_t number = n_sent_to_[static_cast<std::size_t>(target)]++;
      const std::size_t room = machine_.payload_bytes() - sizeof(contents);
      const std::size_t n_extra = random_.below(room + 1);
      contents head{machine_.my_pe(), target, number, machine_.now_ns(), 0};
      for (std::size_t i = 0; i < n_extra; ++i) {
        const auto byte = static_cast<std::uint8_t>(random_());
        open.payload()[sizeof head + i] = std::byte{byte};
        head.sum += byte;
      }
      std::memcpy(open.payload(), &head, sizeof head);
      open.header.bytes = static_cast<std::uint32_t>(sizeof head + n_extra);
      open.header.source = static_cast<std::int32_t>(machine_.my_pe());
      machine_.post(open, target);
    }

    void receive(buffer& arrived) {
      contents head{};
      std::memcpy(&head, arrived.payload(), sizeof head);
      EXPECT_EQ(head.source, arrived.header.source);
      EXPECT_EQ(head.target, machine_.my_pe());
      EXPECT_EQ(head.number, n_received_from_[static_cast<std::size_t>(head.source)]++) << "from PE " << head.source;
      EXPECT_GE(machine_.now_ns(), head.sent_ns + plan_.least_ns(head.source, machine_.my_pe())) << "early";
      std::uint64_t sum = 0;
      for (std::size_t i = sizeof head; i < arrived.header.bytes; ++i) {
        sum += static_cast<std::uint64_t>(arrived.payload()[i]);
      }
      EXPECT_EQ(sum, head.sum);
      ++n_received_;
      kept_.push_back(&arrived);
      if (kept_.size() > 3) give_back(random_.below(kept_.size()));
    }

    void give_back(std::size_t index) {
      std::swap(kept_[index], kept_.back());
      machine_.release(*kept_.back());
      kept_.pop_back();
    }

    void give_back_all() {
      while (!kept_.empty()) give_back(random_.below(kept_.size()));
    }

    const traffic& plan_;
    substrate& machine_;
    random_engine random_;
    std::vector<std::uint64_t> n_sent_to_;
    std::vector<std::uint64_t> n_received_from_;
    std::vector<buffer*> kept_;
    std::size_t n_received_ = 0;
  };

  std::int64_t n_pes_;
  std::uint64_t seed_;
  std::int64_t node_size_;
  sim_settings links_;
  std::vector<std::size_t> n_expected_;
  std::vector<std::vector<pe_id>> targets_;
};

}  // namespace shoal::internal::sim::test
