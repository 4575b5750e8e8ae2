#include "shoal/actor/internal/team_worlds.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "shoal/actor/internal/declared_edges.hpp"
#include "shoal/actor/internal/superstep_part.hpp"
#include "shoal/actor/world.hpp"
#include "shoal/base/internal/ambient.hpp"
#include "shoal/conveyor/internal/exchange.hpp"

namespace shoal::internal {

team_worlds::team_worlds(world& job, exchange& through) : job_(job), of_job_(job.scopes()), exchange_(through) {}

void team_worlds::enlist(world& team) {
  teams_.push_back(&team);
  if (only_ != nullptr) {
    only_ = nullptr;
    open_.assign(of_job_.n_open(), &of_job_);
  }
  note_declared();
}

void team_worlds::require_room() const {
  if (teams_.size() < n_teams_max) return;
  end_job(status_usage, "this PE is in " + std::to_string(n_teams_max) +
                            " teams, and no more are possible; destroy teams that are no longer used");
}

void team_worlds::require_own_mark(const world& team) const {
  const auto is_like = [&](const world* other) {
    return other != &team && mark_of(*other) == mark_of(team) && !other->objects().is_empty();
  };
  if (std::ranges::none_of(teams_, is_like)) return;
  end_job(status_usage,
          "a per_pe of a team that is 32768 teams younger than another with a per_pe; destroy the older one");
}

void team_worlds::delist(world& team) noexcept {
  std::erase(teams_, &team);
  note_declared();
  if (!teams_.empty()) return;
  only_ = &of_job_;
  open_.clear();
  note_main();
  of_job_.heed_others(false);
}

bool team_worlds::holds(const world& team) const noexcept { return std::ranges::find(teams_, &team) != teams_.end(); }

const world& team_worlds::of_answer(std::uint16_t number) const noexcept {
  const auto its = std::ranges::find_if(teams_, [=](const world* team) { return number_for_answers(*team) == number; });
  return its == teams_.end() ? job_ : **its;
}

world& team_worlds::of_team(std::uint64_t number) const noexcept {
  const auto its =
      std::ranges::find_if(teams_, [=](const world* team) { return team->message_exchange().team().number == number; });
  return its == teams_.end() ? job_ : **its;
}

supersteps& team_worlds::find_steps() const noexcept {
  if (of_continuation_ != nullptr) return *of_continuation_;
  if (const inbox* const running = exchange_.now().running(); running != nullptr) {
    return of_team(running->team()).scopes();
  }
  return of_work_ != nullptr ? *of_work_ : *of_main_;
}

void team_worlds::enter_one(supersteps& next) {
  open_.push_back(&next);
  note_main();
}

void team_worlds::leave_one() noexcept {
  open_.back()->heed_others(false);
  open_.pop_back();
  note_main();
}

void team_worlds::note_main() noexcept {
  of_main_ = open_.empty() ? &of_job_ : open_.back();
  // Code of the innermost world, too, which may run in a wait of another world's work.
  const bool are_several = std::ranges::any_of(open_, [&](const supersteps* each) { return each != open_.front(); });
  for (supersteps* each : open_) each->heed_others(are_several);
}

void team_worlds::note_declared() noexcept {
  const bool is_any = !of_job_.edges().is_empty() ||
                      std::ranges::any_of(teams_, [](world* team) { return !team->scopes().edges().is_empty(); });
  of_job_.heed_edges(is_any);
  for (world* team : teams_) team->scopes().heed_edges(is_any);
}

bool team_worlds::is_outside_handlers() const noexcept { return exchange_.now().running() == nullptr; }

// Work that the main program has left sends where the main program may.
void team_worlds::begin_code(const superstep_part* handled) noexcept {
  const bool is_work = handled == nullptr && of_work_ != nullptr;
  const superstep_part* const whose = is_work ? of_work_->sender_now() : handled;
  const bool is_main = whose == nullptr || (is_work && is_work_of_main_);
  if (only_ != nullptr) return only_->edges().let_send(whose, is_main);
  show_for(whose);
  for (const supersteps* each : open_) each->edges().let_send(whose, is_main);
}

// All worlds show to which of their supersteps code belongs that counts for `whose`; null: the main program. Its own, too: if
// that is work, handlers of another world may have run in between.
void team_worlds::show_for(const superstep_part* whose) noexcept {
  auto end = open_.end();
  if (whose != nullptr) {
    // The finish at this depth of its world.
    std::size_t n_before = 0;
    end = std::ranges::find_if(
        open_, [&](const supersteps* each) { return each == &whose->steps() && n_before++ == whose->depth(); });
  }
  for (supersteps* each : open_) {
    if (whose == nullptr) {
      each->show(supersteps::all_open);
    } else if (each == &whose->steps()) {
      each->show(whose->depth() + 1);
    } else {
      each->show(static_cast<std::size_t>(std::count(open_.begin(), end, each)));
    }
  }
}

std::uint32_t team_worlds::mark_of(const world& team) noexcept {
  return team_mark | static_cast<std::uint32_t>(team.message_exchange().team().number & 0x7fff) << 16;
}

const pe_objects* team_worlds::objects_with(std::uint32_t id) const noexcept {
  const auto its =
      std::ranges::find_if(teams_, [=](const world* team) { return mark_of(*team) == (id & ~id_in_team_max); });
  return its == teams_.end() ? nullptr : &(*its)->objects();
}

}  // namespace shoal::internal
