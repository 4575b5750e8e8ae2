// Goal: what the parts of a world assume, they assert. Every test here breaks one assumption on purpose, on a simulated
// PE, and sees the line that names it.
#include <gtest/gtest.h>

#include <source_location>
#include <string>
#include <vector>

#include "shoal/actor/internal/adaptive_hops.hpp"
#include "shoal/actor/internal/collectives.hpp"
#include "shoal/actor/internal/main_program.hpp"
#include "shoal/actor/internal/pe_objects.hpp"
#include "shoal/actor/internal/termination.hpp"
#include "shoal/conveyor/internal/exchange.hpp"
#include "test/support/jobs.hpp"

namespace shoal {

using namespace internal;
namespace {

#if SHOAL_CHECKED

// A second set of a world's parts, over the same buffers.
struct parts {
  exchange& through;
  main_program caller;
  collectives waves;
  adaptive_hops hops;
  termination end;

  parts(world& w, const settings& chosen)
      : through(w), caller(through), waves(through, caller), hops(through, chosen), end(through, waves, hops) {}
};

void expect_broken(const std::string& expression, const std::function<void(parts&)>& body) {
  const settings chosen = test::simulated(1);
  const test::outcome seen = test::outcome_of(chosen, [&](world& w) {
    parts p(w, chosen);
    body(p);
  });
  EXPECT_EQ(seen.status, status_failure);
  EXPECT_NE(seen.error.find("PE 0: broken assertion: " + expression), std::string::npos) << seen.error;
}

void contribute(parts& p) {
  p.waves.arrive(collective_call::barrier, 0, {}, internal::combine_only_heads, std::source_location::current());
}

TEST(actor_invariants, a_pe_takes_part_in_one_round_at_a_time) {
  expect_broken("!is_under_way_", [](parts& p) {
    contribute(p);
    contribute(p);
  });
}

TEST(actor_invariants, a_round_has_a_result_only_for_those_who_contributed) {
  expect_broken("is_under_way_", [](parts& p) { p.waves.try_result(); });
}

TEST(actor_invariants, a_contribution_fits_into_a_round) {
  expect_broken("payload.size() <=", [](parts& p) {
    const std::vector<std::byte> much(round_bytes_max);
    p.waves.arrive(collective_call::barrier, 0, much, internal::combine_only_heads, std::source_location::current());
  });
}

TEST(actor_invariants, the_main_program_waits_in_one_call_at_a_time) {
  expect_broken("!of_.is_waiting_", [](parts& p) {
    const main_program::wait one(p.caller, p.through, "barrier", std::source_location::current());
    const main_program::wait other(p.caller, p.through, "barrier", std::source_location::current());
  });
}

TEST(actor_invariants, an_object_goes_once) {
  expect_broken("id < n_words_ && entry_at(id)->type != 0", [](parts& p) {
    pe_objects objects;
    const std::uint32_t id = objects.enlist(&p, object_type_of<decltype(p)>);
    objects.delist(id);
    objects.delist(id);
  });
}

// Contributes in one wave after the other what the test wants.
class made_up final : public awaited_messages {
public:
  explicit made_up(std::vector<wave_share> shares) : shares_(std::move(shares)) {}
  bool are_gone() const noexcept override { return true; }
  void flush() noexcept override {}
  wave_share join_wave() noexcept override { return shares_[next_++ % shares_.size()]; }

private:
  std::vector<wave_share> shares_;
  std::size_t next_ = 0;
};

void await(parts& p, std::vector<wave_share> shares) {
  made_up messages(std::move(shares));
  p.end.await(messages, collective_call::finish, 0, std::source_location::current());
}

TEST(actor_invariants, counts_of_sent_messages_only_grow) {
  expect_broken("all.counts.n_handled >= last.n_handled && all.counts.n_sent >= last.n_sent",
                [](parts& p) { await(p, {{.counts = {5, 2}, .traffic = {}}, {.counts = {4, 3}, .traffic = {}}}); });
}

TEST(actor_invariants, counts_of_handled_messages_only_grow) {
  expect_broken("all.counts.n_handled >= last.n_handled && all.counts.n_sent >= last.n_sent",
                [](parts& p) { await(p, {{.counts = {5, 2}, .traffic = {}}, {.counts = {6, 1}, .traffic = {}}}); });
}

TEST(actor_invariants, a_message_is_sent_before_it_is_handled) {
  expect_broken("all.counts.n_handled <= all.counts.n_sent",
                [](parts& p) { await(p, {{.counts = {3, 9}, .traffic = {}}, {.counts = {4, 9}, .traffic = {}}}); });
}

#else

TEST(actor_invariants, are_checked_in_checked_builds) { GTEST_SKIP() << "this build does not check assertions"; }

#endif

}  // namespace
}  // namespace shoal
