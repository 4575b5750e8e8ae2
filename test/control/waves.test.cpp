// Goal: what src/shoal/control/internal/wave.hpp promises, promise by promise, over a network of many PEs in one thread.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "shoal/base/random.hpp"
#include "shoal/control/internal/plane.hpp"
#include "shoal/control/internal/wave.hpp"
#include "test/control/control_network.hpp"

namespace shoal::internal {
namespace {

using test::control_network;
using test::control_network_options;
using test::nodes_of;

template <class T>
std::span<const std::byte> bytes_of(const T& value) {
  return std::as_bytes(std::span<const T, 1>(&value, 1));
}

template <class T>
T value_of(std::span<const std::byte> bytes) {
  T value{};
  EXPECT_EQ(bytes.size(), sizeof value);
  std::memcpy(&value, bytes.data(), sizeof value);
  return value;
}

template <class T>
void add(std::byte* into, const std::byte* from, std::size_t bytes) {
  const T sum = value_of<T>({into, bytes}) + value_of<T>({from, bytes});
  std::memcpy(into, &sum, sizeof sum);
}

// PEs with their planes.
struct job {
  explicit job(control_network_options options) : network(std::move(options)) {
    for (pe_id pe = 0; pe < n_pes(); ++pe) planes.emplace_back(network.at(pe));
  }

  pe_id n_pes() { return network.at(0).n_pes(); }
  control_plane& plane(pe_id pe) { return planes[static_cast<std::size_t>(pe)]; }
  std::shared_ptr<const group> all(pe_id pe) { return group::strided(network.at(pe), 0, 1, n_pes()); }

  std::unique_ptr<wave> make(pe_id pe, wave_options options, std::uint32_t number = 1) {
    return std::make_unique<wave>(plane(pe), all(pe), wave_name{wave_kind::team, number}, std::move(options));
  }
  std::deque<std::unique_ptr<wave>> make_all(const wave_options& options) {
    std::deque<std::unique_ptr<wave>> waves;
    for (pe_id pe = 0; pe < n_pes(); ++pe) waves.push_back(make(pe, options));
    return waves;
  }

  // Runs until nothing is in transit and nothing has moved for longer than refusals can last.
  void run() {
    for (unsigned n_quiet = 0; n_quiet < 50;) {
      bool has_moved = network.n_under_way() > 0;
      for (control_plane& next : planes) has_moved |= next.progress();
      n_quiet = has_moved ? 0 : n_quiet + 1;
    }
  }
  std::uint64_t n_sent() {
    std::uint64_t n = 0;
    for (pe_id pe = 0; pe < n_pes(); ++pe) n += network.at(pe).n_sent;
    return n;
  }

  control_network network;
  std::deque<control_plane> planes;
};

const wave_options sum_of_words{.bytes = 8, .combine = add<std::uint64_t>};
constexpr std::uint64_t one = 1;

TEST(wave, tells_every_member_the_fold_once_for_each_generation) {
  job at({.n_pes = 23, .nodes = nodes_of(23, 4)});
  auto waves = at.make_all(sum_of_words);
  for (std::uint64_t generation = 1; generation < 6; ++generation) {
    for (auto& next : waves) {
      EXPECT_TRUE(next->is_open());
      next->contribute(bytes_of(generation));
      EXPECT_FALSE(next->is_open());
      EXPECT_FALSE(next->is_complete());
    }
    at.run();
    for (auto& next : waves) {
      ASSERT_TRUE(next->is_complete());
      EXPECT_FALSE(next->is_open());
      EXPECT_EQ(value_of<std::uint64_t>(next->take()), 23 * generation);
      EXPECT_TRUE(next->is_open());
      EXPECT_FALSE(next->is_complete());
    }
    EXPECT_EQ(at.n_sent(), 2 * 22 * generation);
  }
}

TEST(wave, of_one_pe_is_complete_at_once_and_sends_nothing) {
  job at({.n_pes = 1});
  auto alone = at.make(0, sum_of_words);
  alone->contribute(bytes_of(one));
  ASSERT_TRUE(alone->is_complete());
  EXPECT_EQ(value_of<std::uint64_t>(alone->take()), 1U);
  EXPECT_EQ(at.n_sent(), 0U);
}

// PE 0 has the children 1 to 4, and PE 4 has 5 and 6.
TEST(wave, knows_which_subtrees_it_lacks) {
  job at({.n_pes = 7});
  auto waves = at.make_all({.bytes = 8, .combine = add<std::uint64_t>, .is_ordered = true});
  for (const std::size_t pe : {0U, 1U, 3U, 4U, 5U}) waves[pe]->contribute(bytes_of(one));
  at.run();
  EXPECT_EQ(waves[0]->lacking(), (std::vector<pe_id>{2, 4}));
  EXPECT_EQ(waves[4]->lacking(), (std::vector<pe_id>{6}));
  EXPECT_TRUE(waves[5]->lacking().empty()) << "it has passed its own on";
  EXPECT_TRUE(waves[2]->lacking().empty()) << "it has not contributed";
  for (const std::size_t pe : {2U, 6U}) waves[pe]->contribute(bytes_of(one));
  at.run();
  for (auto& next : waves) {
    EXPECT_TRUE(next->lacking().empty());
    EXPECT_EQ(value_of<std::uint64_t>(next->take()), 7U);
  }
}

TEST(wave, may_have_nothing_to_say) {
  job at({.n_pes = 6});
  auto waves = at.make_all({});
  for (auto& next : waves) next->contribute({});
  at.run();
  for (auto& next : waves) EXPECT_TRUE(next->take().empty());
}

TEST(plane, does_nothing_while_no_wave_exists) {
  job at({.n_pes = 3});
  auto waves = at.make_all(sum_of_words);
  for (pe_id pe = 0; pe < 3; ++pe) EXPECT_FALSE(at.plane(pe).progress());
  waves.clear();
  for (pe_id pe = 0; pe < 3; ++pe) EXPECT_FALSE(at.plane(pe).progress());
  EXPECT_EQ(at.n_sent(), 0U);
}

TEST(plane, is_busy_while_somebody_waits_for_it) {
  job at({.n_pes = 2});
  auto waves = at.make_all(sum_of_words);
  EXPECT_FALSE(at.plane(1).is_busy());
  waves[1]->contribute(bytes_of(one));
  at.run();
  EXPECT_TRUE(at.plane(1).is_busy());  // until the result has arrived
  EXPECT_FALSE(at.plane(0).is_busy());
  waves[0]->contribute(bytes_of(one));
  EXPECT_TRUE(at.plane(0).is_busy());  // the result is owed
  at.run();
  EXPECT_FALSE(at.plane(0).is_busy());
  EXPECT_FALSE(at.plane(1).is_busy());
}

TEST(plane, lets_waves_end_in_any_state_once_it_is_closed) {
  job at({.n_pes = 3});
  auto waves = at.make_all(sum_of_words);
  waves[0]->contribute(bytes_of(one));
  waves[1]->contribute(bytes_of(one));
  at.plane(1).progress();  // owes the others nothing, and waits for the result
  for (pe_id pe = 0; pe < at.n_pes(); ++pe) at.plane(pe).close();
  waves.clear();  // otherwise misuse, as test/control/invariants.test.cpp says
}

TEST(wave, takes_in_what_came_before_it_was_made) {
  job at({.n_pes = 4});
  std::vector<std::unique_ptr<wave>> waves(4);
  for (pe_id pe = 3; pe >= 0; --pe) {
    waves[static_cast<std::size_t>(pe)] = at.make(pe, sum_of_words);
    waves[static_cast<std::size_t>(pe)]->contribute(bytes_of(one));
    at.run();
  }
  for (auto& next : waves) EXPECT_EQ(value_of<std::uint64_t>(next->take()), 4U);
}

TEST(wave, passes_its_result_on_after_its_end_while_its_name_is_used_again) {
  job at({.n_pes = 2, .refuse = 0});
  auto waves = at.make_all(sum_of_words);
  for (auto& next : waves) next->contribute(bytes_of(one));
  at.plane(1).progress();
  // PE 0 has 8 messages in flight, so the next one is refused.
  for (std::size_t i = 0; i < n_controls_max; ++i) {
    at.network.at(0).try_send_control(std::vector<std::byte>(sizeof(wave_header)), 1);
  }
  at.plane(0).progress();
  ASSERT_TRUE(waves[0]->is_complete());
  EXPECT_EQ(value_of<std::uint64_t>(waves[0]->take()), 2U);
  waves[0] = nullptr;
  EXPECT_TRUE(at.plane(0).is_busy());
  waves[0] = at.make(0, sum_of_words);
  constexpr std::uint64_t five = 5;
  waves[0]->contribute(bytes_of(five));

  control_message taken;  // what was in the way
  for (std::size_t i = 0; i < n_controls_max; ++i) ASSERT_TRUE(at.network.at(1).poll_control(taken));
  at.run();
  ASSERT_TRUE(waves[1]->is_complete());
  EXPECT_EQ(value_of<std::uint64_t>(waves[1]->take()), 2U);
  waves[1] = nullptr;
  waves[1] = at.make(1, sum_of_words);
  waves[1]->contribute(bytes_of(five));
  at.run();
  for (auto& next : waves) EXPECT_EQ(value_of<std::uint64_t>(next->take()), 10U);
}

TEST(wave, of_the_next_opening_waits_for_those_that_reopen_late) {
  job at({.n_pes = 3});
  at.plane(1).reopen();
  auto early = at.make(1, sum_of_words);
  early->contribute(bytes_of(one));
  at.run();
  auto old = at.make(0, sum_of_words);  // of the same name
  old = nullptr;
  at.plane(0).reopen();
  at.plane(2).reopen();
  auto root = at.make(0, sum_of_words);
  auto other = at.make(2, sum_of_words);
  root->contribute(bytes_of(one));
  other->contribute(bytes_of(one));
  at.run();
  EXPECT_EQ(value_of<std::uint64_t>(early->take()), 3U);
}

// --- Calls

// A wave that contributes soon after it is called.
struct called_member {
  called_member(job& at, pe_id pe, bool is_prompt)
      : part(at.plane(pe), at.all(pe), {wave_kind::world, 0},
             {.bytes = 8, .combine = add<std::uint64_t>, .on_call = [=, this] {
                ++n_calls;
                if (is_prompt) part.contribute(bytes_of(one));
              }}) {}
  unsigned n_calls = 0;
  wave part;
};

TEST(wave, that_is_called_asks_every_member_once) {
  job at({.n_pes = 30, .nodes = nodes_of(30, 7)});
  std::deque<called_member> members;
  for (pe_id pe = 0; pe < 30; ++pe) members.emplace_back(at, pe, true);
  at.run();
  EXPECT_EQ(at.n_sent(), 0U);
  members[17].part.call();
  at.run();
  for (const called_member& next : members) EXPECT_EQ(next.n_calls, 1U);
  const std::uint64_t n_sent = at.n_sent();
  EXPECT_GE(n_sent, 3U * 29 + 1);  // calls, contributions, results; the request on its way up
  EXPECT_LE(n_sent, 3U * 29 + 7);
  for (called_member& next : members) EXPECT_EQ(value_of<std::uint64_t>(next.part.take()), 30U);
  at.run();
  EXPECT_EQ(at.n_sent(), n_sent);
}

TEST(wave, merges_the_calls_of_all_members) {
  job at({.n_pes = 30});
  std::deque<called_member> members;
  for (pe_id pe = 0; pe < 30; ++pe) members.emplace_back(at, pe, true);
  for (called_member& next : members) next.part.call(), next.part.call();
  at.run();
  for (const called_member& next : members) EXPECT_EQ(next.n_calls, 1U);
  EXPECT_LE(at.n_sent(), 4U * 29);
}

TEST(wave, answers_a_call_that_came_while_it_was_under_way_by_the_next_generation) {
  job at({.n_pes = 5});
  std::deque<called_member> members;
  for (pe_id pe = 0; pe < 5; ++pe) members.emplace_back(at, pe, false);
  members[4].part.call();
  at.run();
  members[4].part.contribute(bytes_of(one));
  members[4].part.call();  // wants to contribute once more
  members[2].part.call();  // has yet to contribute to this one
  at.run();
  for (pe_id pe = 0; pe < 4; ++pe) members[static_cast<std::size_t>(pe)].part.contribute(bytes_of(one));
  at.run();
  for (called_member& next : members) {
    EXPECT_EQ(next.n_calls, 1U);  // the second call waits until the result has been taken
    next.part.take();
  }
  at.run();
  for (called_member& next : members) {
    EXPECT_EQ(next.n_calls, 2U);
    next.part.contribute(bytes_of(one));
  }
  at.run();
  for (called_member& next : members) EXPECT_EQ(value_of<std::uint64_t>(next.part.take()), 5U);
}

// --- Floating point

double summed(const std::vector<double>& values, std::size_t rank, std::size_t subtree) {
  double sum = values[rank];
  for (std::size_t unit = 1; unit < subtree; unit *= 4) {
    for (std::size_t d = 1; d <= 3 && rank + d * unit < values.size(); ++d)
      sum += summed(values, rank + d * unit, unit);
  }
  return sum;
}

std::vector<double> some_doubles(std::size_t n, random_engine& random) {
  std::vector<double> values;
  for (std::size_t i = 0; i < n; ++i) {
    values.push_back(std::ldexp(random.uniform() - 0.5, static_cast<int>(random.below(60))));
  }
  return values;
}

// The bits of the sum that a job computes.
std::uint64_t bits_of_sum(const std::vector<double>& values, control_network_options options, random_engine& random) {
  job at(std::move(options));
  auto waves = at.make_all({.bytes = 8, .combine = add<double>, .is_ordered = true});
  std::vector<std::size_t> late;
  for (std::size_t pe = 0; pe < waves.size(); ++pe) late.push_back(pe);
  for (std::size_t i = late.size() - 1; i > 0; --i) std::swap(late[i], late[random.below(i + 1)]);
  for (const std::size_t pe : late) {
    waves[pe]->contribute(bytes_of(values[pe]));
    at.plane(static_cast<pe_id>(random.below(waves.size()))).progress();
  }
  at.run();
  const auto bits = value_of<std::uint64_t>(waves[0]->take());
  for (std::size_t pe = 1; pe < waves.size(); ++pe) EXPECT_EQ(value_of<std::uint64_t>(waves[pe]->take()), bits);
  return bits;
}

TEST(wave, folds_floating_point_by_ranks_alone) {
  random_engine random(11);
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    const std::size_t n = 1 + random.below(80);
    SCOPED_TRACE(std::to_string(n) + " PEs, seed " + std::to_string(seed));
    const std::vector<double> values = some_doubles(n, random);
    double expected = summed(values, 0, std::size_t{1} << 20);
    if (n <= 4) {
      double plain = values[0];
      for (std::size_t i = 1; i < n; ++i) plain += values[i];
      EXPECT_EQ(plain, expected);
    }
    const std::uint64_t bits = value_of<std::uint64_t>(bytes_of(expected));
    const auto n_pes = static_cast<pe_id>(n);
    for (const pe_id per_node : {pe_id{1}, pe_id{2}, pe_id{3}, pe_id{16}, n_pes}) {
      for (const bool is_cyclic : {false, true}) {
        EXPECT_EQ(bits_of_sum(values,
                              {.n_pes = n_pes,
                               .nodes = nodes_of(n_pes, per_node, is_cyclic),
                               .seed = seed,
                               .refuse = 0.3,
                               .hold = 0.3,
                               .hold_polls_max = 100},
                              random),
                  bits);
      }
    }
    EXPECT_EQ(bits_of_sum(values, {.n_pes = n_pes}, random), bits);
  }
}

}  // namespace
}  // namespace shoal::internal
