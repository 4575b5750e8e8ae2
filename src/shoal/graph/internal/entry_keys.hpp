/// A local row and a column in one word, and sorting such words in place: how a matrix is built in the memory that it
/// keeps.
#pragma once

#include <bit>
#include <cstdint>
#include <span>

namespace shoal::internal {

/// Packs a local row and a column so that keys, as unsigned numbers, are ordered by row and then by column. They are
/// stored as signed ones, as columns are.
class entry_keys {
public:
  entry_keys(std::int64_t n_local_rows, std::int64_t n_columns) noexcept
      : row_bits_(bits_for(n_local_rows)), column_bits_(bits_for(n_columns)) {}

  /// Whether all keys fit.
  bool fit() const noexcept { return n_bits() <= 64; }

  std::int64_t key(std::int64_t local_row, std::int64_t column) const noexcept {
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(local_row) << column_bits_ |
                                     static_cast<std::uint64_t>(column));
  }
  std::int64_t row(std::int64_t key) const noexcept {
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(key) >> column_bits_);
  }
  std::int64_t column(std::int64_t key) const noexcept {
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(key) & ((std::uint64_t{1} << column_bits_) - 1));
  }

  int n_bits() const noexcept { return row_bits_ + column_bits_; }

private:
  // Bits of the numbers below n.
  static int bits_for(std::int64_t n) noexcept {
    return n <= 1 ? 0 : static_cast<int>(std::bit_width(static_cast<std::uint64_t>(n - 1)));
  }

  int row_bits_;
  int column_bits_;
};

/// Sorts keys of `n_bits` bits as unsigned numbers. In place.
void sort_keys(std::span<std::int64_t> keys, int n_bits);

/// The same with a value for each key, which stays with it. Equal keys are ordered by value. The order of values is
/// total, which includes NaN.
void sort_keys(std::span<std::int64_t> keys, std::span<double> values, int n_bits);

}  // namespace shoal::internal
