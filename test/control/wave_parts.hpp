/// What PEs do with waves, turn by turn: folds that are compared with folds made here, and waves that are called.
///
/// All PEs run in one thread and share the plans of what they do together.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "shoal/base/random.hpp"
#include "shoal/control/internal/plane.hpp"
#include "shoal/control/internal/wave.hpp"

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

// In the order of the tree by rank: value(p) of the page, over the ranks from p on in p's subtree.
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
  std::vector<unsigned> lives;  // number of generations of the wave of this name, each time that it is made
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

// --- How a PE carries out a plan

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

// --- Called waves

struct call_plan {
  const membership* among = nullptr;
  wave_name name;
  std::size_t bytes = 0;
  std::set<unsigned> wanted;  // generations that somebody has called
  std::set<unsigned> complete;
  std::size_t n_at_rest = 0;  // members that make no more calls and wait for nothing
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

  // All rest when they have seen everything that was called; then no new generation begins.
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

}  // namespace shoal::internal
