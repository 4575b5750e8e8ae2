// Goal: the cost of a wave on a PE does not grow with the number of PEs: bytes sent and memory at 16,384 PEs are those
// at 256. Method: all PEs in one thread, without worlds; this program's operator new counts.
// labels: optimized
// timeout: 120
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <map>
#include <memory>
#include <new>
#include <vector>

#include "shoal/control/internal/counting_wave.hpp"
#include "shoal/control/internal/plane.hpp"
#include "shoal/control/internal/wave.hpp"
#include "test/control/control_network.hpp"

namespace {

// Bytes allocated and not yet freed; each block stores its size in front of itself.
std::size_t n_allocated = 0;
constexpr std::size_t note_bytes = alignof(std::max_align_t);

}  // namespace

// Not inlined: a compiler that sees both ends mistakes the stored size for a read before the object.
[[gnu::noinline]] void* operator new(std::size_t bytes) {
  auto* block = static_cast<std::byte*>(std::malloc(note_bytes + bytes));
  if (block == nullptr) throw std::bad_alloc();
  std::memcpy(block, &bytes, sizeof bytes);
  n_allocated += bytes;
  return block + note_bytes;
}
[[gnu::noinline]] void operator delete(void* place) noexcept {
  if (place == nullptr) return;
  std::byte* block = static_cast<std::byte*>(place) - note_bytes;
  std::size_t bytes = 0;
  std::memcpy(&bytes, block, sizeof bytes);
  n_allocated -= bytes;
  std::free(block);
}
void operator delete(void* place, std::size_t) noexcept { operator delete(place); }
void* operator new[](std::size_t bytes) { return operator new(bytes); }
void operator delete[](void* place) noexcept { operator delete(place); }
void operator delete[](void* place, std::size_t) noexcept { operator delete(place); }

namespace shoal::internal {
namespace {

using test::control_network;

constexpr pe_id pes_per_node = 64;

struct costs {
  double group_bytes = 0;  // of memory, on the average PE
  double wave_bytes = 0;
  double bytes_sent = 0;  // in each generation, by the average PE
  std::size_t wave_bytes_max = 0;
  std::uint64_t n_sent_max = 0;  // messages in each generation, by any PE
  std::uint64_t n_across_max = 0;  // those that enter or leave a node
};

// `make` constructs a wave on each PE; its function `step` ends generations until `n_generations` are over.
template <class Make, class Step>
costs measure(pe_id n_pes, unsigned n_generations, Make make, Step step) {
  control_network network({.n_pes = n_pes, .nodes = test::nodes_of(n_pes, pes_per_node)});
  std::map<std::uint32_t, std::uint64_t> n_across;
  network.on_send = [&](pe_id source, pe_id target) {
    for (const pe_id end : {source, target}) {
      if (source / pes_per_node != target / pes_per_node) ++n_across[static_cast<std::uint32_t>(end / pes_per_node)];
    }
  };
  std::deque<control_plane> planes;
  for (pe_id pe = 0; pe < n_pes; ++pe) planes.emplace_back(network.at(pe));

  costs found;
  const double n = static_cast<double>(n_pes);
  std::size_t before = n_allocated;
  std::vector<std::shared_ptr<const group>> groups;
  groups.reserve(static_cast<std::size_t>(n_pes));
  before = n_allocated;
  for (pe_id pe = 0; pe < n_pes; ++pe) groups.push_back(group::strided(network.at(pe), 0, 1, n_pes));
  found.group_bytes = static_cast<double>(n_allocated - before) / n;

  std::vector<decltype(make(planes[0], groups[0]))> waves;
  waves.reserve(static_cast<std::size_t>(n_pes));
  const std::size_t before_waves = n_allocated;
  for (pe_id pe = 0; pe < n_pes; ++pe) {
    before = n_allocated;
    waves.push_back(make(planes[static_cast<std::size_t>(pe)], groups[static_cast<std::size_t>(pe)]));
    found.wave_bytes_max = std::max(found.wave_bytes_max, n_allocated - before);
  }
  found.wave_bytes = static_cast<double>(n_allocated - before_waves) / n;

  for (std::size_t n_ended = 0; n_ended < waves.size();) {
    for (std::size_t pe = 0; pe < waves.size(); ++pe) {
      if (waves[pe] && step(*waves[pe], n_generations)) {
        waves[pe].reset();
        ++n_ended;
      }
      planes[pe].progress();
    }
  }
  while (std::any_of(planes.begin(), planes.end(), [](const control_plane& plane) { return plane.is_busy(); })) {
    for (control_plane& plane : planes) plane.progress();
  }
  for (pe_id pe = 0; pe < n_pes; ++pe) {
    found.bytes_sent += static_cast<double>(network.at(pe).bytes_sent) / n / n_generations;
    found.n_sent_max = std::max(found.n_sent_max, network.at(pe).n_sent / n_generations);
  }
  for (const auto& [node, n_messages] : n_across) {
    found.n_across_max = std::max(found.n_across_max, n_messages / n_generations);
  }
  return found;
}

costs measure_counting(pe_id n_pes) {
  const auto make = [](control_plane& plane, const std::shared_ptr<const group>& among) {
    return std::make_unique<counting_wave>(plane, among, wave_name{wave_kind::scope, 0});
  };
  // One message was sent and handled in advance, so two generations end the scope.
  return measure(n_pes, 2, make, [](counting_wave& wave, unsigned) { return wave.advance(true, 1, 1); });
}

costs measure_ordered(pe_id n_pes) {
  struct counted {
    counted(control_plane& plane, std::shared_ptr<const group> among, wave_options options)
        : part(plane, std::move(among), {wave_kind::team, 0}, std::move(options)) {}
    wave part;
    unsigned n_taken = 0;
  };
  const auto make = [](control_plane& plane, const std::shared_ptr<const group>& among) {
    const auto nothing = [](std::byte*, const std::byte*, std::size_t) {};
    return std::make_unique<counted>(plane, among, wave_options{.bytes = 1024, .combine = nothing, .is_ordered = true});
  };
  return measure(n_pes, 2, make, [](counted& wave, unsigned n_generations) {
    static const std::vector<std::byte> mine(1024);
    if (wave.part.is_open()) wave.part.contribute(mine);
    if (wave.part.is_complete()) wave.part.take(), ++wave.n_taken;
    return wave.n_taken == n_generations;
  });
}

void print(const char* what, pe_id n_pes, const costs& found) {
  std::printf(
      "%s, %5ld PEs: group %.1f bytes, wave %.1f (at most %zu); sent per generation %.1f bytes, at most %lu messages; "
      "across a node's border at most %lu\n",
      what, static_cast<long>(n_pes), found.group_bytes, found.wave_bytes, found.wave_bytes_max, found.bytes_sent,
      static_cast<unsigned long>(found.n_sent_max), static_cast<unsigned long>(found.n_across_max));
}

TEST(scale, a_counting_wave_costs_a_pe_the_same_at_16384_pes) {
  const costs few = measure_counting(256);
  const costs many = measure_counting(16384);
  print("counting", 256, few);
  print("counting", 16384, many);
  // An average PE has (P - 1) / P children.
  EXPECT_NEAR(many.bytes_sent, few.bytes_sent, 80.0 / 256);
  EXPECT_LT(many.bytes_sent, 80);
  EXPECT_NEAR(many.wave_bytes, few.wave_bytes, 1.0);
  EXPECT_LT(many.wave_bytes, 350);
  EXPECT_NEAR(many.group_bytes, few.group_bytes, 1.0);
  EXPECT_EQ(many.n_sent_max, 21U);
  EXPECT_LE(many.wave_bytes_max, few.wave_bytes_max + 21);
  EXPECT_EQ(few.n_across_max, 2U * 3);  // up and down
  EXPECT_EQ(many.n_across_max, 2U * 12);
}

TEST(scale, an_ordered_wave_in_pieces_does_so_too) {
  const costs few = measure_ordered(256);
  const costs many = measure_ordered(16384);
  print("ordered", 256, few);
  print("ordered", 16384, many);
  EXPECT_NEAR(many.bytes_sent, few.bytes_sent, 2304.0 / 256);
  EXPECT_NEAR(many.wave_bytes, few.wave_bytes, 1100.0 / 256);
  EXPECT_EQ(many.n_sent_max, 5U * 21);  // pieces
}

}  // namespace
}  // namespace shoal::internal
