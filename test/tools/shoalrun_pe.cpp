// A PE that does what its arguments say, for shoalrun_*.test.py. It shares only the layout of the job page with the
// library.
//
// Arguments are steps, done in order: "step" by every PE, "2:step" by PE 2 only, "!2:step" by all others.
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <map>
#include <string>

#include "shoal/substrate/internal/local/job_page.hpp"

namespace {

namespace local = shoal::internal::local;

int my_pe = 0;
local::job_page* page = nullptr;
volatile sig_atomic_t n_signals = 0;

void say(const std::string& text) {
  const std::string line = text + "\n";
  if (::write(STDOUT_FILENO, line.data(), line.size()) < 0) ::_exit(99);
}

int number(const char* variable) {
  const char* text = std::getenv(variable);
  return text == nullptr ? -1 : std::atoi(text);
}

void map_page() {
  my_pe = number(local::variable::pe);
  void* memory =
      ::mmap(nullptr, local::job_page_bytes, PROT_READ | PROT_WRITE, MAP_SHARED, number(local::variable::job_fd), 0);
  if (memory == MAP_FAILED) ::_exit(98);
  page = static_cast<local::job_page*>(memory);
  const bool is_right = page->magic == local::job_page_magic && page->n_pes == number(local::variable::n_pes);
  if (!is_right) ::_exit(97);
}

void sleep_seconds(const std::string& seconds) {
  // Sleeps for the whole time, even if signals interrupt it.
  timespec left{};
  const double s = std::atof(seconds.c_str());
  left.tv_sec = static_cast<time_t>(s);
  left.tv_nsec = static_cast<long>((s - static_cast<double>(left.tv_sec)) * 1e9);
  while (::nanosleep(&left, &left) != 0 && errno == EINTR) {
  }
}

std::string affinity() {
  cpu_set_t set;
  ::sched_getaffinity(0, sizeof set, &set);
  std::string cpus;
  for (int cpu = 0; cpu < CPU_SETSIZE; ++cpu) {
    if (CPU_ISSET(cpu, &set)) cpus += " " + std::to_string(cpu);
  }
  return cpus;
}

// A child that outlives us and keeps our output open, on request in its own session.
void leave_child(bool has_own_session) {
  if (::fork() != 0) return;
  if (has_own_session) ::setsid();
  ::signal(SIGTERM, SIG_IGN);
  sleep_seconds("100");
  ::_exit(0);
}

using action = std::function<void(const std::string&)>;

const std::map<std::string, action> actions = {
    {"running",
     [](auto&) {
       ++page->n_worlds[my_pe];
       page->stage[my_pe] = local::pe_stage::running;
     }},
    {"finished", [](auto&) { page->stage[my_pe] = local::pe_stage::finished; }},
    {"report",
     [](auto&) {
       page->reporter = my_pe + 1;
       std::fprintf(stderr, "the report of PE %d\n", my_pe);
     }},
    {"exit", [](auto& status) { ::_exit(std::atoi(status.c_str())); }},
    {"sleep", [](auto& seconds) { sleep_seconds(seconds); }},
    {"raise", [](auto& signal) { ::raise(std::atoi(signal.c_str())); }},
    {"ignore", [](auto& signal) { ::signal(std::atoi(signal.c_str()), SIG_IGN); }},
    {"count", [](auto& signal) { ::signal(std::atoi(signal.c_str()), [](int) { n_signals = n_signals + 1; }); }},
    {"exit_on", [](auto& signal) { ::signal(std::atoi(signal.c_str()), [](int) { ::_exit(0); }); }},
    {"await",
     [](auto&) {
       // Waits for one signal, and a little longer in case it comes twice.
       for (int i = 0; i < 1000 && n_signals == 0; ++i) sleep_seconds("0.01");
       sleep_seconds("0.2");
     }},
    {"counted", [](auto&) { say("PE " + std::to_string(my_pe) + " got " + std::to_string(n_signals)); }},
    {"say", [](auto& text) { say(text); }},
    {"pid", [](auto&) { say("PE " + std::to_string(my_pe) + " is " + std::to_string(::getpid())); }},
    {"cpus", [](auto&) { say("PE " + std::to_string(my_pe) + " on" + affinity()); }},
    {"child", [](auto&) { leave_child(false); }},
    {"daemon", [](auto&) { leave_child(true); }},
    {"fds",
     [](auto&) {
       // Open descriptors other than the standard ones and the job's memory.
       int n = 0;
       for (int fd = 3; fd < 1024; ++fd) {
         n += fd != number(local::variable::job_fd) && ::fcntl(fd, F_GETFD) >= 0;
       }
       say("extra descriptors: " + std::to_string(n));
     }},
    {"echo",
     [](auto&) {
       std::string text;
       char c = 0;
       while (::read(STDIN_FILENO, &c, 1) == 1) text += c;
       say("PE " + std::to_string(my_pe) + " read '" + text + "'");
     }},
    {"line",
     [](auto&) {
       std::string text;
       char c = 0;
       while (::read(STDIN_FILENO, &c, 1) == 1 && c != '\n') text += c;
       say("PE " + std::to_string(my_pe) + " read '" + text + "'");
     }},
    {"long", [](auto& length) { say(std::string(std::strtoul(length.c_str(), nullptr, 10), 'x')); }},
    {"open",
     [](auto& text) {
       if (::write(STDOUT_FILENO, text.data(), text.size()) < 0) ::_exit(99);
     }},
    {"lines",
     [](auto& count) {
       // In pieces, so that a tagger that does not wait for whole lines would mix them.
       for (int i = 0; i < std::atoi(count.c_str()); ++i) {
         const std::string line = "PE " + std::to_string(my_pe) + " line " + std::to_string(i) + "\n";
         for (std::size_t at = 0; at < line.size(); at += 3) {
           const std::string piece = line.substr(at, 3);
           if (::write(STDOUT_FILENO, piece.data(), piece.size()) < 0) ::_exit(99);
         }
       }
     }},
};

bool is_for_me(std::string& step) {
  const std::size_t colon = step.find(':');
  if (colon == step.npos) return true;
  const bool is_inverted = step[0] == '!';
  const int pe = std::atoi(step.c_str() + is_inverted);
  step.erase(0, colon + 1);
  return (pe == my_pe) != is_inverted;
}

}  // namespace

int main(int argc, char** argv) {
  map_page();
  for (int i = 1; i < argc; ++i) {
    std::string step = argv[i];
    if (!is_for_me(step)) continue;
    const std::size_t equals = step.find('=');
    const std::string value = equals == step.npos ? "" : step.substr(equals + 1);
    const auto found = actions.find(step.substr(0, equals));
    if (found == actions.end()) return 96;
    found->second(value);
  }
}
