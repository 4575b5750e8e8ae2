// Which closures keep their order.
#include "tools/translate/program.hpp"

namespace shoal::translate {
namespace {

bool overlaps(const std::string& a, const std::string& b) {
  if (a == b || a.starts_with(b + ".") || b.starts_with(a + ".")) return true;
  // The object of an actor may be any, or a part of one.
  return a.starts_with("the object") != b.starts_with("the object");
}

std::string overlap(const std::set<std::string>& a, const std::set<std::string>& b) {
  for (const std::string& each : a) {
    for (const std::string& other : b) {
      if (overlaps(each, other)) return each;
    }
  }
  return {};
}

}  // namespace

std::string conflict(const effects& a, const effects& b) {
  const auto touches_nothing = [](const effects& e) {
    return e.unknown.empty() && e.reads.empty() && e.writes.empty();
  };
  if (touches_nothing(a) || touches_nothing(b)) return {};
  if (!a.unknown.empty()) return a.unknown;
  if (!b.unknown.empty()) return b.unknown;
  for (const std::string& found :
       {overlap(a.writes, b.writes), overlap(a.writes, b.reads), overlap(a.reads, b.writes)}) {
    if (!found.empty()) return found;
  }
  return {};
}

std::string order_matters(const closure& other, const std::string& conflict) {
  return "this closure and that of line " + std::to_string(other.line) + " may touch the same (" + conflict +
         "), and as closures they keep their order; --any-order vouches that it does not matter";
}

}  // namespace shoal::translate
