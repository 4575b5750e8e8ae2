// Goal: a main program that asks more than may be under way goes on if the answers depend on what it does next, without
// a wait for each question; a handler may keep any number of promises; answers of an ended world are refused. Method:
// PEs queue at a gate that PE 0 opens after its last question, by the simulator's clock; a budget too small for a message
// for each promise; a second world that gets a future of the first.
// labels: sim
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "shoal/shoal.hpp"
#include "test/support/jobs.hpp"

namespace shoal::test {
namespace {

constexpr std::uint64_t n_questions = 6000;  // of each PE; only 2,048 times the number of PEs may be under way
constexpr std::uint64_t ns_at_most = 200'000'000;  // twenty times what one wait takes

struct gate {
  bool is_open = false;
  std::vector<promise<void>> waiting;

  future<void> pass() {
    if (is_open) return future<void>::ready();
    return waiting.emplace_back().get_future();
  }
  void open() {
    is_open = true;
    for (promise<void>& each : std::exchange(waiting, {})) each.set();
  }
};

TEST(answers, may_depend_on_what_the_main_program_does_next) {
  for (const pe_id n_pes : {1, 2}) {
    run_job(simulated(n_pes), [](world& w) {
      gate its;
      lambda_actor gates{w, its};
      std::uint64_t n_passed = 0;
      w.finish([&] {
        const std::uint64_t begin_ns = w.now_ns();
        for (std::uint64_t i = 0; i < n_questions; ++i) {
          gates.ask(0, [](gate& there) { return there.pass(); }).then([&] { ++n_passed; });
        }
        EXPECT_LT(w.now_ns() - begin_ns, ns_at_most);
        w.barrier();
        if (w.my_pe() == 0) gates.send(0, [](gate& there) { there.open(); });
      });
      EXPECT_EQ(n_passed, n_questions);
    });
  }
}

TEST(answers, of_all_promises_that_a_handler_keeps_run_in_one_message) {
  settings chosen = simulated(1);
  chosen.memory_bytes.value = std::size_t{64} << 10;
  chosen.slot_bytes.value = 512;
  chosen.n_slots.value = 16;
  run_job(chosen, [](world& w) {
    std::vector<promise<std::uint64_t>> all(n_questions * 10);
    std::uint64_t sum = 0;
    actor keep{w, [&](std::uint64_t value) {
                 for (promise<std::uint64_t>& each : all) each.set(value);
               }};
    w.finish([&] {
      for (promise<std::uint64_t>& each : all) each.get_future().then([&](std::uint64_t value) { sum += value; });
      keep.send(0, 2);
    });
    EXPECT_EQ(sum, 2 * all.size());
  });
}

TEST(answers, of_a_world_that_has_ended_are_refused) {
  const auto wait_too_late = [] {
    std::optional<promise<int>> never_kept;
    future<int> answer;
    run_job(simulated(1), [&](world&) {
      never_kept.emplace();
      answer = never_kept->get_future();
    });
    run_job(simulated(1), [&](world&) { answer.get(); });
  };
  EXPECT_EXIT(
      wait_too_late(), testing::ExitedWithCode(2),
      "answers_sim.test.cpp:[0-9]+ waits for an answer \\(.*answers_sim.test.cpp:[0-9]+\\) whose world has ended");
}

}  // namespace
}  // namespace shoal::test
