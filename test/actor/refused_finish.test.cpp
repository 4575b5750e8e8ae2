// Goal: where no buffers are left for a finish, all PEs are told alike by an exception, after which the world still works.
#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <vector>

#include "shoal/actor/actor.hpp"
#include "shoal/actor/closure.hpp"
#include "shoal/actor/per_pe.hpp"
#include "shoal/base/setup_error.hpp"
#include "shoal/conveyor/conveyor.hpp"
#include "test/support/jobs.hpp"

namespace shoal::test {
namespace {

// Makes conveyors until no slot is left.
std::vector<std::unique_ptr<conveyor<int>>> take_all_slots(world& w) {
  std::vector<std::unique_ptr<conveyor<int>>> all;
  try {
    for (;;) all.push_back(std::make_unique<conveyor<int>>(w));
  } catch (const setup_error&) {
    return all;
  }
}

TEST(finish, without_buffers_throws_and_may_be_tried_again) {
  for (const std::int64_t n_pes : {1, 3, 7}) {
    run_job(simulated(n_pes), [](world& w) {
      int n_handled = 0;
      actor count{w, [&](int) { ++n_handled; }};
      per_pe<int> n_run{w, 0};
      {
        const auto conveyors = take_all_slots(w);
        for (int i = 0; i < 3; ++i) EXPECT_THROW(w.finish([] { ADD_FAILURE() << "the body ran"; }), setup_error);
      }
      for (int i = 0; i < 2; ++i) {
        w.finish([&] {
          for (pe_id pe = 0; pe < w.n_pes(); ++pe) {
            count.send(pe, 1);
            w.send(pe, [n = n_run.handle()] { ++*n; });
          }
        });
      }
      EXPECT_EQ(n_handled, 2 * w.n_pes());
      EXPECT_EQ(*n_run, 2 * w.n_pes());
    });
  }
}

TEST(finish, within_another_without_buffers_leaves_the_outer_one_as_it_was) {
  run_job(simulated(3), [](world& w) {
    per_pe<int> n_run{w, 0};
    const auto send_to_all = [&] {
      for (pe_id pe = 0; pe < w.n_pes(); ++pe) w.send(pe, [n = n_run.handle()] { ++*n; });
    };
    w.finish([&] {
      {
        const auto conveyors = take_all_slots(w);
        EXPECT_THROW(w.finish([] { ADD_FAILURE() << "the body ran"; }), setup_error);
      }
      send_to_all();
      w.finish(send_to_all);
    });
    EXPECT_EQ(*n_run, 2 * w.n_pes());
  });
}

}  // namespace
}  // namespace shoal::test
