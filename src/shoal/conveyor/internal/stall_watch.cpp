#include "shoal/conveyor/internal/stall_watch.hpp"

#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <span>
#include <string>
#include <utility>

#include "shoal/base/internal/ambient.hpp"
#include "shoal/base/internal/contract.hpp"
#include "shoal/base/internal/digest.hpp"
#include "shoal/base/internal/quoting.hpp"
#include "shoal/substrate/internal/debugger.hpp"
#include "shoal/substrate/internal/pe_threads.hpp"
#include "shoal/substrate/substrate_kind.hpp"

namespace shoal::internal {
namespace {

// A program that uses more CPU time from one fruitless call to the next is at work.
constexpr std::uint64_t cpu_ns_of_loop = 50'000;

// A loop may give up after some fruitless calls, which take long on a loaded machine.
constexpr unsigned n_calls_of_loop = 4096;

// More lines than that nobody reads.
constexpr pe_id n_lines_max = 64;

stall_share read(const std::byte* bytes) noexcept {
  stall_share share;
  std::memcpy(&share, bytes, sizeof share);
  return share;
}

void combine_shares(std::byte* into, const std::byte* from, std::size_t bytes) {
  SHOAL_ASSERT(bytes == sizeof(stall_share));
  stall_share sum = read(into);
  add_share(sum, read(from));
  std::memcpy(into, &sum, sizeof sum);
}

std::uint64_t cpu_ns_of_thread() noexcept {
  timespec now{};
  ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return static_cast<std::uint64_t>(now.tv_sec) * 1'000'000'000U + static_cast<std::uint64_t>(now.tv_nsec);
}

// Of where the program has called what waits; not of how much has gone where.
std::uint64_t digest_of(const waiting_call& call, stall_watch::place where, bool is_in_round) {
  digest all;
  if (call.name != nullptr) all.add(call.name);
  all.add(call.where.file_name());
  all.add_word(call.where.line());
  all.add_word(static_cast<std::uint64_t>(where) * 2 + (is_in_round ? 1 : 0));
  return all.value();
}

// By one write, since other PEs tell at the same time.
void print(const std::string& line) {
  const std::string shown = printable(line) + '\n';
  // If stderr is gone, nobody can be told.
  [[maybe_unused]] const auto n_written = ::write(STDERR_FILENO, shown.data(), shown.size());
}

std::string pes(pe_id n) { return std::to_string(n) + (n == 1 ? " PE" : " PEs"); }

bool is_large(pe_id n_pes) noexcept { return n_pes > n_lines_max; }

// Which PEs have not told, and which PEs a round waits for.
std::string missing(const stall_share& all, pe_id n_pes) {
  std::string text;
  if (is_large(n_pes) && all.n_in_no_group != 0) text += "; " + pes(all.n_in_no_group) + " are in none of these places";
  if (all.n_in_rounds == 0) return text;
  return text + "; " + pes(all.n_in_rounds) + (all.n_in_rounds == 1 ? " has" : " have") +
         " arrived at a collective call, or at the end of finish with all messages handled, but PE " +
         std::to_string(all.latest) +
         (all.n_latest == 1 ? " has not" : " and " + std::to_string(all.n_latest - 1) + " more have not");
}

std::string conclusion(const stall_share& all, pe_id n_pes) {
  return "nothing can move any more: " + (n_pes == 1 ? "the only PE waits" : "all " + pes(n_pes) + " wait") +
         " inside Shoal, and no buffer, credit or collective call is on its way" + missing(all, n_pes);
}

std::string warning(const stall_share& all, pe_id n_pes) {
  const bool is_one = all.n_looping == 1;
  return "nothing moves any more: " + std::to_string(all.n_looping) + " of " + pes(n_pes) +
         (is_one ? " loops" : " loop") + " around progress or advance" +
         (all.n_looping == n_pes ? "" : ", the others wait inside Shoal") + missing(all, n_pes) +
         "; the job goes on, since a clock, a file or a put may end " + (is_one ? "this loop" : "these loops") +
         " (said once)";
}

}  // namespace

namespace {

void add_group(stall_share& into, const stall_group& from) noexcept {
  for (stall_group& each : into.groups) {
    if (each.n != 0 && each.digest != from.digest) continue;
    each = {from.digest, each.n == 0 ? from.first : std::min(each.first, from.first), each.n + from.n};
    return;
  }
  into.n_in_no_group += from.n;
}

}  // namespace

void add_share(stall_share& into, const stall_share& from) noexcept {
  into.n_posted += from.n_posted;
  into.n_received += from.n_received;
  into.n_released += from.n_released;
  into.n_returned += from.n_returned;
  if (from.n_rounds_least == into.n_rounds_least) {
    into.latest = std::min(into.latest, from.latest);
    into.n_latest += from.n_latest;
  } else if (from.n_rounds_least < into.n_rounds_least) {
    into.n_rounds_least = from.n_rounds_least;
    into.latest = from.latest;
    into.n_latest = from.n_latest;
  }
  into.n_awaited_least = std::min(into.n_awaited_least, from.n_awaited_least);
  into.n_awake += from.n_awake;
  into.n_looping += from.n_looping;
  into.n_in_rounds += from.n_in_rounds;
  into.n_in_no_group += from.n_in_no_group;
  for (const stall_group& each : from.groups) {
    if (each.n != 0) add_group(into, each);
  }
}

// A round at which all have arrived is complete, or will be without anybody's help.
bool proves_stall(const stall_share& all) noexcept {
  return all.n_awake == 0 && all.n_posted == all.n_received && all.n_released == all.n_returned &&
         all.n_awaited_least > all.n_rounds_least;
}

stall_watch::stall_watch(substrate& backend, stall_action action, std::uint64_t patience_ns)
    : backend_(backend),
      action_(action),
      patience_ns_(patience_ns),
      // Where time is virtual and every order is to be tried, each wait looks.
      look_mask_(is_simulated(backend.kind()) ? 0 : waits_between_looks - 1),
      least_patience_(is_simulated(backend.kind()) ? 0 : 16),
      plane_(backend),
      wave_(plane_, group::strided(backend, 0, 1, backend.n_pes()), {wave_kind::world, 0},
            {.bytes = sizeof(stall_share), .combine = combine_shares, .on_call = [this] { is_called_ = true; }}) {}

stall_watch::~stall_watch() { plane_.close(); }

void stall_watch::look(place where, bool may_continue) {
  plane_.progress();
  if (wave_.is_complete()) {
    const stall_share all = read(wave_.take().data());
    if (phase_ == phase::telling) {
      conclude();
    } else {
      judge(all, where);
    }
  }
  const bool is_working = is_at_work(where);
  call_in_time(is_working);
  // At most once in a call of this function. So the caller has looked for something to do between two contributions.
  if (is_called_ && wave_.is_open()) contribute(where, may_continue || is_working);
  plane_.progress();
}

// A loop may compute between its calls. Its thread's time, unlike the clock, leaves out that it yields its core.
bool stall_watch::is_at_work(place where) noexcept {
  if (where == place::call) return false;
  if (is_simulated(backend_.kind())) return true;
  const std::uint64_t before_ns = std::exchange(cpu_ns_, cpu_ns_of_thread());
  return cpu_ns_ - before_ns > waits_between_looks * cpu_ns_of_loop || last_patience_ < n_calls_of_loop;
}

void stall_watch::call_in_time(bool is_working) {
  const std::uint64_t now_ns = backend_.now_ns();
  if (watched_wait_ != n_waits_ || is_working) {
    watched_wait_ = n_waits_;
    since_ns_ = now_ns;
  }
  if (has_called_ || phase_ != phase::watching || now_ns - since_ns_ < patience_ns_) return;
  since_ns_ = now_ns;
  has_called_ = true;
  n_calls_left_ = 1;  // two generations make a proof
  wave_.call();
}

void stall_watch::contribute(place where, bool may_continue) {
  is_called_ = false;
  // A slot that the caller could not have is on its way to the caller, who takes it in without a change of the counts.
  const control_plane::traffic of_waves = plane_.traffic_of_program();
  may_continue = may_continue || backend_.n_free() != 0 || of_waves.is_any_owed || backend_.threads().is_any_busy();
  flow_counts now = backend_.flow();
  now.n_posted += of_waves.n_sent;
  now.n_received += of_waves.n_received;
  const bool is_same = shared_wait_ == n_waits_ && shared_flow_ == now;
  const bool is_still = is_same && !may_continue && !might_continue_;
  might_continue_ = may_continue;
  shared_wait_ = n_waits_;
  shared_flow_ = now;
  stall_share mine = {.n_posted = now.n_posted,
                      .n_received = now.n_received,
                      .n_released = now.n_released,
                      .n_returned = now.n_returned,
                      .n_rounds_least = now.n_rounds,
                      .n_awaited_least = now.is_in_round ? now.n_rounds : UINT64_MAX,
                      .latest = backend_.my_pe(),
                      .n_latest = 1,
                      .n_awake = is_still ? 0 : 1,
                      .n_looping = where == place::loop ? 1 : 0,
                      .n_in_rounds = now.is_in_round ? 1 : 0};
  if (is_still) mine.groups[0] = {digest_of(backend_.call_now(), where, now.is_in_round), backend_.my_pe(), 1};
  wave_.contribute(std::as_bytes(std::span(&mine, 1)));
}

// Every PE judges the same shares, so all of them agree on what comes next.
void stall_watch::judge(const stall_share& all, place where) {
  const bool is_end = all.n_looping == 0;
  if (phase_ == phase::watching && proves_stall(all) && (is_end || !has_warned_)) {
    found_ = all;
    phase_ = phase::telling;
    has_called_ = false;
    tell(where);
    wave_.call();
  } else if (has_called_ && n_calls_left_ > 0) {
    --n_calls_left_;
    wave_.call();
  } else {
    has_called_ = false;
  }
}

// In a large job, only the first PE of each group tells.
void stall_watch::tell(place where) const {
  const auto is_mine = [this](const stall_group& g) { return g.n != 0 && g.first == backend_.my_pe(); };
  const auto mine = std::find_if(found_.groups.begin(), found_.groups.end(), is_mine);
  const bool is_first_only = is_large(backend_.n_pes());
  if (is_first_only && mine == found_.groups.end()) return;
  std::string more;
  if (found_.n_looping == 0 && action_ == stall_action::debug) {
    let_debuggers_attach();
    more += "; attach with: gdb -p " + std::to_string(::getpid());
  }
  if (is_first_only && mine->n > 1) more += "; " + std::to_string(mine->n - 1) + " more likewise";
  backend_.say(where == place::call ? " waits: " : " loops around progress or advance: ", more);
}

// All have told. The first PE says what that means.
void stall_watch::conclude() {
  const bool is_end = found_.n_looping == 0;
  phase_ = is_end ? phase::done : phase::watching;
  has_warned_ = has_warned_ || !is_end;
  if (backend_.my_pe() != 0) return;
  if (!is_end) return print("shoal: PE 0: " + warning(found_, backend_.n_pes()));
  const std::string report = conclusion(found_, backend_.n_pes());
  switch (action_) {
    case stall_action::report: backend_.end_job(status_failure, report); break;
    case stall_action::abort:
      if (backend_.claim_report()) print_report(0, report);
      std::abort();
    case stall_action::debug: print("shoal: PE 0: " + report + "; the job stays for a debugger (SHOAL_ON_STALL)");
  }
}

}  // namespace shoal::internal
