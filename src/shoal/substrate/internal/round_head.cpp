#include "shoal/substrate/internal/round_head.hpp"

#include <algorithm>
#include <cstring>

namespace shoal::internal {
namespace {

// Whether two heads may occur in one round.
bool fits(const round_head& a, const round_head& b) noexcept {
  if (a.tag != b.tag || a.digest != b.digest || a.objects != b.objects) return false;
#if SHOAL_CHECKED
  return a.line == b.line && std::strcmp(a.file, b.file) == 0;
#else
  return true;
#endif
}

}  // namespace

bool combine_heads(std::byte* into, const std::byte* from) noexcept {
  auto& all = *reinterpret_cast<round_head*>(into);
  const auto& one = *reinterpret_cast<const round_head*>(from);
  // `from` may be a fold, too, of PEs with higher numbers.
  if (all.mismatched_pe < 0) all.mismatched_pe = fits(all, one) ? one.mismatched_pe : one.pe;
  return all.mismatched_pe < 0;
}

round_head make_head(call_tag tag, std::uint64_t digest, std::uint64_t objects, const std::source_location& where,
                     pe_id pe) noexcept {
  round_head head{
      .tag = tag, .line = where.line(), .digest = digest, .objects = objects, .pe = static_cast<std::int32_t>(pe)};
#if SHOAL_CHECKED
  const char* path = where.file_name();
  const std::size_t length = std::strlen(path);
  const std::size_t kept = std::min(length, sizeof head.file - 1);
  std::memcpy(head.file, path + (length - kept), kept);
#endif
  return head;
}

}  // namespace shoal::internal
