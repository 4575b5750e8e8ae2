#include "shoal/base/internal/signal_reports.hpp"

#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cstddef>

#include "shoal/base/internal/ambient.hpp"

namespace shoal::internal {

constinit std::atomic<std::uint32_t> n_questions{0};

namespace {

struct known_signal {
  int number;
  bool is_error;
  const char* name;
};
constexpr std::array<known_signal, 7> known = {{
    {SIGSEGV, true, "segmentation fault"},
    {SIGBUS, true, "bus error"},
    {SIGFPE, true, "arithmetic error"},
    {SIGILL, true, "illegal instruction"},
    {SIGABRT, true, "abort"},
    {SIGQUIT, false, ""},
    {SIGUSR1, false, ""},
}};

// An overflown stack has no room for a handler.
constexpr std::size_t handler_stack_bytes = 64 << 10;

std::array<struct sigaction, known.size()> actions_before;
signal_set answered = 0;
constinit std::atomic<int> n_worlds{0};

constexpr std::size_t n_answering_max = 4096;
constinit std::array<std::atomic<int>, n_answering_max> answering{};  // thread ids; 0: nobody's place
constinit std::atomic<std::size_t> n_places{0};  // of them, those that anyone has had

std::size_t index_of(int signal) noexcept {
  std::size_t i = 0;
  while (known[i].number != signal) ++i;
  return i;
}

// Continues with the action of before. An instruction that failed fails again.
void leave_to_action_before(int signal) noexcept {
  ::sigaction(signal, &actions_before[index_of(signal)], nullptr);
  const bool comes_again = signal == SIGSEGV || signal == SIGBUS || signal == SIGFPE || signal == SIGILL;
  if (!comes_again) ::raise(signal);
}

// Somebody may also have sent the signal of an error.
bool was_sent(const siginfo_t& info) noexcept { return info.si_code <= 0; }

void on_error(int signal, siginfo_t* info, void*) {
  if (pe_context* const pe = pe_of_this_process()) {
    const bool has_address = (signal == SIGSEGV || signal == SIGBUS) && !was_sent(*info);
    pe->struck_by(signal, has_address ? info->si_addr : nullptr);
  }
  leave_to_action_before(signal);
  if (was_sent(*info) && signal != SIGABRT) ::raise(signal);
}

// A signal that a thread of this process passed on has this address with it.
void* const passed_on_mark = &n_questions;

bool is_passed_on(const siginfo_t& info) noexcept {
  return info.si_code == SI_QUEUE && info.si_pid == ::getpid() && info.si_value.sival_ptr == passed_on_mark;
}

void pass_on(int signal) noexcept {
  const auto self = static_cast<int>(::gettid());
  siginfo_t info = {};
  info.si_signo = signal;
  info.si_code = SI_QUEUE;
  info.si_pid = ::getpid();
  info.si_uid = ::getuid();
  info.si_value.sival_ptr = passed_on_mark;
  const std::size_t n = n_places.load(std::memory_order_acquire);
  for (std::size_t i = 0; i < n; ++i) {
    const int thread = answering[i].load(std::memory_order_relaxed);
    // A thread that has just ended is no PE any more.
    if (thread != 0 && thread != self) ::syscall(SYS_rt_tgsigqueueinfo, ::getpid(), thread, signal, &info);
  }
}

void on_question(int signal, siginfo_t* info, void*) {
  if (is_passed_on(*info)) {
    if (pe_context* const pe = pe_of_this_process()) pe->asked(true);
    return;
  }
  if (pe_context* const pe = pe_of_this_process()) {
    pe->asked(false);
    pass_on(signal);
  } else if (n_worlds.load(std::memory_order_relaxed) > 0 && is_process_of_pes()) {
    n_questions.fetch_add(1, std::memory_order_relaxed);
    pass_on(signal);
  } else {
    leave_to_action_before(signal);
  }
}

}  // namespace

signal_set signals_by_default() noexcept {
  signal_set by_default = 0;
  for (std::size_t i = 0; i < known.size(); ++i) {
    struct sigaction now = {};
    ::sigaction(known[i].number, nullptr, &now);
    if ((now.sa_flags & SA_SIGINFO) == 0 && now.sa_handler == SIG_DFL) by_default |= signal_set{1} << i;
  }
  return by_default;
}

void answer_signals(signal_set allowed) {
  stack_t stack = {};
  if (::sigaltstack(nullptr, &stack) == 0 && (stack.ss_flags & SS_DISABLE) != 0) {
    static std::byte* const memory = new std::byte[handler_stack_bytes];  // until the process ends
    stack = {.ss_sp = memory, .ss_flags = 0, .ss_size = handler_stack_bytes};
    ::sigaltstack(&stack, nullptr);
  }
  for (std::size_t i = 0; i < known.size(); ++i) {
    const signal_set bit = signal_set{1} << i;
    const signal_set mine = known[i].is_error ? allowed : allowed & signals_by_default();
    if ((mine & bit) == 0 || (answered & bit) != 0) continue;
    answered |= bit;
    struct sigaction ours = {};
    ours.sa_sigaction = known[i].is_error ? on_error : on_question;
    ours.sa_flags = SA_SIGINFO | SA_ONSTACK | (known[i].is_error ? 0 : SA_RESTART);
    ::sigaction(known[i].number, &ours, &actions_before[i]);
  }
}

answering_thread::answering_thread() noexcept : place_(nullptr) {
  const auto self = static_cast<int>(::gettid());
  for (std::size_t i = 0; i < answering.size(); ++i) {
    int nobody = 0;
    if (!answering[i].compare_exchange_strong(nobody, self, std::memory_order_relaxed)) continue;
    place_ = &answering[i];
    std::size_t n = n_places.load(std::memory_order_relaxed);
    while (n <= i && !n_places.compare_exchange_weak(n, i + 1, std::memory_order_release)) {
    }
    return;
  }
}

answering_thread::~answering_thread() {
  if (place_ != nullptr) place_->store(0, std::memory_order_relaxed);
}

own_handler_stack::own_handler_stack() : memory_(new std::byte[handler_stack_bytes]) {
  const stack_t stack = {.ss_sp = memory_, .ss_flags = 0, .ss_size = handler_stack_bytes};
  ::sigaltstack(&stack, nullptr);
}

own_handler_stack::~own_handler_stack() {
  const stack_t none = {.ss_sp = nullptr, .ss_flags = SS_DISABLE, .ss_size = 0};
  ::sigaltstack(&none, nullptr);
  delete[] memory_;
}

signals_for_others::signals_for_others() noexcept {
  sigset_t all_but_errors;
  ::sigfillset(&all_but_errors);
  for (const int error : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTRAP, SIGSYS}) {
    ::sigdelset(&all_but_errors, error);
  }
  ::pthread_sigmask(SIG_BLOCK, &all_but_errors, &before_);
}

signals_for_others::~signals_for_others() { ::pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

void note_world(int change) noexcept { n_worlds.fetch_add(change, std::memory_order_relaxed); }

const char* name_of_error(int signal) noexcept { return known[index_of(signal)].name; }

}  // namespace shoal::internal
