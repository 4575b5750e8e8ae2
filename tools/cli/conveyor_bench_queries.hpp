/// Every PE pushes queries to random PEs, which answer each; replies are pulled in push order.
#pragma once

#include <cstring>
#include <deque>
#include <optional>
#include <span>

#include "tools/cli/conveyor_bench_pairs.hpp"
#include "tools/cli/conveyor_bench_workload.hpp"

namespace shoal::cli {

/// `Stream` is one of queries and replies: conveyor_bench_kinds.hpp, conveyor_bench_elastic.hpp.
template <class Stream>
class queries final : public pool_workload<Stream> {
  using base = pool_workload<Stream>;
  using base::landing_, base::n_pulled_, base::n_pushes_, base::plan_, base::pool_, base::puller_, base::request_,
      base::stream_, base::world_;

public:
  queries(world& w, const bench_request& request) : base(w, request), pairs_(w) {}

  void prepare(const run_plan& plan) override {
    base::prepare(plan);
    const std::uint64_t seed = request_.seed + plan.number;
    const bool has_random_sizes = Stream::is_elastic && plan.is_checked;
    asked_.emplace(seed, plan.item_bytes, request_.entropy_bits, has_random_sizes);
    replied_.emplace(~seed, plan.item_bytes, request_.entropy_bits, has_random_sizes);
    fault_.clear();
    due_.clear();
    if (plan.is_checked) {
      pairs_.clear();
      return;
    }
    for (std::size_t i = 0; i < pool_.size; ++i) {
      asked_->write({world_.my_pe(), pool_.targets[i], i}, pool_.items.data() + i * plan.item_bytes);
    }
  }

  std::uint64_t run() override {
    plan_.is_checked ? run_checked() : run_timed();
    return n_pushes_ + n_pulled_;
  }

  std::string verify() override {
    const std::string wrong_pair = plan_.is_checked ? pairs_.compare() : std::string();
    if (!fault_.empty()) return fault_;
    if (!puller_.fault().empty()) return puller_.fault();
    if (!wrong_pair.empty()) return wrong_pair;
    if (n_pulled_ == n_pushes_) return {};
    return std::to_string(n_pushes_) + " queries were pushed, but " + std::to_string(n_pulled_) + " replies came back";
  }

  std::string what_is_verified() const override {
    std::string text =
        "in warm-ups, every query arrived once, in push order of its pair, and its reply in push order of "
        "this "
        "PE's queries, both with all their bytes; ";
    if (request_.is_steady_test) text += "all replies arrived before anybody was done; ";
    return text + "in timed runs, as many replies as queries";
  }

  std::string describe_pairs() override { return pairs_.describe(); }

private:
  void run_timed() {
    pool_cursor next(pool_);
    std::uint64_t n_left = n_pushes_;
    stream_->begin([](std::span<const std::byte> query, pe_id, std::byte* reply) {
      std::memcpy(reply, query.data(), query.size());
      return query.size();
    });
    this->run_session(
        [&] {
          this->push_some(next, n_left);
          return n_left == 0;
        },
        [&] {
          this->pull_some([&](const std::byte* reply) {
            stream_->copy(landing_.data(), reply, stream_->pulled_bytes());
            keep(landing_.data());
            ++n_pulled_;
          });
        });
  }

  void run_checked() {
    random_engine random(request_.seed + plan_.number, static_cast<std::uint64_t>(world_.my_pe()));
    std::uint64_t n_left = n_pushes_;
    pe_id target = -1;  // of the query that waits to be pushed; -1: none does
    stream_->begin(
        [this](std::span<const std::byte> query, pe_id from, std::byte* reply) { return answer(query, from, reply); });
    this->run_session([&] { return push_checked(random, n_left, target); },
                      [&] {
                        pe_id nobody = 0;
                        while (const std::byte* reply = puller_.pull(nobody)) check(reply);
                      });
  }

  bool push_checked(random_engine& random, std::uint64_t& n_left, pe_id& target) {
    for (; n_left != 0; --n_left) {
      if (target < 0) target = static_cast<pe_id>(random.below(static_cast<std::uint64_t>(world_.n_pes())));
      pair_sum& pair = pairs_.pushed(target);
      const std::size_t bytes = asked_->write({world_.my_pe(), target, pair.n_items}, landing_.data());
      if (!push(bytes, target)) break;
      due_.push_back({target, world_.my_pe(), pair.n_items});
      ++pair.n_items;
      pair.sum += sum_of_words(landing_.data(), bytes);
      target = -1;
    }
    return n_left == 0;
  }

  bool push(std::size_t bytes, pe_id target) {
    if constexpr (Stream::is_elastic) return stream_->push(std::span(landing_.data(), bytes), target);
    return stream_->push(landing_.data(), target);
  }

  // Both sides number the queries of a pair, and the reply to a query has the query's number.
  std::size_t answer(std::span<const std::byte> query, pe_id from, std::byte* reply) {
    pair_sum& pair = pairs_.pulled(from);
    const identity due{from, world_.my_pe(), pair.n_items};
    if (fault_.empty() && !asked_->matches(due, query)) {
      fault_ = "of queries, " + asked_->describe_fault(due, query);
    }
    const std::size_t reply_bytes = replied_->write({world_.my_pe(), from, pair.n_items}, reply);
    ++pair.n_items;
    pair.sum += sum_of_words(query.data(), query.size());
    return reply_bytes;
  }

  void check(const std::byte* first_byte) {
    ++n_pulled_;
    if (due_.empty()) {
      fault_ = "a reply was pulled that no query is waiting for";
      return;
    }
    const std::span reply(first_byte, stream_->pulled_bytes());
    if (fault_.empty() && !replied_->matches(due_.front(), reply)) {
      fault_ = "of replies, " + replied_->describe_fault(due_.front(), reply);
    }
    due_.pop_front();
  }

  pair_sums pairs_;  // of queries
  std::optional<item_contents> asked_;
  std::optional<item_contents> replied_;
  std::deque<identity> due_;  // replies to queries on their way, in push order
  std::string fault_;  // the first in this run
};

}  // namespace shoal::cli
