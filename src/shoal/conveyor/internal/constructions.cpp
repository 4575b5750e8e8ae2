#include "shoal/conveyor/internal/constructions.hpp"

#include <algorithm>

#include "shoal/base/internal/digest.hpp"
#include "shoal/base/internal/type_name.hpp"

namespace shoal::internal {

void constructions::note(const char* what, const char* type, std::size_t bytes) {
  internal::digest next(digest_);
  next.add(what);
  if (type != nullptr) next.add(type);
  next.add_word(bytes);
  digest_ = next.value();
  const std::size_t place = history_.n++ % n_kept;
  history_.digests[place] = digest_;
  entries_[place] = {what, type != nullptr ? type : "", bytes};
}

std::uint64_t constructions::first_difference(const history& a, const history& b) noexcept {
  const std::uint64_t n = std::min(a.n, b.n);
  const std::uint64_t most = std::max(a.n, b.n);
  for (std::uint64_t i = most < n_kept ? 0 : most - n_kept; i < n; ++i) {
    if (a.digests[i % n_kept] != b.digests[i % n_kept]) return i;
  }
  return n;
}

std::string constructions::describe_from(std::uint64_t first, std::size_t n_most) const {
  if (first >= history_.n) return "nothing more";
  std::string text;
  const std::uint64_t end = std::min(history_.n, first + n_most);
  for (std::uint64_t i = first; i < end; ++i) {
    const entry& one = entries_[i % n_kept];
    text += (i == first ? "" : ", ") + std::string(one.what);
    text += !one.type.empty() ? readable_type_name(one.type.c_str()) : std::to_string(one.bytes) + " bytes";
  }
  return text + (end < history_.n ? ", …" : "");
}

}  // namespace shoal::internal
