#include "shoal/launcher/internal/launch.hpp"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <thread>
#include <utility>

#include "shoal/launcher/internal/process_tree.hpp"
#include "shoal/launcher/internal/signals.hpp"
#include "shoal/launcher/internal/supervisor.hpp"

namespace shoal::internal::launcher {
namespace {

constexpr int passed_on[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGUSR1, SIGUSR2, SIGTSTP, SIGCONT};

// Takes over the signals of this process and gives them back.
class signal_takeover {
public:
  signal_takeover() {
    // A parent that ignores SIGCHLD does not learn how its children ended.
    struct sigaction by_default = {};
    by_default.sa_handler = SIG_DFL;
    ::sigaction(SIGCHLD, &by_default, &callers_child_action_);
    sigset_t wanted = heeded(passed_on);
    ::sigaddset(&wanted, SIGCHLD);
    fd_ = watch(wanted);
    ::sigaddset(&wanted, SIGPIPE);  // the reader of stderr may end before this process
    ::sigprocmask(SIG_BLOCK, &wanted, &callers_mask_);
  }
  ~signal_takeover() {
    // Drop the signal of a broken pipe: the write has reported it, and it must not end this process after all.
    sigset_t pipe;
    ::sigemptyset(&pipe);
    ::sigaddset(&pipe, SIGPIPE);
    const timespec no_time = {};
    ::sigtimedwait(&pipe, nullptr, &no_time);
    ::sigaction(SIGCHLD, &callers_child_action_, nullptr);
    ::sigprocmask(SIG_SETMASK, &callers_mask_, nullptr);
  }
  signal_takeover(const signal_takeover&) = delete;
  signal_takeover& operator=(const signal_takeover&) = delete;

  const sigset_t& callers_mask() const noexcept { return callers_mask_; }

  signalfd_siginfo next() const {
    signalfd_siginfo info = {};
    while (::read(fd_.get(), &info, sizeof info) != sizeof info && errno == EINTR) {
    }
    return info;
  }

private:
  sigset_t callers_mask_;
  struct sigaction callers_child_action_;
  descriptor fd_;
};

// If descriptor 0, 1 or 2 were closed, the next file to be opened, perhaps the job's memory, would take its number, and
// the first print would write to it.
void occupy_standard_descriptors() {
  int fd = 0;
  while ((fd = ::open("/dev/null", O_RDWR | O_CLOEXEC)) >= 0 && fd <= STDERR_FILENO) {
    ::fcntl(fd, F_SETFD, 0);  // the PEs get these
  }
  ::close(fd);
}

// Uses SIGTSTP with its default action. raise(SIGSTOP) differs: the kernel does not let SIGTSTP stop a process group
// that no shell could continue.
void stop_until_continued() {
  sigset_t stop;
  ::sigemptyset(&stop);
  ::sigaddset(&stop, SIGTSTP);
  ::raise(SIGTSTP);
  ::sigprocmask(SIG_UNBLOCK, &stop, nullptr);
  ::sigprocmask(SIG_BLOCK, &stop, nullptr);
}

// The supervisor was killed. The PEs die with it, and the processes that they started become our children.
int end_what_is_left(const launch_options& options, pid_t supervisor, int signal) {
  // Repeats, because processes may fork; gives up eventually, because some may belong to another user.
  for (int round = 0; round < 100; ++round) {
    const std::vector<pid_t> left = living_descendants();
    if (left.empty()) break;
    for (const pid_t pid : left) ::kill(pid, SIGKILL);
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  }
  while (::waitpid(-1, nullptr, WNOHANG) > 0) {
  }
  std::fprintf(stderr, "%s: its supervisor (process %d) was killed by %s; ended all PEs\n", options.name.c_str(),
               static_cast<int>(supervisor), name_signal(signal).c_str());
  return 128 + signal;
}

// Ctrl-C and the like reach the whole process group, which includes the supervisor and the PEs. SIGHUP does not: when a
// terminal closes, the kernel signals only the session leader.
bool is_from_keyboard(const signalfd_siginfo& info) {
  const auto signal = static_cast<int>(info.ssi_signo);
  return info.ssi_code == SI_KERNEL && (signal == SIGINT || signal == SIGQUIT || signal == SIGTSTP);
}

// Passes signals on until the supervisor ends, and returns the status of the job.
int relay_signals(const launch_options& options, const signal_takeover& signals, pid_t supervisor,
                  const descriptor& orders) {
  for (;;) {
    const signalfd_siginfo info = signals.next();
    const auto signal = static_cast<int>(info.ssi_signo);
    if (signal == SIGCHLD) {
      int status = 0;
      if (::waitpid(supervisor, &status, WNOHANG) != supervisor) continue;
      if (WIFEXITED(status)) return WEXITSTATUS(status);
      return end_what_is_left(options, supervisor, WTERMSIG(status));
    }
    // Fails only if the supervisor has just ended.
    const signal_order order{signal};
    const bool is_known = is_from_keyboard(info) || ::write(orders.get(), &order, sizeof order) > 0;
    if (!is_known) continue;
    if (signal == SIGTSTP) stop_until_continued();
  }
}

}  // namespace

int launch(const launch_options& options, const std::vector<std::string>& command) {
  occupy_standard_descriptors();
  const signal_takeover signals;
  pipe_ends orders = pipe_ends::make();
  // An orphan below this process becomes a child of this process or of the supervisor.
  ::prctl(PR_SET_CHILD_SUBREAPER, 1);
  const pid_t supervisor = orders.write.is_open() ? ::fork() : -1;
  if (supervisor < 0) {
    const int error = errno;
    std::fprintf(stderr, "%s: cannot start: %s%s\n", options.name.c_str(), std::strerror(error),
                 descriptor_advice(error).c_str());
    return 2;
  }
  if (supervisor == 0) {
    orders.write.close();
    sigset_t all;
    ::sigfillset(&all);
    ::sigprocmask(SIG_BLOCK, &all, nullptr);
    // Not exit: buffers and exit handlers belong to the launcher.
    ::_exit(supervise(options, command, std::move(orders.read), signals.callers_mask()));
  }
  orders.read.close();
  const int status = relay_signals(options, signals, supervisor, orders.write);
  ::prctl(PR_SET_CHILD_SUBREAPER, 0);
  return status;
}

}  // namespace shoal::internal::launcher
