/// Decides which fiber runs next and which events happen before: a conservative discrete-event scheduler.
#pragma once

#include <cstdint>

#include "shoal/base/internal/fiber.hpp"
#include "shoal/base/random.hpp"
#include "shoal/substrate/internal/sim/time_queue.hpp"

namespace shoal::internal::sim {

class fruitless_calls;

enum class event_kind : std::uint8_t {
  landing,  // the first byte of a posted buffer reaches its target
  delivery,  // the last byte does
  slot_back,  // a slot's release reaches its owner
  put,  // the data of a put reach their target, or those of a get its asker
  atomic,  // an atomic that nobody waits for reaches its target
  question,  // a get that nobody waits for reaches the memory that it reads
  touch,  // a PE learns that another one changed its heap by an atomic operation
  round_end,  // every PE learns that the round is complete
  control_landing,  // the first byte of a control message reaches its target
  control_delivery,  // the last byte does
  control_place,  // a sender learns that a control message of its has been polled
  probe_back,  // a probe of a link has come back
};

struct event {
  std::uint64_t time_ns = 0;
  std::uint64_t tie = 0;
  std::int32_t pe = 0;  // the PE where it happens
  std::uint32_t subject = 0;  // a slot's number, or that of a started operation or a control message
  event_kind kind = event_kind::landing;
};

enum class task_state : std::uint8_t { ready, blocked, finished };

/// A fiber with a virtual time of its own.
struct task {
  task(std::int32_t index_of_pe, std::span<std::byte> stack, fiber::entry run, void* argument)
      : pe(index_of_pe), strand(stack, run, argument) {}

  std::int32_t pe;
  const fruitless_calls* polls = nullptr;  // its calls that found nothing
  task_state state = task_state::ready;
  std::uint64_t now_ns = 0;
  fiber strand;
};

/// What the scheduler needs from the simulation.
class event_handler {
public:
  /// Called at an event's time. May wake tasks and add events, none of them in the past.
  virtual void apply(const event& due) noexcept = 0;

  /// Called when no task can run and no event is left. Makes a task ready, or does not return.
  virtual void nothing_can_move() noexcept = 0;

protected:
  ~event_handler() = default;
};

/// Keeps the one rule that makes the simulation causally correct: a task acts at its time T only after everything that
/// could influence it up to T has been applied. That is every event up to T, and every event that a task at an earlier
/// time T' may still cause. Such an event reaches other tasks no earlier than T' + lookahead (the least latency of a link).
/// So a task may run ahead of the others by that much, and most calls of a substrate need no switch.
class scheduler {
public:
  scheduler(event_handler& handler, random_engine ties, std::uint64_t lookahead_ns) noexcept
      : handler_(handler), ties_(ties), lookahead_ns_(lookahead_ns) {}

  /// Runs all ready tasks until every one has finished. Called on the thread's own stack.
  void run_all() noexcept;

  void make_ready(task& which) {
    which.state = task_state::ready;
    ready_.push({which.now_ns, ties_(), &which});
    disturb_at(which.now_ns);
  }

  void add(event what) {
    what.tie = ties_();
    events_.push(what);
    disturb_at(what.time_ns);
  }

  /// Called when the running task has advanced to self.now_ns; returns when it may act at that time.
  void synchronize(task& self) noexcept {
    if (self.now_ns >= undisturbed_until_ns_) catch_up(self, lookahead_ns_);
  }

  /// The same for an action that other tasks could see at once: afterwards no task is behind `self`.
  void synchronize_strictly(task& self) noexcept { catch_up(self, 0); }

  /// Another task, which begins when its turn comes. Called by a running one.
  void start(task& other) {
    ++n_unfinished_;
    make_ready(other);
  }

  /// Suspends the running task until another makes it ready.
  void block(task& self) noexcept;

  /// Suspends the running task until its own time `time_ns`.
  void sleep_until(task& self, std::uint64_t time_ns) noexcept;

  [[noreturn]] void finish(task& self) noexcept;

  /// Called when an event at `time_ns` concerns a blocked task.
  void wake(task& sleeper, std::uint64_t time_ns) {
    if (sleeper.now_ns < time_ns) sleeper.now_ns = time_ns;
    make_ready(sleeper);
  }

  /// The running task, or the last one that ran.
  const task* running() const noexcept { return running_; }

  bool has_events() const noexcept { return !events_.is_empty(); }

  /// True if `predicate` is true for every task that is ready but not running.
  template <class Predicate>
  bool all_ready(const Predicate& predicate) const {
    for (const ready_task& entry : ready_.unordered()) {
      if (!predicate(*entry.who)) return false;
    }
    return true;
  }

  std::uint64_t n_events() const noexcept { return n_events_; }
  std::uint64_t n_switches() const noexcept { return n_switches_; }

private:
  struct ready_task {
    std::uint64_t time_ns;
    std::uint64_t tie;
    task* who;
  };

  void disturb_at(std::uint64_t time_ns) noexcept {
    if (time_ns < undisturbed_until_ns_) undisturbed_until_ns_ = time_ns;
  }
  void catch_up(task& self, std::uint64_t slack_ns) noexcept;
  void apply_first_event() noexcept;
  task* pick_next() noexcept;
  void switch_from(task& self) noexcept;
  std::uint64_t others_horizon_ns() const noexcept;
  void note_undisturbed_time() noexcept;

  event_handler& handler_;
  random_engine ties_;
  std::uint64_t lookahead_ns_;
  time_queue<event> events_;
  time_queue<ready_task> ready_;  // the running task is not in it
  std::uint64_t applied_until_ns_ = 0;
  // Before this time the running task need not check the queues.
  std::uint64_t undisturbed_until_ns_ = 0;
  fiber thread_;
  const task* running_ = nullptr;
  std::uint64_t n_unfinished_ = 0;
  std::uint64_t n_events_ = 0;
  std::uint64_t n_switches_ = 0;
};

}  // namespace shoal::internal::sim
