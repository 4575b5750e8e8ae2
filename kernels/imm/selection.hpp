/// Which vertices cover most sets: the greedy choice, over sets whose members are spread over all PEs.
#pragma once

#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

#include "shoal/actor/world.hpp"
#include "shoal/pgas/distribution.hpp"

namespace shoal::kernels::imm {

/// One list for each of a range of keys, in two arrays.
struct lists {
  std::vector<std::uint64_t> offsets = {0};
  std::vector<std::uint32_t> elements = {};

  std::size_t size() const noexcept { return offsets.size() - 1; }
  std::span<const std::uint32_t> operator[](std::size_t key) const noexcept {
    return std::span(elements).subspan(offsets[key], offsets[key + 1] - offsets[key]);
  }
};

/// A vertex of this PE, by its local number, is in a set.
struct membership {
  std::uint32_t vertex;
  std::uint32_t set;

  std::uint64_t word() const noexcept { return std::uint64_t{vertex} << 32 | set; }
};

/// One PE's part of a number of sets, found by vertex and by set. Local.
struct sets_of_vertices {
  sets_of_vertices() = default;
  sets_of_vertices(std::span<const membership> members, std::size_t n_local_vertices, std::size_t n_sets);

  lists of_vertex;
  lists in_set;
};

inline std::uint64_t sum_of(std::span<const std::uint32_t> gains) noexcept {
  return std::accumulate(gains.begin(), gains.end(), std::uint64_t{0});
}

/// The chosen vertices, best first, and how many sets each adds to those of the vertices before it.
struct selection {
  std::vector<std::int64_t> seeds;
  std::vector<std::uint32_t> gains;

  std::uint64_t n_covered() const noexcept { return sum_of(gains); }
};

/// Chooses up to n vertices. Each is in the largest number of sets that have none of the vertices before it; of several
/// such vertices it is the one with the lowest number. Collective, waits; the same on every PE.
selection choose(world& w, const distribution& vertices, const sets_of_vertices& sets, std::size_t n);

/// How many of these sets each chosen vertex adds to those of the vertices before it. Collective, waits; the same on every PE.
std::vector<std::uint32_t> gains_in(world& w, const distribution& vertices, const sets_of_vertices& sets,
                                    std::span<const std::int64_t> seeds);

}  // namespace shoal::kernels::imm
