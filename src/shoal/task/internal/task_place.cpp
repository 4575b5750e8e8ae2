#include "shoal/task/internal/task_place.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <exception>
#include <string>

#include "shoal/base/internal/ambient.hpp"
#include "shoal/base/internal/source_place.hpp"
#include "shoal/task/internal/pe_tasks.hpp"
#include "shoal/task/task.hpp"

namespace shoal::internal {

task_place place_of_task(const char* call, const std::source_location& where) {
  pe_tasks& all = pe_tasks::of_this_pe();
  return {all.here(), all.group_now(call, where)};
}

task_place place_outside_scopes(const char* call, const std::source_location& where) {
  pe_tasks& all = pe_tasks::of_this_pe();
  return {all.here(), all.group_outside_scopes(call, where)};
}

const superstep_part* mailbox_of_main_tasks(const task_group& group) noexcept {
  return pe_tasks::mailbox_of_main(group);
}

void waiting_task::begin_one(task& its) { pe_tasks::of_this_pe().here().push(its); }

void waiting_task::drop(task& its) noexcept { pe_tasks::of_this_pe().here().drop(its); }

void yield_task(const std::source_location& where) {
  if (!pe_tasks::of_this_pe().is_in_task()) {
    end_job(status_usage,
            "yield_task (" + source_place(where) + ") outside a task; the main program calls world.progress");
  }
  this_worker()->yield(where);
}

// Several for each worker, so that none waits long for the others; in each dimension, so that tiles are about cubes.
void choose_tiles(std::span<task_range> ranges) {
  constexpr double n_tiles_per_worker = 8;
  const auto n_tiles = static_cast<double>(pe_tasks::of_this_pe().n_workers()) * n_tiles_per_worker;
  const double n_of_each = std::pow(n_tiles, 1.0 / static_cast<double>(ranges.size()));
  for (task_range& each : ranges) {
    const std::int64_t chosen = std::llround(static_cast<double>(each.size()) / n_of_each);
    each.tile = std::clamp<std::int64_t>(each.tile > 0 ? each.tile : chosen, 1, each.size());
  }
}

open_task_scope::open_task_scope(const std::source_location& where)
    : all_(pe_tasks::of_this_pe()),
      opened_in_(all_.is_in_task() ? this_worker() : nullptr),
      where_(where),
      group_(all_.owner_of_new_scope()),
      n_exceptions_(std::uncaught_exceptions()) {
  if (opened_in_ != nullptr) {
    group_around_ = opened_in_->exchange_group(&group_);
    scope_around_ = opened_in_->exchange_scope(this);
  } else {
    all_.open_in_main(*this);
  }
}

open_task_scope::~open_task_scope() {
  if (std::uncaught_exceptions() > n_exceptions_) {
    unwind();
  } else {
    require_innermost("the end", where_);
    wait(where_);
  }
  if (opened_in_ == nullptr) {
    all_.close_in_main(*this);
  } else {
    opened_in_->exchange_group(group_around_);
    opened_in_->exchange_scope(scope_around_);
  }
}

// Its tasks use what the exception destroys, and what they wait for may never come.
void open_task_scope::unwind() noexcept {
  if (group_.is_empty()) return;
  if (opened_in_ == nullptr) return all_.break_off(where_);
  end_job(status_failure, "an exception in a task left a task_scope (" + source_place(where_) +
                              ") whose tasks had not ended; wait for them first, or catch it inside");
}

void open_task_scope::require_innermost(const char* call, const std::source_location& where) const {
  const bool is_innermost = opened_in_ != nullptr ? all_.is_in_task() && this_worker()->scope_now() == this
                                                  : all_.is_innermost_of_main(*this);
  if (is_innermost) return;
  end_job(status_usage,
          std::string(call) + " of a task_scope (" + source_place(where) +
              ") by a handler or another task, or while a scope or a finish that began later is open; who "
              "opened a scope uses it, and closes later ones before");
}

void open_task_scope::wait(const std::source_location& where) {
  // What tasks of the main program have posted comes first.
  if (group_.is_empty() && (opened_in_ != nullptr || !all_.has_posted())) return;
  require_innermost("wait", where);
  if (opened_in_ != nullptr) {
    opened_in_->wait_for(group_, where);
  } else {
    all_.wait_in_main(group_, where);
  }
}

task_place open_task_scope::place(const std::source_location& where) {
  require_innermost("async", where);
  return {all_.here(), group_};
}

}  // namespace shoal::internal
