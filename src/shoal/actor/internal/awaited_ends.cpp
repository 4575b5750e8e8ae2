#include "shoal/actor/internal/awaited_ends.hpp"

#include <algorithm>
#include <string>

#include "shoal/actor/internal/answers.hpp"
#include "shoal/actor/internal/closings.hpp"
#include "shoal/actor/internal/superstep_part.hpp"
#include "shoal/base/internal/ambient.hpp"
#include "shoal/base/internal/source_place.hpp"

namespace shoal::internal {
namespace {

// Whether `m` can close only after one for which `is_such` holds: that feeds it, directly or not, or is itself.
template <class Test>
bool closes_after(const superstep_part& m, const Test& is_such) {
  std::vector<const superstep_part*> seen{&m};
  for (std::size_t i = 0; i < seen.size(); ++i) {
    if (is_such(*seen[i])) return true;
    for (const superstep_part* feeder : seen[i]->feeders()) {
      if (std::ranges::find(seen, feeder) == seen.end()) seen.push_back(feeder);
    }
  }
  return false;
}

// What waits for `a`, or for an answer that is made of it, and so on, if it is a task of the main program that counts for `m`.
const continuation* task_after(const pending_answer& a, const superstep_part& m) noexcept {
  for (const pending_answer* each = &a; each != nullptr && each->waiting != nullptr; each = each->waiting->gives()) {
    if (each->waiting->mailbox_of_task() == &m) return each->waiting;
  }
  return nullptr;
}

bool is_open(const superstep_part& m) noexcept { return m.current_state() == superstep_part::state::open; }

void come(awaited_end& end) {
  if (end.n_waiting != 0) end.whose->work().note_end_has_come(end.n_waiting);
  answers::give(*end.answer, bare_answer{});
}

}  // namespace

pending_answer& awaited_ends::open(answers& all, std::span<superstep_part* const> mailboxes,
                                   const std::source_location& where) {
  auto made = std::make_unique<awaited_end>();
  made->depth = mailboxes.front()->depth();
  for (superstep_part* m : mailboxes) {
    if (!m->is_closed()) made->open.push_back(m);
  }
  superstep_part* const last = graph_.last_to_close(made->open);
  made->whose = last == nullptr ? made->open.back() : last;
  made->answer = &all.open(pending_answer::of_end, where);
  made->answer->follow(*made);
  ends_.push_back(std::move(made));
  return *ends_.back()->answer;
}

superstep_part* awaited_ends::attach(awaited_end& to, superstep_part* sender, bool is_main,
                                     const std::source_location& where) {
  const bool is_coming = !to.open.empty();
  if (is_coming && to.depth == depth_of_last_wait_) require_coming(to, where);
  if (is_coming && is_main && is_open(*to.whose)) {
    ++to.n_waiting;
    to.whose->work().note_waiting_for_end();
    return to.whose;
  }
  if (!is_main && sender != nullptr) {
    for (const superstep_part* m : to.open) {
      if (!closes_after(*m, [=](const superstep_part& each) { return &each == sender; })) continue;
      end_job(status_usage, sender->describe_owner() + ": what waits (" + source_place(where) + ") for the end of " +
                                m->describe_owner() + " keeps that open, since it belongs to a mailbox that feeds it");
    }
  }
  if (sender != nullptr) sender->work().note_left();
  return sender;
}

std::uint64_t awaited_ends::n_tasks_that_wait_for_done(const superstep_part& m) const {
  std::vector<const continuation*> tasks;
  for (const auto& each : ends_) {
    const bool must_wait =
        std::ranges::any_of(each->open, [](const superstep_part* its) { return closes_after(*its, is_open); });
    const continuation* const its = must_wait ? task_after(*each->answer, m) : nullptr;
    if (its != nullptr && std::ranges::find(tasks, its) == tasks.end()) tasks.push_back(its);
  }
  return tasks.size();
}

bool awaited_ends::has_last_act(const superstep_part& m) const noexcept {
  return std::ranges::any_of(
      ends_, [&](const auto& each) { return each->whose == &m && !each->open.empty() && each->n_waiting != 0; });
}

bool awaited_ends::note_closed(answers& all, std::span<superstep_part* const> closed) {
  for (const superstep_part* m : closed) close(*m);
  return all.is_any_ready();
}

void awaited_ends::close(const superstep_part& m) {
  for (const auto& each : ends_) {
    if (each->open.empty()) continue;
    std::erase(each->open, &m);
    if (each->open.empty()) come(*each);
  }
}

void awaited_ends::begin_last_wait(std::size_t depth) {
  depth_of_last_wait_ = depth;
  for (const auto& each : ends_) {
    if (each->open.empty() || each->depth != depth || each->answer->waiting == nullptr) continue;
    require_coming(*each, each->answer->waiting->where);
  }
}

void awaited_ends::require_coming(const awaited_end& end, const std::source_location& where) const {
  for (const superstep_part* m : end.open) {
    if (graph_.closes_by_itself(*m)) continue;
    end_job(status_usage,
            source_place(where) + " waits for the end of " + m->describe_owner() +
                ", which cannot come meanwhile, but with close or finish; say which mailboxes feed it, and "
                "those that feed it, by fed_by");
  }
}

// Its destructor has closed it, or nothing of it was used.
void awaited_ends::forget(const superstep_part& gone) noexcept {
  close(gone);
  for (const auto& each : ends_) {
    if (each->whose == &gone && !each->open.empty()) each->whose = each->open.back();
  }
}

void awaited_ends::end_superstep(std::size_t depth, bool is_broken) noexcept {
  depth_of_last_wait_ = none;
  for (const auto& each : ends_) {
    if (each->open.empty() || each->depth != depth) continue;
    each->open.clear();
    if (is_broken) {
      answers::abandon(*each->answer);
    } else {
      come(*each);
    }
  }
  std::erase_if(ends_, [&](const auto& each) { return each->depth == depth; });
}

}  // namespace shoal::internal
