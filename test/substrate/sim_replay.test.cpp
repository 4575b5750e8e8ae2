// Goal: a seed replays exactly, also in another process with another layout of its memory; another seed
// gives another schedule. Method: a hash over everything that happened.
// labels: sim
#include <gtest/gtest.h>

#include <array>
#include <cinttypes>
#include <cstdio>
#include <filesystem>
#include <set>
#include <string>

#include "test/substrate/sim_programs.hpp"

namespace shoal::internal::sim {
namespace {

using test::traffic;
using test::world_of;

std::uint64_t hash_of_run(std::int64_t n_pes, std::uint64_t seed, const sim_settings& knobs) {
  const settings chosen = world_of(n_pes, seed, knobs);
  // One program for all seeds, so that differences come from the schedule.
  const traffic program(world_of(n_pes, 1, knobs), 30);
  simulation whole(chosen);
  EXPECT_EQ(whole.run(program), 0);
  return whole.trace_hash();
}

TEST(sim_replay, equal_seeds_give_equal_runs) {
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    EXPECT_EQ(hash_of_run(5, seed, {}), hash_of_run(5, seed, {}));
    EXPECT_EQ(hash_of_run(5, seed, test::hostile()), hash_of_run(5, seed, test::hostile()));
  }
}

TEST(sim_replay, different_seeds_give_different_schedules) {
  std::set<std::uint64_t> plain;
  std::set<std::uint64_t> hostile;
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    plain.insert(hash_of_run(5, seed, {}));
    hostile.insert(hash_of_run(5, seed, test::hostile()));
  }
  EXPECT_EQ(plain.size(), 50u);
  EXPECT_EQ(hostile.size(), 50u);
}

std::uint64_t hash_to_compare() { return hash_of_run(7, 42, test::hostile()); }

TEST(sim_replay, prints_its_hash) { std::printf("hash %016" PRIx64 "\n", hash_to_compare()); }

std::string hash_in_a_new_process() {
  const std::string program = std::filesystem::read_symlink("/proc/self/exe");
  const std::string command = "'" + program + "' --gtest_filter=sim_replay.prints_its_hash";
  std::FILE* const output = ::popen(command.c_str(), "r");
  if (output == nullptr) return "no process";
  std::string hash = "no hash";
  for (std::array<char, 256> line{}; std::fgets(line.data(), line.size(), output) != nullptr;) {
    const std::string text = line.data();
    if (text.starts_with("hash ")) hash = text.substr(5, 16);
  }
  ::pclose(output);
  return hash;
}

// Each process has its code, heap and stacks elsewhere, so an order by address would show.
TEST(sim_replay, another_process_does_the_same) {
  std::array<char, 17> expected{};
  std::snprintf(expected.data(), expected.size(), "%016" PRIx64, hash_to_compare());
  for (int i = 0; i < 5; ++i) EXPECT_EQ(hash_in_a_new_process(), expected.data());
}

}  // namespace
}  // namespace shoal::internal::sim
