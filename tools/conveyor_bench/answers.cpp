#include "tools/conveyor_bench/answers.hpp"

#include <algorithm>
#include <cstring>
#include <numeric>

#include "shoal/base/random.hpp"

namespace shoal::cli {
namespace {

constexpr std::size_t n_entries = 1000;  // of the table on each PE
constexpr std::size_t n_entries_of_block = 100;  // they fit into one round
constexpr std::size_t n_count_blocks = n_entries / n_entries_of_block;
static_assert(n_entries % n_entries_of_block == 0);

struct count_block {
  std::array<std::uint64_t, n_entries_of_block> counts{};

  friend count_block operator+(count_block a, const count_block& b) {
    for (std::size_t i = 0; i < a.counts.size(); ++i) a.counts[i] += b.counts[i];
    return a;
  }
};

std::vector<std::uint32_t> random_entries(const bench_options& options, std::size_t n, pe_id n_pes, pe_id my_pe) {
  random_engine random(options.seed, static_cast<std::uint64_t>(n_pes + my_pe));
  std::vector<std::uint32_t> entries(n);
  for (std::uint32_t& entry : entries) entry = static_cast<std::uint32_t>(random.below(n_entries));
  return entries;
}

std::uint32_t value_of(pe_id pe, std::uint32_t entry) {
  return static_cast<std::uint32_t>(mixed_bits(static_cast<std::uint64_t>(pe) << 32 | entry));
}

}  // namespace

histogram_answer::histogram_answer(world& w, const bench_options& options, const item_pool& pool,
                                   std::uint64_t n_pushes)
    : entries_(random_entries(options, pool.size, w.n_pes(), w.my_pe())), expected_(n_entries), counts_(n_entries) {
  count_expected(w, pool, n_pushes);
}

void histogram_answer::prepare(item_pool& pool, std::size_t item_bytes) {
  std::ranges::fill(counts_, 0U);
  for (std::size_t i = 0; i < pool.size; ++i) {
    std::memcpy(pool.items.data() + i * item_bytes, &entries_[i], sizeof(std::uint32_t));
  }
}

std::string histogram_answer::fault() const {
  const auto [e, c] = std::ranges::mismatch(expected_, counts_);
  if (e == expected_.end()) return {};
  return "entry " + std::to_string(e - expected_.begin()) + " was counted to " + std::to_string(*c) + ", expected " +
         std::to_string(*e);
}

// Once, since all runs push the same items. In rounds, without conveyors: not every substrate has one-sided access.
void histogram_answer::count_expected(world& w, const item_pool& pool, std::uint64_t n_pushes) {
  std::vector<std::size_t> places(pool.size);
  std::iota(places.begin(), places.end(), std::size_t{0});
  std::ranges::sort(places, {}, [&](std::size_t i) { return pool.targets[i]; });
  auto at = places.begin();
  for (pe_id target = 0; target < w.n_pes(); ++target) {
    std::array<count_block, n_count_blocks> blocks{};
    for (; at != places.end() && pool.targets[*at] == static_cast<std::uint32_t>(target); ++at) {
      const std::size_t entry = entries_[*at];
      blocks[entry / n_entries_of_block].counts[entry % n_entries_of_block] += pool.n_uses(n_pushes, *at);
    }
    auto into = expected_.begin();
    for (const count_block& block : blocks) {
      const count_block all = w.sum(block);
      if (target == w.my_pe()) into = std::ranges::copy(all.counts, into).out;
    }
  }
}

gather_answer::gather_answer(const bench_options& options, const item_pool& pool, pe_id n_pes, pe_id my_pe)
    : entries_(random_entries(options, pool.size, n_pes, my_pe)), answers_(pool.size), table_(n_entries) {
  for (std::uint32_t i = 0; i < n_entries; ++i) table_[i] = value_of(my_pe, i);
}

void gather_answer::prepare(item_pool& pool, std::size_t item_bytes) {
  std::ranges::fill(answers_, 0U);
  for (std::size_t i = 0; i < pool.size; ++i) {
    const words query{static_cast<std::uint32_t>(i), entries_[i]};
    std::memcpy(pool.items.data() + i * item_bytes, query.data(), sizeof query);
  }
}

std::string gather_answer::fault(const item_pool& pool, std::uint64_t n_pushes) const {
  for (std::size_t i = 0; i < pool.size; ++i) {
    const auto n = static_cast<std::uint32_t>(pool.n_uses(n_pushes, i));
    if (answers_[i] != n * value_of(pool.targets[i], entries_[i])) {
      return "the answer for entry " + std::to_string(entries_[i]) + " of PE " + std::to_string(pool.targets[i]) +
             " is wrong";
    }
  }
  return {};
}

}  // namespace shoal::cli
