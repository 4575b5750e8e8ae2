/// Finds vertices in the rows of a matrix.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <span>
#include <vector>

namespace shoal::kernels {

/// Binary search without a branch: its outcome is random, so the branch would be mispredicted.
inline bool contains(std::span<const std::int64_t> ascending, std::int64_t value) {
  const std::int64_t* first = ascending.data();
  std::size_t n = ascending.size();
  if (n == 0) return false;
  while (n > 1) {
    const std::size_t half = n / 2;
    first = first[half] <= value ? first + half : first;
    n -= half;
  }
  return *first == value;
}

/// The candidates of a row, marked by the lower bits of their numbers. With as many marks as vertices, a mark is the
/// answer. With fewer, which are as many as a cache has room for, few vertices are marked that are no candidates.
class marked_candidates {
public:
  explicit marked_candidates(std::int64_t n_vertices, std::size_t n_marks_max = std::size_t{1} << 21)  // 256 KiB
      : mask_(std::min(std::bit_ceil(static_cast<std::size_t>(n_vertices)), n_marks_max) - 1),
        is_exact_(static_cast<std::int64_t>(mask_) >= n_vertices - 1),
        words_(mask_ / 64 + 1) {}

  /// Ascending. They stay where they are until `unmark`.
  void mark(std::span<const std::uint32_t> candidates) {
    candidates_ = candidates;
    for (const std::uint32_t c : candidates) words_[(c & mask_) / 64] |= std::uint64_t{1} << c % 64;
  }
  void unmark() {
    for (const std::uint32_t c : candidates_) words_[(c & mask_) / 64] = 0;
  }

  /// How many of the vertices are candidates.
  std::uint64_t n_among(std::span<const std::int64_t> vertices) const {
    std::uint64_t n = 0;
    if (is_exact_) {
      for (const std::int64_t v : vertices) n += mark_of(static_cast<std::size_t>(v));
      return n;
    }
    for (const std::int64_t v : vertices) {
      if (mark_of(static_cast<std::size_t>(v)) != 0) [[unlikely]] {
        n += std::ranges::binary_search(candidates_, static_cast<std::uint32_t>(v));
      }
    }
    return n;
  }

private:
  std::uint64_t mark_of(std::size_t vertex) const { return words_[(vertex & mask_) / 64] >> vertex % 64 & 1; }

  std::size_t mask_;
  bool is_exact_;
  std::vector<std::uint64_t> words_;
  std::span<const std::uint32_t> candidates_;
};

/// How many vertices of an ascending row are among the marked candidates, which are `candidates`.
inline std::uint64_t n_common(std::span<const std::int64_t> row, const marked_candidates& marked,
                              std::span<const std::uint32_t> candidates) {
  if (row.size() <= 8 * candidates.size()) return marked.n_among(row);
  std::uint64_t n = 0;  // a row of many vertices: fewer steps the other way round
  for (const std::uint32_t c : candidates) n += contains(row, c);
  return n;
}

}  // namespace shoal::kernels
