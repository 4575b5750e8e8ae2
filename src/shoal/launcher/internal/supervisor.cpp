#include "shoal/launcher/internal/supervisor.hpp"

#include <poll.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <iterator>
#include <optional>
#include <utility>

#include "shoal/base/internal/quoting.hpp"
#include "shoal/base/setup_error.hpp"
#include "shoal/launcher/internal/ending_clock.hpp"
#include "shoal/launcher/internal/failure.hpp"
#include "shoal/launcher/internal/job.hpp"
#include "shoal/launcher/internal/signals.hpp"

namespace shoal::internal::launcher {
namespace {

using clock = std::chrono::steady_clock;

constexpr std::chrono::milliseconds look_interval{50};
constexpr int status_not_started = 2;

constexpr int from_children[] = {SIGCHLD};
// Signals that may go to a whole process group, above all from the terminal.
constexpr int group_wide[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP};

// Not SIGQUIT, on which the PEs tell what they wait for.
bool is_terminating(int signal) { return signal == SIGINT || signal == SIGTERM || signal == SIGHUP; }

class supervisor {
public:
  supervisor(const launch_options& options, const std::vector<std::string>& command, descriptor orders)
      : options_(options), command_(command), orders_(std::move(orders)) {}

  int run(const sigset_t& pe_signals);

private:
  void start(const sigset_t& pe_signals);

  void wait_for_event();
  void take_order();
  void take_group_signals();
  void note_users_signal(int signal);
  void reap();
  bool has_exec_failed();
  void judge(std::size_t pe, const siginfo_t& end);
  void look_for_absent_pe();

  void note(const failure& what) { failure_ = what; }
  std::string describe(std::size_t pe, const std::string& what) const;
  void do_what_is_due();
  bool is_over();

  void report() const;
  int exit_status() const;

  const launch_options& options_;
  const std::vector<std::string>& command_;
  descriptor orders_;
  descriptor child_events_;  // SIGCHLD
  descriptor group_signals_;  // signals to our process group, which the PEs get as well
  job job_;

  std::optional<failure> failure_;  // the first
  std::vector<std::size_t> left_;  // PEs that ended well, outside a world
  bool has_user_asked_ = false;  // by a SIGQUIT that was passed on
  int users_signal_ = 0;  // the first terminating signal that was passed on
  clock::time_point users_signal_at_;

  ending_clock ending_;
  int n_asked_ = 0;  // PEs that we ended because another failed
  int n_killed_ = 0;  // PEs that did not end by themselves in time
  bool has_asked_ = false;  // from now on our SIGTERM may end a PE,
  bool has_killed_ = false;  // or by our SIGKILL
  bool is_deserted_ = false;  // no process of the job is left
  bool has_given_up_ = false;
};

// --- Start

void supervisor::start(const sigset_t& pe_signals) {
  job_.raise_descriptor_limit();
  child_events_ = watch(heeded(from_children), SFD_NONBLOCK);
  group_signals_ = watch(heeded(group_wide), SFD_NONBLOCK);
  try {
    job_.start(options_, command_, pe_signals);
  } catch (const setup_error& error) {
    note({status_not_started, error.what(), true});
    ending_.hurry(clock::now());
  }
}

// --- Events

void supervisor::wait_for_event() {
  const clock::time_point now = clock::now();
  clock::time_point wake_at = ending_.next();
  // Two things happen without an event: a PE enters shoal::run, and a process that is not our child ends.
  const bool is_rearguard_left = ending_.has_begun() && job_.n_alive() == 0 && !is_deserted_;
  const bool must_look = (!left_.empty() && job_.n_alive() > 0) || is_rearguard_left;
  if (must_look) wake_at = std::min(wake_at, now + look_interval);
  int timeout_ms = -1;
  if (wake_at < now + std::chrono::hours(1)) {
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(wake_at - now).count();
    timeout_ms = std::max(0, static_cast<int>(left));
  }
  pollfd events[] = {{orders_.get(), POLLIN, 0}, {child_events_.get(), POLLIN, 0}, {group_signals_.get(), POLLIN, 0}};
  ::poll(events, std::size(events), timeout_ms);
  if (events[0].revents != 0) take_order();
}

void supervisor::take_order() {
  signal_order order;
  if (::read(orders_.get(), &order, sizeof order) == sizeof order) {
    for (const pe_process& pe : job_.pes) {
      if (pe.is_alive) ::kill(pe.pid, order.signal);
    }
    note_users_signal(order.signal);
    return;
  }
  orders_.close();  // the launcher is gone, so nobody needs the output either
  ending_.hurry(clock::now());
  if (job_.tagger > 0) ::kill(job_.tagger, SIGKILL);
}

void supervisor::take_group_signals() {
  signalfd_siginfo info;
  while (::read(group_signals_.get(), &info, sizeof info) == sizeof info) {
    const auto signal = static_cast<int>(info.ssi_signo);
    for (const pe_process& pe : job_.pes) {
      const bool has_it = ::getpgid(pe.pid) == ::getpgrp();
      if (pe.is_alive && !has_it) ::kill(pe.pid, signal);
    }
    note_users_signal(signal);
  }
}

// The PEs have received a signal. If it ends jobs, they should end now, each in its own way.
void supervisor::note_users_signal(int signal) {
  if (signal == SIGQUIT) has_user_asked_ = true;
  if (!is_terminating(signal)) return;
  for (const pe_process& pe : job_.pes) {
    if (pe.is_alive) ::kill(pe.pid, SIGCONT);  // a stopped PE would not act on the signal
  }
  const clock::time_point now = clock::now();
  if (users_signal_ == 0) {
    users_signal_ = signal;
    users_signal_at_ = now;
    if (!ending_.has_begun()) ending_.begin_after_signal(now);
  } else if (now - users_signal_at_ > std::chrono::milliseconds(500)) {
    // The user is impatient. An earlier repetition is the same request: timeout(1) signals both a process and its
    // process group.
    ending_.hurry(now);
  }
  if (job_.n_alive() == 0 && job_.tagger > 0) ::kill(job_.tagger, SIGKILL);
}

void supervisor::reap() {
  // Signals of one kind are merged, so they only mean that it is time to look.
  signalfd_siginfo ignored;
  while (::read(child_events_.get(), &ignored, sizeof ignored) > 0) {
  }
  std::vector<std::pair<std::size_t, siginfo_t>> ended;
  siginfo_t end = {};
  while (::waitid(P_ALL, 0, &end, WEXITED | WNOHANG) == 0 && end.si_pid != 0) {
    if (end.si_pid == job_.tagger) job_.tagger = -1;
    for (std::size_t pe = 0; pe < job_.pes.size(); ++pe) {
      pe_process& process = job_.pes[pe];
      if (process.pid != end.si_pid || !process.is_alive) continue;
      process.is_alive = false;
      ended.emplace_back(pe, end);
    }
    end = {};
  }
  // The kernel signals a whole process group before anyone can see a member die. So a signal that ended a PE along with
  // its group is known here before the end is judged.
  take_group_signals();
  // A PE writes its exec_error before it ends, so by now it is there.
  if (!ended.empty() && has_exec_failed()) return;
  for (const auto& [pe, how] : ended) judge(pe, how);
}

bool supervisor::has_exec_failed() {
  exec_error error;
  if (::read(job_.exec_errors.read.get(), &error, sizeof error) != sizeof error) return false;
  if (!failure_) note({status_not_started, explain_exec_error(command_[0], error.error), true});
  ending_.hurry(clock::now());
  return true;
}

void supervisor::judge(std::size_t pe, const siginfo_t& end) {
  const local::pe_stage stage = job_.page->stage[pe].load(std::memory_order_acquire);
  std::optional<failure> found = find_failure(end, stage);
  if (!found) {
    left_.push_back(pe);
    return;
  }
  const bool is_signalled = end.si_code != CLD_EXITED;
  if (is_signalled && has_asked_ && end.si_status == SIGTERM) return;
  if (is_signalled && has_killed_ && end.si_status == SIGKILL) return;

  const std::int32_t reporter = job_.page->reporter.load(std::memory_order_acquire) - 1;
  const bool is_reporter = reporter == static_cast<std::int32_t>(pe);
  if (failure_ && !is_reporter) return;

  if (!found->text.empty()) found->text = describe(pe, found->text);
  // Of a program that does not answer: the user ended it.
  if (has_user_asked_ && is_signalled && end.si_status == SIGQUIT) found->text.clear();
  if (users_signal_ != 0) {
    // The reaction to the user's signal, unless the PE failed in another way.
    const bool left_by_exit = !is_signalled && end.si_status == 0;
    if (left_by_exit) found->status = 128 + users_signal_;
    if (found->status == 128 + users_signal_) found->text.clear();
  }
  note(*found);
  // A PE that is reporting may finish its report. A PE that failed after the last collective call delays nobody, so the
  // others may finish their work.
  const bool be_patient = job_.is_alive(reporter) || stage == local::pe_stage::finished;
  if (!ending_.has_begun()) ending_.begin_after_failure(clock::now(), be_patient);
}

void supervisor::look_for_absent_pe() {
  if (left_.empty() || ending_.has_begun()) return;
  const auto n_worlds = [&](std::size_t pe) { return job_.page->n_worlds[pe].load(std::memory_order_acquire); };
  const std::size_t first = *std::ranges::min_element(left_, {}, n_worlds);
  for (std::size_t pe = 0; pe < job_.pes.size(); ++pe) {
    const local::pe_stage stage = job_.page->stage[pe].load(std::memory_order_acquire);
    if (!job_.pes[pe].is_alive || stage != local::pe_stage::running || n_worlds(pe) <= n_worlds(first)) continue;
    const std::string how = n_worlds(first) == 0 ? "exited without entering shoal::run, where PE "
                                                 : "exited after a shoal::run or shoal::job, and in the next one PE ";
    note({1, describe(first, how + std::to_string(pe) + " waits for it")});
    ending_.begin_after_failure(clock::now(), false);
    return;
  }
}

// --- End

std::string supervisor::describe(std::size_t pe, const std::string& what) const {
  return "PE " + std::to_string(pe) + " (process " + std::to_string(job_.pes[pe].pid) + ") " + what;
}

void supervisor::do_what_is_due() {
  const auto action = ending_.due(clock::now());
  if (action == ending_clock::action::nothing) return;
  if (action == ending_clock::action::give_up) {
    has_given_up_ = true;
    return;
  }
  const bool is_asking = action == ending_clock::action::ask;
  if (!has_asked_ && !has_killed_ && users_signal_ == 0) n_asked_ = job_.n_alive();
  if (!is_asking && !has_killed_) n_killed_ = job_.n_alive();
  (is_asking ? has_asked_ : has_killed_) = true;
  for (const pid_t pid : job_.processes()) {
    ::kill(pid, is_asking ? SIGTERM : SIGKILL);
    if (is_asking) ::kill(pid, SIGCONT);  // a stopped PE would not act on SIGTERM
  }
}

// True once the job has no process left and its output is written. Ends what PEs left running.
bool supervisor::is_over() {
  if (!is_deserted_ && !has_given_up_) {
    if (job_.n_alive() > 0) return false;
    is_deserted_ = job_.processes().empty();
    if (!is_deserted_ && !ending_.has_begun()) ending_.begin_after_failure(clock::now(), false);
    if (!is_deserted_) return false;
  }
  if (job_.tagger < 0) return true;
  job_.tagger_until.close();
  // The tagger waits for the readers of our output; a user who asked for the end should not.
  if (has_given_up_ && users_signal_ != 0) ::kill(job_.tagger, SIGKILL);
  return false;
}

void supervisor::report() const {
  std::string line;
  if (failure_ && !failure_->text.empty()) {
    if (!failure_->is_before_start && job_.page->reporter.load() != 0) return;
    line = failure_->text;
    if (!failure_->is_before_start && n_asked_ > 0) {
      line += "; ended the other " + (n_asked_ == 1 ? "PE" : count_pes(n_asked_));
    }
  } else if (users_signal_ != 0 && n_killed_ > 0) {
    line = count_pes(n_killed_) + " did not end on " + name_signal(users_signal_) + " and " +
           (n_killed_ == 1 ? "was" : "were") + " killed";
  }
  if (job_.n_alive() > 0) {
    line += (line.empty() ? "" : "; ") + count_pes(job_.n_alive()) + " could not be ended (held by a debugger?)";
  }
  if (line.empty()) return;
  std::fprintf(stderr, "%s: %s\n", options_.name.c_str(), printable(line).c_str());
}

int supervisor::exit_status() const {
  if (failure_) return failure_->status;
  if (users_signal_ != 0 && n_killed_ > 0) return 128 + users_signal_;
  return job_.page->reporter.load() != 0 || job_.n_alive() > 0 ? 1 : 0;
}

int supervisor::run(const sigset_t& pe_signals) {
  start(pe_signals);
  while (!is_over()) {
    wait_for_event();
    reap();
    look_for_absent_pe();
    do_what_is_due();
  }
  report();
  return exit_status();
}

}  // namespace

int supervise(const launch_options& options, const std::vector<std::string>& command, descriptor orders,
              const sigset_t& pe_signals) {
  // If someone stops this process and then kills the launcher, it must continue to end the job.
  ::prctl(PR_SET_PDEATHSIG, SIGCONT);
  ::prctl(PR_SET_CHILD_SUBREAPER, 1);
  return supervisor(options, command, std::move(orders)).run(pe_signals);
}

}  // namespace shoal::internal::launcher
