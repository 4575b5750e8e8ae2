#include "shoal/actor/collective.hpp"

#include <algorithm>
#include <cstring>

namespace shoal::detail {

bool fits(const round_head& a, const round_head& b) noexcept {
  if (a.kind != b.kind || a.type != b.type) return false;
#if SHOAL_CHECKED
  return a.line == b.line && std::strcmp(a.file, b.file) == 0;
#else
  return true;
#endif
}

void combine_heads(std::byte* into, const std::byte* from) noexcept {
  auto& all = *reinterpret_cast<round_head*>(into);
  const auto& one = *reinterpret_cast<const round_head*>(from);
  if (all.mismatched_pe < 0 && !fits(all, one)) all.mismatched_pe = one.pe;
}

round_head make_head(collective kind, std::uint64_t type, const std::source_location& where,
                     pe_id pe) noexcept {
  round_head head{.kind = kind, .line = where.line(), .type = type, .pe = static_cast<std::int32_t>(pe)};
#if SHOAL_CHECKED
  const char* path = where.file_name();
  const std::size_t length = std::strlen(path);
  const std::size_t kept = std::min(length, sizeof head.file - 1);
  std::memcpy(head.file, path + (length - kept), kept);
#endif
  return head;
}

std::string describe(const round_head& head) {
  constexpr const char* names[] = {"finish", "the end of a mailbox", "barrier", "all_reduce", "scan",
                                   "broadcast", "gather", "allocate", "deallocate", "the end of the program's body"};
  std::string text = names[static_cast<std::size_t>(head.kind)];
  if (head.line == 0) return text;
  text += " (";
#if SHOAL_CHECKED
  text += std::string(head.file) + ":";
#else
  text += "line ";
#endif
  return text + std::to_string(head.line) + ")";
}

}  // namespace shoal::detail
