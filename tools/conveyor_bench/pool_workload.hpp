/// What all kinds of traffic share: conveyors, sessions, and a plain copy to compare with.
#pragma once

#include <algorithm>
#include <optional>

#include "shoal/actor/world.hpp"
#include "tools/conveyor_bench/options.hpp"
#include "tools/conveyor_bench/puller.hpp"
#include "tools/conveyor_bench/untyped_workload.hpp"

namespace shoal::cli {

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
class pool_workload : public untyped_workload {
public:
  [[gnu::cold]] pool_workload(world& w, const bench_options& options)
      : untyped_workload(w, options),
        stream_(std::in_place, w, options),
        puller_(*stream_, options.reject, options.checks_alignment, options.seed, w.my_pe()) {}
  [[gnu::cold, gnu::noinline]] ~pool_workload() override = default;

  [[gnu::cold]] void drop_conveyors() override { stream_.reset(); }
  [[gnu::cold]] void make_conveyors() override { stream_.emplace(world_, options_); }

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

  std::optional<Stream> stream_;  // empty only between drop_conveyors and make_conveyors
  puller<Stream> puller_;
};

}  // namespace shoal::cli
