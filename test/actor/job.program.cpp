// Opens and closes jobs in one process, in the way that its first argument names. Used by job.test.py and
// network/job.test.py.
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <system_error>
#include <thread>

#include "shoal/actor/internal/settings_table.hpp"
#include "shoal/base/setup_error.hpp"
#include "shoal/base/statistics_form.hpp"
#include "shoal/conveyor/conveyor.hpp"
#include "shoal/conveyor/internal/exchange.hpp"
#include "shoal/shoal.hpp"
#include "shoal/substrate/substrate_kind.hpp"

namespace {

using shoal::exit_policy;
using shoal::job;
using shoal::pe_id;

void require(bool is_so, const char* what) {
  if (!is_so) throw std::runtime_error(what);
}

void pause_ms(int ms) { std::this_thread::sleep_for(std::chrono::milliseconds(ms)); }

// --- Uses of a job. Values carry the number of the opening, so that one of another opening is detected.

void sum_by_actor(shoal::world& w, std::int64_t turn) {
  std::int64_t sum = 0;
  shoal::actor adder{w, [&](std::int64_t v) { sum += v; }};
  w.finish([&] {
    for (int i = 0; i < 300; ++i) {
      for (pe_id pe = 0; pe < w.n_pes(); ++pe) adder.send(pe, turn);
    }
  });
  require(sum == 300 * w.n_pes() * turn, "a superstep lost messages, or got those of another opening");
}

void sum_by_closures(shoal::world& w, std::int64_t turn) {
  shoal::per_pe<std::int64_t> sum{w, std::int64_t{0}};
  w.finish([&] {
    for (pe_id pe = 0; pe < w.n_pes(); ++pe) w.send(pe, [s = sum.handle(), turn] { *s += turn; });
  });
  require(*sum == w.n_pes() * turn, "closures got lost");
}

void sum_by_conveyor(shoal::world& w, std::int64_t turn) {
  shoal::conveyor<std::int64_t> c{w};
  c.begin();
  std::int64_t sum = 0;
  std::int64_t n_pushed = 0;
  const std::int64_t n = 200 * w.n_pes();
  do {
    while (n_pushed < n && c.push(turn, static_cast<pe_id>(n_pushed % w.n_pes()))) ++n_pushed;
    while (const auto* item = c.pull()) sum += *item;
  } while (c.advance(n_pushed == n) != shoal::progress::complete);
  require(sum == n * turn, "a conveyor lost items, or got those of another opening");
  c.reset();
}

void use_heap(shoal::world& w, std::int64_t turn) {
  const auto words = w.allocate<std::int64_t>(64);
  for (const std::int64_t word : w.local(words)) require(word == 0, "the heap is not zeroed");
  w.barrier();
  if (w.is_one_sided()) {
    for (pe_id pe = 0; pe < w.n_pes(); ++pe) w.fetch_add(words, 3, turn, pe);
    w.quiet();
    w.barrier();
    require(w.local(words)[3] == w.n_pes() * turn, "additions got lost");
  }
  w.local(words)[5] = turn;  // for the next opening to find zeroed
  w.barrier();
}

void use(shoal::world& w, std::int64_t turn) {
  require(w.sum(turn) == turn * w.n_pes(), "a reduction is wrong");
  sum_by_actor(w, turn);
  sum_by_conveyor(w, turn);
  use_heap(w, turn);
  sum_by_closures(w, turn);
  // One PE is slow, a different one each time: it closes while the others open again.
  if (turn % w.n_pes() == w.my_pe()) pause_ms(turn % 3 == 0 ? 2 : 0);
}

std::size_t n_mappings() {
  std::ifstream maps("/proc/self/maps");
  std::size_t n = 0;
  for (std::string line; std::getline(maps, line);) ++n;
  return n;
}

// Counts memory that is not shared: slots are touched one by one.
std::int64_t resident_kib() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.starts_with("RssAnon:")) return std::strtoll(line.c_str() + 8, nullptr, 10);
  }
  return 0;
}

// The address sanitizer keeps freed memory for a while, maps more of its own, and looks for leaks itself.
#ifdef __SANITIZE_ADDRESS__
constexpr bool memory_is_ours = false;
#else
constexpr bool memory_is_ours = true;
#endif

void say_ok(pe_id pe) {
  if (pe == 0) std::printf("ok\n");
}

void open_many(const std::string& text) {
  const std::int64_t n = std::strtoll(text.c_str(), nullptr, 10);
  std::size_t n_mappings_before = 0;
  std::int64_t kib_before = 0;
  pe_id pe = 0;
  for (std::int64_t turn = 1; turn <= n; ++turn) {
    {
      job j;
      pe = j.world().my_pe();
      use(j.world(), turn);
    }
    if (turn != n / 5) continue;
    n_mappings_before = n_mappings();
    kib_before = resident_kib();
  }
  if (n >= 20 && memory_is_ours) {
    require(n_mappings() <= n_mappings_before + 4, "openings leave mappings");
    require(resident_kib() - kib_before < 4096, "openings leave memory");
  }
  say_ok(pe);
}

void run_again(const std::string&) {
  char* no_arguments[] = {nullptr};
  pe_id pe = 0;
  for (std::int64_t turn = 1; turn <= 3; ++turn) {
    const int status = shoal::run(0, no_arguments, [&](shoal::world& w) {
      pe = w.my_pe();
      use(w, turn);
      return 0;
    });
    require(status == 0, "shoal::run failed");
    job j;
    use(j.world(), turn);
  }
  say_ok(pe);
}

// A conveyor that an exception destroys half way leaves items in transit. They end with the job.
void leave_items(const std::string&) {
  pe_id pe = 0;
  for (std::int64_t turn = 1; turn <= 5; ++turn) {
    job j;
    shoal::world& w = j.world();
    pe = w.my_pe();
    use(w, turn);
    try {
      shoal::conveyor<std::int64_t> abandoned{w};
      abandoned.begin();
      for (std::int64_t i = 0; i < 50'000; ++i) {
        if (!abandoned.push(-1, static_cast<pe_id>(i % w.n_pes()))) abandoned.advance(false);
      }
      w.message_exchange().flush();
      throw std::runtime_error("no more of this");
    } catch (const std::runtime_error&) {
    }
  }
  say_ok(pe);
}

// --- Ends

exit_policy policy_of(const std::string& text) { return text == "close" ? exit_policy::close : exit_policy::report; }

// "close 3": PE 1 calls exit(3) while the others are in a barrier. "close 0": all do.
void exit_inside(const std::string& text) {
  const auto blank = text.find(' ');
  const int status = std::atoi(text.c_str() + blank + 1);
  auto* const j = new job(policy_of(text.substr(0, blank)));  // as in a library that does not learn of the end
  std::printf("PE %d\n", static_cast<int>(j->world().my_pe()));
  if (status == 0 || j->world().my_pe() == 1 % j->world().n_pes()) std::exit(status);
  j->world().barrier();
  pause_ms(10'000);
}

// As in a compatibility layer: some PEs return from main, one calls exit, one closes the job.
void leave_in_several_ways(const std::string& text) {
  static job* const j = new job(policy_of(text));  // as in programs that keep it in a global variable
  use(j->world(), 1);
  const pe_id pe = j->world().my_pe();
  say_ok(pe);
  if (pe == 1) std::exit(0);
  if (pe == 2) delete j;
}

void exit_in_finish(const std::string&) {
  job j(exit_policy::close);
  j.world().finish([&] { std::exit(0); });
}

void exit_in_handler(const std::string&) {
  job j(exit_policy::close);
  shoal::actor leaving{j.world(), [](long) { std::exit(0); }};
  j.world().finish([&] { leaving.send(0, 1L); });
}

void exit_alone(const std::string&) {
  job j(exit_policy::close);
  if (j.world().my_pe() == 1) std::exit(0);
  j.world().barrier();
}

// The child destroys its copy of the job, throws, and exits; the PE is not affected.
void fork_inside(const std::string& text) {
  std::optional<job> j(std::in_place, policy_of(text));
  for (const int status : {0, 3, 4}) {
    std::fflush(nullptr);
    const pid_t child = ::fork();
    if (child == 0) {
      if (status == 4) j.reset();
      std::exit(status);
    }
    int end = 0;
    ::waitpid(child, &end, 0);
    require(WIFEXITED(end) && WEXITSTATUS(end) == status, "the child did not end as it wished");
  }
  use(j->world(), 1);
  const pe_id pe = j->world().my_pe();
  j.reset();
  {
    job again;
    use(again.world(), 2);
  }
  say_ok(pe);
}

// Open descriptors by number, and what they are of.
std::map<int, std::string> open_descriptors() {
  std::map<int, std::string> found;
  for (const auto& each : std::filesystem::directory_iterator("/proc/self/fd")) {
    std::error_code is_closed_again;
    const std::string target = std::filesystem::read_symlink(each, is_closed_again).string();
    if (!is_closed_again && !target.ends_with("/fd")) found.emplace(std::stoi(each.path().filename()), target);
  }
  return found;
}

// Executes this program again from a forked child of each PE: see `list_descriptors` and `open_one`.
void exec_inside(const std::string& way) {
  std::string own_descriptors;
  for (const auto& [fd, target] : open_descriptors()) own_descriptors += std::to_string(fd) + '\n';
  ::setenv("OPEN_BEFORE", own_descriptors.c_str(), 1);
  job j;
  use(j.world(), 1);
  std::fflush(nullptr);
  const pid_t child = ::fork();
  if (child == 0) {
    ::execl("/proc/self/exe", "actor.job", way.c_str(), nullptr);
    ::_exit(1);
  }
  int end = 0;
  ::waitpid(child, &end, 0);
  require(WIFEXITED(end), "the child was killed");
  use(j.world(), 2);
  say_ok(j.world().my_pe());
}

// Prints the descriptors that Shoal has opened, or was given for itself, and that this program has inherited. Others
// are of the library, or were there before.
void list_descriptors(const std::string&) {
  const std::string before = '\n' + std::string(std::getenv("OPEN_BEFORE"));
  const bool has_library = std::getenv("SHOAL_JOB_FD") == nullptr;
  for (const auto& [fd, target] : open_descriptors()) {
    const bool is_new = before.find('\n' + std::to_string(fd) + '\n') == before.npos;
    if (target.find("shoal-") != target.npos || (is_new && !has_library)) std::printf("%s\n", target.c_str());
  }
}

void open_one(const std::string&) {
  job j;
  use(j.world(), 1);
}

// --- Mistakes

// The child of PE 0 is no PE: it is refused, and the job goes on.
void open_in_forked_child(const std::string& text) {
  job j;
  if (j.world().my_pe() == 0) {
    std::fflush(nullptr);
    const pid_t child = ::fork();
    if (child == 0) {
      if (text == "run") std::exit(shoal::run(0, nullptr, [](shoal::world&) {}));
      job again;
      std::exit(0);
    }
    int end = 0;
    ::waitpid(child, &end, 0);
    require(WIFEXITED(end) && WEXITSTATUS(end) == 2, "the child was not refused");
  }
  use(j.world(), 1);
  say_ok(j.world().my_pe());
}

void two_jobs(const std::string&) {
  job first;
  job second;
}

void job_in_run(const std::string&) {
  char* no_arguments[] = {nullptr};
  shoal::run(0, no_arguments, [](shoal::world&) { job j; });
}

void run_in_job(const std::string&) {
  job j;
  char* no_arguments[] = {nullptr};
  shoal::run(0, no_arguments, [](shoal::world&) {});
}

void other_settings(const std::string& which) {
  shoal::settings chosen = shoal::internal::settings_from_environment();
  {
    job j(chosen);
  }
  if (which == "slots") chosen.n_slots = {48, "the test"};
  if (which == "heap") chosen.heap_bytes = {std::size_t{1} << 20, "the test"};
  if (which == "stats") chosen.stats.value = shoal::statistics_form::table;
  job j(chosen);
}

void caught_settings(const std::string&) {
  shoal::settings chosen = shoal::internal::settings_from_environment();
  chosen.substrate = {shoal::substrate_kind::sim, "the test"};
  try {
    job j(chosen);
  } catch (const shoal::setup_error&) {
    std::printf("caught\n");
  }
  job j;
  use(j.world(), 1);
}

void throw_uncaught(const std::string&) {
  job j;
  j.world().barrier();
  if (j.world().my_pe() == 0) throw std::runtime_error("no such file");
  j.world().barrier();
}

void throw_uncaught_before(const std::string&) { throw std::runtime_error("no job is open"); }

void throw_out(const std::string&) {
  try {
    job j;
    if (j.world().my_pe() == 0) throw std::runtime_error("no such file");
    j.world().barrier();
  } catch (const std::exception&) {
  }
}

void close_within_catch(const std::string&) {
  pe_id pe = 0;
  try {
    throw std::runtime_error("caught");
  } catch (const std::exception&) {
    job j;
    use(j.world(), 1);
    pe = j.world().my_pe();
  }
  say_ok(pe);
}

void kill_in_second(const std::string&) {
  {
    job j;
  }
  job j;
  j.world().barrier();
  if (j.world().my_pe() == 1) ::raise(SIGKILL);
  j.world().barrier();
}

void kill_between(const std::string&) {
  pe_id pe = 0;
  {
    job j;
    pe = j.world().my_pe();
  }
  if (pe == 1) ::raise(SIGKILL);
  job j;
}

void leave_between(const std::string&) {
  pe_id pe = 0;
  {
    job j;
    pe = j.world().my_pe();
  }
  if (pe == 1) return;
  job j;
}

void close_with_objects(const std::string&) {
  auto j = std::make_unique<job>();
  auto* const left = new shoal::conveyor<long>(j->world());
  j.reset();
  static_cast<void>(left);
}

void close_in_finish(const std::string&) {
  auto j = std::make_unique<job>();
  j->world().finish([&] { j.reset(); });
}

void close_elsewhere(const std::string&) {
  auto j = std::make_unique<job>();
  std::thread([&] { j.reset(); }).join();
}

void open_elsewhere(const std::string&) {
  job j;
  std::thread([] { job other; }).join();
}

void early(const std::string&) {
  job j;
  if (j.world().my_pe() != 1) j.world().barrier();
}

const std::map<std::string, std::function<void(const std::string&)>> ways = {
    {"many", open_many},
    {"run_again", run_again},
    {"leave_items", leave_items},
    {"exit_inside", exit_inside},
    {"leave_in_several_ways", leave_in_several_ways},
    {"exit_in_finish", exit_in_finish},
    {"exit_in_handler", exit_in_handler},
    {"exit_alone", exit_alone},
    {"fork_inside", fork_inside},
    {"open_in_forked_child", open_in_forked_child},
    {"exec_inside", exec_inside},
    {"list_descriptors", list_descriptors},
    {"open_one", open_one},
    {"two_jobs", two_jobs},
    {"job_in_run", job_in_run},
    {"run_in_job", run_in_job},
    {"other_settings", other_settings},
    {"caught_settings", caught_settings},
    {"throw_uncaught", throw_uncaught},
    {"throw_uncaught_before", throw_uncaught_before},
    {"throw_out", throw_out},
    {"close_within_catch", close_within_catch},
    {"kill_in_second", kill_in_second},
    {"kill_between", kill_between},
    {"leave_between", leave_between},
    {"close_with_objects", close_with_objects},
    {"close_in_finish", close_in_finish},
    {"close_elsewhere", close_elsewhere},
    {"open_elsewhere", open_elsewhere},
    {"early", early},
};

}  // namespace

int main(int argc, char** argv) {
  const auto way = ways.find(argc > 1 ? argv[1] : "");
  if (way == ways.end()) return 99;
  way->second(argc > 2 ? argv[2] : "");
}
