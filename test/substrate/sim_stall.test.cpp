// Goal: a job that cannot move any more ends with a report that says who waits for what and how to replay it; a job
// that can still move is never reported.
// labels: sim
// timeout: 120
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>

#include "shoal/base/internal/contract.hpp"
#include "shoal/substrate/internal/sim/sim.hpp"
#include "shoal/substrate/internal/sim/stall_report.hpp"
#include "test/substrate/sim_programs.hpp"

namespace shoal::internal::sim {
namespace {

using test::world_of;

// The words of a layer above.
struct waits_for final : wait_reporter {
  std::string what;

  explicit waits_for(std::string text) : what(std::move(text)) {}
  std::string describe_wait() const override { return what; }
};

void wait_for_ever(substrate& machine) {
  for (unsigned patience = 0;;) machine.wait(patience);
}

TEST(sim_stall_death_test, names_time_seed_and_what_each_pe_waits_for) {
  const auto body = [](substrate& machine) {
    const pe_id me = machine.my_pe();
    const auto mine = std::make_unique<waits_for>("mailbox " + std::to_string(me) + ", done of PE 9 is missing");
    machine.on_stall(mine.get());
    if (me == 2) {
      buffer* open = machine.try_acquire();
      open->header.bytes = 0;
      machine.post(*open, 1);
    }
    if (me == 0) return 0;
    wait_for_ever(machine);
    return 0;
  };
  EXPECT_EXIT(run(world_of(3, 7), body), testing::ExitedWithCode(status_failure),
              "^shoal: nothing can move any more at [0-9]+ ns \\(substrate sim, seed 7, 3 PEs\\); "
              "replay with SHOAL_SUBSTRATE=sim SHOAL_PES=3 SHOAL_SEED=7 SHOAL_SLOTS=4 SHOAL_SLOT_BYTES=256\n"
              "shoal: PE 0 has returned\n"
              "shoal: PE 1 waits: mailbox 1, done of PE 9 is missing; unread buffers: 1, "
              "free slots: 4 of 4\n"
              "shoal: PE 2 waits: mailbox 2, done of PE 9 is missing; unread buffers: 0, "
              "free slots: 3 of 4\n$");
}

TEST(sim_stall_death_test, a_thousand_pes_in_few_lines) {
  const auto body = [](substrate& machine) {
    if (machine.my_pe() == 999) return 0;
    const auto mine = std::make_unique<waits_for>("finish");
    machine.on_stall(mine.get());
    test::barrier(machine);
    return 0;
  };
  EXPECT_EXIT(run(world_of(1000, 1), body), testing::ExitedWithCode(status_failure),
              "shoal: PEs 0-998 \\(999\\) wait: finish; unread buffers: 0, free slots: 4 of 4\n"
              "shoal: PE 999 has returned\n");
}

// What PEs say lies on stacks that are locked.
TEST(sim_stall_death_test, pes_with_locked_stacks_are_asked) {
  sim_settings locked;
  locked.lock_stacks = true;
  const auto body = [](substrate& machine) {
    const waits_for mine("a flag");
    machine.on_stall(&mine);
    wait_for_ever(machine);
    return 0;
  };
  EXPECT_EXIT(run(world_of(3, 1, locked), body), testing::ExitedWithCode(status_failure),
              "SHOAL_SIM=lock_stacks=1\nshoal: PEs 0-2 \\(3\\) wait: a flag");
}

// Slots lost to a PE that never returns them: everyone runs out of credit.
TEST(sim_stall_death_test, is_noticed_under_hostile_conditions_too) {
  const auto body = [](substrate& machine) {
    unsigned patience = 0;
    for (;;) {
      if (buffer* open = machine.try_acquire()) {
        open->header.bytes = 0;
        machine.post(*open, (machine.my_pe() + 1) % machine.n_pes());
      } else {
        static_cast<void>(machine.poll());
        machine.wait(patience);
      }
    }
    return 0;
  };
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    EXPECT_EXIT(run(world_of(4, seed, test::hostile()), body), testing::ExitedWithCode(status_failure),
                "nothing can move any more.*SHOAL_SIM=refuse=0.5,hold=0.29999999999999999,hold_ns=20000,");
  }
}

TEST(sim_stall_death_test, a_pe_that_polls_for_ever_is_named) {
  const auto body = [](substrate& machine) {
    const auto mine = std::make_unique<waits_for>("a flag");
    machine.on_stall(mine.get());
    if (machine.my_pe() == 1) {
      for (;;) static_cast<void>(machine.poll());
    }
    wait_for_ever(machine);
    return 0;
  };
  EXPECT_EXIT(run(world_of(3, 5), body), testing::ExitedWithCode(status_failure),
              "^shoal: PE 1 calls progress, advance or the like for ever: 1000000 calls in a row found nothing and "
              "nothing else can "
              "move at [0-9]+ ns \\(substrate sim, seed 5, 3 PEs\\); replay with .*SHOAL_SEED=5.*\n"
              "shoal: PEs 0,2 \\(2\\) wait: a flag.*\n"
              "shoal: PE 1 runs: a flag.*\n$");
}

TEST(sim_stall_death_test, several_pes_that_poll_or_pause_for_ever_are_noticed) {
  const auto body = [](substrate& machine) {
    unsigned patience = 0;
    for (;;) {
      static_cast<void>(machine.poll());
      if (machine.my_pe() == 1) machine.pause(patience);
      if (machine.my_pe() == 2) static_cast<void>(machine.is_round_complete());
    }
    return 0;
  };
  sim_settings slow;
  slow.slow_share = 0.3;
  EXPECT_EXIT(run(world_of(3, 5, slow), body), testing::ExitedWithCode(status_failure),
              "PE [012] calls progress, advance or the like for ever");
}

// --- No false alarms

TEST(sim_stall, a_pe_that_computes_for_long_is_waited_for) {
  simulation whole(world_of(2, 1));
  const int status = whole.run([](substrate& machine) {
    if (machine.my_pe() == 0) {
      for (int i = 0; i < 3'000'000; ++i) {
        machine.charge_ns(10);
        static_cast<void>(machine.poll());
      }
    }
    test::barrier(machine);
    return 0;
  });
  EXPECT_EQ(status, 0);
}

TEST(sim_stall, a_pe_may_poll_while_another_one_computes) {
  simulation whole(world_of(2, 1));
  const int status = whole.run([](substrate& machine) {
    if (machine.my_pe() == 0) machine.charge_ns(100'000'000);
    machine.arrive({}, nullptr);
    while (!machine.is_round_complete()) {
    }
    return 0;
  });
  EXPECT_EQ(status, 0);
}

TEST(sim_stall, a_pe_may_poll_until_a_deadline) {
  simulation whole(world_of(2, 1));
  const int status = whole.run([](substrate& machine) {
    while (machine.now_ns() < 100'000'000) static_cast<void>(machine.poll());
    return 0;
  });
  EXPECT_EQ(status, 0);
}

// The simulator does not see stores to a peer's heap. A PE that waits for one is woken to look.
TEST(sim_stall, flags_in_shared_memory_are_found) {
  simulation whole(world_of(4, 1));
  const int status = whole.run([](substrate& machine) {
    const pe_id me = machine.my_pe();
    auto* const mine = reinterpret_cast<volatile std::int64_t*>(machine.heap().mine());
    unsigned patience = 0;
    while (me != 0 && *mine == 0) machine.wait(patience);
    if (me + 1 < machine.n_pes()) {
      *reinterpret_cast<volatile std::int64_t*>(machine.heap().peer(me + 1)) = 1;
    }
    test::barrier(machine);
    return 0;
  });
  EXPECT_EQ(status, 0);
}

// One poll, then a wait, although more has arrived: unwise, but the PE must not wait until nothing else moves in the
// whole job.
TEST(sim_stall, a_pe_that_takes_one_buffer_at_a_time_misses_none) {
  simulation whole(world_of(4, 1));
  const int status = whole.run([](substrate& machine) {
    unsigned patience = 0;
    for (int i = 0; i < 4; ++i) {
      buffer* open = machine.try_acquire();
      open->header.bytes = 0;
      machine.post(*open, 0);
    }
    if (machine.my_pe() == 0) {
      for (int n = 16; n > 0;) {
        if (buffer* arrived = machine.poll()) {
          machine.release(*arrived);
          if (--n == 0) break;
        }
        machine.wait(patience);
        machine.charge_ns(20'000);
      }
      EXPECT_LT(machine.now_ns(), 1'000'000u);
    } else {
      machine.charge_ns(100'000'000);
    }
    test::barrier(machine);
    return 0;
  });
  EXPECT_EQ(status, 0);
}

// --- How a job ends

TEST(sim_end, the_status_is_that_of_the_first_failure_in_virtual_time) {
  EXPECT_EQ(run(world_of(4, 1), [](substrate&) { return 0; }), 0);
  EXPECT_EQ(run(world_of(4, 1),
                [](substrate& machine) {
                  machine.charge_ns(static_cast<std::uint64_t>(100'000 * (4 - machine.my_pe())));
                  return machine.my_pe() == 0 ? 0 : static_cast<int>(10 + machine.my_pe());
                }),
            13);
}

TEST(sim_end_death_test, one_report_with_the_seed) {
  const auto body = [](substrate& machine) {
    if (machine.my_pe() == 3) {
      ::dup2(STDERR_FILENO, STDOUT_FILENO);  // where the test looks
      std::printf("written before\n");
      machine.end_job(9, "handler failed");
    }
    test::barrier(machine);
    return 0;
  };
  EXPECT_EXIT(run(world_of(5, 7), body), testing::ExitedWithCode(9),
              "^written before\nshoal: PE 3: handler failed \\(sim: seed 7, 5 PEs\\)\n$");
}

TEST(sim_end_death_test, an_exception_that_leaves_the_body_ends_the_job) {
  EXPECT_EXIT(run(world_of(2, 7),
                  [](substrate& machine) -> int {
                    test::barrier(machine);
                    throw std::runtime_error("disk full");
                  }),
              testing::ExitedWithCode(status_failure),
              "^shoal: PE [01]: an exception left the program's body: disk full \\(sim: seed 7, 2 PEs\\)\n$");
}

TEST(sim_end_death_test, a_broken_contract_names_its_pe) {
  EXPECT_EXIT(run(world_of(3, 7),
                  [](substrate& machine) {
                    test::barrier(machine);
                    SHOAL_REQUIRE(machine.my_pe() != 1);
                    return 0;
                  }),
              testing::ExitedWithCode(status_failure), "^shoal: PE 1: broken requirement: machine.my_pe");
}

TEST(sim_end_death_test, calling_exit_is_refused) {
  EXPECT_EXIT(run(world_of(3, 7), [](substrate&) -> int { std::exit(0); }), testing::ExitedWithCode(status_usage),
              "^shoal: PE [012]: exit was called in the middle of the job");
}

TEST(sim_end_death_test, a_buffer_may_not_be_posted_twice) {
  EXPECT_EXIT(run(world_of(2, 7),
                  [](substrate& machine) {
                    buffer* open = machine.try_acquire();
                    open->header.bytes = 0;
                    machine.post(*open, 0);
                    machine.post(*open, 0);
                    return 0;
                  }),
              testing::ExitedWithCode(status_failure), "slot_is_this_pes_to_post");
}

// --- The text

TEST(stall_report, groups_equal_accounts) {
  using kind = pe_account::kind;
  const std::vector<pe_account> accounts = {{kind::waits, "a"}, {kind::waits, "b"},       {kind::waits, "a"},
                                            {kind::waits, "a"}, {kind::has_returned, ""}, {kind::runs, "a"}};
  EXPECT_EQ(lines_about_pes(accounts),
            "shoal: PEs 0,2-3 (3) wait: a\n"
            "shoal: PE 1 waits: b\n"
            "shoal: PE 4 has returned\n"
            "shoal: PE 5 runs: a\n");
}

TEST(stall_report, does_not_list_a_thousand_ranges) {
  std::vector<pe_account> accounts;
  for (int i = 0; i < 1000; ++i) {
    accounts.push_back({pe_account::kind::waits, i % 2 == 0 ? "even" : "odd"});
  }
  const std::string lines = lines_about_pes(accounts);
  EXPECT_LT(lines.size(), 200u);
  EXPECT_NE(lines.find("PEs 0,2,4,6,8,10,12,14,16,18,20,22,... (500) wait: even"), lines.npos);
}

// The settings in the report must be those that it was made from.
TEST(stall_report, names_every_knob_that_was_turned) {
  settings chosen = world_of(4, 9, test::hostile());
  chosen.sim.value.link.latency_ns = 77;
  chosen.n_shared_slots.value = 0;
  chosen.sim.value.lock_stacks = true;
  EXPECT_EQ(replay_environment(chosen),
            "SHOAL_SUBSTRATE=sim SHOAL_PES=4 SHOAL_SEED=9 SHOAL_SLOTS=4 SHOAL_SLOT_BYTES=256 "
            "SHOAL_SHARED_SLOTS=0 SHOAL_SIM=latency=77,refuse=0.5,hold=0.29999999999999999,hold_ns=20000,"
            "slow_share=0.29999999999999999,preempt=0.20000000000000001,lock_stacks=1");
}

TEST(stall_report, names_the_settings_that_the_environment_gave) {
  settings chosen = world_of(4, 9);
  chosen.memory_bytes = {1 << 20, "SHOAL_MEMORY"};
  chosen.n_hops = {2, "SHOAL_HOPS"};
  chosen.max_latency_us = {50, "SHOAL_MAX_LATENCY"};
  chosen.n_workers = {3, "SHOAL_WORKERS"};
  chosen.ns_per_byte = {0.1, "SHOAL_NS_PER_BYTE"};
  EXPECT_EQ(replay_environment(chosen),
            "SHOAL_SUBSTRATE=sim SHOAL_PES=4 SHOAL_SEED=9 SHOAL_SLOTS=4 SHOAL_SLOT_BYTES=256 SHOAL_MEMORY=1048576 "
            "SHOAL_HOPS=2 SHOAL_MAX_LATENCY=50 SHOAL_WORKERS=3 SHOAL_NS_PER_BYTE=0.10000000000000001");
  chosen.n_hops = {3, "number of PEs, nodes and memory budget"};
  EXPECT_EQ(replay_environment(chosen).find("HOPS"), std::string::npos);
}

}  // namespace
}  // namespace shoal::internal::sim
