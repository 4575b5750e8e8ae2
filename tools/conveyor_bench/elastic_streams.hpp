/// Elastic conveyors as streams: items of random sizes up to that of the session.
#pragma once

#include <array>
#include <numeric>
#include <span>

#include "shoal/conveyor/elastic_conveyor.hpp"
#include "tools/conveyor_bench/streams.hpp"

namespace shoal::cli {

/// What all streams of items of random sizes share. The seed and the PE determine the sequence of sizes.
class elastic_items {
public:
  static constexpr bool is_elastic = true;

  /// The alignment of pulled items, if none has more than `item_bytes`.
  static constexpr std::size_t alignment_of(std::size_t item_bytes) noexcept {
    return byte_conveyor::largest_alignment(item_bytes);
  }

  std::size_t item_bytes() const noexcept { return item_bytes_; }
  std::size_t bytes_of_push(std::uint64_t i) const noexcept { return sizes_[i % sizes_.size()]; }
  double mean_bytes_of_pushes(std::uint64_t n) const noexcept {
    const auto sum_of_first = [&](std::size_t k) {
      return static_cast<double>(std::accumulate(sizes_.begin(), sizes_.begin() + static_cast<long>(k), 0UL));
    };
    if (n == 0) return 0;
    const double n_rounds = static_cast<double>(n / sizes_.size());
    return (n_rounds * sum_of_first(sizes_.size()) + sum_of_first(n % sizes_.size())) / static_cast<double>(n);
  }
  static void copy(std::byte* to, const std::byte* from, std::size_t bytes) noexcept { std::memcpy(to, from, bytes); }

protected:
  elastic_items(const world& w, const bench_options& options) : item_bytes_(options.item_bytes) {
    random_engine random(options.seed, static_cast<std::uint64_t>(2 * w.n_pes() + w.my_pe()));
    const std::size_t least = options.what == traffic::all_to_all ? 0 : item_bytes_min(options.what);
    for (std::size_t& bytes : sizes_) {
      bytes = least + static_cast<std::size_t>(random.below(item_bytes_ - least + 1));
    }
  }

private:
  std::size_t item_bytes_;
  std::array<std::size_t, 1024> sizes_;  // of pushes, in turn
};

/// What both kinds of elastic conveyors share. A kind says how it begins and pulls.
template <class Conveyor>
class elastic_stream_over : public elastic_items {
public:
  std::size_t pulled_bytes() const noexcept { return n_pulled_bytes_; }

  progress advance(bool is_done) { return conveyor_.advance(is_done); }
  void reset() { conveyor_.reset(); }

  /// Pushes the first bytes at `item`, as many as this push's size in the sequence.
  [[nodiscard]] bool push(const std::byte* item, pe_id target) {
    if (!push(std::span(item, bytes_of_push(n_pushed_)), target)) return false;
    ++n_pushed_;
    return true;
  }
  [[nodiscard]] bool push(std::span<const std::byte> item, pe_id target) { return conveyor_.push(item, target); }

protected:
  template <class... Arguments>
  elastic_stream_over(world& w, const bench_options& options, Arguments&&... arguments)
      : elastic_items(w, options), conveyor_(w, std::forward<Arguments>(arguments)...) {}

  Conveyor conveyor_;
  std::uint64_t n_pushed_ = 0;  // in this session, with sizes from the sequence
  std::size_t n_pulled_bytes_ = 0;  // in the item pulled last
};

class elastic_stream : public elastic_stream_over<elastic_conveyor> {
public:
  elastic_stream(world& w, const bench_options& options)
      : elastic_stream_over(w, options,
                            elastic_options{.steady = options.is_steady,
                                            .n_hops = options.kind->n_hops,
                                            .align = static_cast<std::uint32_t>(alignment_of(options.item_bytes))}) {}

  std::size_t alignment() const noexcept { return alignment_of(item_bytes()); }

  void begin(std::size_t) {
    n_pushed_ = 0;
    conveyor_.begin();
  }
  bool unpull() { return conveyor_.unpull(); }

  [[nodiscard]] const std::byte* pull() {
    pe_id from = 0;
    return pull(from);
  }
  [[nodiscard]] const std::byte* pull(pe_id& from) {
    const elastic_conveyor::item* const item = conveyor_.pull();
    if (item == nullptr) return nullptr;
    from = item->from;
    n_pulled_bytes_ = item->bytes.size();
    return item->bytes.data();
  }
};

}  // namespace shoal::cli
