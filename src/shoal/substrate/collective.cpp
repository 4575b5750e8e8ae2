#include "shoal/substrate/collective.hpp"

#include <algorithm>
#include <cstring>

#include "shoal/base/ambient.hpp"

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

round_head make_head(collective kind, std::uint64_t type, const std::source_location& where, pe_id pe) noexcept {
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
  constexpr const char* names[] = {"finish",
                                   "the end of a mailbox",
                                   "barrier",
                                   "all_reduce",
                                   "scan",
                                   "broadcast",
                                   "gather",
                                   "allocate",
                                   "deallocate",
                                   "the end of the program's body",
                                   "proceed of exstack",
                                   "advance of simple_conveyor"};
  std::string text = names[static_cast<std::size_t>(head.kind)];
  if (head.kind >= collective::exstack_proceed) text += " " + std::to_string(head.type);  // which one
  if (head.line == 0) return text;
  text += " (";
#if SHOAL_CHECKED
  text += std::string(head.file) + ":";
#else
  text += "line ";
#endif
  return text + std::to_string(head.line) + ")";
}

void check_heads(substrate& machine) {
  round_head all;
  std::memcpy(&all, machine.round_result(), sizeof all);
  if (all.mismatched_pe < 0) return;
  round_head other;
  std::memcpy(&other, machine.round_contribution(all.mismatched_pe), sizeof other);
  const auto says = [](const round_head& head) {
    return "PE " + std::to_string(head.pe) +
           (head.kind == collective::end_of_body ? " left the program's body (returned)" : " is in " + describe(head));
  };
  // The places may well be the same; then the reader must be told what is not.
  const bool has_other_arguments = other.kind == all.kind && other.type != all.type && all.kind >= collective::reduce &&
                                   all.kind <= collective::deallocate;
  end_job(status_usage, "collective calls do not match: " + says(other) + " while " + says(all) +
                            (has_other_arguments ? ", with other arguments or types" : "") +
                            "; all PEs must make the same collective calls in the same order");
}

}  // namespace shoal::detail
