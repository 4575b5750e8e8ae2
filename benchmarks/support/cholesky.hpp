/// The Cholesky factor of a symmetric positive definite matrix, by columns of blocks, which go to the PEs in turn. Every column
/// needs all factors to its left.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <ranges>
#include <utility>
#include <vector>

#include "benchmarks/support/blocks.hpp"
#include "shoal/actor/per_pe.hpp"
#include "shoal/task/task.hpp"

namespace shoal::bench {

class cholesky {
public:
  /// A column of blocks from its block on the diagonal downwards, row by row.
  using column = std::vector<double>;
  using columns = std::vector<column>;

  /// `n_blocks` in each direction, of `n_rows` rows and as many columns. To take a factor into a block takes `block_ns` beside the
  /// work, and to make a block of a factor half of that.
  cholesky(std::int64_t n_blocks, std::int64_t n_rows, std::uint64_t block_ns)
      : n_blocks_(static_cast<std::size_t>(n_blocks)), n_rows_(static_cast<std::size_t>(n_rows)), block_ns_(block_ns) {}

  /// A task takes one factor into one column, when the factor is there and the column has taken in those before. Collective.
  /// Returns all columns of the factor.
  columns by_tasks(world& w) const {
    // [cholesky]
    struct own_column {
      std::size_t number;
      column values;
      std::vector<promise<void>> to_come;  // factors to its left
    };
    struct part {
      columns factors;
      std::vector<own_column> own;
    };
    per_pe<part> mine(w, part{columns(n_blocks_), {}});
    for (const std::size_t j : columns_of(w)) mine->own.push_back({j, initial(j), std::vector<promise<void>>(j)});

    const auto complete = [&](own_column& its) {
      factor(w, its.values);
      for (pe_id pe = 0; pe < w.n_pes(); ++pe) {
        w.send(
            pe,
            [there = mine.handle(), j = its.number](column next) {
              there->factors[j] = std::move(next);
              // What is made last usually begins first: the column for which all wait.
              for (own_column& each : there->own | std::views::reverse) {
                if (each.number > j) each.to_come[j].set();
              }
            },
            its.values);
      }
    };
    const auto take_in = [&](const auto& again, own_column& its, std::size_t k) -> void {
      if (k == its.number) return complete(its);
      async_await(
          [&, k] {
            update(w, its.values, its.number, mine->factors[k], k);
            again(again, its, k + 1);
          },
          its.to_come[k].get_future());
    };
    w.finish([&] {
      for (own_column& each : mine->own) take_in(take_in, each, 0);
    });
    // [/cholesky]
    return std::move(mine->factors);
  }

  /// A superstep for each factor; then every PE takes it in. Otherwise as by_tasks.
  columns by_supersteps(world& w) const {
    per_pe<columns> factors(w, n_blocks_);
    columns mine;
    const std::vector<std::size_t> of_this_pe = columns_of(w);
    for (const std::size_t j : of_this_pe) mine.push_back(initial(j));
    for (std::size_t k = 0; k < n_blocks_; ++k) {
      w.finish([&] {
        const auto found = std::ranges::find(of_this_pe, k);
        if (found == of_this_pe.end()) return;
        column& next = mine[static_cast<std::size_t>(found - of_this_pe.begin())];
        factor(w, next);
        for (pe_id pe = 0; pe < w.n_pes(); ++pe) {
          w.send(pe, [there = factors.handle(), k](column its) { (*there)[k] = std::move(its); }, next);
        }
      });
      for (std::size_t i = 0; i < mine.size(); ++i) {
        if (of_this_pe[i] > k) update(w, mine[i], of_this_pe[i], (*factors)[k], k);
      }
    }
    return std::move(*factors);
  }

  /// The obvious way: the factor of the whole matrix, row by row.
  std::vector<double> by_one_pe() const {
    const std::size_t n = n_blocks_ * n_rows_;
    std::vector<double> all(n * n, 0);
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j <= i; ++j) {
        double sum = element(i, j);
        for (std::size_t k = 0; k < j; ++k) sum -= all[i * n + k] * all[j * n + k];
        all[i * n + j] = i == j ? std::sqrt(sum) : sum / all[j * n + j];
      }
    }
    return all;
  }

  /// Whether these columns are the factor `all`, up to rounding.
  bool is_factor(const columns& found, const std::vector<double>& all) const {
    const std::size_t n = n_blocks_ * n_rows_;
    for (std::size_t k = 0; k < n_blocks_; ++k) {
      const std::size_t first = k * n_rows_;
      if (found[k].size() != (n - first) * n_rows_) return false;
      for (std::size_t i = first; i < n; ++i) {
        for (std::size_t j = first; j < std::min(i + 1, first + n_rows_); ++j) {
          // Written so that a value that is no number is wrong.
          if (!(std::abs(found[k][(i - first) * n_rows_ + j - first] - all[i * n + j]) < 1e-9)) return false;
        }
      }
    }
    return true;
  }

  static double element(std::size_t i, std::size_t j) noexcept {
    return (i == j ? 1 : 0) + 1 / (1 + std::abs(static_cast<double>(i) - static_cast<double>(j)));
  }

  /// How long the longest update of a column by another takes now.
  std::uint64_t measure_block_ns(world& w) const {
    const column by = initial(0);
    column its = initial(1);
    return least_ns(w, [&] { update(w, its, 1, by, 0); });
  }

private:
  std::vector<std::size_t> columns_of(world& w) const {
    std::vector<std::size_t> its;
    for (auto j = static_cast<std::size_t>(w.my_pe()); j < n_blocks_; j += static_cast<std::size_t>(w.n_pes())) {
      its.push_back(j);
    }
    return its;
  }

  column initial(std::size_t j) const {
    column its;
    for (std::size_t row = j * n_rows_; row < n_blocks_ * n_rows_; ++row) {
      for (std::size_t i = 0; i < n_rows_; ++i) its.push_back(element(row, j * n_rows_ + i));
    }
    return its;
  }

  // Takes factor k into column j.
  void update(world& w, column& its, std::size_t j, const column& by, std::size_t k) const {
    const std::size_t n = n_rows_;
    const double* const from = &by[(j - k) * n * n];
    // The block of the factor in the rows of j, transposed.
    std::vector<double> across(n * n);
    for (std::size_t r = 0; r < n; ++r) {
      for (std::size_t t = 0; t < n; ++t) across[t * n + r] = from[r * n + t];
    }
    for (std::size_t r = 0; r < its.size() / n; ++r) {
      for (std::size_t t = 0; t < n; ++t) subtract(&its[r * n], from[r * n + t], &across[t * n], n);
    }
    pass_time(w, block_ns_ * (n_blocks_ - j));
  }

  // Makes a column that has taken in all factors to its left a factor.
  void factor(world& w, column& its) const {
    const std::size_t n = n_rows_;
    std::vector<double> across(n * n);  // the block on the diagonal, transposed
    for (std::size_t r = 0; r < its.size() / n; ++r) {
      double* const row = &its[r * n];
      for (std::size_t t = 0; t < std::min(r, n); ++t) {
        row[t] /= across[t * n + t];
        if (r < n) across[t * n + r] = row[t];
        subtract(row + t + 1, row[t], &across[t * n + t + 1], std::min(r + 1, n) - t - 1);
      }
      if (r < n) across[r * n + r] = row[r] = std::sqrt(row[r]);
    }
    pass_time(w, block_ns_ / 2 * (its.size() / n / n));
  }

  static void subtract(double* from, double factor, const double* what, std::size_t n) noexcept {
    for (std::size_t i = 0; i < n; ++i) from[i] -= factor * what[i];
  }

  std::size_t n_blocks_;
  std::size_t n_rows_;
  std::uint64_t block_ns_;
};

}  // namespace shoal::bench
