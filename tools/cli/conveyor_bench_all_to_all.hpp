/// Every PE pushes items to random PEs; whoever pulls one only looks at it.
#pragma once

#include <optional>
#include <span>

#include "tools/cli/conveyor_bench_pairs.hpp"
#include "tools/cli/conveyor_bench_workload.hpp"

namespace shoal::cli {

template <class Stream>
class all_to_all final : public pool_workload<Stream> {
  using base = pool_workload<Stream>;
  using base::landing_, base::n_pulled_, base::n_pushes_, base::plan_, base::pool_, base::puller_, base::request_,
      base::stream_, base::world_;

public:
  all_to_all(world& w, const bench_request& request) : base(w, request), item_(request.item_bytes), pairs_(w) {}

  void prepare(const run_plan& plan) override {
    base::prepare(plan);
    // Timed runs choose sizes otherwise, and push the first bytes of what lies in the pool.
    contents_.emplace(request_.seed + plan.number, plan.item_bytes, request_.entropy_bits,
                      Stream::is_elastic && plan.is_checked);
    fault_.clear();
    if (plan.is_checked) {
      pairs_.clear();
      return;
    }
    for (std::size_t i = 0; i < pool_.size; ++i) {
      contents_->write({world_.my_pe(), pool_.targets[i], i}, pool_.items.data() + i * plan.item_bytes);
    }
  }

  std::uint64_t run() override {
    plan_.is_checked ? run_checked() : run_timed();
    return n_pushes_;
  }

  std::string verify() override {
    const std::string wrong_pair = plan_.is_checked ? pairs_.compare() : std::string();
    const std::uint64_t n_expected = n_pushes_ * static_cast<std::uint64_t>(world_.n_pes());
    const std::uint64_t n_pulled = world_.sum(n_pulled_);
    if (!fault_.empty()) return fault_;
    if (!puller_.fault().empty()) return puller_.fault();
    if (!wrong_pair.empty()) return wrong_pair;
    if (n_pulled == n_expected) return {};
    return std::to_string(n_expected) + " items were pushed, but " + std::to_string(n_pulled) + " pulled";
  }

  std::string what_is_verified() const override {
    std::string text = "in warm-ups, every item arrived once, in push order of its pair, with all its bytes; ";
    if (request_.is_steady_test) text += "all arrived before anybody was done; ";
    return text + "in timed runs, as many as were pushed";
  }

  std::string describe_pairs() override { return pairs_.describe(); }

private:
  void run_timed() {
    pool_cursor next(pool_);
    std::uint64_t n_left = n_pushes_;
    stream_->begin(plan_.item_bytes);
    this->run_session(
        [&] {
          this->push_some(next, n_left);
          return n_left == 0;
        },
        [&] {
          std::byte* const landing = landing_.data();
          std::uint64_t n = 0;
          this->pull_some([&](const std::byte* item) {
            stream_->copy(landing, item, stream_->pulled_bytes());
            keep(landing);
            ++n;
          });
          n_pulled_ += n;
        });
  }

  void run_checked() {
    const pe_id me = world_.my_pe();
    random_engine random(request_.seed + plan_.number, static_cast<std::uint64_t>(me));
    std::uint64_t n_left = n_pushes_;
    pe_id target = -1;  // of the item that waits in item_ to be pushed; -1: none does
    stream_->begin(plan_.item_bytes);
    this->run_session([&] { return push_checked(random, n_left, target); },
                      [&] {
                        pe_id from = 0;
                        while (const std::byte* item = puller_.pull(from)) check(item, from);
                      });
  }

  bool push_checked(random_engine& random, std::uint64_t& n_left, pe_id& target) {
    for (; n_left != 0; --n_left) {
      if (target < 0) {
        target = static_cast<pe_id>(random.below(static_cast<std::uint64_t>(world_.n_pes())));
        n_item_bytes_ = contents_->write({world_.my_pe(), target, pairs_.pushed(target).n_items}, item_.data());
      }
      if (!push_item(target)) break;
      pair_sum& pair = pairs_.pushed(target);
      ++pair.n_items;
      pair.sum += sum_of_words(item_.data(), n_item_bytes_);
      target = -1;
    }
    return n_left == 0;
  }

  bool push_item(pe_id target) {
    if constexpr (Stream::is_elastic) return stream_->push(std::span(item_.data(), n_item_bytes_), target);
    else return stream_->push(item_.data(), target);
  }

  void check(const std::byte* first_byte, pe_id from) {
    const std::span item(first_byte, stream_->pulled_bytes());
    ++n_pulled_;
    if (from < 0 || from >= world_.n_pes()) {
      fault_ = "an item came from PE " + std::to_string(from) + ", which there is not";
      return;
    }
    pair_sum& pair = pairs_.pulled(from);
    const identity due{from, world_.my_pe(), pair.n_items};
    if (fault_.empty() && !contents_->matches(due, item)) fault_ = contents_->describe_fault(due, item);
    ++pair.n_items;
    pair.sum += sum_of_words(item.data(), item.size());
  }

  aligned_bytes item_;  // to be pushed next
  std::size_t n_item_bytes_ = 0;
  pair_sums pairs_;
  std::optional<item_contents> contents_;
  std::string fault_;  // the first in this run
};

}  // namespace shoal::cli
