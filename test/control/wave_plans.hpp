/// Many waves at once, as plans that PEs follow turn by turn: folds that are compared with folds made here, waves that are
/// called, counting waves over a program of messages whose handlers send on.
///
/// All PEs run in one thread and share the plans. Whoever uses this gives each PE its turns, calls its plane's progress,
/// and brings the PEs together between openings of the job.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "shoal/base/random.hpp"
#include "shoal/control/counting_wave.hpp"
#include "shoal/control/plane.hpp"
#include "shoal/control/wave.hpp"

namespace shoal::internal {

// --- Groups

struct membership {
  std::uint64_t listed_id = 0;  // 0: strided
  pe_id start = 0;
  pe_id stride = 1;
  std::vector<pe_id> members;

  std::shared_ptr<const group> seen_by(const control_transport& machine) const {
    if (listed_id != 0) return group::listed(machine, listed_id, members);
    return group::strided(machine, start, stride, static_cast<pe_id>(members.size()));
  }
};

inline std::vector<membership> some_groups(pe_id n_pes, random_engine& random) {
  std::vector<membership> groups;
  for (std::uint64_t n = 1 + random.below(3); n > 0; --n) {
    membership strided;
    if (n > 1) {
      strided.start = static_cast<pe_id>(random.below(static_cast<std::uint64_t>(n_pes)));
      strided.stride = 1 + static_cast<pe_id>(random.below(4));
    }
    for (pe_id pe = strided.start; pe < n_pes; pe += strided.stride) strided.members.push_back(pe);
    groups.push_back(strided);
  }
  for (std::uint64_t n = random.below(3); n > 0; --n) {
    membership listed{.listed_id = 1000 + n, .members = {}};
    for (pe_id pe = 0; pe < n_pes; ++pe) {
      if (random.chance(0.6)) listed.members.push_back(pe);
    }
    if (listed.members.empty()) listed.members.push_back(0);
    for (std::size_t i = listed.members.size() - 1; i > 0; --i) {
      std::swap(listed.members[i], listed.members[random.below(i + 1)]);
    }
    groups.push_back(listed);
  }
  return groups;
}

// --- Folds

inline void add_words(std::byte* into, const std::byte* from, std::size_t bytes) {
  for (std::size_t i = 0; i < bytes; i += 8) {
    std::uint64_t a = 0;
    std::uint64_t b = 0;
    std::memcpy(&a, into + i, 8);
    std::memcpy(&b, from + i, 8);
    a += b;
    std::memcpy(into + i, &a, 8);
  }
}

// Neither commutative nor associative.
inline void chain_bytes(std::byte* into, const std::byte* from, std::size_t bytes) {
  for (std::size_t i = 0; i < bytes; ++i) {
    into[i] = static_cast<std::byte>(static_cast<unsigned>(into[i]) * 3 + static_cast<unsigned>(from[i]) + 1);
  }
}

inline void unite_bytes(std::byte* into, const std::byte* from, std::size_t bytes) {
  for (std::size_t i = 0; i < bytes; ++i) into[i] |= from[i];
}

using contribution = std::vector<std::byte>;

// In the order of the tree by rank: the page's value(p), over the ranks from p on that lie in p's subtree.
inline contribution chained(const std::vector<contribution>& all, std::size_t rank, std::size_t subtree) {
  contribution value = all[rank];
  for (std::size_t unit = 1; unit < subtree; unit *= 4) {
    for (std::size_t child = rank + unit; child <= rank + 3 * unit && child < all.size(); child += unit) {
      chain_bytes(value.data(), chained(all, child, unit).data(), value.size());
    }
  }
  return value;
}

enum class fold_kind : std::uint8_t { sum, chain, gather };

struct fold_plan {
  const membership* among = nullptr;
  wave_name name;
  fold_kind kind{};
  std::size_t bytes = 0;
  std::vector<unsigned> lives;  // how many generations the wave of this name has, each time that it is made
  std::uint64_t salt = 0;

  // What a rank contributes.
  contribution from(std::size_t rank, std::size_t life, unsigned generation) const {
    random_engine random(salt + 1000 * life + generation, rank);
    contribution made(bytes);
    const std::size_t n = among->members.size();
    for (std::size_t i = 0; i < bytes; ++i) {
      if (kind != fold_kind::gather || i * n / bytes == rank) made[i] = static_cast<std::byte>(random());
    }
    return made;
  }

  contribution expected(std::size_t life, unsigned generation) const {
    std::vector<contribution> all;
    for (std::size_t rank = 0; rank < among->members.size(); ++rank) all.push_back(from(rank, life, generation));
    if (kind == fold_kind::chain) return chained(all, 0, std::size_t{1} << 20);
    contribution value = all[0];
    for (std::size_t rank = 1; rank < all.size(); ++rank) {
      (kind == fold_kind::sum ? add_words : unite_bytes)(value.data(), all[rank].data(), bytes);
    }
    return value;
  }

  wave_options options() const {
    const combine_function combines[] = {add_words, chain_bytes, unite_bytes};
    return {.bytes = bytes, .combine = combines[static_cast<int>(kind)], .is_ordered = kind == fold_kind::chain};
  }
};

// --- What a PE does about a plan

struct pe_state {
  control_transport& machine;
  control_plane& plane;
  random_engine& random;
};

class part {
public:
  virtual ~part() = default;
  virtual void turn(pe_state& pe) = 0;
  virtual bool is_done() const = 0;
  virtual void close() {}  // when the job is closed, after all PEs are done
  virtual std::string describe() const = 0;
};

class fold_part final : public part {
public:
  fold_part(const fold_plan& plan, std::size_t rank) : plan_(plan), rank_(rank) {}

  void turn(pe_state& pe) override {
    if (is_done() || !pe.random.chance(0.5)) return;
    if (wave_ == nullptr) {
      wave_ = std::make_unique<wave>(pe.plane, plan_.among->seen_by(pe.machine), plan_.name, plan_.options());
      generation_ = 0;
    } else if (wave_->is_open()) {
      wave_->contribute(plan_.from(rank_, life_, generation_));
    } else if (wave_->is_complete()) {
      const std::span<const std::byte> result = wave_->take();
      ASSERT_EQ(contribution(result.begin(), result.end()), plan_.expected(life_, generation_)) << describe();
      if (++generation_ == plan_.lives[life_]) {
        wave_.reset();  // though it may still owe its children the result
        ++life_;
      }
    }
  }

  bool is_done() const override { return life_ == plan_.lives.size(); }
  std::string describe() const override {
    return to_string(plan_.name) + ", rank " + std::to_string(rank_) + ", life " + std::to_string(life_) +
           ", generation " + std::to_string(generation_);
  }

private:
  const fold_plan& plan_;
  std::size_t rank_;
  std::unique_ptr<wave> wave_;
  std::size_t life_ = 0;
  unsigned generation_ = 0;
};

// --- Waves that are called

struct call_plan {
  const membership* among = nullptr;
  wave_name name;
  std::size_t bytes = 0;
  std::set<unsigned> wanted;  // generations that somebody has called
  std::set<unsigned> complete;
  std::size_t n_at_rest = 0;  // members that call no more and wait for nothing
};

class call_part final : public part {
public:
  call_part(call_plan& plan, unsigned n_calls) : plan_(plan), n_calls_(n_calls) {}

  void turn(pe_state& pe) override {
    if (is_done() || !pe.random.chance(0.5)) return;
    if (!wave_) return make(pe);
    if (n_calls_ > 0 && pe.random.chance(0.3)) {
      --n_calls_;
      wave_->call();
      plan_.wanted.insert(n_contributed_);
    }
    if (is_called_) contribute();
    if (wave_->is_complete() && pe.random.chance(0.7)) {
      const std::span<const std::byte> result = wave_->take();
      contribution expected(plan_.bytes);
      std::fill(expected.begin(), expected.end(), static_cast<std::byte>(plan_.among->members.size()));
      ASSERT_EQ(contribution(result.begin(), result.end()), expected);
      plan_.complete.insert(n_contributed_ - 1);
    }
    rest(n_calls_ == 0 && wave_->is_open() && !is_called_ && plan_.wanted == plan_.complete);
    is_done_ = plan_.n_at_rest == plan_.among->members.size();
  }

  bool is_done() const override { return is_done_; }
  void close() override { wave_.reset(); }
  std::string describe() const override {
    return to_string(plan_.name) + " that is called, " + std::to_string(n_calls_) + " calls left, contributed " +
           std::to_string(n_contributed_) + " times";
  }

private:
  void make(pe_state& pe) {
    const auto add = [](std::byte* into, const std::byte* from, std::size_t bytes) {
      for (std::size_t i = 0; i < bytes; ++i) {
        into[i] = static_cast<std::byte>(static_cast<unsigned>(into[i]) + static_cast<unsigned>(from[i]));
      }
    };
    random_engine& random = pe.random;
    wave_ = std::make_unique<wave>(pe.plane, plan_.among->seen_by(pe.machine), plan_.name,
                                   wave_options{.bytes = plan_.bytes, .combine = add, .on_call = [this, &random] {
                                                  ASSERT_FALSE(is_called_);
                                                  is_called_ = true;
                                                  if (random.chance(0.3)) contribute();
                                                }});
  }

  void contribute() {
    ASSERT_TRUE(plan_.wanted.contains(n_contributed_)) << "called for nobody";
    is_called_ = false;
    ++n_contributed_;
    const contribution one(plan_.bytes, std::byte{1});
    wave_->contribute(one);
  }

  // All rest when they have seen all that was called; then nothing begins any more.
  void rest(bool may_rest) {
    if (may_rest == rests_) return;
    rests_ = may_rest;
    plan_.n_at_rest += may_rest ? std::size_t{1} : ~std::size_t{0};
  }

  call_plan& plan_;
  unsigned n_calls_;
  std::unique_ptr<wave> wave_;
  unsigned n_contributed_ = 0;  // which is also the generation that this PE contributes to next
  bool is_called_ = false;
  bool rests_ = false;
  bool is_done_ = false;
};

// --- Counting waves

// Messages of a simulated program, which travel beside the control messages.
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
    ASSERT_EQ(plan_.n_active[superstep_], 0U) << describe();  // it has ended indeed
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

  // Something for this superstep lies here; what is for the next one waits for its begin.
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

// --- A job

// What happens in one opening of the job.
struct opening {
  std::vector<fold_plan> folds;
  std::vector<call_plan> calls;
  std::vector<count_plan> counts;
  std::vector<std::vector<std::unique_ptr<part>>> parts;  // of each PE
  pe_id n_closed = 0;  // PEs whose parts are done
};

inline std::vector<unsigned> some_lives(random_engine& random) {
  std::vector<unsigned> lives(1 + random.below(3));
  for (unsigned& life : lives) life = 1 + static_cast<unsigned>(random.below(4));
  return lives;
}

inline void plan_waves(opening& made, const std::vector<membership>& groups, pe_id n_pes, random_engine& random) {
  static constexpr std::size_t sizes[] = {0, 8, 16, 232, 240, 464, 472, 928, 1024};
  const auto any_group = [&] { return &groups[random.below(groups.size())]; };
  std::uint32_t number = 0;
  for (std::uint64_t n = 1 + random.below(8); n > 0; --n) {
    made.folds.push_back({.among = any_group(),
                          .name = {static_cast<wave_kind>(1 + random.below(3)), number++},
                          .kind = static_cast<fold_kind>(random.below(3)),
                          .bytes = sizes[random.below(std::size(sizes))],
                          .lives = some_lives(random),
                          .salt = random()});
  }
  for (std::uint64_t n = random.below(4); n > 0; --n) {
    made.calls.push_back({.among = any_group(),
                          .name = {wave_kind::world, static_cast<std::uint32_t>(n)},
                          .bytes = sizes[random.below(std::size(sizes))],
                          .wanted = {},
                          .complete = {}});
  }
  for (std::uint64_t n = random.below(4); n > 0; --n) {
    made.counts.push_back({.among = any_group(),
                           .name = {wave_kind::scope, number++},
                           .lives = some_lives(random),
                           .under_way = {},
                           .n_active = {}});
  }
  made.parts.resize(static_cast<std::size_t>(n_pes));
  const auto parts_of = [&](pe_id pe) -> auto& { return made.parts[static_cast<std::size_t>(pe)]; };
  for (const fold_plan& plan : made.folds) {
    for (std::size_t rank = 0; rank < plan.among->members.size(); ++rank) {
      parts_of(plan.among->members[rank]).push_back(std::make_unique<fold_part>(plan, rank));
    }
  }
  for (call_plan& plan : made.calls) {
    for (const pe_id pe : plan.among->members) {
      const unsigned n_calls = random.chance(0.5) ? 0 : static_cast<unsigned>(random.below(4));
      parts_of(pe).push_back(std::make_unique<call_part>(plan, n_calls));
    }
  }
  for (count_plan& plan : made.counts) {
    const std::size_t n_members = plan.among->members.size();
    plan.under_way.resize(n_members);
    plan.n_active.assign(plan.n_supersteps(), static_cast<unsigned>(n_members));
    for (std::size_t rank = 0; rank < n_members; ++rank) {
      parts_of(plan.among->members[rank]).push_back(std::make_unique<count_part>(plan, rank));
    }
  }
}

}  // namespace shoal::internal
