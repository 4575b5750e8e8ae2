#include "shoal/compat/internal/ready_tasks.hpp"

#include <utility>

namespace shoal::internal::compat {
namespace {

// Stacks that have yielded get a turn this often, however long others make tasks and wait. Each of their yields lets
// the oldest task begin, so many turns would cost the depth-first order.
constexpr unsigned n_passed_over_most = 1024;

}  // namespace

void ready_tasks::add(ready_task& its) noexcept {
  its.since = n_added_++;
  its.by_age_ = {youngest_, nullptr};
  (youngest_ == nullptr ? oldest_ : youngest_->by_age_.after) = &its;
  youngest_ = &its;
  // Behind the group that grows, or a new group in front of the others.
  ready_task*& place = last_added_ == nullptr ? first_of_group_ : last_added_->by_group_.after;
  its.by_group_ = {last_added_, place};
  if (place != nullptr) place->by_group_.before = &its;
  place = &its;
  last_added_ = &its;
}

runnable& ready_tasks::take(ready_task& its) noexcept {
  const auto [older, younger] = its.by_age_;
  (older == nullptr ? oldest_ : older->by_age_.after) = younger;
  (younger == nullptr ? youngest_ : younger->by_age_.before) = older;
  const auto [before, after] = its.by_group_;
  (before == nullptr ? first_of_group_ : before->by_group_.after) = after;
  if (after != nullptr) after->by_group_.before = before;
  return its;
}

void ready_tasks::append(stack_queue& to, runnable& stack) noexcept {
  stack.since = n_added_++;
  stack.after = nullptr;
  (to.first == nullptr ? to.first : to.last->after) = &stack;
  to.last = &stack;
}

runnable& ready_tasks::take_first(stack_queue& of) noexcept {
  if (&of == &yielded_) n_passed_over_ = 0;
  return *std::exchange(of.first, of.first->after);
}

runnable& ready_tasks::take_oldest() noexcept {
  runnable* oldest = oldest_;
  for (runnable* each : {woken_.first, yielded_.first}) {
    if (each != nullptr && (oldest == nullptr || each->since < oldest->since)) oldest = each;
  }
  if (oldest == oldest_) return take(*oldest_);
  return take_first(oldest == woken_.first ? woken_ : yielded_);
}

runnable& ready_tasks::take() noexcept {
  last_added_ = nullptr;
  if (is_by_age_) return take_oldest();
  if (yielded_.first != nullptr && ++n_passed_over_ > n_passed_over_most) return take_first(yielded_);
  if (woken_.first != nullptr) return take_first(woken_);
  if (first_of_group_ != nullptr) return take(*first_of_group_);
  return take_first(yielded_);
}

}  // namespace shoal::internal::compat
