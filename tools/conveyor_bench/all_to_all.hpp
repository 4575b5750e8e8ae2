/// Every PE pushes items to random PEs; the PE that pulls an item only reads it.
#pragma once

#include <span>

#include "tools/conveyor_bench/numbered_workload.hpp"

namespace shoal::cli {

template <class Stream>
class all_to_all final : public numbered_workload<Stream> {
  using base = numbered_workload<Stream>;
  using base::items_, base::landing_, base::n_pulled_, base::n_pushes_, base::options_, base::plan_, base::pool_,
      base::puller_, base::stream_, base::world_;

public:
  using base::base;

  std::uint64_t run() override {
    plan_.is_checked ? run_checked() : run_timed();
    return n_pushes_;
  }

  [[gnu::cold]] std::string verify() override {
    const std::string fault = items_.fault(plan_, puller_.fault());
    const std::uint64_t n_expected = n_pushes_ * static_cast<std::uint64_t>(world_.n_pes());
    const std::uint64_t n_pulled = world_.sum(n_pulled_);
    if (!fault.empty()) return fault;
    if (n_pulled == n_expected) return {};
    return std::to_string(n_expected) + " items were pushed, but " + std::to_string(n_pulled) + " pulled";
  }

  [[gnu::cold]] std::string what_is_verified() const override {
    std::string text = "in warm-ups, every item arrived once, in push order of its pair, with all its bytes; ";
    if (options_.is_steady_test) text += "all arrived before anybody was done; ";
    return text + "in timed runs, as many as were pushed";
  }

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

  [[gnu::cold]] void run_checked() {
    items_.restart(plan_, n_pushes_);
    stream_->begin(plan_.item_bytes);
    this->run_session([this] { return this->push_checked([](const identity&) {}); },
                      [this] {
                        pe_id from = 0;
                        while (const std::byte* item = puller_.pull(from)) check(item, from);
                      });
  }

  [[gnu::cold]] void check(const std::byte* first_byte, pe_id from) {
    ++n_pulled_;
    if (from < 0 || from >= world_.n_pes()) {
      items_.set_fault("an item came from PE " + std::to_string(from) + ", which there is not");
      return;
    }
    items_.check_arrived(std::span(first_byte, stream_->pulled_bytes()), from, "");
  }
};

}  // namespace shoal::cli
