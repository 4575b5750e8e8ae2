// Random permutations: each number goes to a random PE, which shuffles what it has; then these lists, one after
// another, are dealt. So each permutation is as likely as any other, and every variant gives the same.
#include <optional>
#include <utility>
#include <vector>

#include "shoal/actor/world.hpp"
#include "shoal/base/random.hpp"
#include "shoal/compat/include/spmat.h"
#include "shoal/compat/internal/dealt_matrix.hpp"
#include "shoal/compat/internal/lanes.hpp"
#include "shoal/compat/internal/row_entries.hpp"

namespace compat = shoal::internal::compat;

namespace {

// Where element `index` of the receiving PE's part comes from, and what it is.
struct message {
  std::int64_t index;
  std::int64_t value;
};

// Draws of this PE, by purpose.
enum : std::uint64_t { target_stream, shuffle_stream, n_streams };
shoal::random_engine engine(int seed, std::uint64_t purpose) {
  const auto pe = static_cast<std::uint64_t>(compat::my_pe());
  return shoal::random_engine(static_cast<std::uint64_t>(seed), pe * n_streams + purpose);
}

// Numbers that came to this PE, by source and in order of each, shuffled.
std::vector<std::int64_t> shuffled(std::vector<std::int64_t> numbers, int seed) {
  shoal::random_engine draws = engine(seed, shuffle_stream);
  for (std::size_t n = numbers.size(); n > 1; --n) std::swap(numbers[n - 1], numbers[draws.below(n)]);
  return numbers;
}

// Nothing if memory lacks.
template <template <class> class Lane>
std::optional<std::vector<std::int64_t>> scatter(std::int64_t n, int seed, std::int64_t buf_cnt) {
  const compat::dealing deal;
  compat::chunk_list<std::int64_t> arrived;
  std::vector<std::int64_t> next_place(static_cast<std::size_t>(deal.n_pes()) + 1);  // by source
  {
    Lane<std::int64_t> lane(buf_cnt);
    if (!lane.is_open()) return std::nullopt;
    shoal::random_engine targets = engine(seed, target_stream);
    std::int64_t i = deal.my_pe();
    const auto next = [&](std::int64_t& number, std::int64_t& pe) {
      if (i >= n) return false;
      number = std::exchange(i, i + deal.n_pes());
      pe = static_cast<std::int64_t>(targets.below(static_cast<std::uint64_t>(deal.n_pes())));
      return true;
    };
    compat::carry(lane, next, [&](std::int64_t number) {
      arrived.add(number);
      ++next_place[static_cast<std::size_t>(deal.of(number).pe) + 1];
    });
  }
  for (std::size_t pe = 1; pe < next_place.size(); ++pe) next_place[pe] += next_place[pe - 1];
  std::vector<std::int64_t> numbers(static_cast<std::size_t>(arrived.size()));
  arrived.empty_into([&](std::int64_t number) {
    numbers[static_cast<std::size_t>(next_place[static_cast<std::size_t>(deal.of(number).pe)]++)] = number;
  });
  return numbers;
}

template <template <class> class Lane>
std::int64_t* random_by(std::int64_t n, int seed, std::int64_t buf_cnt, const char* call) {
  compat::check_size(n, call);
  const compat::dealing deal;
  auto* const made = compat::shared_array<std::int64_t>(deal.n_most(n));
  if (made == nullptr) return nullptr;
  Lane<message> lane(buf_cnt);
  std::optional<std::vector<std::int64_t>> scattered;
  if (lane.is_open()) scattered = scatter<Lane>(n, seed, buf_cnt);
  if (!scattered) {
    shmem_free(made);
    return nullptr;
  }
  const std::vector<std::int64_t> numbers = shuffled(std::move(*scattered), seed);
  const std::int64_t first = compat::world_for(call).exclusive_scan(static_cast<std::int64_t>(numbers.size()));
  std::size_t k = 0;
  const auto next = [&](message& m, std::int64_t& pe) {
    if (k == numbers.size()) return false;
    const auto [target, index] = deal.of(first + static_cast<std::int64_t>(k));
    m = {index, numbers[k++]};
    pe = target;
    return true;
  };
  compat::carry(lane, next, [&](const message& m) { made[m.index] = m.value; });
  shmem_barrier_all();
  return made;
}

// The same by puts, into a list of which each source's part begins where the counts of all say.
std::int64_t* random_one_sided(std::int64_t n, int seed, const char* call) {
  compat::check_size(n, call);
  const compat::dealing deal;
  const auto n_pes = static_cast<std::size_t>(deal.n_pes());
  auto* const made = compat::shared_array<std::int64_t>(deal.n_most(n));
  auto* const counts = compat::shared_array<std::int64_t>(deal.n_pes());  // by source; then: where its part begins
  if (made == nullptr || counts == nullptr) {
    shmem_free(counts);
    shmem_free(made);
    return nullptr;
  }
  const auto for_each = [&](auto visit) {
    shoal::random_engine targets = engine(seed, target_stream);
    for (std::int64_t i = deal.my_pe(); i < n; i += deal.n_pes()) visit(i, targets.below(n_pes));
  };
  std::vector<std::int64_t> places(n_pes);  // by target: how many, then the next place
  for_each([&](std::int64_t, std::uint64_t pe) { ++places[pe]; });
  for (std::size_t pe = 0; pe < n_pes; ++pe) {
    (shmem_int64_p)(counts + deal.my_pe(), places[pe], static_cast<int>(pe));
  }
  shmem_barrier_all();
  std::int64_t n_here = 0;
  for (std::size_t pe = 0; pe < n_pes; ++pe) n_here += std::exchange(counts[pe], n_here);
  auto* const numbers = compat::shared_array<std::int64_t>(compat::world_for(call).max(n_here));
  if (numbers == nullptr) {
    shmem_free(counts);
    shmem_free(made);
    return nullptr;
  }
  for (std::size_t pe = 0; pe < n_pes; ++pe) {
    places[pe] = (shmem_int64_g)(counts + deal.my_pe(), static_cast<int>(pe));
  }
  for_each([&](std::int64_t i, std::uint64_t pe) { (shmem_int64_p)(numbers + places[pe]++, i, static_cast<int>(pe)); });
  shmem_barrier_all();
  const std::vector<std::int64_t> mine = shuffled({numbers, numbers + n_here}, seed);
  std::int64_t at = compat::world_for(call).exclusive_scan(n_here);
  for (const std::int64_t number : mine) {
    const auto [pe, index] = deal.of(at++);
    (shmem_int64_p)(made + index, number, static_cast<int>(pe));
  }
  shmem_barrier_all();
  shmem_free(numbers);
  shmem_free(counts);
  return made;
}

}  // namespace

#define WEAK __attribute__((weak))

extern "C" {

WEAK int64_t* rand_permp(int64_t n, int seed) { return random_by<compat::conveyor_lane>(n, seed, 0, "rand_permp"); }
WEAK int64_t* rand_permp_agp(int64_t n, int seed) { return random_one_sided(n, seed, "rand_permp_agp"); }
WEAK int64_t* rand_permp_exstack(int64_t n, int seed, int64_t buf_cnt) {
  return random_by<compat::exstack_lane>(n, seed, buf_cnt, "rand_permp_exstack");
}
WEAK int64_t* rand_permp_exstack2(int64_t n, int seed, int64_t buf_cnt) {
  return random_by<compat::exstack2_lane>(n, seed, buf_cnt, "rand_permp_exstack2");
}
WEAK int64_t* rand_permp_conveyor(int64_t n, int seed) {
  return random_by<compat::conveyor_lane>(n, seed, 0, "rand_permp_conveyor");
}

WEAK int is_perm(int64_t* perm, int64_t n) {
  compat::check_size(n, "is_perm");
  const compat::dealing deal;
  const std::int64_t n_here = deal.n_here(n);
  std::vector<bool> has_come(static_cast<std::size_t>(n_here));
  std::int64_t n_wrong = 0;
  compat::conveyor_lane<std::int64_t> lane(0);
  if (!lane.is_open()) compat::refuse_together("is_perm", "there is no memory for messages");
  std::int64_t i = 0;
  const auto next = [&](std::int64_t& index, std::int64_t& pe) {
    for (; i < n_here; ++i) {
      if (perm[i] < 0 || perm[i] >= n) {
        ++n_wrong;
        continue;
      }
      const compat::dealing::place at = deal.of(perm[i++]);
      index = at.index;
      pe = at.pe;
      return true;
    }
    return false;
  };
  compat::carry(lane, next, [&](std::int64_t index) {
    n_wrong += has_come[static_cast<std::size_t>(index)];
    has_come[static_cast<std::size_t>(index)] = true;
  });
  return compat::world_for("is_perm").sum(n_wrong) == 0;
}

}  // extern "C"
