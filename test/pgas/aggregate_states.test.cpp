// Goal: misuse of `aggregate` ends the job with one line that names the place, the mistake and the fix; and what is
// legal but odd is right: no iterations, more reads than its memory takes, loops that only a true value ends,
// exceptions. Method: in the simulator, one PE or all make the call.
// labels: sim
#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "shoal/pgas.hpp"
#include "shoal/shoal.hpp"
#include "test/support/jobs.hpp"

namespace shoal::test {
namespace aggregate_states {
namespace {

using integers = distributed_array<std::int64_t>;
const array_options by_message{.reads_directly = false};

// `body` ends the job of two PEs with a line that has this text and a place in this file.
void expect_refused_loop(const job_body& body, const std::string& text) {
  SCOPED_TRACE(text);
  const outcome end = outcome_of(simulated(2), body);
  EXPECT_EQ(end.status, 2);
  EXPECT_EQ(end.error.rfind("shoal: PE ", 0), 0U) << end.error;
  EXPECT_NE(end.error.find(text), std::string::npos) << end.error;
  EXPECT_NE(end.error.find("test/pgas/aggregate_states.test.cpp:"), std::string::npos) << end.error;
}
// `loop` has an array of ten elements, which count from 0.
template <class Loop>
void expect_refused_in_loop(const Loop& loop, const std::string& text) {
  expect_refused_loop(
      [&](world& w) {
        integers a(w, 10, layout::cyclic, by_message);
        for (auto [index, value] : a.mine()) value = index;
        loop(a);
      },
      text);
}

TEST(aggregate_states, a_call_is_made_by_main_programs_of_the_job) {
  expect_refused_loop([](world&) { aggregate(-3, [](std::int64_t) {}); },
                      ": aggregate of -3 iterations; give 0 or more");
  expect_refused_in_loop(
      [](integers& a) { aggregate(1, [&](std::int64_t) { aggregate(1, [&](std::int64_t i) { a[i] = 1; }); }); },
      ": aggregate in a function that another aggregate calls; let that function do the reads itself");
  expect_refused_loop(
      [](world& w) {
        world team = w.split(0);
        team.finish([] { aggregate(1, [](std::int64_t) {}); });
      },
      ": aggregate in a team, whose arrays have no element access by []; call it outside of the team's finish");
  const outcome in_handler = outcome_of(simulated(2), [](world& w) {
    actor calls{w, [](std::int64_t) { aggregate(1, [](std::int64_t) {}); }, "calls"};
    w.finish([&] { calls.send(0, std::int64_t{1}); });
  });
  EXPECT_EQ(in_handler.status, 2);
  EXPECT_NE(in_handler.error.find("actor calls, message long: aggregate in a handler, where nothing may wait"),
            std::string::npos)
      << in_handler.error;
}

TEST(aggregate_states, functions_do_what_they_are_for) {
  expect_refused_in_loop([](integers& a) { aggregate(3, [&](std::int64_t i) { a[i + 8] = 1; }); },
                         "index 10 is out of range; the distributed array has 10 elements");
  expect_refused_in_loop(
      [](integers& a) { aggregate(3, [&](std::int64_t i) { return a[a[i] + 8]; }, [](std::int64_t, std::int64_t) {}); },
      "index 10 is out of range; the distributed array has 10 elements");
  expect_refused_in_loop(
      [](integers& a) {
        aggregate(3, [](std::int64_t i) { return i; }, [&](std::int64_t i, std::int64_t) { a[i] = a[i + 1]; });
      },
      ": iteration 0 of an aggregate reads an element in the second function; read it in the first, and return it");
  expect_refused_in_loop(
      [](integers& a) {
        aggregate(
            3,
            [&](std::int64_t i) {
              a[i] = 1;
              return i;
            },
            [](std::int64_t, std::int64_t) {});
      },
      ": iteration 0 of an aggregate changes an element in the first function; do it in the second");
  expect_refused_in_loop(
      [](integers& a) {
        aggregate(10, [&](std::int64_t i) {
          a[i] += 1;
          if (i == 4 && a[i] == 0) a[i] += 1;
        });
      },
      ": iteration 4 of an aggregate reads an element that it has changed before; keep the value in a variable");
  expect_refused_in_loop(
      [](integers& a) {
        aggregate(1, [&](std::int64_t i) {
          try {
            EXPECT_EQ(a[i], 0);
          } catch (...) {
          }
        });
      },
      ": iteration 0 of an aggregate has caught the exception by which a read leaves the function until its value is "
      "here; catch exceptions by their types, and no others");
}

TEST(aggregate_states, what_comes_before_a_read_is_the_same_each_time) {
  const std::string other =
      ": iteration 0 of an aggregate reads another element than when it ran before, with the same values; what it does "
      "before a read must be the same each time";
  expect_refused_in_loop(
      [](integers& a) {
        random_engine random(1);
        std::int64_t sum = 0;
        aggregate(1, [&](std::int64_t) { sum += a[random.below(10)]; });
      },
      other);
  expect_refused_in_loop(
      [](integers& a) {
        const auto random = std::make_unique<random_engine>(1);
        aggregate(1, [&](std::int64_t) { return a[random->below(10)]; }, [](std::int64_t, std::int64_t) {});
      },
      other);
}

#if SHOAL_CHECKED
TEST(aggregate_states, checked_builds_find_variables_that_change_before_a_read) {
  const std::string changed =
      " of an aggregate has run twice from its beginning and found other values in the program's variables the second "
      "time; what comes before a read may run again, so change variables after the last read, or in a second function";
  expect_refused_in_loop(
      [](integers& a) {
        std::int64_t n_reads = 0;
        std::int64_t sum = 0;
        aggregate(7, [&](std::int64_t i) {
          ++n_reads;
          sum += a[i];
        });
      },
      ": iteration 0" + changed);
  expect_refused_in_loop(
      [](integers& a) {
        std::vector<std::int64_t> found;
        aggregate(
            7,
            [&](std::int64_t i) {
              const std::int64_t value = a[i];
              if (value == 0) found.push_back(i);
              return value;
            },
            [](std::int64_t, std::int64_t) {});
      },
      ": iteration 0" + changed);
}

TEST(aggregate_states, checked_builds_find_iterations_that_depend_on_one_another) {
  expect_refused_in_loop(
      [](integers& a) { aggregate(5, [&](std::int64_t i) { a[i + 1] = a[i] + 1; }); },
      ": iteration 0 of an aggregate changes an element that iteration 1 reads or changes otherwise: "
      "the iterations are not independent, so the order in which they run would decide");
  expect_refused_in_loop(
      [](integers& a) {
        aggregate(5, [&](std::int64_t i) {
          if (i == 3) {
            a[7] = i;
          } else {
            a[7] += i;
          }
        });
      },
      ": iteration 3 of an aggregate changes an element that iteration 0 reads or changes otherwise");
}
#endif

TEST(aggregate_states, a_loop_without_iterations_is_a_call_all_the_same) {
  run_job(simulated(3), [](world& w) {
    integers a(w, 1, layout::cyclic, by_message);
    aggregate(w.my_pe() == 1 ? 1000 : 0, [&](std::int64_t) { ++a[0]; });
    EXPECT_EQ(a[0], 1000);
    aggregate(0, [&](std::int64_t i) { a[i] = 1; });
    aggregate(0, [&](std::int64_t i) { return a[i]; }, [](std::int64_t, std::int64_t) {});
    integers empty(w, 0);
    aggregate(w.my_pe(), [](std::int64_t i) { return i; }, [](std::int64_t, std::int64_t) {});
  });
}

// The changes of a run that ends at a read are those of the next run, too.
TEST(aggregate_states, changes_before_a_read_happen_once) {
  run_job(simulated(3), [](world& w) {
    integers a(w, 30, layout::cyclic, by_message);
    integers counts(w, 2, layout::cyclic, by_message);
    for (auto [index, value] : a.mine()) value = index;
    std::int64_t sum = 0;
    aggregate(30, [&](std::int64_t i) {
      counts[i % 2] += 1;
      sum += a[a[i]];
      counts[i % 2] -= 3;
    });
    EXPECT_EQ(sum, 29 * 30 / 2);
    for (const std::int64_t count : counts.local()) EXPECT_EQ(count, 15 * -2 * w.n_pes());
  });
}

// The list goes round; only the true values end the walk.
TEST(aggregate_states, a_walk_along_a_list_ends) {
  run_job(simulated(3), [](world& w) {
    const std::int64_t n = 50;
    integers next(w, n, layout::cyclic, by_message);
    for (auto [index, value] : next.mine()) value = (index + 1) % n;
    w.barrier();
    const auto length = [&](std::int64_t i) {
      std::int64_t steps = 0;
      for (std::int64_t at = i; at != 17; at = next[at]) ++steps;
      return steps;
    };
    std::int64_t sum = 0;
    aggregate(40, length, [&](std::int64_t, std::int64_t steps) { sum += steps; });
    std::int64_t sum_of_body = 0;
    aggregate(5, [&](std::int64_t i) { sum_of_body += length(12 + i); });
    std::int64_t expected = 0;
    for (std::int64_t i = 0; i < 40; ++i) expected += (17 - i + n) % n;
    EXPECT_EQ(sum, expected);
    EXPECT_EQ(sum_of_body, 5 + 4 + 3 + 2 + 1);
  });
}

// Made-up zeros lead out of an array, and to an exception.
TEST(aggregate_states, what_made_up_values_lead_to_is_dropped) {
  run_job(simulated(2), [](world& w) {
    const std::int64_t n = 20;
    integers a(w, n, layout::block, by_message);
    for (auto [index, value] : a.mine()) value = index + 1;
    std::int64_t sum = 0;
    aggregate(
        n - 1,
        [&](std::int64_t i) {
          const std::int64_t value = a[i];
          if (value == 0) throw std::runtime_error("no element is 0");
          return a[a[i] - 1] + a[a[value - 1]];
        },
        [&](std::int64_t, std::int64_t its) { sum += its; });
    EXPECT_EQ(sum, (n - 1) * n / 2 + (n - 1) * n / 2 + n - 1);
  });
}

// Independent reads are asked for together; what made-up values lead to is asked for in the first chunk alone.
TEST(aggregate_states, reads_are_guessed_where_guesses_are_right) {
  run_job(simulated(1), [](world& w) {
    const std::int64_t n = 2000;
    integers a(w, n + 1, layout::cyclic, by_message);
    for (auto [index, value] : a.mine()) value = (index * 7 + 1) % n;
    const std::int64_t runs_each = internal::are_iterations_checked ? 2 : 1;
    std::int64_t n_messages = 0;  // queries and answers that have come
    const auto note_messages = [&](std::int64_t i, std::int64_t) {
      if (i == n - 1) n_messages = static_cast<std::int64_t>(w.scopes().closures().counts().n_handled);
    };
    const auto n_runs = std::make_unique<std::int64_t>(0);
    aggregate(
        n,
        [&](std::int64_t i) {
          ++*n_runs;
          return a[i] + a[i + 1];
        },
        note_messages);
    EXPECT_EQ(*n_runs, 2 * n * runs_each);
    EXPECT_EQ(n_messages, 4 * n);

    const std::int64_t n_before = n_messages;
    *n_runs = 0;
    aggregate(
        n,
        [&](std::int64_t i) {
          ++*n_runs;
          return a[a[i]];
        },
        note_messages);
    EXPECT_EQ(*n_runs, 3 * n * runs_each);
    EXPECT_GE(n_messages - n_before, 4 * n);
    EXPECT_LE(n_messages - n_before, 4 * n + 2 * 64);
  });
}

// More than a run of the function may make up, and more than the memory is for.
TEST(aggregate_states, an_iteration_may_read_any_number_of_elements) {
  run_job(simulated(2), [](world& w) {
    const std::int64_t n = 10'000;
    distributed_array<std::int32_t> a(w, n, layout::block, by_message);
    for (auto [index, value] : a.mine()) value = static_cast<std::int32_t>(index % 7);
    const auto sum_all = [&](std::int64_t) {
      std::int64_t sum = 0;
      for (std::int64_t g = 0; g < n; ++g) sum += a[g];
      return sum;
    };
    std::int64_t n_right = 0;
    aggregate(3, sum_all, [&](std::int64_t, std::int64_t sum) { n_right += sum == n / 7 * 21 + 6; },
              {.memory_bytes = 10'000});
    EXPECT_EQ(n_right, 3);
  });
}

TEST(aggregate_states, an_exception_of_a_function_ends_the_job_with_its_text) {
  for (const bool in_use : {false, true}) {
    const outcome end = outcome_of(simulated(2), [in_use](world& w) {
      integers a(w, 10, layout::cyclic, by_message);
      const auto fail = [](std::int64_t i) {
        if (i == 5) throw std::runtime_error("no place for iteration 5");
      };
      if (!in_use) return aggregate(10, [&](std::int64_t i) { fail(a[i] + i); });
      aggregate(10, [&](std::int64_t i) { return a[i]; }, [&](std::int64_t i, std::int64_t) { fail(i); });
    });
    EXPECT_EQ(end.status, 1);
    EXPECT_NE(end.error.find("no place for iteration 5"), std::string::npos) << end.error;
  }
}

TEST(aggregate_states, elements_are_changed_one_by_one_outside) {
  run_job(simulated(3), [](world& w) {
    integers a(w, 4);
    distributed_array<float> b(w, 4);
    distributed_array<std::uint32_t> c(w, 4, layout::cyclic, by_message);
    a[1] += 5;
    a[1] -= 7;
    ++a[2];
    b[3] += 1.5F;
    b[3] -= 0.25F;
    c[0] -= 1;
    w.barrier();
    EXPECT_EQ(a[1], -6);
    EXPECT_EQ(a[2], 3);
    EXPECT_EQ(b[3], 3.75F);
    EXPECT_EQ(c[0], UINT32_MAX - 2);
  });
}

}  // namespace
}  // namespace aggregate_states
}  // namespace shoal::test
