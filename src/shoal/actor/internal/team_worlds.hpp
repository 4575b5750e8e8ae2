/// The worlds of a PE: that of the whole job and those of its teams, and in which of them its code runs now.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "shoal/actor/internal/supersteps.hpp"

namespace shoal {
class world;
}

namespace shoal::internal {

class exchange;
class pe_objects;
class superstep_part;

/// Each has two waves; the rest of them is left to mailboxes that close by themselves.
inline constexpr std::size_t n_teams_max = 200;

/// All functions are local and do not wait.
class team_worlds {
public:
  /// `job`: the world of the whole job, which may be incomplete yet. Both outlive this object.
  team_worlds(world& job, exchange& through);
  team_worlds(const team_worlds&) = delete;
  team_worlds& operator=(const team_worlds&) = delete;

  /// Ends the job if this PE is in too many teams already.
  void require_room() const;
  /// A team begins and ends.
  void enlist(world& team);
  void delist(world& team) noexcept;
  bool holds(const world& team) const noexcept;
  /// The team with this number_for_answers; the world of the job if there is none. For reports.
  const world& of_answer(std::uint16_t number) const noexcept;
  std::size_t size() const noexcept { return teams_.size(); }

  /// The world of the handler that runs now, of what waited for an answer, or of the work; else of the innermost finish of
  /// the main program; outside finish, that of the job.
  world& now() const noexcept { return steps_now().home(); }
  supersteps& steps_now() const noexcept { return only_ != nullptr ? *only_ : find_steps(); }
  /// The mailbox for which work counts that is left now; null outside finish.
  superstep_part* sender_now() const noexcept { return steps_now().sender_now(); }

  /// The main program enters a finish of `next`; it leaves it.
  void enter(supersteps& next) {
    if (only_ == nullptr) enter_one(next);
  }
  void leave() noexcept {
    if (only_ == nullptr) leave_one();
  }
  /// Where the main program is.
  supersteps& of_main() const noexcept { return *of_main_; }
  /// Those of the finish that it has entered first; outside finish, those of the job.
  supersteps& of_outermost() const noexcept { return open_.empty() ? of_job_ : *open_.front(); }
  /// Handlers of `handled` run from now on; null: what ran before them, the main program or work that was left. What that
  /// sends in other worlds belongs to the innermost of their supersteps that encloses its own, and declared mailboxes of all
  /// worlds let it send if they are fed by it. In worlds that heed this.
  void begin_code(const superstep_part* handled) noexcept;
  /// The first mailbox of a world was declared, or none is any more.
  void note_declared() noexcept;
  /// What waited for an answer goes on for a mailbox of `next`; null: for the handler in which it runs.
  void go_on_in(supersteps* next) noexcept { of_continuation_ = next; }
  /// Work that was left runs for a mailbox of `next`; null: it ends. Handlers may run meanwhile.
  void work_in(supersteps* next, bool is_of_main) noexcept {
    of_work_ = next;
    is_work_of_main_ = is_of_main;
  }
  /// Whether that runs now, and the main program has left it; in a handler, neither this holds nor the next.
  bool is_work_of_main() const noexcept { return is_work_of_main_ && is_outside_handlers(); }
  /// Whether the main program runs, or what it has left.
  bool is_main_now() const noexcept { return (of_work_ == nullptr || is_work_of_main_) && is_outside_handlers(); }

  // --- per_pe objects of a team have numbers of their own, which name the team, too.

  static constexpr std::uint32_t team_mark = std::uint32_t{1} << 31;
  /// What is added to the numbers of a team's objects.
  static std::uint32_t mark_of(const world& team) noexcept;
  /// Before the first object of a team: ends the job if one of its PE's other teams has objects with this mark.
  void require_own_mark(const world& team) const;
  /// The table with an object; null: there is no such team here.
  const pe_objects* objects_with(std::uint32_t id) const noexcept;
  /// The largest number of an object in its team.
  static constexpr std::uint32_t id_in_team_max = 0xffff;

private:
  void enter_one(supersteps& next);
  void leave_one() noexcept;
  void note_main() noexcept;
  bool is_outside_handlers() const noexcept;
  void show_for(const superstep_part* whose) noexcept;
  supersteps& find_steps() const noexcept;
  world& of_team(std::uint64_t number) const noexcept;

  world& job_;
  supersteps& of_job_;
  exchange& exchange_;  // of the job
  std::vector<world*> teams_;  // in the order of their numbers
  std::vector<supersteps*> open_;  // while there are teams: those of each finish that is open, outermost first
  supersteps* only_ = &of_job_;  // null: there are teams
  supersteps* of_main_ = &of_job_;  // where the main program is
  supersteps* of_work_ = nullptr;
  bool is_work_of_main_ = false;
  supersteps* of_continuation_ = nullptr;
};

}  // namespace shoal::internal
