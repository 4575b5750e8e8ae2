/// Traffic of two small programs: a histogram (items in one direction) and an index gather (queries and replies). Their
/// answers are compared in full after each run, including timed ones.
#pragma once

#include <algorithm>
#include <array>
#include <numeric>
#include <optional>

#include "tools/conveyor_bench/pool_workload.hpp"

namespace shoal::cli {

inline constexpr std::size_t n_entries = 1000;  // of the table on each PE

/// How often a run uses index `place` of a pool.
inline std::uint64_t n_uses(const item_pool& pool, std::uint64_t n_pushes, std::size_t place) {
  return n_pushes / pool.size + (place < n_pushes % pool.size ? 1 : 0);
}

/// Each item names the entry of the target's table to count up.
template <class Stream>
class histogram final : public pool_workload<Stream> {
  using base = pool_workload<Stream>;
  using base::n_pushes_, base::plan_, base::pool_, base::puller_, base::stream_, base::world_;

public:
  histogram(world& w, const bench_options& options)
      : base(w, options), entries_(pool_.size), expected_(n_entries), counts_(n_entries) {
    random_engine random(options.seed, static_cast<std::uint64_t>(w.n_pes() + w.my_pe()));
    for (std::uint32_t& entry : entries_) entry = static_cast<std::uint32_t>(random.below(n_entries));
    count_expected();
  }

  void prepare(const run_plan& plan) override {
    base::prepare(plan);
    std::ranges::fill(counts_, 0U);
    for (std::size_t i = 0; i < pool_.size; ++i) {
      std::memcpy(pool_.items.data() + i * plan.item_bytes, &entries_[i], sizeof(std::uint32_t));
    }
  }

  std::uint64_t run() override {
    pool_cursor next(pool_);
    std::uint64_t n_left = n_pushes_;
    stream_->begin(plan_.item_bytes);
    while (stream_->advance(n_left == 0) != progress::complete) {
      this->push_some(next, n_left);
      this->pull_some([counts = counts_.data()](const std::byte* item) {
        std::uint32_t entry = 0;
        std::memcpy(&entry, item, sizeof entry);
        ++counts[entry];
      });
    }
    stream_->reset();
    return n_pushes_;
  }

  std::string verify() override {
    if (!puller_.fault().empty()) return puller_.fault();
    const auto [e, c] = std::ranges::mismatch(expected_, counts_);
    if (e == expected_.end()) return {};
    return "entry " + std::to_string(e - expected_.begin()) + " was counted to " + std::to_string(*c) + ", expected " +
           std::to_string(*e);
  }

  std::string what_is_verified() const override {
    return "every count equals the sum of what each PE pushed, in all runs";
  }

private:
  static constexpr std::size_t n_entries_of_block = 100;  // they fit into one round
  static constexpr std::size_t n_blocks = n_entries / n_entries_of_block;
  static_assert(n_entries % n_entries_of_block == 0);
  struct count_block {
    std::array<std::uint64_t, n_entries_of_block> counts{};

    friend count_block operator+(count_block a, const count_block& b) {
      for (std::size_t i = 0; i < a.counts.size(); ++i) a.counts[i] += b.counts[i];
      return a;
    }
  };

  // Once, since all runs push the same items. In rounds, without conveyors: not every substrate has one-sided access.
  void count_expected() {
    std::vector<std::size_t> places(pool_.size);
    std::iota(places.begin(), places.end(), std::size_t{0});
    std::ranges::sort(places, {}, [this](std::size_t i) { return pool_.targets[i]; });
    auto at = places.begin();
    for (pe_id target = 0; target < world_.n_pes(); ++target) {
      std::array<count_block, n_blocks> blocks{};
      for (; at != places.end() && pool_.targets[*at] == static_cast<std::uint32_t>(target); ++at) {
        const std::size_t entry = entries_[*at];
        blocks[entry / n_entries_of_block].counts[entry % n_entries_of_block] += n_uses(pool_, n_pushes_, *at);
      }
      auto into = expected_.begin();
      for (const count_block& block : blocks) {
        const count_block all = world_.sum(block);
        if (target == world_.my_pe()) into = std::ranges::copy(all.counts, into).out;
      }
    }
  }

  std::vector<std::uint32_t> entries_;  // by index in the pool
  std::vector<std::uint64_t> expected_;  // of this PE's entries
  std::vector<std::uint64_t> counts_;
};

/// Each query asks for an entry of the target's table; the target replies through a second conveyor.
template <class Stream>
class index_gather final : public pool_workload<Stream> {
  using base = pool_workload<Stream>;
  using base::n_pushes_, base::plan_, base::pool_, base::puller_, base::options_, base::stream_, base::world_;

public:
  index_gather(world& w, const bench_options& options)
      : base(w, options),
        replies_(std::in_place, w, options),
        entries_(pool_.size),
        answers_(pool_.size),
        table_(n_entries),
        reply_(options.item_bytes) {
    random_engine random(options.seed, static_cast<std::uint64_t>(w.n_pes() + w.my_pe()));
    for (std::uint32_t& entry : entries_) entry = static_cast<std::uint32_t>(random.below(n_entries));
    for (std::uint32_t i = 0; i < n_entries; ++i) table_[i] = value_of(w.my_pe(), i);
  }

  void drop_conveyors() override {
    replies_.reset();
    base::drop_conveyors();
  }
  void make_conveyors() override {
    base::make_conveyors();
    replies_.emplace(world_, options_);
  }

  void prepare(const run_plan& plan) override {
    base::prepare(plan);
    std::ranges::fill(answers_, 0U);
    n_replies_ = n_answered_ = 0;
    for (std::size_t i = 0; i < pool_.size; ++i) {
      const words query{static_cast<std::uint32_t>(i), entries_[i]};
      std::memcpy(pool_.items.data() + i * plan.item_bytes, query.data(), sizeof query);
    }
  }

  std::uint64_t run() override {
    pool_cursor next(pool_);
    std::uint64_t n_left = n_pushes_;
    stream_->begin(plan_.item_bytes);
    replies_->begin(plan_.item_bytes);
    for (;;) {
      const bool is_answered = stream_->advance(n_left == 0) == progress::complete;
      if (replies_->advance(is_answered) == progress::complete) break;
      this->push_some(next, n_left);
      answer();
      while (const std::byte* item = replies_->pull()) {
        words reply;
        std::memcpy(reply.data(), item, sizeof reply);
        // A sum, because entries of the pool are used repeatedly.
        answers_[reply[0]] += reply[1];
        ++n_replies_;
      }
    }
    stream_->reset();
    replies_->reset();
    return n_pushes_ + n_answered_;
  }

  std::string verify() override {
    if (!puller_.fault().empty()) return puller_.fault();
    if (n_replies_ != n_pushes_) {
      return std::to_string(n_pushes_) + " queries were pushed, but " + std::to_string(n_replies_) +
             " replies came back";
    }
    for (std::size_t i = 0; i < pool_.size; ++i) {
      const auto n = static_cast<std::uint32_t>(n_uses(pool_, n_pushes_, i));
      if (answers_[i] != n * value_of(pool_.targets[i], entries_[i])) {
        return "the answer for entry " + std::to_string(entries_[i]) + " of PE " + std::to_string(pool_.targets[i]) +
               " is wrong";
      }
    }
    return {};
  }

  std::string what_is_verified() const override { return "every query got the right reply once, in all runs"; }

private:
  using words = std::array<std::uint32_t, 2>;  // query: place, entry; reply: place, value

  static std::uint32_t value_of(pe_id pe, std::uint32_t entry) {
    return static_cast<std::uint32_t>(mixed_bits(static_cast<std::uint64_t>(pe) << 32 | entry));
  }

  void answer() {
    pe_id from = 0;
    while (const std::byte* item = puller_.pull(from)) {
      words query;
      std::memcpy(query.data(), item, sizeof query);
      const words reply{query[0], table_[query[1]]};
      std::memcpy(reply_.data(), reply.data(), sizeof reply);
      if (!replies_->push(reply_.data(), from)) {  // no room for its reply now
        stream_->unpull();
        return;
      }
      ++n_answered_;
    }
  }

  std::optional<Stream> replies_;  // like stream_
  std::vector<std::uint32_t> entries_;  // by index in the pool
  std::vector<std::uint32_t> answers_;  // the same; wrap around
  std::vector<std::uint32_t> table_;
  aligned_bytes reply_;
  std::uint64_t n_answered_ = 0;  // by this PE
  std::uint64_t n_replies_ = 0;  // to this PE
};

}  // namespace shoal::cli
