/// Every PE pushes queries to random PEs, which reply to each; replies are pulled in push order.
#pragma once

#include <cstring>
#include <deque>
#include <optional>
#include <span>

#include "tools/conveyor_bench/numbered_workload.hpp"

namespace shoal::cli {

/// `Stream` is one of query_streams.hpp.
template <class Stream>
class queries final : public numbered_workload<Stream> {
  using base = numbered_workload<Stream>;
  using base::items_, base::landing_, base::n_pulled_, base::n_pushes_, base::options_, base::plan_, base::pool_,
      base::puller_, base::stream_, base::world_;

public:
  using base::base;

  [[gnu::cold]] void prepare(const run_plan& plan) override {
    base::prepare(plan);
    replied_.emplace(items_.contents(plan, ~(options_.seed + plan.number), Stream::is_elastic));
    due_.clear();
  }

  std::uint64_t run() override {
    plan_.is_checked ? run_checked() : run_timed();
    return n_pushes_ + n_pulled_;
  }

  [[gnu::cold]] std::string verify() override {
    const std::string fault = items_.fault(plan_, puller_.fault());
    if (!fault.empty() || n_pulled_ == n_pushes_) return fault;
    return std::to_string(n_pushes_) + " queries were pushed, but " + std::to_string(n_pulled_) + " replies came back";
  }

  [[gnu::cold]] std::string what_is_verified() const override {
    std::string text =
        "in warm-ups, every query arrived once, in push order of its pair, and its reply in push order of "
        "this "
        "PE's queries, both with all their bytes; ";
    if (options_.is_steady_test) text += "all replies arrived before anybody was done; ";
    return text + "in timed runs, as many replies as queries";
  }

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

  [[gnu::cold]] void run_checked() {
    items_.restart(plan_, n_pushes_);
    stream_->begin(
        [this](std::span<const std::byte> query, pe_id from, std::byte* reply) { return answer(query, from, reply); });
    this->run_session(
        [this] {
          return this->push_checked(
              [this](const identity& query) { due_.push_back({query.target, query.sender, query.number}); });
        },
        [this] {
          pe_id nobody = 0;
          while (const std::byte* reply = puller_.pull(nobody)) check(reply);
        });
  }

  // Both sides number the queries of a pair; the reply to a query has the query's number.
  [[gnu::cold]] std::size_t answer(std::span<const std::byte> query, pe_id from, std::byte* reply) {
    const identity due = items_.check_arrived(query, from, "of queries, ");
    return replied_->write({due.target, due.sender, due.number}, reply);
  }

  [[gnu::cold]] void check(const std::byte* first_byte) {
    ++n_pulled_;
    if (due_.empty()) {
      items_.set_fault("a reply was pulled that no query is waiting for");
      return;
    }
    const std::span reply(first_byte, stream_->pulled_bytes());
    if (!items_.has_fault() && !replied_->matches(due_.front(), reply)) {
      items_.set_fault("of replies, " + replied_->describe_fault(due_.front(), reply));
    }
    due_.pop_front();
  }

  std::optional<item_contents> replied_;
  std::deque<identity> due_;  // outstanding replies, in push order
};

}  // namespace shoal::cli
