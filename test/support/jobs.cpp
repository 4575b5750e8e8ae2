#include "test/support/jobs.hpp"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "shoal/base/random.hpp"

namespace shoal::test {
namespace {

// Processor time, not real time: a slow machine, or one that stops us for a while, is not a failure.
constexpr long cpu_seconds_per_seed = 20;

// The kernel ends the child when this test is ended.
void die_with_parent() { ::prctl(PR_SET_PDEATHSIG, SIGKILL); }

void limit_cpu_time() {
  const itimerval limit{.it_interval = {}, .it_value = {.tv_sec = cpu_seconds_per_seed, .tv_usec = 0}};
  ::setitimer(ITIMER_PROF, &limit, nullptr);
}

std::string replay_line(std::uint64_t seed) {
  std::array<char, 4096> path{};
  const ssize_t n = ::readlink("/proc/self/exe", path.data(), path.size());
  const testing::TestInfo* test = testing::UnitTest::GetInstance()->current_test_info();
  return "SHOAL_TEST_SEED=" + std::to_string(seed) + " " +
         std::string(path.data(), n < 0 ? 0 : static_cast<std::size_t>(n)) +
         " --gtest_filter=" + (test == nullptr ? "*" : test->test_suite_name()) + "." +
         (test == nullptr ? "*" : test->name());
}

int n_failures() {
  const testing::TestInfo* test = testing::UnitTest::GetInstance()->current_test_info();
  return test == nullptr ? 0 : test->result()->total_part_count();
}

// The child's whole run: seeds from `first` on. It always writes the current seed where the parent reads it.
[[noreturn]] void run_seeds(std::atomic<std::uint64_t>& at_work, std::uint64_t first, std::uint64_t last,
                            const std::function<void(std::uint64_t)>& one) {
  die_with_parent();
  const int n_failures_before = n_failures();
  for (std::uint64_t seed = first; seed <= last; ++seed) {
    at_work.store(seed);
    limit_cpu_time();
    one(seed);
    if (n_failures() != n_failures_before) break;
    at_work.store(seed + 1);
  }
  std::fflush(nullptr);
  ::_exit(n_failures() != n_failures_before ? 1 : 0);
}

std::string how_it_ended(int status) {
  if (WIFSIGNALED(status)) {
    const int signal = WTERMSIG(status);
    if (signal == SIGPROF) return "ran for " + std::to_string(cpu_seconds_per_seed) + " s of processor time";
    return "was killed by signal " + std::to_string(signal);
  }
  return "ended with status " + std::to_string(WEXITSTATUS(status)) + " and what is printed above";
}

int wait_for(pid_t child) {
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return status;
}

template <class T, std::size_t N>
T one_of(random_engine& random, const std::array<T, N>& choices) {
  return choices[random.below(N)];
}

}  // namespace

settings simulated(std::int64_t n_pes, std::uint64_t seed) {
  settings chosen;
  chosen.substrate.value = substrate_kind::sim;
  chosen.n_pes.value = n_pes;
  chosen.sim.value.seed = seed;
  chosen.slot_bytes.value = 1024;
  chosen.n_slots.value = 64;
  chosen.heap_bytes.value = 1 << 20;
  chosen.memory_bytes.value = 64 << 20;  // of which spilled messages take only what they need
  return chosen;
}

settings on_threads(std::int64_t n_pes, bool is_tight, std::size_t n_mailboxes) {
  settings chosen = simulated(n_pes);
  chosen.substrate.value = substrate_kind::threads;
  if (is_tight) {
    chosen.slot_bytes.value = 64;
    chosen.n_slots.value = n_mailboxes + 1;
    chosen.n_shared_slots.value = 0;
  }
  return chosen;
}

settings hostile(std::uint64_t seed, const needs& least) {
  random_engine random(seed, 4711);
  settings chosen =
      simulated(1 + static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(least.n_pes_max))), seed);
  chosen.slot_bytes.value =
      std::max(least.slot_bytes, one_of(random, std::array<std::size_t, 5>{64, 64, 128, 256, 1024}));
  chosen.n_slots.value = least.n_mailboxes + one_of(random, std::array<std::size_t, 5>{1, 1, 2, 8, 64});
  chosen.n_shared_slots.value = one_of(random, std::array<std::int64_t, 5>{0, 0, 1, 2, -1});
  sim_settings& sim = chosen.sim.value;
  sim.link.latency_ns = one_of(random, std::array<std::uint64_t, 3>{200, 1000, 20'000});
  sim.refuse = one_of(random, std::array{0.0, 0.0, 0.3, 0.9});
  sim.hold = one_of(random, std::array{0.0, 0.0, 0.1, 0.5});
  // A longer time would show nothing new, and a PE that polls meanwhile makes the test slow.
  sim.hold_ns = sim.link.latency_ns * one_of(random, std::array<std::uint64_t, 2>{3, 30});
  sim.slow_share = one_of(random, std::array{0.0, 0.0, 0.3});
  sim.slow_factor = one_of(random, std::array{3.0, 20.0});
  sim.preempt = one_of(random, std::array{0.0, 0.0, 0.05, 0.3});
  // Drawn apart, so that all else stays as it was for a seed.
  random_engine of_workers(seed, 42);
  chosen.n_workers.value = one_of(of_workers, std::array<std::int64_t, 4>{1, 1, 2, 3});
  // Each switch of PEs then costs two system calls. One such seed can take longer than all others together.
  sim.lock_stacks = seed % 16 == 8;
  return chosen;
}

std::uint64_t number_from_environment(const char* name, std::uint64_t otherwise) {
  const char* text = std::getenv(name);
  return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

void run_job(const settings& chosen, const job_body& body) {
  const int status = run_with(chosen, [&](world& w) {
    body(w);
    return 0;
  });
  EXPECT_EQ(status, 0);
}

void for_seeds(std::uint64_t n, const std::function<void(std::uint64_t)>& one) {
  if (const std::uint64_t only = number_from_environment("SHOAL_TEST_SEED", 0); only != 0) {
    one(only);
    return;
  }
  n *= number_from_environment("SHOAL_TEST_SEEDS", 1);
  const std::uint64_t share = number_from_environment("SHOAL_TEST_SHARE", 1);
  n = (n + share - 1) / share;
  // A sanitizer takes several times as long, and a few seeds show what it looks for, or none does.
  const std::uint64_t n_sanitized = std::min<std::uint64_t>((n + 4) / 5, 100);
  std::uint64_t first = 1;
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
  n = n_sanitized;
#else
  if (number_from_environment("SHOAL_TEST_ASAN", 0) != 0 && number_from_environment("SHOAL_TEST_AFTER_ASAN", 0) != 0)
    first = n_sanitized + 1;
#endif
  void* page =
      ::mmap(nullptr, sizeof(std::atomic<std::uint64_t>), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(page, MAP_FAILED);
  auto& at_work = *new (page) std::atomic<std::uint64_t>(first);
  constexpr int n_failed_max = 3;
  for (int n_failed = 0; n_failed < n_failed_max && at_work.load() <= n;) {
    std::fflush(nullptr);
    const pid_t child = ::fork();
    if (child == 0) run_seeds(at_work, at_work.load(), n, one);
    ASSERT_GT(child, 0);
    const int status = wait_for(child);
    if (status == 0) break;
    ++n_failed;
    const std::uint64_t seed = at_work.fetch_add(1);
    ADD_FAILURE() << "seed " << seed << ": its process " << how_it_ended(status)
                  << "\nreplay with: " << replay_line(seed);
  }
  ::munmap(page, sizeof(std::atomic<std::uint64_t>));
}

outcome outcome_of(const std::function<int()>& job) {
  outcome found;
  int ends[2];
  if (::pipe(ends) != 0) return found;
  std::fflush(nullptr);
  const pid_t child = ::fork();
  if (child == 0) {
    die_with_parent();
    ::dup2(ends[1], STDERR_FILENO);
    ::close(ends[0]);
    ::close(ends[1]);
    limit_cpu_time();
    std::exit(job());  // as a main that returns
  }
  ::close(ends[1]);
  std::array<char, 4096> part{};
  for (ssize_t n = 0; (n = ::read(ends[0], part.data(), part.size())) > 0;) {
    found.error.append(part.data(), static_cast<std::size_t>(n));
  }
  ::close(ends[0]);
  const int status = wait_for(child);
  if (WIFEXITED(status)) found.status = WEXITSTATUS(status);
  if (WIFSIGNALED(status)) found.signal = WTERMSIG(status);
  return found;
}

outcome outcome_of(const settings& chosen, const job_body& body) {
  return outcome_of([&] {
    return run_with(chosen, [&](world& w) {
      body(w);
      return 0;
    });
  });
}

std::string simulated_by(const settings& chosen) {
  return " (sim: seed " + std::to_string(chosen.sim.value.seed) + ", " + std::to_string(chosen.n_pes.value) + " PEs)\n";
}

}  // namespace shoal::test
