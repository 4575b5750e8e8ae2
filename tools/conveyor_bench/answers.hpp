/// What a histogram and an index gather compute, and what they should: all but how items travel. Compiled once.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "shoal/actor/world.hpp"
#include "tools/conveyor_bench/options.hpp"
#include "tools/conveyor_bench/untyped_workload.hpp"

namespace shoal::cli {

/// Counts of the entries of this PE's table.
class histogram_answer {
public:
  /// Collective.
  histogram_answer(world& w, const bench_options& options, const item_pool& pool, std::uint64_t n_pushes);

  /// Clears the counts, and writes items that name their entries.
  void prepare(item_pool& pool, std::size_t item_bytes);

  std::uint64_t* counts() noexcept { return counts_.data(); }

  /// The first wrong count; empty if there is none.
  std::string fault() const;

private:
  void count_expected(world& w, const item_pool& pool, std::uint64_t n_pushes);

  std::vector<std::uint32_t> entries_;  // by index in the pool
  std::vector<std::uint64_t> expected_;  // of this PE's entries
  std::vector<std::uint64_t> counts_;
};

/// Answers to this PE's queries, and the table that answers those of others.
class gather_answer {
public:
  using words = std::array<std::uint32_t, 2>;  // query: place, entry; reply: place, value

  gather_answer(const bench_options& options, const item_pool& pool, pe_id n_pes, pe_id my_pe);

  /// Clears the answers, and writes the queries.
  void prepare(item_pool& pool, std::size_t item_bytes);

  words reply_to(const words& query) const noexcept { return {query[0], table_[query[1]]}; }

  // A sum, because entries of the pool are used repeatedly.
  void add(const words& reply) noexcept { answers_[reply[0]] += reply[1]; }

  /// The first wrong answer; empty if there is none.
  std::string fault(const item_pool& pool, std::uint64_t n_pushes) const;

private:
  std::vector<std::uint32_t> entries_;  // by index in the pool
  std::vector<std::uint32_t> answers_;  // the same; wrap around
  std::vector<std::uint32_t> table_;
};

}  // namespace shoal::cli
