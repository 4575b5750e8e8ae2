// Checks that waves keep their promises on this backend. Can be started on the PEs of any backend; prints "ok" and the
// result of a floating-point fold on PE 0. There is no world.
#include <gtest/gtest.h>

#include <cinttypes>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <memory>
#include <vector>

#include "shoal/base/random.hpp"
#include "shoal/control/internal/counting_wave.hpp"
#include "shoal/control/internal/plane.hpp"
#include "shoal/control/internal/wave.hpp"
#include "test/support/bare_substrate.hpp"

namespace shoal::internal {
namespace {

constexpr std::uint64_t n_generations = 200;

template <class T>
T value_of(std::span<const std::byte> bytes) {
  T value{};
  std::memcpy(&value, bytes.data(), sizeof value);
  return value;
}

template <class T>
void add(std::byte* into, const std::byte* from, std::size_t bytes) {
  const T sum = value_of<T>({into, bytes}) + value_of<T>({from, bytes});
  std::memcpy(into, &sum, sizeof sum);
}

template <class Done>
void wait_until(substrate& machine, control_plane& plane, Done is_done) {
  for (unsigned patience = 0; !is_done();) {
    if (plane.progress()) {
      patience = 0;
    } else {
      machine.wait(patience);
    }
  }
}

template <class T>
T fold(substrate& machine, control_plane& plane, wave& all, T mine) {
  all.contribute(std::as_bytes(std::span(&mine, 1)));
  wait_until(machine, plane, [&] { return all.is_complete(); });
  return value_of<T>(all.take());
}

std::shared_ptr<const group> everybody(substrate& machine) { return group::strided(machine, 0, 1, machine.n_pes()); }

// Some PEs sleep until the others come, and some come late.
void sums_repeat(substrate& machine, control_plane& plane) {
  wave all(plane, everybody(machine), {wave_kind::team, 1}, {.bytes = 8, .combine = add<std::uint64_t>});
  const auto n_pes = static_cast<std::uint64_t>(machine.n_pes());
  for (std::uint64_t generation = 0; generation < n_generations; ++generation) {
    EXPECT_EQ(fold<std::uint64_t>(machine, plane, all, generation), generation * n_pes);
  }
}

// The PEs of each parity in descending order, and at the same time all PEs; in pieces.
void teams_fold_at_once(substrate& machine, control_plane& plane) {
  std::vector<pe_id> members;
  for (pe_id pe = machine.n_pes() - 1; pe >= 0; --pe) {
    if (pe % 2 == machine.my_pe() % 2) members.push_back(pe);
  }
  const auto unite = [](std::byte* into, const std::byte* from, std::size_t bytes) {
    for (std::size_t i = 0; i < bytes; ++i) into[i] |= from[i];
  };
  const std::uint64_t id = 1 + static_cast<std::uint64_t>(machine.my_pe() % 2);
  wave gather(plane, group::listed(machine, id, members), {wave_kind::team, 2}, {.bytes = 1024, .combine = unite});
  wave all(plane, everybody(machine), {wave_kind::team, 2}, {.bytes = 1024, .combine = unite});
  for (std::uint64_t generation = 0; generation < n_generations; ++generation) {
    std::vector<std::byte> mine(1024);
    mine[static_cast<std::size_t>(machine.my_pe())] = std::byte{1};
    gather.contribute(mine);
    all.contribute(mine);
    wait_until(machine, plane, [&] { return gather.is_complete() && all.is_complete(); });
    std::vector<std::byte> ours(1024);
    for (const pe_id pe : members) ours[static_cast<std::size_t>(pe)] = std::byte{1};
    const std::span<const std::byte> gathered = gather.take();
    EXPECT_EQ(std::vector<std::byte>(gathered.begin(), gathered.end()), ours);
    EXPECT_EQ(all.take()[static_cast<std::size_t>(machine.n_pes() - 1)], std::byte{1});
  }
}

void calls_reach_everybody(substrate& machine, control_plane& plane) {
  const bool is_caller = machine.my_pe() == machine.n_pes() - 1;
  constexpr std::uint64_t one = 1;
  wave* called = nullptr;
  wave all(plane, everybody(machine), {wave_kind::world, 0},
           {.bytes = 8, .combine = add<std::uint64_t>, .on_call = [&] {
              called->contribute(std::as_bytes(std::span(&one, 1)));
            }});
  called = &all;
  for (std::uint64_t generation = 0; generation < n_generations; ++generation) {
    if (is_caller) all.call();
    wait_until(machine, plane, [&] { return all.is_complete(); });
    EXPECT_EQ(value_of<std::uint64_t>(all.take()), static_cast<std::uint64_t>(machine.n_pes()));
  }
}

double floating_point_sum(substrate& machine, control_plane& plane) {
  random_engine random(1, static_cast<std::uint64_t>(machine.my_pe()));
  const double mine = std::ldexp(random.uniform() - 0.5, static_cast<int>(random.below(60)));
  wave all(plane, everybody(machine), {wave_kind::team, 3}, {.bytes = 8, .combine = add<double>, .is_ordered = true});
  return fold(machine, plane, all, mine);
}

int run_pe(substrate& machine) {
  control_plane plane(machine);
  sums_repeat(machine, plane);
  teams_fold_at_once(machine, plane);
  calls_reach_everybody(machine, plane);
  const double sum = floating_point_sum(machine, plane);
  wait_until(machine, plane, [&] { return !plane.is_busy(); });
  machine.arrive({}, nullptr);
  wait_until(machine, plane, [&] { return machine.is_round_complete(); });
  machine.finished();
  const bool is_well = !testing::UnitTest::GetInstance()->ad_hoc_test_result().Failed();
  if (is_well && machine.my_pe() == 0) {
    std::printf("ok: %d PEs, %016" PRIx64 "\n", static_cast<int>(machine.n_pes()),
                value_of<std::uint64_t>(std::as_bytes(std::span(&sum, 1))));
  }
  return is_well ? 0 : 1;
}

}  // namespace
}  // namespace shoal::internal

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  return shoal::test::run_on_bare_substrate(shoal::internal::run_pe);
}
