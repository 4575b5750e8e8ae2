#include "shoal/substrate/internal/mismatch.hpp"

#include <cstring>
#include <string_view>

#include "shoal/base/internal/contract.hpp"
#include "shoal/substrate/internal/round_head.hpp"

namespace shoal::internal {
namespace {

// The end of a path, which tells files apart, and leaves room for the rest of a description.
std::string end_of_path(std::string_view path) {
  constexpr std::size_t kept_max = 300;
  if (path.size() <= kept_max) return std::string(path);
  path.remove_prefix(path.size() - kept_max);
  while (!path.empty() && (path.front() & 0xc0) == 0x80) path.remove_prefix(1);  // of a character that was cut
  return "…" + std::string(path);
}

// "is in barrier (main.cpp:12)".
std::string describe(const round_head& head, const call_name& name) {
  std::string text = name.predicate;
  if (name.digest == call_digest::object) text += " " + std::to_string(head.digest);
  if (head.line == 0) return text;
  text += " (";
#if SHOAL_CHECKED
  text += std::string(head.file) + ":";
#else
  text += "line ";
#endif
  return text + std::to_string(head.line) + ")";
}

}  // namespace

bool are_calls_different(group_rounds& its) {
  round_head all;
  std::memcpy(&all, its.round_result(), sizeof all);
  return all.mismatched_pe >= 0;
}

mismatch find_mismatch(const substrate& backend, group_rounds& its) {
  round_head all;
  std::memcpy(&all, its.round_result(), sizeof all);
  if (all.mismatched_pe < 0) return {};
  SHOAL_ASSERT(all.mismatched_pe < backend.n_pes());
  round_head other;
  std::memcpy(&other, its.round_contribution(all.mismatched_pe), sizeof other);
  const call_name name = backend.name_of(all.tag);
  mismatch found{
      .pe = all.pe,
      .other = other.pe,
      .is_of_objects = other.tag == all.tag && other.digest == all.digest && other.objects != all.objects,
      .is_of_arguments = other.tag == all.tag && other.digest != all.digest && name.digest == call_digest::arguments,
      .calls = {}};
  found.take_descriptions(describe(all, name), describe(other, backend.name_of(other.tag)));
  return found;
}

std::string describe_call_here(const substrate& backend, group_rounds& its, pe_id me) {
  round_head mine;
  std::memcpy(&mine, its.round_contribution(me), sizeof mine);
  const call_name name = backend.name_of(mine.tag);
  const waiting_call here = backend.call_now();
  if (here.name == nullptr || here.where.line() != mine.line) return describe(mine, name);
  // One tag may serve several calls with arguments: sum and all_reduce, for instance.
  std::string text = name.digest == call_digest::arguments ? std::string("is in ") + here.name : name.predicate;
  if (name.digest == call_digest::object) text += " " + std::to_string(mine.digest);
  if (mine.line == 0) return text;
  return text + " (" + end_of_path(here.where.file_name()) + ":" + std::to_string(mine.line) + ")";
}

void mismatch::take_descriptions(const std::string& of_pe, const std::string& of_other) {
  // The places may be the same; then the report must say what differs.
  calls = "PE " + std::to_string(other) + " " + of_other + " while PE " + std::to_string(pe) + " " + of_pe +
          (is_of_arguments ? ", with other arguments or types" : "");
}

std::string mismatch::report() const {
  return "collective calls do not match: " + calls + "; all PEs must make the same collective calls in the same order";
}

}  // namespace shoal::internal
