#include "shoal/base/internal/signal_reports.hpp"

#include <signal.h>

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

void on_question(int signal, siginfo_t*, void*) {
  if (pe_context* const pe = pe_of_this_process()) {
    pe->asked();
  } else if (n_worlds.load(std::memory_order_relaxed) > 0 && is_process_of_pes()) {
    n_questions.fetch_add(1, std::memory_order_relaxed);
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

void note_world(int change) noexcept { n_worlds.fetch_add(change, std::memory_order_relaxed); }

const char* name_of_error(int signal) noexcept { return known[index_of(signal)].name; }

}  // namespace shoal::internal
