/// Finds vertices in the rows of a matrix.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <span>
#include <type_traits>
#include <vector>

namespace shoal::kernels {

/// Where `value` is in an ascending row; its size if it is not there. Binary search without a branch: its outcome is random,
/// so the branch would be mispredicted.
template <class T>
std::size_t index_of(std::span<const T> ascending, std::type_identity_t<T> value) {
  const T* first = ascending.data();
  std::size_t n = ascending.size();
  if (n == 0) return 0;
  while (n > 1) {
    const std::size_t half = n / 2;
    first = first[half] <= value ? first + half : first;
    n -= half;
  }
  return *first == value ? static_cast<std::size_t>(first - ascending.data()) : ascending.size();
}

inline bool contains(std::span<const std::int64_t> ascending, std::int64_t value) {
  return index_of(ascending, value) < ascending.size();
}

/// Calls use(k, l) for each vertex that is a[k] and b[l], both ascending.
template <class Use>
void for_each_common(std::span<const std::int64_t> a, std::span<const std::int64_t> b, Use use) {
  const bool is_a_shorter = a.size() <= b.size();
  const auto shorter = is_a_shorter ? a : b;
  const auto longer = is_a_shorter ? b : a;
  for (std::size_t i = 0; i < shorter.size(); ++i) {
    const std::size_t at = index_of(longer, shorter[i]);
    if (at == longer.size()) continue;
    is_a_shorter ? use(i, at) : use(at, i);
  }
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

  /// False if the vertex is no candidate. True if it is one, and rarely otherwise.
  bool may_have(std::int64_t vertex) const { return mark_of(static_cast<std::size_t>(vertex)) != 0; }

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

/// Calls use(k, l) for each vertex that is row[k], of an ascending row, and candidates[l], which are marked.
template <class Use>
void for_each_common(std::span<const std::int64_t> row, const marked_candidates& marked,
                     std::span<const std::uint32_t> candidates, Use use) {
  if (row.size() > 8 * candidates.size()) {
    for (std::size_t l = 0; l < candidates.size(); ++l) {
      const std::size_t k = index_of(row, candidates[l]);
      if (k < row.size()) use(k, l);
    }
    return;
  }
  for (std::size_t k = 0; k < row.size(); ++k) {
    if (!marked.may_have(row[k])) [[likely]]
      continue;
    const std::size_t l = index_of(candidates, static_cast<std::uint32_t>(row[k]));
    if (l < candidates.size()) use(k, l);
  }
}

}  // namespace shoal::kernels
