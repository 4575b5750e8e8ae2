#include "shoal/actor/internal/questions_under_way.hpp"

#include <algorithm>

#include "shoal/actor/internal/pending_answer.hpp"
#include "shoal/base/internal/pe_worker.hpp"
#include "shoal/conveyor/internal/exchange.hpp"

namespace shoal::internal {
namespace {

// How many questions of ask may be under way from the main program of a PE: as many as fill a buffer to each PE, if the
// budget has room for their places. More of them gain nothing, because places and frames leave the caches.
std::uint64_t questions_at_most(std::size_t budget_bytes, pe_id n_pes) noexcept {
  constexpr std::uint64_t n_for_each_pe = 2048;
  constexpr std::uint64_t least = 1024;
  constexpr std::uint64_t most = 65'536;
  const std::uint64_t n_wanted = n_for_each_pe * static_cast<std::uint64_t>(n_pes);
  return std::clamp(std::min<std::uint64_t>(n_wanted, budget_bytes / sizeof(pending_answer)), least, most);
}

// When a wait for answers is given up: when both have passed without any.
constexpr std::uint64_t ns_without_answers = 10'000'000;
constexpr unsigned n_turns_without_answers = 16;

}  // namespace

questions_under_way::questions_under_way(exchange& through, std::size_t budget_bytes, pe_id n_pes)
    : exchange_(through), is_shared_(through.parts().has_workers), single_{questions_at_most(budget_bytes, n_pes)} {}

// Tasks on other workers do not wait here: there are not many.
void questions_under_way::note_of_any_worker() {
  if (other_worker() != nullptr) {
    n_of_workers_.fetch_add(1, std::memory_order_relaxed);
    return;
  }
  ++n_;
  take_in_those_of_workers();
  if (n_ > single_.n_now) let_answers_come(n_, single_);
}

// Replies to them may have come before. Modulo 2^64 the sum is right all the same.
void questions_under_way::take_in_those_of_workers() noexcept {
  n_ += n_of_workers_.exchange(0, std::memory_order_relaxed);
}

// Not for ever: an answer may depend on what the main program does next. After each wait in which none came it may ask
// twice as many more, so that it does not wait for each. Time alone tells little where PEs share cores: a turn of this
// loop may last as long as the system lets others run.
void questions_under_way::let_answers_come(const std::uint64_t& n, limit& most) {
  const delivery& now = exchange_.now();
  if (now.running() != nullptr || now.working() != nullptr || now.answering() != nullptr) return;
  const std::uint64_t n_enough = most.n_most - most.n_most / 4;
  const std::uint64_t n_at_begin = n;
  std::uint64_t moved_at_ns = exchange_.backend().now_ns();
  unsigned n_turns = 0;  // since then
  for (unsigned patience = 0; n > n_enough;) {
    take_in_those_of_workers();
    const std::uint64_t n_before = n;
    exchange_.progress_or_idle(patience, true);
    const std::uint64_t now_ns = exchange_.backend().now_ns();
    if (n != n_before) {
      moved_at_ns = now_ns;
      n_turns = 0;
    }
    if (++n_turns > n_turns_without_answers && now_ns - moved_at_ns > ns_without_answers) {
      if (n < n_at_begin) most.n_more = 1;
      most.n_now = std::max(most.n_most, n + most.n_more - 1);
      most.n_more *= 2;
      return;
    }
  }
  most = limit{most.n_most};
}

}  // namespace shoal::internal
