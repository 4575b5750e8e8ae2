/// Elastic conveyors and biconveyors as streams: items of random sizes up to those of the session.
#pragma once

#include <array>
#include <numeric>
#include <span>
#include <vector>

#include "shoal/conveyor/elastic_biconveyor.hpp"
#include "shoal/conveyor/elastic_conveyor.hpp"
#include "tools/cli/conveyor_bench_streams.hpp"

namespace shoal::cli {

/// What all streams of items of random sizes have. Which size is whose turn depends on the seed and the PE.
class elastic_items {
public:
  static constexpr bool is_elastic = true;

  /// Of pulled items, if none has more than `item_bytes`.
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
  elastic_items(const world& w, const bench_request& request) : item_bytes_(request.item_bytes) {
    random_engine random(request.seed, static_cast<std::uint64_t>(2 * w.n_pes() + w.my_pe()));
    const std::size_t least = request.what == traffic::all_to_all ? 0 : item_bytes_min(request.what);
    for (std::size_t& bytes : sizes_) {
      bytes = least + static_cast<std::size_t>(random.below(item_bytes_ - least + 1));
    }
  }

private:
  std::size_t item_bytes_;
  std::array<std::size_t, 1024> sizes_;  // of pushes, in turn
};

class elastic_stream : public elastic_items {
public:
  elastic_stream(world& w, const bench_request& request)
      : elastic_items(w, request),
        conveyor_(w.buffers(), {.steady = request.is_steady,
                                .n_hops = request.kind->n_hops,
                                .align = static_cast<std::uint32_t>(alignment_of(request.item_bytes))}) {}

  std::size_t alignment() const noexcept { return alignment_of(item_bytes()); }
  std::size_t pulled_bytes() const noexcept { return n_pulled_bytes_; }

  void begin(std::size_t) {
    n_pushed_ = 0;
    conveyor_.begin();
  }
  progress advance(bool is_done) { return conveyor_.advance(is_done); }
  bool unpull() { return conveyor_.unpull(); }
  void reset() { conveyor_.reset(); }

  /// As many of the bytes at `item` as is this push's turn.
  [[nodiscard]] bool push(const std::byte* item, pe_id target) {
    if (!push(std::span(item, bytes_of_push(n_pushed_)), target)) return false;
    ++n_pushed_;
    return true;
  }
  [[nodiscard]] bool push(std::span<const std::byte> item, pe_id target) { return conveyor_.push(item, target); }
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

private:
  elastic_conveyor conveyor_;
  std::uint64_t n_pushed_ = 0;
  std::size_t n_pulled_bytes_ = 0;
};

/// Pushes queries and pulls replies, both of random sizes.
class elastic_query_stream : public elastic_items {
public:
  elastic_query_stream(world& w, const bench_request& request) : elastic_items(w, request), conveyor_(w.buffers()) {}

  static constexpr std::size_t alignment() noexcept { return 1; }
  std::size_t pulled_bytes() const noexcept { return n_pulled_bytes_; }

  /// `answer` writes the reply to a query of a PE where it is told to, and returns how many bytes it has.
  template <class Answer>
  void begin(Answer answer) {
    n_pushed_ = 0;
    conveyor_.begin([this, answer](std::span<const std::byte> query, pe_id from, std::vector<std::byte>& reply) {
      reply.resize(item_bytes());
      reply.resize(answer(query, from, reply.data()));
    });
  }
  progress advance(bool is_done) { return conveyor_.advance(is_done); }
  static bool unpull() noexcept { return false; }  // replies cannot be put back
  void reset() { conveyor_.reset(); }

  [[nodiscard]] bool push(const std::byte* query, pe_id target) {
    if (!push(std::span(query, bytes_of_push(n_pushed_)), target)) return false;
    ++n_pushed_;
    return true;
  }
  [[nodiscard]] bool push(std::span<const std::byte> query, pe_id target) { return conveyor_.push(query, target); }
  [[nodiscard]] const std::byte* pull() {
    const std::vector<std::byte>* const reply = conveyor_.pull();
    if (reply == nullptr) return nullptr;
    n_pulled_bytes_ = reply->size();
    static constexpr std::byte nothing{};
    return reply->empty() ? &nothing : reply->data();
  }
  /// Replies come in the order of their queries, and do not say from where.
  [[nodiscard]] const std::byte* pull(pe_id&) { return pull(); }

private:
  elastic_biconveyor conveyor_;
  std::uint64_t n_pushed_ = 0;
  std::size_t n_pulled_bytes_ = 0;
};

}  // namespace shoal::cli
