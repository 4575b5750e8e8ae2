#include "shoal/base/internal/spelling.hpp"

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace shoal::internal {
namespace {

constexpr std::string_view prefix = "SHOAL";

// Short names are close to each other: SHOAL_DIR is no misspelling of SHOAL_SIM.
std::size_t errors_max(std::string_view name) { return name.size() < 6 ? 1 : 2; }

// In capitals, without underscores. Names of variables are ASCII, so the user's locale must not matter.
std::string folded(std::string_view name) {
  std::string letters;
  for (const char c : name) {
    if (c != '_') letters += c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  }
  return letters;
}

// Number of letters missing, added, wrong or swapped with the next. Three rows of the table of prefix distances
// suffice.
std::size_t n_errors(std::string_view a, std::string_view b) {
  std::vector<std::size_t> before(b.size() + 1);
  std::vector<std::size_t> above(b.size() + 1);
  std::vector<std::size_t> row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::swap(before, above);
    std::swap(above, row);
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t wrong = a[i - 1] == b[j - 1] ? 0 : 1;
      row[j] = std::min({above[j] + 1, row[j - 1] + 1, above[j - 1] + wrong});
      const bool is_swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (is_swapped) row[j] = std::min(row[j], before[j - 2] + 1);
    }
  }
  return row.back();
}

}  // namespace

std::string_view meant_name(std::string_view name, std::span<const std::string_view> known) {
  const std::string letters = folded(name);
  if (!letters.starts_with(prefix)) return {};
  std::string_view nearest;
  std::size_t fewest = SIZE_MAX;
  for (const std::string_view candidate : known) {
    const std::string meant = folded(candidate).substr(prefix.size());
    const std::size_t n = n_errors(letters.substr(prefix.size()), meant);
    if (n > errors_max(meant) || n >= fewest) continue;
    nearest = candidate;
    fewest = n;
  }
  return nearest;
}

}  // namespace shoal::internal
