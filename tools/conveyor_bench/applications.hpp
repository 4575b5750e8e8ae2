/// Traffic of two small programs: a histogram (items in one direction) and an index gather (queries and replies). Their
/// answers are compared in full after each run, including timed ones.
#pragma once

#include <cstring>
#include <optional>

#include "tools/conveyor_bench/answers.hpp"
#include "tools/conveyor_bench/pool_workload.hpp"

namespace shoal::cli {

/// Each item names the entry of the target's table to count up.
template <class Stream>
class histogram final : public pool_workload<Stream> {
  using base = pool_workload<Stream>;
  using base::n_pushes_, base::plan_, base::pool_, base::puller_, base::stream_, base::world_;

public:
  [[gnu::cold]] histogram(world& w, const bench_options& options)
      : base(w, options), answer_(w, options, pool_, n_pushes_) {}

  [[gnu::cold]] void prepare(const run_plan& plan) override {
    base::prepare(plan);
    answer_.prepare(pool_, plan.item_bytes);
  }

  std::uint64_t run() override {
    pool_cursor next(pool_);
    std::uint64_t n_left = n_pushes_;
    stream_->begin(plan_.item_bytes);
    while (stream_->advance(n_left == 0) != progress::complete) {
      this->push_some(next, n_left);
      this->pull_some([counts = answer_.counts()](const std::byte* item) {
        std::uint32_t entry = 0;
        std::memcpy(&entry, item, sizeof entry);
        ++counts[entry];
      });
    }
    stream_->reset();
    return n_pushes_;
  }

  [[gnu::cold]] std::string verify() override { return puller_.fault().empty() ? answer_.fault() : puller_.fault(); }

  [[gnu::cold]] std::string what_is_verified() const override {
    return "every count equals the sum of what each PE pushed, in all runs";
  }

private:
  histogram_answer answer_;
};

/// Each query asks for an entry of the target's table; the target replies through a second conveyor.
template <class Stream>
class index_gather final : public pool_workload<Stream> {
  using base = pool_workload<Stream>;
  using base::n_pushes_, base::plan_, base::pool_, base::puller_, base::options_, base::stream_, base::world_;

public:
  [[gnu::cold]] index_gather(world& w, const bench_options& options)
      : base(w, options),
        replies_(std::in_place, w, options),
        answer_(options, pool_, w.n_pes(), w.my_pe()),
        reply_(options.item_bytes) {}

  [[gnu::cold]] void drop_conveyors() override {
    replies_.reset();
    base::drop_conveyors();
  }
  [[gnu::cold]] void make_conveyors() override {
    base::make_conveyors();
    replies_.emplace(world_, options_);
  }

  [[gnu::cold]] void prepare(const run_plan& plan) override {
    base::prepare(plan);
    answer_.prepare(pool_, plan.item_bytes);
    n_replies_ = n_answered_ = 0;
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
      reply();
      while (const std::byte* item = replies_->pull()) {
        words reply;
        std::memcpy(reply.data(), item, sizeof reply);
        answer_.add(reply);
        ++n_replies_;
      }
    }
    stream_->reset();
    replies_->reset();
    return n_pushes_ + n_answered_;
  }

  [[gnu::cold]] std::string verify() override {
    if (!puller_.fault().empty()) return puller_.fault();
    if (n_replies_ == n_pushes_) return answer_.fault(pool_, n_pushes_);
    return std::to_string(n_pushes_) + " queries were pushed, but " + std::to_string(n_replies_) + " replies came back";
  }

  [[gnu::cold]] std::string what_is_verified() const override {
    return "every query got the right reply once, in all runs";
  }

private:
  using words = gather_answer::words;

  void reply() {
    pe_id from = 0;
    while (const std::byte* item = puller_.pull(from)) {
      words query;
      std::memcpy(query.data(), item, sizeof query);
      const words reply = answer_.reply_to(query);
      std::memcpy(reply_.data(), reply.data(), sizeof reply);
      if (!replies_->push(reply_.data(), from)) {  // no room for its reply now
        stream_->unpull();
        return;
      }
      ++n_answered_;
    }
  }

  std::optional<Stream> replies_;  // like stream_
  gather_answer answer_;
  aligned_bytes reply_;
  std::uint64_t n_answered_ = 0;  // by this PE
  std::uint64_t n_replies_ = 0;  // to this PE
};

}  // namespace shoal::cli
