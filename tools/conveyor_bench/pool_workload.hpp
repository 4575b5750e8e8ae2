/// What all kinds of traffic share: a pool of items, conveyors, sessions, and a plain copy to compare with.
#pragma once

#include <algorithm>
#include <optional>
#include <vector>

#include "shoal/actor/world.hpp"
#include "shoal/base/random.hpp"
#include "shoal/conveyor/internal/exchange.hpp"
#include "tools/conveyor_bench/items.hpp"
#include "tools/conveyor_bench/options.hpp"
#include "tools/conveyor_bench/puller.hpp"
#include "tools/conveyor_bench/tally.hpp"
#include "tools/conveyor_bench/workload.hpp"

namespace shoal::cli {

/// Items and targets ready to be pushed. Long runs push them repeatedly, in turn, so that their memory stays in the
/// cache, as it would with items that the program has just computed.
struct item_pool {
  item_pool(const bench_options& options, std::uint64_t n_pushes, pe_id n_pes, pe_id my_pe)
      : size(std::clamp<std::uint64_t>(options.n_words * 8 / options.item_bytes, 1,
                                       std::max<std::uint64_t>(1, n_pushes))),
        items(size * options.item_bytes),
        targets(size) {
    random_engine random(options.seed, static_cast<std::uint64_t>(my_pe));
    for (std::uint32_t& target : targets) {
      target = static_cast<std::uint32_t>(random.below(static_cast<std::uint64_t>(n_pes)));
    }
  }

  std::size_t size;
  aligned_bytes items;  // one after the other, `size` of the run's item size
  std::vector<std::uint32_t> targets;
};

/// Goes through a pool repeatedly. Copy it into a hot loop and back, so that it stays in registers: as far as the
/// compiler knows, stores of items might change anything in memory.
class pool_cursor {
public:
  explicit pool_cursor(item_pool& pool)
      : first_item_(pool.items.data()),
        first_target_(pool.targets.data()),
        last_target_(first_target_ + pool.size),
        item_(first_item_),
        target_(first_target_) {}

  const std::byte* item() const noexcept { return item_; }
  pe_id target() const noexcept { return *target_; }
  void next(std::size_t item_bytes) noexcept {
    item_ += item_bytes;
    if (++target_ != last_target_) return;
    item_ = first_item_;
    target_ = first_target_;
  }

private:
  const std::byte* first_item_;
  const std::uint32_t* first_target_;
  const std::uint32_t* last_target_;
  const std::byte* item_;
  const std::uint32_t* target_;
};

template <class Stream>
class pool_workload : public workload {
public:
  pool_workload(world& w, const bench_options& options)
      : world_(w),
        options_(options),
        n_pushes_(options.load * static_cast<std::uint64_t>(w.n_pes())),
        pool_(options, n_pushes_, w.n_pes(), w.my_pe()),
        stream_(std::in_place, w, options),
        puller_(*stream_, options.reject, options.checks_alignment, options.seed, w.my_pe()),
        landing_(options.item_bytes),
        n_fitting_(std::max<std::size_t>(1, w.message_exchange().payload_bytes() / options.item_bytes)),
        buffer_(n_fitting_ * options.item_bytes) {
    if (options.is_steady_test) tally_.emplace(w, options.kind->n_hops);
  }

  void drop_conveyors() override { stream_.reset(); }
  void make_conveyors() override { stream_.emplace(world_, options_); }

  void prepare(const run_plan& plan) override {
    plan_ = plan;
    n_pulled_ = 0;
  }

  void copy_plainly(std::uint64_t n_items) override {
    const std::size_t item_bytes = stream_->item_bytes();
    pool_cursor at(pool_);
    for (std::uint64_t first = 0; first < n_items; first += n_fitting_) {
      const std::uint64_t end = std::min(n_items, first + n_fitting_);
      std::byte* in = buffer_.data();
      for (std::uint64_t i = first; i < end; ++i, in += item_bytes, at.next(item_bytes))
        stream_->copy(in, at.item(), stream_->bytes_of_push(i));
      keep(buffer_.data());
      const std::byte* out = buffer_.data();
      for (std::uint64_t i = first; i < end; ++i, out += item_bytes) {
        stream_->copy(landing_.data(), out, stream_->bytes_of_push(i));
        keep(landing_.data());
      }
    }
  }

  double mean_item_bytes() const override {
    if constexpr (Stream::is_elastic) return stream_->mean_bytes_of_pushes(n_pushes_);
    return static_cast<double>(plan_.item_bytes);
  }

protected:
  // The rest of a session that has begun, in which push_some and pull_some do what can be done now. push_some returns
  // whether this PE has pushed all; pull_some counts in n_pulled_.
  template <class Push, class Pull>
  void run_session(const Push& push_some, const Pull& pull_some) {
    if (tally_) tally_->begin(n_pushes_ * static_cast<std::uint64_t>(world_.n_pes()));
    bool is_done = n_pushes_ == 0 && !tally_;
    while (stream_->advance(is_done) != progress::complete) {
      const bool has_pushed_all = push_some();
      pull_some();
      is_done = tally_ ? tally_->advance(n_pulled_) : has_pushed_all;
    }
    if (tally_) tally_->end();
    stream_->reset();
  }

  // Pushes items of the pool until there is no room, or until all are pushed.
  void push_some(pool_cursor& from, std::uint64_t& n_left) {
    pool_cursor at = from;
    std::uint64_t n = n_left;
    for (; n != 0 && stream_->push(at.item(), at.target()); --n) at.next(stream_->item_bytes());
    from = at;
    n_left = n;
  }

  // Passes each item that can be pulled to `use`.
  template <class Use>
  void pull_some(const Use& use) {
    if (puller_.is_plain()) {
      while (const std::byte* item = stream_->pull()) use(item);
      return;
    }
    pe_id from = 0;
    while (const std::byte* item = puller_.pull(from)) use(item);
  }

  world& world_;
  const bench_options& options_;
  const std::uint64_t n_pushes_;  // of this PE in one run
  run_plan plan_;
  item_pool pool_;
  std::optional<Stream> stream_;  // empty only between drop_conveyors and make_conveyors
  puller<Stream> puller_;
  aligned_bytes landing_;  // where a program would put the item it works on
  const std::size_t n_fitting_;  // items that fit into a buffer
  aligned_bytes buffer_;
  std::optional<tally> tally_;
  std::uint64_t n_pulled_ = 0;  // in this run, by all_to_all and queries
};

}  // namespace shoal::cli
