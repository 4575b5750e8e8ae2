#include "shoal/substrate/internal/network/job_end.hpp"

#include <time.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <string>

#include "shoal/base/internal/ambient.hpp"

namespace shoal::internal::network {
namespace {

// How long another one may take to end this process: the launcher, or another PE.
constexpr time_t patience_with_others_s = 3;
constexpr int patience_with_own_thread_ms = 1000;

constexpr timespec one_ms{0, 1'000'000};

}  // namespace

job_end::job_end(guarded_wire& wire, local::local_substrate& inside, const node_map& nodes, const local::job_page& job,
                 leader_ring* ring)
    : wire_(wire), inside_(inside), nodes_(nodes), ring_(ring), watch_(nodes, job, ring), own_thread_(::gettid()) {}

void job_end::end(int status, std::string_view report) noexcept {
  if (::gettid() != own_thread_) wait_for_own_thread(status, report);
  ending_.claim();
  wire& between = wire_.enter_for_good();  // the library's abort may call exit
  // The first PE of a node to fail claims the report for its node. Rank 0 knows whether another node was faster.
  if (inside_.claim_report() && (is_one_node() || between.claim_report())) {
    print_report(between.rank(), report);
  } else {
    outlive_reporter(between);
  }
  between.abort(status);
  std::abort();  // never reached; gcc 12 forgets [[noreturn]] across the virtual call
}

// Returns if the PE's own thread does not come: it computes, and is not in the library either.
void job_end::wait_for_own_thread(int status, std::string_view report) noexcept {
  const last_words mine{status, report};
  const last_words* nobody = nullptr;
  if (!wanted_.compare_exchange_strong(nobody, &mine)) ending_thread::stay();  // another worker was first
  inside_.threads().notify_pe();
  for (int i = 0; i < patience_with_own_thread_ms; ++i) ::nanosleep(&one_ms, nullptr);
  if (wanted_.exchange(nullptr) == nullptr) ending_thread::stay();
}

// The reporter ends all PEs, if it can. Until then it may wait for this PE's answer to its claim.
void job_end::outlive_reporter(wire& between) noexcept {
  constexpr std::uint64_t patience_ns = std::uint64_t{patience_with_others_s} * 1'000'000'000;
  for (const std::uint64_t begin = inside_.now_ns(); inside_.now_ns() - begin < patience_ns;) {
    if (!is_one_node()) between.poll();
    ::nanosleep(&one_ms, nullptr);
  }
}

// Most launchers end the job when a process has died, and say how it died. Give them the time.
void job_end::look_for_dead() noexcept {
  if (wanted_.load(std::memory_order_relaxed) != nullptr) [[unlikely]] {
    if (const last_words* const its = wanted_.exchange(nullptr)) end(its->status, its->report);
  }
  const pe_id dead = watch_.look(inside_.now_ns());
  if (dead < 0) return;
  // If other PEs of the dead PE's node live, they have seen its death, too, and report first.
  const auto rank = static_cast<int>(dead);
  const bool has_mates = nodes_.members[nodes_.node_of[static_cast<std::size_t>(rank)]].size() > 1;
  timespec patience{!nodes_.is_here(rank) && has_mates ? 2 * patience_with_others_s : patience_with_others_s, 0};
  while (::nanosleep(&patience, &patience) != 0) {
  }  // interrupted, perhaps by the launcher's signal before it kills
  if (!watch_.is_dead(dead)) return;
  end(status_failure, "PE " + std::to_string(dead) + " has died without a report: killed, or left by _exit");
}

void job_end::bid_farewell() noexcept {
  inside_.finished();
  if (ring_ != nullptr) ring_->bid_farewell();
}

void job_end::meet() noexcept {
  // A PE that died after its last round will not come.
  constexpr std::uint64_t longest_ns = 30'000'000'000;
  const auto meet_on_node = [this, end_ns = inside_.now_ns() + longest_ns] {
    inside_.arrive({}, nullptr);
    inside_.wait_for_round([&] { return inside_.now_ns() < end_ns; });
  };
  meet_on_node();
  if (is_one_node()) return;
  if (ring_ == nullptr || !ring_->is_whole()) return let_others_leave();
  if (nodes_.is_leader()) ring_->meet();
  meet_on_node();
}

void job_end::let_others_leave() noexcept {
  constexpr timespec skew_max{0, 100'000'000};
  ::nanosleep(&skew_max, nullptr);
}

}  // namespace shoal::internal::network
