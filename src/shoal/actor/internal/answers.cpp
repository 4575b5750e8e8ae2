#include "shoal/actor/internal/answers.hpp"

#include <algorithm>
#include <cstdlib>
#include <exception>

#include "shoal/actor/internal/awaited_ends.hpp"
#include "shoal/actor/internal/main_program.hpp"
#include "shoal/actor/internal/superstep_part.hpp"
#include "shoal/actor/internal/supersteps.hpp"
#include "shoal/actor/internal/team_worlds.hpp"
#include "shoal/actor/internal/waiting_tasks.hpp"
#include "shoal/actor/world.hpp"
#include "shoal/base/internal/ambient.hpp"
#include "shoal/base/internal/handled_messages.hpp"
#include "shoal/base/internal/pe_worker.hpp"
#include "shoal/base/internal/source_place.hpp"
#include "shoal/base/internal/spin_lock.hpp"
#include "shoal/conveyor/internal/exchange.hpp"

namespace shoal::internal {
namespace {

// " of team 2 (PEs 0, 3, 5)" if it belongs to a team.
std::string of_team_of(const superstep_part* m) {
  return m == nullptr ? "" : m->steps().home().message_exchange().of_name();
}

// What waits for an answer, as the subject of a clause.
std::string in_words(const continuation& its) {
  if (its.replies_to() >= 0) return "the question of PE " + std::to_string(its.replies_to()) + of_team_of(its.whose);
  return its.where.line() == 0 ? "another answer" : source_place(its.where);
}

std::string name_of(const awaited_end& end) {
  return end.open.empty() ? "a mailbox" : end.open.front()->describe_owner() + of_team_of(end.open.front());
}

// `who` waits for an answer that nobody makes any more.
[[noreturn, gnu::cold]] void refuse_lost_promise(const pending_answer& a, const std::string& who) {
  end_job(status_usage, "a promise (" + source_place(a.where) + ") was destroyed without a value, for which " + who +
                            " waits; give it one by set");
}

[[noreturn, gnu::cold]] void refuse_late_use(const pending_answer& a, const std::string& who) {
  end_job(status_usage, who + " waits for an answer (" + source_place(a.where) +
                            ") whose world has ended; take answers before shoal::run returns");
}

supersteps& steps_of(const awaited_end& end, const team_worlds& worlds) {
  return end.open.empty() ? worlds.steps_now() : end.whose->steps();
}

// What runs from now on counts for another mailbox.
void change(const superstep_part* from, superstep_part& to) noexcept {
  if (from != nullptr && &from->steps() != &to.steps()) from->steps().end_handlers();
  to.steps().begin_handlers(to);
}

// In a handler of the exception.
[[noreturn, gnu::noinline, gnu::cold]] void end_for_exception(const superstep_part* whose,
                                                              const std::source_location& where) {
  const std::string who = (whose == nullptr ? "" : whose->describe_owner() + ": ") + "what waited for an answer (" +
                          source_place(where) + ") threw";
  try {
    throw;
  } catch (const std::exception& e) {
    end_job(status_failure, who + ": " + one_line(e.what()));
  } catch (...) {
    end_job(status_failure, who + " something that is not a std::exception");
  }
}

// `c` may free itself.
inline void run_alone(continuation& c) {
  superstep_part* const whose = c.whose;
  const std::source_location where = c.where;
  try {
    c.run();
  } catch (...) {
    end_for_exception(whose, where);
  }
  if (whose != nullptr) whose->work().note_done();
}

// Memory for places.
pending_answer* make_chunk(std::size_t bytes) {
  auto* const memory = static_cast<pending_answer*>(std::aligned_alloc(bytes, bytes));
  if (memory == nullptr) throw std::bad_alloc();
  return memory;
}

// Makes the places of a chunk of `n`, whose numbers begin with `first`, and gives the first free one: each knows the next.
pending_answer* make_places(pending_answer* chunk, answers& owner, std::size_t first, std::size_t n) {
  ::new (static_cast<void*>(chunk)) answers*(&owner);
  pending_answer* free = nullptr;
  for (std::size_t i = n - 1; i > 0; --i) {
    auto* const a = ::new (static_cast<void*>(chunk + i)) pending_answer;
    a->number = static_cast<std::uint32_t>(first + i);
    a->is_open = false;
    a->next_free = free;
    free = a;
  }
  return free;
}

[[gnu::noinline, gnu::cold]] void post_attach(answers& all, pending_answer& a, continuation& c,
                                              const std::source_location where) {
  current_worker->post([&all, &a, &c, where] { all.attach_late(a, c, where); });
}

// What an answer is missing, and where the program asked for it or promised it.
std::string missing_of(pending_answer& a, const team_worlds& worlds) {
  const auto of_asked = [&] { return worlds.of_answer(a.asked_world).message_exchange().of_name(); };
  std::string text;
  switch (a.asked) {
    case pending_answer::of_here: text = " lacks a value that is made here"; break;
    case pending_answer::of_many: text = " lacks some of its answers" + of_asked(); break;
    case pending_answer::of_end: text = " lacks the end of " + name_of(a.end()); break;
    case pending_answer::of_background: text = " lacks a collective call in the background"; break;
    default: text = " lacks the answer of PE " + std::to_string(a.asked) + of_asked();
  }
  return a.where.line() == 0 ? text : text + " (" + source_place(a.where) + ")";
}

}  // namespace

answers::answers(exchange& through, team_worlds& worlds, main_program& caller, std::size_t budget_bytes, pe_id n_pes)
    : exchange_(through),
      worlds_(worlds),
      caller_(caller),
      questions_(through, budget_bytes, n_pes),
      lock_(std::make_unique<spin_lock>()),
      is_shared_(through.parts().has_workers),
      keeps_no_free_(is_shared_),
      frames_(is_shared_) {
  if (is_shared_) chunks_.reserve(n_chunks_most);  // the PE's own thread looks places up while others open some
  caller_.note_answers(this);
}

answers::~answers() = default;

void answers::free_chunk::operator()(pending_answer* chunk) const noexcept { std::free(chunk); }

answers& answers::current() { return answers_of(world::of_job()); }

template <class F>
void answers::for_each_open(F f) const {
  for (const auto& chunk : chunks_) {
    for (std::size_t i = 1; i < n_per_chunk; ++i) {
      if (chunk.get()[i].is_open) f(chunk.get()[i]);
    }
  }
}

void answers::end(answers* all) noexcept {
  all->caller_.note_answers(nullptr);
  // Something waits only after an exception, or outside finish for a promise.
  all->is_orphan_ = all->keeps_no_free_ = true;
  all->n_held_ = SIZE_MAX;
  while (continuation* const ready = all->first_ready_) {
    all->first_ready_ = ready->next;
    ready->drop();
  }
  all->for_each_open([](pending_answer& a) {
    if (a.waiting != nullptr) std::exchange(a.waiting, nullptr)->drop();
  });
  all->n_held_ = 0;
  all->for_each_open([all](pending_answer& a) {
    if (a.asked != pending_answer::of_here && !a.is_ready) a.is_abandoned = true;  // no reply comes
    const bool has_promise = !a.is_ready && !a.is_abandoned;
    all->n_held_ += a.is_wanted || has_promise ? 1 : 0;
  });
  if (all->n_held_ == 0) delete all;
}

// With a new chunk, if there is no place.
pending_answer& answers::take_place() {
  const spin_lock::holder lock(*lock_, is_shared_);
  pending_answer*& free = is_shared_ ? shared_free_ : free_;
  if (free == nullptr) {
    if (is_shared_ && chunks_.size() == n_chunks_most) end_job(status_failure, "too many answers are to come at once");
    const std::size_t first = chunks_.size() * n_per_chunk;
    chunks_.emplace_back(make_chunk(chunk_bytes));
    free = make_places(chunks_.back().get(), *this, first, n_per_chunk);
  }
  pending_answer& a = *free;
  free = a.next_free;
  return a;
}

void answers::give_place_back(pending_answer& a) noexcept {
  {
    const spin_lock::holder lock(*lock_, is_shared_);
    pending_answer*& free = is_shared_ ? shared_free_ : free_;
    a.is_open = false;
    a.next_free = free;
    free = &a;
  }
  if (is_orphan_ && --n_held_ == 0) delete this;
}

void answers::forgo(pending_answer& a, void (*destroy)(pending_answer&)) {
  pe_worker* const other = other_worker();
  if (other == nullptr) return forgo(a);
  other->post([&a, destroy] {
    if (!a.is_ready) return forgo(a);
    destroy(a);
    of(a).close(a);
  });
}

void answers::abandon(pending_answer& a) noexcept {
  if (pe_worker* const other = other_worker(); other != nullptr) return other->post([&a] { abandon(a); });
  a.is_abandoned = true;
  a.has_maker = false;
  if (!a.is_wanted) return of(a).close(a);
  if (a.waiting == nullptr || of(a).is_orphan_ || std::uncaught_exceptions() != 0) return;
  refuse_lost_promise(a, in_words(*a.waiting));
}

void answers::attach(pending_answer& a, continuation& c, const std::source_location where) {
  if (other_worker() != nullptr) [[unlikely]]
    return post_attach(*this, a, c, where);
  SHOAL_ASSERT(!a.is_ready && a.waiting == nullptr);
  c.where = where;
  if (is_orphan_) refuse_late_use(a, in_words(c));
  if (a.is_abandoned) refuse_lost_promise(a, in_words(c));
  a.waiting = &c;
  if (a.follows_end) [[unlikely]] {
    c.whose = steps_of(a.end(), worlds_).attach_to_end(a.end(), where);
    return;
  }
  c.whose = worlds_.sender_now();
  if (c.whose != nullptr) c.whose->work().note_left();
}

// The answer may have come since. What waits for it counts for whom the task did, on whose behalf this runs.
void answers::attach_late(pending_answer& a, continuation& c, const std::source_location where) {
  if (!a.is_ready) return attach(a, c, where);
  c.where = where;
  c.whose = worlds_.sender_now();
  if (c.whose != nullptr) c.whose->work().note_left();
  a.waiting = &c;
  const bool has_message = is_any_ready();
  let_run(a);
  if (!has_message && wants_message()) send_waker(current_world());
}

[[gnu::cold]] void answers::wait(pending_answer& a, const std::source_location& where) {
  if (is_orphan_) refuse_late_use(a, source_place(where));
  const inbox* const running = other_worker() == nullptr ? exchange_.now().running() : nullptr;
  if (running != nullptr || handled_by_task() != nullptr) {
    end_job(status_usage,
            (running != nullptr ? running->describe() : handled_by_task()->describe()) + ": get (" +
                source_place(where) +
                ") in a handler, where nothing may wait for an answer; use then, or co_await in a handler "
                "that is a coroutine");
  }
  if (other_worker() != nullptr || (current_worker != nullptr && !is_running_))
    return tasks_of(exchange_.parts())->wait_in_task(a, where);
  caller_.require("get of an answer that has not come");
  if (a.follows_end) steps_of(a.end(), worlds_).require_coming(a.end(), where);
  const main_program::wait note(caller_, exchange_, "get of a future", where);
  awaited_ = &a;
  for (unsigned patience = 0; !a.is_ready;) {
    if (a.is_abandoned) refuse_lost_promise(a, source_place(where));
    exchange_.progress_or_idle(patience);
  }
  awaited_ = nullptr;
}

void answers::refuse_second_use(const char* what) {
  end_job(status_usage, std::string(what) +
                            " of a future that has no answer to give: each answer is taken once, by get, then or "
                            "co_await");
}

void answers::refuse_size(std::size_t n_places) {
  end_job(status_usage, "ask_all with more questions than the " + std::to_string(n_places) +
                            " places for their answers; give it a place for each");
}

void answers::refuse_second_answer(const std::source_location& where) {
  end_job(status_usage, "a promise (" + source_place(where) + ") was given a second value; give it one");
}

void answers::let_run(pending_answer& a) noexcept {
  continuation* const c = std::exchange(a.waiting, nullptr);
  c->next = nullptr;
  (first_ready_ == nullptr ? first_ready_ : last_ready_->next) = c;
  last_ready_ = c;
}

// Runs `first`, which is in no list, and then what is ready. A continuation may end its own life, and make others ready. A
// coroutine that resumes another one from here does so by this loop, not by a call: thousands may wait for one another in a
// row. Most replies let one continuation run, of the world in which they come.
void answers::run_from(continuation& first) {
  SHOAL_ASSERT(!is_running_);
  is_running_ = true;
  if (first.whose == worlds_.sender_now()) [[likely]] {
    run_alone(first);
    if (first_ready_ != nullptr) run_several(take_ready());
  } else {
    run_several(first);
  }
  is_running_ = false;
}

void answers::run_several(continuation& first) {
  superstep_part* const before = worlds_.sender_now();
  superstep_part* now = before;  // for which what runs counts, in perhaps another world
  bool has_changed = false;
  for (continuation* c = &first; c != nullptr; c = first_ready_ == nullptr ? nullptr : &take_ready()) {
    superstep_part* const whose = c->whose;
    if (whose != nullptr && whose != now) {
      change(now, *whose);
      worlds_.go_on_in(&whose->steps());
      now = whose;
      has_changed = true;
    }
    run_alone(*c);
  }
  if (!has_changed) return;
  if (before != nullptr && before != now) change(now, *before);
  worlds_.go_on_in(nullptr);
}

void wait_for_own_thread(world& home, void (*f)(void*), void* argument, const std::source_location& where) {
  tasks_of(home.message_exchange().parts())->wait_for_own_thread(f, argument, where);
}

bool answers::is_message_possible() {
  if (worlds_.steps_now().n_open() != 0) return true;
  run_from(take_ready());
  return false;
}

std::string answers::describe() const {
  constexpr int n_told = 3;
  const spin_lock::holder lock(*lock_, is_shared_);
  std::string text;
  if (awaited_ != nullptr) text += "; get" + missing_of(*awaited_, worlds_);
  std::size_t n = 0;
  for_each_open([&](pending_answer& a) {
    if (a.waiting == nullptr) return;
    const continuation& its = *a.waiting;
    const bool passes_on = its.where.line() == 0 && its.replies_to() < 0;  // what waits for that is told
    if (passes_on || n++ >= n_told) return;
    text += "; ";
    if (its.whose != nullptr) text += its.whose->describe_owner() + of_team_of(its.whose) + ": ";
    text += its.replies_to() < 0 ? "what waits (" + source_place(its.where) + ")"
                                 : "its answer to PE " + std::to_string(its.replies_to());
    text += missing_of(a, worlds_);
  });
  if (n > n_told) text += "; " + std::to_string(n - n_told) + " more wait for answers";
  return text;
}

}  // namespace shoal::internal
