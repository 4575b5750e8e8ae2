// Goal: misuse of a distributed array ends the job with one line that names the place, the mistake and the fix. Method:
// in the simulator, one PE or all make the call.
// labels: sim
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <limits>
#include <memory>
#include <ranges>
#include <string>
#include <vector>

#include "shoal/base/setup_error.hpp"
#include "shoal/pgas.hpp"
#include "test/support/jobs.hpp"

namespace shoal::test {
namespace {

using numbers = distributed_array<std::int64_t>;
static_assert(std::ranges::forward_range<numbers::element_range>);

// `body` ends the job of two PEs with a line that has this text, and a place in this file if no actor is named.
void expect_refusal(const job_body& body, const std::string& text) {
  SCOPED_TRACE(text);
  const outcome end = outcome_of(simulated(2), body);
  EXPECT_EQ(end.status, 2);
  EXPECT_EQ(end.error.rfind("shoal: PE ", 0), 0U) << end.error;
  EXPECT_NE(end.error.find(text), std::string::npos) << end.error;
  const bool names_actor = text.rfind("actor ", 0) == 0;
  EXPECT_EQ(end.error.find("test/pgas/array_states.test.cpp:") == std::string::npos, names_actor) << end.error;
}

// On PE 0, in a superstep.
template <class Call>
void expect_refused_call(const Call& call, const std::string& text) {
  expect_refusal(
      [&](world& w) {
        numbers a(w, 10);
        w.finish([&] {
          if (w.my_pe() == 0) call(a);
        });
      },
      text);
}

TEST(array_states, an_index_is_in_range) {
  const std::string of_ten = " is out of range; the distributed array has 10 elements, counted from 0";
  expect_refused_call([](numbers& a) { a.put(10, 1); }, "index 10" + of_ten);
  expect_refused_call([](numbers& a) { a.add(-1, 1); }, "index -1" + of_ten);
  expect_refused_call([](numbers& a) { static_cast<void>(a.get(1'000'000'000'000)); }, "index 1000000000000" + of_ten);
  expect_refused_call([](numbers& a) { static_cast<void>(a.compare_exchange(10, 0, 1)); }, "index 10" + of_ten);
  expect_refused_call([](numbers& a) { static_cast<void>(a.owner(10)); }, "index 10" + of_ten);
  expect_refused_call([](numbers& a) { a[10] = 1; }, "index 10" + of_ten);
  expect_refused_call([](const numbers& a) { static_cast<void>(a[-1]); }, "index -1" + of_ten);
  std::vector<std::int64_t> wrong = {3, 10};
  std::vector<std::int64_t> values(2);
  const auto in_all = [&](const auto& call) {
    expect_refusal(
        [&](world& w) {
          numbers a(w, 10);
          call(a);
        },
        "index 10" + of_ten);
  };
  in_all([&](numbers& a) { a.gather(wrong, values); });
  in_all([&](numbers& a) { a.scatter(wrong, values); });
  expect_refusal(
      [](world& w) {
        numbers a(w, 0);
        if (w.my_pe() == 0) a[0] = 1;
        w.barrier();
      },
      "index 0 is out of range; the distributed array has 0 elements");
}

TEST(array_states, gather_and_scatter_take_one_value_for_each_index) {
  const std::vector<std::int64_t> indices(3);
  std::vector<std::int64_t> values(2);
  expect_refusal([&](world& w) { numbers(w, 10).gather(indices, values); },
                 ": gather of 3 indices and 2 values; give one value for each index, fewer than 2^32");
  expect_refusal([&](world& w) { numbers(w, 10).scatter(indices, values); },
                 ": scatter of 3 indices and 2 values; give one value for each index, fewer than 2^32");
}

TEST(array_states, all_construct_the_same) {
  expect_refusal([](world& w) { numbers(w, -5); }, ": a distributed array of -5 elements; give 0 or more");
  expect_refusal([](world& w) { numbers(w, distribution(layout::cyclic, 10, 3)); },
                 ": a distributed array over 3 PEs in a world of 2; give as many as it has");
  const std::string differ =
      ": PEs construct the distributed array with different sizes, distributions or options; give the same on all";
  expect_refusal([](world& w) { numbers(w, 10 + w.my_pe()); }, differ);
  expect_refusal([](world& w) { numbers(w, 10, layout::cyclic, {.reads_directly = w.my_pe() == 0}); }, differ);
  expect_refusal([](world& w) { numbers(w, 10, w.my_pe() == 0 ? layout::cyclic : layout::block); }, differ);
  expect_refusal(
      [](world& w) { distributed_array<char, block_cyclic>(w, block_cyclic(100, w.n_pes(), 10 + w.my_pe())); }, differ);
}

TEST(array_states, updates_are_in_a_superstep) {
  const auto refuse = [](const auto& call) {
    expect_refusal(
        [&](world& w) {
          numbers a(w, 10, layout::cyclic, {.name = "counts"});
          if (w.my_pe() == 0) call(a);
          w.barrier();
        },
        "actor counts, message closure: send outside finish; nothing would wait for it, so send inside world.finish");
  };
  refuse([](numbers& a) { a.put(3, 1); });
  refuse([](numbers& a) { a.add(3, 1); });
  refuse([](numbers& a) { static_cast<void>(a.get(3)); });
  refuse([](numbers& a) { static_cast<void>(a.compare_exchange(3, 0, 1)); });
}

TEST(array_states, a_team_has_no_access_one_by_one) {
  const auto refuse = [](const auto& call) {
    expect_refusal(
        [&](world& w) {
          world team = w.split(0);
          numbers a(team, 10);
          if (w.my_pe() == 0) call(a);
          w.barrier();
        },
        ": element access one by one, by [], needs symmetric memory, which a team has not; use get and put, or an "
        "array of "
        "the whole job");
  };
  refuse([](numbers& a) { a[3] = 1; });
  refuse([](numbers& a) { EXPECT_EQ(a[3], 0); });
  refuse([](const numbers& a) { EXPECT_EQ(a[3], 0); });
}

TEST(array_states, a_part_is_not_gathered_into_or_scattered_from_itself) {
  const std::string text =
      " of an array into or from its own part: it would change elements that are still to be read; give other memory, "
      "or "
      "copy the part first";
  expect_refusal(
      [](world& w) {
        numbers a(w, 10);
        const std::vector<std::int64_t> indices(a.local().size());
        a.gather(indices, a.local());
      },
      ": gather" + text);
  expect_refusal(
      [](world& w) {
        numbers a(w, 10);
        const std::vector<std::int64_t> indices(2);
        a.scatter(indices, a.local().last(2));
      },
      ": scatter" + text);
}

// Says of some indices that they are where they are not.
struct lying_distribution : distribution {
  using distribution::distribution;

  place place_of(std::int64_t g) const {
    const place right = distribution::place_of(g);
    return g < 5 ? right : place{right.pe, right.local + 1'000'000};
  }
};

TEST(array_states, a_distribution_agrees_with_itself) {
  expect_refusal(
      [](world& w) {
        distributed_array<std::int64_t, lying_distribution>(w, lying_distribution(layout::cyclic, 10, w.n_pes()));
      },
      ": the distribution of a distributed array puts index 9 on PE 1 at place 1000004, where its n_local or global "
      "say "
      "otherwise; all its functions must agree");
  for (const auto& [n, n_pes, block_size] :
       {std::array<std::int64_t, 3>{-1, 2, 3}, {10, 0, 3}, {10, 2, 0}, {10, 2, -3}}) {
    EXPECT_THROW(block_cyclic(n, n_pes, block_size), setup_error);
  }
}

TEST(array_states, an_array_may_outlive_the_job) {
  std::unique_ptr<numbers> kept;
  run_job(simulated(1), [&](world& w) { kept = std::make_unique<numbers>(w, 10); });
  kept.reset();
}

TEST(array_states, elements_are_indices_and_wrap) {
  run_job(simulated(2), [](world& w) {
    numbers a(w, 10);
    numbers b(w, 10);
    for (const auto [index, value] : a.mine()) value = std::numeric_limits<std::int64_t>::max();
    for (const auto [index, value] : b.mine()) value = 9 - index;
    w.barrier();
    w.finish([&] { a.add(3 + w.my_pe(), 1); });
    EXPECT_EQ(a[b[6]], std::numeric_limits<std::int64_t>::min());
    EXPECT_EQ(a[b[0]], std::numeric_limits<std::int64_t>::max());
  });
}

TEST(array_states, what_is_too_large_is_refused_before_it_is_built) {
  run_job(simulated(2), [](world& w) {
    const auto expect = [](const auto& make, const std::string& text) {
      try {
        make();
        ADD_FAILURE() << "no error: " << text;
      } catch (const setup_error& error) {
        EXPECT_NE(std::string(error.what()).find(text), std::string::npos) << error.what();
      }
    };
    expect([&] { numbers(w, std::int64_t{1} << 40); },
           "a distributed array with 549755813888 elements on one PE; at most 4,294,967,295 are possible, so use more "
           "PEs");
    expect([&] { numbers(w, std::int64_t{1} << 32); }, "SHOAL_HEAP");
    numbers a(w, 10);  // the job goes on
    w.finish([&] { a.add(3, 1); });
    EXPECT_EQ(a[3], 2);
  });
}

}  // namespace
}  // namespace shoal::test
