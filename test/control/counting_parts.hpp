/// A program whose PEs send each other messages, and a counting wave that finds out when these have ended.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "shoal/control/internal/counting_wave.hpp"
#include "test/control/wave_parts.hpp"

namespace shoal::internal {

// Messages of a simulated program, which travel independently of the control messages.
struct count_plan {
  struct message {
    unsigned superstep;
    unsigned n_hops_left;
  };
  const membership* among = nullptr;
  wave_name name;
  std::vector<unsigned> lives;  // supersteps, each time that the wave is made
  std::vector<std::vector<message>> under_way;  // to each rank
  std::vector<unsigned> n_active;  // of each superstep: main programs at work, messages under way or here, handlers

  unsigned n_supersteps() const {
    unsigned n = 0;
    for (const unsigned life : lives) n += life;
    return n;
  }
};

class count_part final : public part {
public:
  count_part(count_plan& plan, std::size_t rank) : plan_(plan), rank_(rank) {}

  void turn(pe_state& pe) override {
    if (is_done()) return;
    if (!wave_) {
      if (!pe.random.chance(0.3)) return;
      wave_.emplace(pe.plane, plan_.among->seen_by(pe.machine), plan_.name);
      begin_superstep(pe.random);
    }
    program(pe.random);
    const bool is_idle = n_main_ == 0 && !is_main_at_work_ && !handler_ && !has_arrived();
    if (!wave_->advance(is_idle, n_sent_, n_handled_)) return;
    ASSERT_EQ(plan_.n_active[superstep_], 0U) << describe();  // it has really ended
    ++superstep_;
    if (++in_life_ == plan_.lives[life_]) {
      wave_.reset();
      in_life_ = 0;
      ++life_;
    } else {
      wave_->begin();
      begin_superstep(pe.random);
    }
  }

  bool is_done() const override { return life_ == plan_.lives.size(); }
  std::string describe() const override {
    return to_string(plan_.name) + " that counts, rank " + std::to_string(rank_) + ", superstep " +
           std::to_string(superstep_);
  }

private:
  void begin_superstep(random_engine& random) {
    n_sent_ = n_handled_ = 0;
    n_main_ = random.chance(0.4) ? 0 : static_cast<unsigned>(random.below(5));
    is_main_at_work_ = true;
  }

  void program(random_engine& random) {
    if (n_main_ > 0) {
      if (random.chance(0.5)) send(random, 4), --n_main_;
    } else if (is_main_at_work_ && random.chance(0.5)) {
      is_main_at_work_ = false;
      --plan_.n_active[superstep_];
    }
    std::vector<count_plan::message>& coming = plan_.under_way[rank_];
    for (std::size_t i = 0; i < coming.size(); ++i) {
      if (!random.chance(0.3)) continue;
      arrived_.push_back(coming[i]);
      coming[i] = coming.back();
      coming.pop_back();
    }
    handle(random);
  }

  // Handlers take several turns, and send in any of them.
  void handle(random_engine& random) {
    if (!handler_) {
      const auto next = std::find_if(arrived_.begin(), arrived_.end(),
                                     [this](const count_plan::message& m) { return m.superstep == superstep_; });
      if (next == arrived_.end() || random.chance(0.3)) return;
      handler_ = *next;
      arrived_.erase(next);
    } else if (handler_->n_hops_left > 0 && random.chance(0.5)) {
      send(random, --handler_->n_hops_left);
    } else if (random.chance(0.5)) {
      handler_.reset();
      ++n_handled_;
      --plan_.n_active[superstep_];
    }
  }

  void send(random_engine& random, unsigned n_hops) {
    ++n_sent_;
    ++plan_.n_active[superstep_];
    plan_.under_way[random.below(plan_.under_way.size())].push_back({superstep_, n_hops});
  }

  // Whether a message for this superstep is here; those for the next one wait for its begin.
  bool has_arrived() const {
    return std::any_of(arrived_.begin(), arrived_.end(),
                       [this](const count_plan::message& m) { return m.superstep == superstep_; });
  }

  count_plan& plan_;
  std::size_t rank_;
  std::optional<counting_wave> wave_;
  std::vector<count_plan::message> arrived_;
  std::optional<count_plan::message> handler_;  // that runs
  std::size_t life_ = 0;
  unsigned in_life_ = 0;
  unsigned superstep_ = 0;
  unsigned n_main_ = 0;  // messages that the main program will still send
  bool is_main_at_work_ = false;
  std::uint64_t n_sent_ = 0;
  std::uint64_t n_handled_ = 0;
};

}  // namespace shoal::internal
