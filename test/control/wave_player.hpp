/// Plays many waves of several groups at once, in several openings of a job.
///
/// Whoever uses this gives each PE its turns, in one thread.
#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "shoal/base/random.hpp"
#include "shoal/control/internal/plane.hpp"
#include "test/control/counting_parts.hpp"
#include "test/control/wave_parts.hpp"

namespace shoal::internal {

// What happens in one opening of the job.
struct job_opening {
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

inline void plan_waves(job_opening& made, const std::vector<membership>& groups, pe_id n_pes, random_engine& random) {
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

// A job's openings, and one PE in them.
inline std::vector<job_opening> some_openings(pe_id n_pes, const std::vector<membership>& groups, random_engine& random) {
  std::vector<job_opening> openings(1 + random.below(3));
  for (job_opening& next : openings) plan_waves(next, groups, n_pes, random);
  return openings;
}

class wave_player {
public:
  wave_player(control_transport& machine, std::vector<job_opening>& openings, std::uint64_t seed)
      : machine_(machine),
        openings_(openings),
        plane_(machine),
        random_(seed, 1000 + static_cast<std::uint64_t>(machine.my_pe())) {}

  /// True if the control plane did anything.
  bool turn() {
    if (random_.chance(0.1)) return false;  // this PE computes
    if (opening_ < openings_.size()) play();
    return plane_.progress();
  }

  /// This PE has played all its parts, and owes nothing.
  bool is_through() const { return opening_ == openings_.size() && !plane_.is_busy(); }

  void report() const {
    if (opening_ == openings_.size()) return;
    for (const auto& next : my_parts()) {
      if (!next->is_done()) ADD_FAILURE() << "PE " << machine_.my_pe() << " waits for ever: " << next->describe();
    }
  }

private:
  const std::vector<std::unique_ptr<part>>& my_parts() const {
    return openings_[opening_].parts[static_cast<std::size_t>(machine_.my_pe())];
  }

  void play() {
    pe_state state{machine_, plane_, random_};
    bool are_done = true;
    for (const auto& next : my_parts()) {
      next->turn(state);
      are_done = are_done && next->is_done();
    }
    job_opening& now = openings_[opening_];
    if (are_done && !std::exchange(has_closed_, true)) ++now.n_closed;
    // All PEs meet when the job closes, but do not leave at the same time.
    if (now.n_closed < machine_.n_pes() || !random_.chance(0.05)) return;
    for (const auto& next : my_parts()) next->close();
    ++opening_;
    has_closed_ = false;
    if (opening_ < openings_.size()) plane_.reopen();
  }

  control_transport& machine_;
  std::vector<job_opening>& openings_;
  control_plane plane_;
  random_engine random_;
  std::size_t opening_ = 0;
  bool has_closed_ = false;
};

}  // namespace shoal::internal
