// Goal: waves run during a superstep, while its messages flow and handlers run, on the plane that looks for stalls, too.
// pes: 1 2 3 4 7
#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <span>

#include "shoal/actor/actor.hpp"
#include "shoal/actor/world.hpp"
#include "shoal/base/random.hpp"
#include "shoal/control/internal/plane.hpp"
#include "shoal/control/internal/wave.hpp"
#include "shoal/conveyor/internal/stall_watch.hpp"
#include "test/support/tests_on_pes.hpp"

namespace shoal::internal {
namespace {

void add_words(std::byte* into, const std::byte* from, std::size_t) {
  std::int64_t sum = 0;
  std::int64_t more = 0;
  std::memcpy(&sum, into, sizeof sum);
  std::memcpy(&more, from, sizeof more);
  sum += more;
  std::memcpy(into, &sum, sizeof sum);
}

template <class T>
T value_of(std::span<const std::byte> bytes) {
  T value;
  std::memcpy(&value, bytes.data(), sizeof value);
  return value;
}

template <class T>
void contribute(wave& to, const T& value) {
  to.contribute(std::as_bytes(std::span(&value, 1)));
}

// Others may still wait for messages that this PE has to pass on.
void finish(control_plane& plane, world& w) {
  while (plane.is_busy()) {
    plane.progress();
    w.progress();
  }
  w.barrier();
}

TEST_ON_PES(waves_on_pes, run_beside_a_superstep) {
  world& w = world::current();
  const std::int64_t n_pes = w.n_pes();
  control_plane& plane = w.entry().stalls->plane();
  {
    wave sum(plane, group::strided(w.backend(), 0, 1, w.n_pes()), {wave_kind::world, 1},
             {.bytes = sizeof(std::int64_t), .combine = add_words});
    std::int64_t n_handled = 0;
    actor count{w, [&](std::int64_t x) { n_handled += x; }};
    constexpr std::int64_t n_generations = 50;
    std::int64_t generation = 0;
    const auto wave_on = [&] {
      plane.progress();
      if (generation < n_generations && sum.is_open()) contribute(sum, (generation + 1) * (w.my_pe() + 1));
      if (!sum.is_complete()) return;
      ASSERT_EQ(value_of<std::int64_t>(sum.take()), (generation + 1) * n_pes * (n_pes + 1) / 2);
      ++generation;
    };
    constexpr std::int64_t n_sent = 20'000;
    random_engine random(7, static_cast<std::uint64_t>(w.my_pe()));
    w.finish([&] {
      for (std::int64_t i = 0; i < n_sent; ++i) {
        count.send(static_cast<pe_id>(random.below(static_cast<std::uint64_t>(n_pes))), 1);
        if (i % 32 == 0) wave_on();
      }
      while (generation < n_generations) {
        wave_on();
        w.progress();
      }
    });
    EXPECT_EQ(w.sum(n_handled), n_sent * n_pes);
  }
  finish(plane, w);
}

}  // namespace
}  // namespace shoal::internal
