// Bulk-synchronous exchange: a simple conveyor delivers by ascending sender, so sums of floating-point numbers have the
// same bits in each run. An actor adds in the order of arrival, which is another one each time.
// pes: 1 2 3 4 7
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <vector>

#include <shoal/conveyor/kinds/simple_conveyor.hpp>
#include <shoal/shoal.hpp>

namespace {

constexpr std::int64_t n_bodies = 100;  // on each PE
constexpr std::int64_t n_forces = 20'000;  // that each PE computes

struct force {
  std::int64_t place;  // of the body on its PE
  double strength;
};

// Force i of a PE, and the PE of its body.
force force_of(shoal::pe_id pe, std::int64_t i) {
  return {(i * 31 + pe) % n_bodies, std::sin(static_cast<double>(i * 7 + pe)) * std::exp2(static_cast<double>(i % 40))};
}
shoal::pe_id home_of(std::int64_t i, const shoal::world& world) {
  return static_cast<shoal::pe_id>(shoal::mixed_bits(static_cast<std::uint64_t>(i)) %
                                   static_cast<std::uint64_t>(world.n_pes()));
}

std::vector<double> sums_of_forces(shoal::world& world) {
  std::vector<double> sums(n_bodies);
  // [simple]
  shoal::simple_conveyor<force> forces{world, {.capacity_items = 512}};
  forces.begin();
  std::int64_t i = 0;
  while (forces.advance(i == n_forces) != shoal::progress::complete) {  // waits for all PEs
    while (i < n_forces && forces.push(force_of(world.my_pe(), i), home_of(i, world))) ++i;
    while (const force* f = forces.pull()) sums[f->place] += f->strength;  // PE 0's first, then PE 1's, …
  }
  forces.reset();
  // [/simple]
  return sums;
}

// What the sums should be, but added in another order: PE after PE.
bool are_close(shoal::world& world, const std::vector<double>& sums) {
  std::vector<double> expected(n_bodies);
  std::vector<double> sizes(n_bodies);
  for (shoal::pe_id pe = 0; pe < world.n_pes(); ++pe) {
    for (std::int64_t i = 0; i < n_forces; ++i) {
      if (home_of(i, world) != world.my_pe()) continue;
      const force f = force_of(pe, i);
      expected[f.place] += f.strength;
      sizes[f.place] += std::abs(f.strength);
    }
  }
  for (std::int64_t k = 0; k < n_bodies; ++k) {
    if (std::abs(sums[k] - expected[k]) > 1e-12 * sizes[k]) return false;
  }
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  return shoal::run(argc, argv, [](shoal::world& world) {
    const std::vector<double> sums = sums_of_forces(world);
    const std::vector<double> again = sums_of_forces(world);
    std::int64_t n_other_bits = 0;
    for (std::int64_t k = 0; k < n_bodies; ++k) {
      n_other_bits += std::bit_cast<std::uint64_t>(sums[k]) != std::bit_cast<std::uint64_t>(again[k]);
    }
    const std::int64_t n_wrong = world.sum(n_other_bits + !are_close(world, sums));
    if (world.my_pe() == 0) std::printf("sums are the same to the bit: %s\n", n_wrong == 0 ? "right" : "wrong");
    return n_wrong == 0 ? 0 : 1;
  });
}
