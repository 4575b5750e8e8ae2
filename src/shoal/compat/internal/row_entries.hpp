/// Nonzeros on their way to the PE of their row, and what that PE makes of them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "shoal/compat/internal/dealt_matrix.hpp"

namespace shoal::internal::compat {

/// A nonzero. `row` is one of the receiving PE's own. Index: 32 bits where that suffices, so that messages are half as
/// long.
template <class Index, bool has_value>
struct entry {
  static constexpr bool is_weighted = false;
  Index row;
  Index col;
};
template <class Index>
struct entry<Index, true> {
  static constexpr bool is_weighted = true;
  Index row;
  Index col;
  double value;
};

/// With value `k` if it has one.
template <class Entry>
Entry make_entry(std::int64_t row, std::int64_t col, const double* values, std::int64_t k) {
  Entry made;
  made.row = static_cast<decltype(made.row)>(row);
  made.col = static_cast<decltype(made.col)>(col);
  if constexpr (Entry::is_weighted) made.value = values[k];
  return made;
}

/// For carry: sends each nonzero of this PE to the PE of its column, in order of rows, as make(row, index, k) says: its
/// row here, the index of its column there, and its own number.
template <class Entry, class Make>
auto to_columns(const sparsemat_t& a, const char* call, Make make) {
  return [&a, call, make, deal = dealing(), row = std::int64_t{0}, k = std::int64_t{0}](Entry& e,
                                                                                        std::int64_t& pe) mutable {
    if (k == a.lnnz) return false;
    while (k == a.loffset[row + 1]) ++row;
    const std::int64_t column = a.lnonzero[k];
    check_column(a, deal.global(row), column, call);
    const auto [target, index] = deal.of(column);
    e = make(row, index, k);
    pe = target;
    ++k;
    return true;
  };
}

/// Calls `f` with the smallest kind of entry that can hold all indices below `end`.
template <class F>
auto with_entries(std::int64_t end, bool is_weighted, F f) {
  if (end <= std::int64_t{UINT32_MAX}) {
    return is_weighted ? f.template operator()<entry<std::uint32_t, true>>()
                       : f.template operator()<entry<std::uint32_t, false>>();
  }
  return is_weighted ? f.template operator()<entry<std::int64_t, true>>()
                     : f.template operator()<entry<std::int64_t, false>>();
}

/// Grows without moving what it has, and gives memory back while it is emptied.
template <class T>
class chunk_list {
public:
  void add(const T& item) {
    if (next_ == end_) grow();
    *next_++ = item;
  }

  std::int64_t size() const {
    return chunks_.empty() ? 0 : static_cast<std::int64_t>(chunks_.size()) * n_in_chunk - (end_ - next_);
  }

  /// Calls `take` with each, in order.
  template <class F>
  void empty_into(F take) {
    for (std::unique_ptr<T[]>& chunk : chunks_) {
      const T* const end = &chunk == &chunks_.back() ? next_ : chunk.get() + n_in_chunk;
      for (const T* item = chunk.get(); item != end; ++item) take(*item);
      chunk.reset();
    }
    chunks_.clear();
    next_ = end_ = nullptr;
  }

private:
  static constexpr std::ptrdiff_t n_in_chunk = 16384;

  [[gnu::noinline]] void grow() {
    chunks_.push_back(std::make_unique_for_overwrite<T[]>(n_in_chunk));
    next_ = chunks_.back().get();
    end_ = next_ + n_in_chunk;
  }

  std::vector<std::unique_ptr<T[]>> chunks_;
  T* next_ = nullptr;
  T* end_ = nullptr;
};

/// Collective: whether the symmetric heap can hold a matrix of so many rows. `row_entries` count on this.
inline bool has_room_for_rows(std::int64_t numrows) {
  auto* const offsets = shared_array<std::int64_t>(dealing().n_most(numrows) + 1);
  shmem_free(offsets);
  return offsets != nullptr;
}

/// Nonzeros of this PE's rows.
template <class Entry>
class row_entries {
public:
  explicit row_entries(std::int64_t lnumrows) : counts_(static_cast<std::size_t>(lnumrows)) {}

  void add(const Entry& e) {
    ++counts_[static_cast<std::size_t>(e.row)];
    list_.add(e);
  }

  /// Collective. Rows have their nonzeros in the order of `add`. Null if memory lacks.
  sparsemat_t* to_matrix(std::int64_t numrows, std::int64_t numcols, const char* call) {
    sparsemat_t* const made = make_matrix(numrows, numcols, list_.size(), Entry::is_weighted, call);
    if (made == nullptr) return nullptr;
    // loffset[i + 1] is where row i goes on; in the end that is where row i + 1 begins.
    std::int64_t begin = 0;
    for (std::size_t i = 0; i < counts_.size(); ++i) made->loffset[i + 1] = std::exchange(begin, begin + counts_[i]);
    std::int64_t* const goes_on = made->loffset + 1;
    list_.empty_into([&](const Entry& e) {
      const std::int64_t at = goes_on[e.row]++;
      made->lnonzero[at] = static_cast<std::int64_t>(e.col);
      if constexpr (Entry::is_weighted) made->lvalue[at] = e.value;
    });
    shmem_barrier_all();  // others may read it
    return made;
  }

private:
  std::vector<std::int64_t> counts_;
  chunk_list<Entry> list_;
};

}  // namespace shoal::internal::compat
