/// Items that name themselves: the n-th from a PE to a PE.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "tools/conveyor_bench/pairs.hpp"
#include "tools/conveyor_bench/pool_workload.hpp"

namespace shoal::cli {

/// Traffic whose checked runs push items to random targets one by one, and identify each item by its contents.
template <class Stream>
class numbered_workload : public pool_workload<Stream> {
  using base = pool_workload<Stream>;

public:
  numbered_workload(world& w, const bench_options& options) : base(w, options), item_(options.item_bytes), pairs_(w) {}

  void prepare(const run_plan& plan) override {
    base::prepare(plan);
    // Timed runs choose sizes in another way, and push the first bytes of the pool's items.
    contents_.emplace(contents_of(plan, this->options_.seed + plan.number));
    fault_.clear();
    if (plan.is_checked) {
      pairs_.clear();
      return;
    }
    for (std::size_t i = 0; i < this->pool_.size; ++i) {
      contents_->write({this->world_.my_pe(), this->pool_.targets[i], i},
                       this->pool_.items.data() + i * plan.item_bytes);
    }
  }

  std::string describe_pairs() override { return pairs_.describe(); }

protected:
  item_contents contents_of(const run_plan& plan, std::uint64_t seed) const {
    return {seed, plan.item_bytes, this->options_.entropy_bits, Stream::is_elastic && plan.is_checked};
  }

  // Begins a checked run.
  void restart_pushes() {
    random_.emplace(this->options_.seed + this->plan_.number, static_cast<std::uint64_t>(this->world_.my_pe()));
    n_left_ = this->n_pushes_;
    waiting_for_ = -1;
  }

  // Pushes until there is no room; calls `on_pushed` with each item's identity. Returns whether all are pushed.
  template <class OnPushed>
  bool push_checked(const OnPushed& on_pushed) {
    for (; n_left_ != 0; --n_left_) {
      if (waiting_for_ < 0) {
        waiting_for_ = static_cast<pe_id>(random_->below(static_cast<std::uint64_t>(this->world_.n_pes())));
        n_item_bytes_ = contents_->write(next_identity(), item_.data());
      }
      if (!push_item()) break;
      on_pushed(next_identity());
      pair_sum& pair = pairs_.pushed(waiting_for_);
      ++pair.n_items;
      pair.sum += sum_of_words(item_.data(), n_item_bytes_);
      waiting_for_ = -1;
    }
    return n_left_ == 0;
  }

  // Checks an item that came from PE `from`. If it is not the one that is due, sets `fault_`; `what` begins the text.
  identity check_arrived(std::span<const std::byte> item, pe_id from, const char* what) {
    pair_sum& pair = pairs_.pulled(from);
    const identity due{from, this->world_.my_pe(), pair.n_items};
    if (fault_.empty() && !contents_->matches(due, item)) fault_ = what + contents_->describe_fault(due, item);
    ++pair.n_items;
    pair.sum += sum_of_words(item.data(), item.size());
    return due;
  }

  // Collective. What was wrong with single items or pairs in the last run; empty if nothing was.
  std::string fault_of_items() {
    const std::string wrong_pair = this->plan_.is_checked ? pairs_.compare() : std::string();
    if (!fault_.empty()) return fault_;
    if (!this->puller_.fault().empty()) return this->puller_.fault();
    return wrong_pair;
  }

  std::string fault_;  // the first in this run

private:
  identity next_identity() { return {this->world_.my_pe(), waiting_for_, pairs_.pushed(waiting_for_).n_items}; }

  bool push_item() {
    if constexpr (Stream::is_elastic) {
      return this->stream_->push(std::span<const std::byte>(item_.data(), n_item_bytes_), waiting_for_);
    } else {
      return this->stream_->push(item_.data(), waiting_for_);
    }
  }

  aligned_bytes item_;  // the next to push, to PE waiting_for_
  std::size_t n_item_bytes_ = 0;
  pe_id waiting_for_ = -1;  // -1: not drawn yet
  std::uint64_t n_left_ = 0;
  std::optional<random_engine> random_;
  pair_sums pairs_;
  std::optional<item_contents> contents_;
};

}  // namespace shoal::cli
