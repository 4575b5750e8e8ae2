/// The edit distance of two random texts, by blocks of its table; columns of blocks go to the PEs in turn. A block needs the
/// borders of the block to its left, which belongs to another PE, and of the block above.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "benchmarks/support/blocks.hpp"
#include "shoal/actor/per_pe.hpp"
#include "shoal/base/random.hpp"
#include "shoal/task/task.hpp"

namespace shoal::bench {

class wavefront {
public:
  /// `n_blocks` in each direction, of `n_rows` rows and as many columns. Each takes `block_ns` beside its work.
  wavefront(std::int64_t n_blocks, std::int64_t n_rows, std::uint64_t block_ns)
      : n_blocks_(n_blocks), n_rows_(n_rows), block_ns_(block_ns), a_(random_text(1)), b_(random_text(2)) {}

  /// A task for each block begins when its borders are there. Collective. Returns the distance on the PE that finds it, and
  /// elsewhere 0.
  std::int32_t by_tasks(world& w) const {
    // Of each block, what its neighbours want.
    struct block {
      promise<border> right, below;
    };
    std::int32_t distance = 0;
    per_pe<std::vector<block>> blocks(w, static_cast<std::size_t>(n_blocks_ * n_blocks_));
    w.finish([&] {
      for (std::int64_t j = w.my_pe(); j < n_blocks_; j += w.n_pes()) {
        for (std::int64_t i = 0; i < n_blocks_; ++i) {
          const auto ask_for_left = [&] {
            return w.ask((j - 1) % w.n_pes(),
                         [there = blocks.handle(), n = number(i, j - 1)] { return (*there)[n].right.get_future(); });
          };
          async_await(
              [&, i, j](const border& left, border above) {
                block& here = (*blocks)[number(i, j)];
                border right = fill(w, i, j, left, above);
                if (is_last(i, j)) distance = right.back();
                here.right.set(std::move(right));
                here.below.set(std::move(above));
              },
              j == 0 ? first_left(i) : ask_for_left(),
              i == 0 ? first_above(j) : (*blocks)[number(i - 1, j)].below.get_future());
        }
      }
    });
    return distance;
  }

  /// A superstep for each diagonal of blocks. Otherwise as by_tasks.
  std::int32_t by_supersteps(world& w) const {
    std::int32_t distance = 0;
    const auto n = static_cast<std::size_t>(n_blocks_);
    per_pe<std::vector<border>> next_left(w, n);  // by column
    std::vector<border> above(n);
    for (std::int64_t diagonal = 0; diagonal < 2 * n_blocks_ - 1; ++diagonal) {
      // Sends may let handlers run, which bring those for the next diagonal.
      const std::vector<border> left = std::exchange(*next_left, std::vector<border>(n));
      w.finish([&] {
        for (std::int64_t j = w.my_pe(); j < n_blocks_; j += w.n_pes()) {
          const std::int64_t i = diagonal - j;
          if (i < 0 || i >= n_blocks_) continue;
          const auto column = static_cast<std::size_t>(j);
          if (i == 0) above[column] = first_above(j);
          const border right = fill(w, i, j, j == 0 ? first_left(i) : left[column], above[column]);
          if (is_last(i, j)) distance = right.back();
          if (j + 1 == n_blocks_) continue;
          w.send((j + 1) % w.n_pes(),
                 [there = next_left.handle(), column](border its) { (*there)[column + 1] = std::move(its); }, right);
        }
      });
    }
    return distance;
  }

  /// The obvious way.
  std::int32_t by_one_pe() const {
    std::vector<std::int32_t> row(b_.size() + 1);
    std::iota(row.begin(), row.end(), 0);
    for (std::size_t i = 0; i < a_.size(); ++i) {
      std::int32_t corner = std::exchange(row[0], static_cast<std::int32_t>(i) + 1);
      for (std::size_t j = 0; j < b_.size(); ++j) {
        const std::int32_t cheapest = std::min({corner + (a_[i] == b_[j] ? 0 : 1), row[j] + 1, row[j + 1] + 1});
        corner = std::exchange(row[j + 1], cheapest);
      }
    }
    return row.back();
  }

  /// How long a block takes now.
  std::uint64_t measure_block_ns(world& w) const {
    return least_ns(w, [&] {
      border above = first_above(0);
      fill(w, 0, 0, first_left(0), above);
    });
  }

private:
  // Numbers beside a block: its last column, after the number above it; or its last row.
  using border = std::vector<std::int32_t>;

  // The same on every PE.
  std::string random_text(std::uint64_t seed) const {
    random_engine random(seed, 0);
    std::string text(static_cast<std::size_t>(n_blocks_ * n_rows_), ' ');
    for (char& c : text) c = static_cast<char>('a' + random.below(4));
    return text;
  }

  std::size_t number(std::int64_t i, std::int64_t j) const noexcept {
    return static_cast<std::size_t>(i * n_blocks_ + j);
  }
  bool is_last(std::int64_t i, std::int64_t j) const noexcept { return i == n_blocks_ - 1 && j == n_blocks_ - 1; }

  // What lies to the left of the first column, and above the first row.
  border first_left(std::int64_t i) const {
    border its(static_cast<std::size_t>(n_rows_ + 1));
    std::iota(its.begin(), its.end(), static_cast<std::int32_t>(i * n_rows_));
    return its;
  }
  border first_above(std::int64_t j) const {
    border its(static_cast<std::size_t>(n_rows_));
    std::iota(its.begin(), its.end(), static_cast<std::int32_t>(j * n_rows_ + 1));
    return its;
  }

  // Returns the last column of a block. `row` is what lies above the block, and becomes its last row.
  border fill(world& w, std::int64_t block_i, std::int64_t block_j, const border& left, border& row) const {
    const auto n = static_cast<std::size_t>(n_rows_);
    const char* const a = a_.data() + static_cast<std::size_t>(block_i) * n;
    const char* const b = b_.data() + static_cast<std::size_t>(block_j) * n;
    border right{row.back()};
    for (std::size_t i = 0; i < n; ++i) {
      std::int32_t corner = left[i];
      std::int32_t before = left[i + 1];
      for (std::size_t j = 0; j < n; ++j) {
        const std::int32_t cheapest = std::min(corner + (a[i] == b[j] ? 0 : 1), std::min(before, row[j]) + 1);
        corner = std::exchange(row[j], cheapest);
        before = cheapest;
      }
      right.push_back(before);
    }
    pass_time(w, block_ns_);
    return right;
  }

  std::int64_t n_blocks_;
  std::int64_t n_rows_;
  std::uint64_t block_ns_;
  std::string a_;
  std::string b_;
};

}  // namespace shoal::bench
