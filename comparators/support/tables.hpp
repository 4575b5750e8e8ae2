/// The input of histogram and index gather: random entries of a table that is dealt out to all PEs.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "comparators/support/random.hpp"

namespace comparators {

/// An entry of the table: which one of which PE.
struct place {
  std::int64_t index;
  int pe;
};

/// The entries that a PE counts or reads. All are computed in advance.
inline std::vector<place> places_of(std::uint64_t seed, int pe, int n_pes, std::int64_t n_places, std::int64_t table) {
  random_sequence random(seed, static_cast<std::uint64_t>(pe));
  std::vector<place> places(static_cast<std::size_t>(n_places));
  for (place& p : places) {
    const std::int64_t entry = random.below(table * n_pes);
    p = {entry / n_pes, static_cast<int>(entry % n_pes)};
  }
  return places;
}

/// What an entry holds, for index gather.
inline std::int64_t value_at(std::int64_t index, int pe) {
  return static_cast<std::int64_t>(mixed(static_cast<std::uint64_t>(index) << 16 ^ static_cast<std::uint64_t>(pe)) >>
                                   1);
}

/// Whether a PE's counts are those of the updates of all PEs.
inline bool is_histogram(std::span<const std::int64_t> counts, std::uint64_t seed, int pe, int n_pes,
                         std::int64_t n_updates) {
  std::vector<std::int64_t> right(counts.size(), 0);
  for (int from = 0; from < n_pes; ++from) {
    for (const place& p : places_of(seed, from, n_pes, n_updates, static_cast<std::int64_t>(counts.size()))) {
      if (p.pe == pe) ++right[static_cast<std::size_t>(p.index)];
    }
  }
  for (std::size_t i = 0; i < right.size(); ++i) {
    if (counts[i] != right[i]) return false;
  }
  return true;
}

/// Whether each value is what the table holds at its place.
inline bool is_gathered(std::span<const place> places, std::span<const std::int64_t> values) {
  for (std::size_t i = 0; i < places.size(); ++i) {
    if (values[i] != value_at(places[i].index, places[i].pe)) return false;
  }
  return true;
}

}  // namespace comparators
