/// Rows of a matrix in symmetric memory, for variants that read them one-sided.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "shoal/graph/sparse_matrix.hpp"
#include "shoal/shoal.hpp"

namespace shoal::kernels {

/// A copy of the rows, where every PE can read them. Its constructor and `deallocate` are collective, and wait.
struct readable_rows {
  readable_rows(world& w, const sparse_matrix& m)
      : rows(m.rows),
        offsets(w.allocate<std::int64_t>(w.max(m.offsets.size()))),
        columns(w.allocate<std::int64_t>(w.max(m.columns.size()))) {
    std::ranges::copy(m.offsets, w.local(offsets).begin());
    std::ranges::copy(m.columns, w.local(columns).begin());
    w.barrier();  // all rows are written before the first is read
  }

  // Collective: no PE frees its rows before all have read them.
  void deallocate(world& w) const {
    w.deallocate(columns);
    w.deallocate(offsets);
  }

  distribution rows;
  symmetric<std::int64_t> offsets;
  symmetric<std::int64_t> columns;
};

/// Gets one row at a time, and waits for it.
class one_row {
public:
  one_row(world& w, const readable_rows& from) : w_(w), from_(from) {}

  /// Row `row` of the matrix, until the next call. May wait.
  std::span<const std::int64_t> get(std::int64_t row) {
    const auto [pe, local] = from_.rows.place_of(row);
    const auto at = static_cast<std::size_t>(local);
    begin_ = w_.get(from_.offsets, at, pe);
    columns_.resize(static_cast<std::size_t>(w_.get(from_.offsets, at + 1, pe) - begin_));
    if (!columns_.empty()) w_.get(from_.columns, begin(), std::span(columns_), pe);
    return columns_;
  }

  /// Where its columns begin among those of its PE.
  std::size_t begin() const { return static_cast<std::size_t>(begin_); }

private:
  world& w_;
  const readable_rows& from_;
  std::int64_t begin_ = 0;
  std::vector<std::int64_t> columns_;
};

/// Gets several rows at once.
class rows_at_once {
public:
  rows_at_once(world& w, const readable_rows& from) : w_(w), from_(from) {}

  /// Waits twice: for where the rows are, and for the rows.
  void get(std::span<const std::int64_t> rows) {
    bounds_.resize(rows.size());
    for (std::size_t k = 0; k < rows.size(); ++k) {
      const auto [pe, local] = from_.rows.place_of(rows[k]);
      w_.start_get(from_.offsets, static_cast<std::size_t>(local), std::span(bounds_[k]), pe);
    }
    w_.quiet();
    starts_.assign(1, 0);
    for (const auto& [begin, end] : bounds_) starts_.push_back(starts_.back() + static_cast<std::size_t>(end - begin));
    columns_.resize(starts_.back());
    for (std::size_t k = 0; k < rows.size(); ++k) {
      const std::span<std::int64_t> into = std::span(columns_).subspan(starts_[k], starts_[k + 1] - starts_[k]);
      if (!into.empty()) w_.start_get(from_.columns, begin(k), into, from_.rows.place_of(rows[k]).pe);
    }
    w_.quiet();
  }

  /// The k-th row that `get` was asked for last, until it is asked again.
  std::span<const std::int64_t> row(std::size_t k) const {
    return std::span(columns_).subspan(starts_[k], starts_[k + 1] - starts_[k]);
  }

  /// Where its columns begin among those of its PE.
  std::size_t begin(std::size_t k) const { return static_cast<std::size_t>(bounds_[k][0]); }

private:
  world& w_;
  const readable_rows& from_;
  std::vector<std::array<std::int64_t, 2>> bounds_;  // of each row, on its PE
  std::vector<std::size_t> starts_;  // where each row begins in columns_, and the last one ends
  std::vector<std::int64_t> columns_;
};

}  // namespace shoal::kernels
