/// Aggregation by hand: words for each PE are collected, and exchanged by all PEs at once.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <numeric>
#include <span>
#include <vector>

namespace comparators {

/// Words for all PEs, those of each PE together; and how many each has.
struct words_by_pe {
  explicit words_by_pe(int n_pes) : counts(static_cast<std::size_t>(n_pes), 0) {}

  std::vector<int> counts;
  std::vector<std::int64_t> words = {};

  std::vector<int> begins() const {
    std::vector<int> begins(counts.size(), 0);
    std::partial_sum(counts.begin(), counts.end() - 1, begins.begin() + 1);
    return begins;
  }
};

/// Collective. What all PEs have for this one, in the order of PEs.
inline words_by_pe exchanged(const words_by_pe& mine) {
  words_by_pe theirs(static_cast<int>(mine.counts.size()));
  MPI_Alltoall(mine.counts.data(), 1, MPI_INT, theirs.counts.data(), 1, MPI_INT, MPI_COMM_WORLD);
  theirs.words.resize(static_cast<std::size_t>(std::accumulate(theirs.counts.begin(), theirs.counts.end(), 0)));
  MPI_Alltoallv(mine.words.data(), mine.counts.data(), mine.begins().data(), MPI_INT64_T, theirs.words.data(),
                theirs.counts.data(), theirs.begins().data(), MPI_INT64_T, MPI_COMM_WORLD);
  return theirs;
}

/// Words in the order of their PEs. `order`, if given, becomes where in that order each word is.
template <class Item>
words_by_pe sorted_by_pe(std::span<const Item> items, int n_pes, std::vector<std::size_t>* order = nullptr) {
  words_by_pe sorted(n_pes);
  for (const Item& item : items) ++sorted.counts[static_cast<std::size_t>(item.pe)];
  std::vector<int> next = sorted.begins();
  sorted.words.resize(items.size());
  if (order != nullptr) order->clear();
  for (const Item& item : items) {
    const auto at = static_cast<std::size_t>(next[static_cast<std::size_t>(item.pe)]++);
    sorted.words[at] = item.index;
    if (order != nullptr) order->push_back(at);
  }
  return sorted;
}

}  // namespace comparators
