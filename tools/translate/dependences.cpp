#include "tools/translate/dependences.hpp"

#include <algorithm>
#include <initializer_list>
#include <string_view>

namespace shoal::translate {
namespace {

// GCC 12 warns falsely of sums of strings and literals.
std::string joined(std::initializer_list<std::string_view> parts) {
  std::string all;
  for (const std::string_view part : parts) all.append(part);
  return all;
}

constexpr const char* vouch = "; #pragma shoal independent before the loop vouches that they do not";

bool holds(const range& r, std::size_t at) { return at >= r.begin && at < r.end; }

class checker {
public:
  checker(const touches& of, const loop& l) : of_(of), loop_(l) {}

  std::optional<dependence> order_within_iterations() const {
    for (const touch& own : of_.all) {
      // Turns that begin before the answers come.
      const bool is_result = own.is_captured && loop_.variables[own.memory].kind == variable_kind::result;
      if (is_result && own.segment == none && (own.is == touch::kind::read || own.gives_value))
        return dependence{own.position, own.name, "code that waits for an answer changes it"};
    }
    for (const touch& later : of_.all) {
      for (const touch& early : of_.all) {
        if (is_out_of_order(later, early))
          return dependence{
              early.position, early.name,
              joined({"it needs what line ", std::to_string(later.line), " does, which waits for an answer"})};
      }
      if (const touch* const other = used_by_others(later))
        return dependence{other->position, other->name,
                          joined({"code that waits for another answer than line ", std::to_string(later.line),
                                  " names it, too; declare it in the loop"})};
      if (const touch* const next = next_turn(later))
        return dependence{next->position, later.name,
                          joined({"the next turn of a loop needs what line ", std::to_string(later.line),
                                  " does, which waits for an answer"})};
    }
    return std::nullopt;
  }

  // Of turns of the loop, or of one within, that are not vouched for.
  std::optional<dependence> order_of_turns() const {
    for (std::size_t k = 0; k < of_.loops.size(); ++k) {
      if (of_.is_vouched[k] || !is_cut(of_.loops[k])) continue;
      const bool is_within_vouched = k != 0 && of_.is_vouched[0];
      for (const touch& a : of_.all) {
        for (const touch& b : of_.all) {
          if (&b < &a || !holds(of_.loops[k], a.position) || !holds(of_.loops[k], b.position)) continue;
          if (!may_change_order(a, b, k) || (is_within_vouched && are_updates(a, b))) continue;
          const touch& writer = writes(a) ? a : b;
          const touch& other = writes(a) ? b : a;
          return dependence{writer.position, writer.name, reason(writer, other)};
        }
      }
    }
    return std::nullopt;
  }

private:
  static bool writes(const touch& t) { return t.is != touch::kind::read; }
  bool is_copied(const touch& t) const {
    return t.is_captured && loop_.variables[t.memory].kind != variable_kind::result;
  }
  bool is_deferred(const touch& t) const { return t.segment != none; }

  // Whether the code of `inner` runs in the rest of step `outer`, or in what that waits for.
  bool is_within(std::size_t inner, std::size_t outer) const {
    while (inner != none && inner != outer) inner = loop_.steps[inner].parent;
    return inner == outer;
  }

  bool is_same(const touch& a, const touch& b) const {
    if (a.is_captured || b.is_captured)
      return a.is_captured && b.is_captured && a.name == b.name && a.memory == b.memory;
    return may_be_same(of_.memories[a.memory], of_.memories[b.memory]);
  }

  // By what they are called: the same, or one is a part of the other.
  static bool overlaps(const memory& a, const memory& b) {
    const auto holds_other = [](const std::string& whole, const std::string& part) {
      return !whole.empty() && part.starts_with(whole);
    };
    return holds_other(a.identity, b.identity) || holds_other(b.identity, a.identity);
  }

  static bool may_be_same(const memory& a, const memory& b) {
    using kind = memory::kind;
    if (overlaps(a, b)) return true;
    if (a.is == kind::object && b.is == kind::object) return false;
    if (a.is_restrict || b.is_restrict) return false;
    if ((a.is_symmetric && b.is_unshared) || (b.is_symmetric && a.is_unshared)) return false;
    if ((a.is_from_here && b.is == kind::parameter) || (b.is_from_here && a.is == kind::parameter)) return false;
    return a.element.empty() || b.element.empty() || a.element == b.element;
  }

  static bool commute(const touch& a, const touch& b) {
    return a.is == touch::kind::update && b.is == touch::kind::update && a.operation == b.operation &&
           !a.operation.empty() && !a.is_real && !b.is_real && !a.gives_value && !b.gives_value;
  }

  // In one iteration: `early` follows `later` in the text, but does not wait for it.
  bool is_out_of_order(const touch& later, const touch& early) const {
    if (!is_deferred(later) && !later.is_remote) return false;
    if (&early <= &later) return false;  // in the order in which they are made
    if (later.is_remote) {
      // What it does comes later than all that does not wait for it.
      if (early.step == later.step || early.argument_of == later.step || is_within(early.segment, later.step))
        return false;

    } else if (is_within(early.segment, later.segment)) {
      return false;
    }
    if (early.argument_of != none && is_within(later.segment, early.argument_of)) return false;
    if (!is_same(later, early) || commute(later, early)) return false;
    // Each has its own copy of a variable whose value travels.
    if (is_copied(later)) return writes(later) && early.is != touch::kind::write;
    return writes(later) || writes(early);
  }

  // Another use of elements that all turns share, in code that waits for something else. Turns alternate there, even if
  // the program vouches for any order of whole turns. Null: there is none.
  const touch* used_by_others(const touch& range) const {
    const bool is_of_turn = !range.distinct.empty() && range.counter == 0;
    if (!range.is_range || range.is_captured || is_of_turn) return nullptr;
    for (const touch& other : of_.all) {
      if (other.is_captured || other.is_remote || other.segment == range.segment) continue;
      if (!writes(range) && !writes(other)) continue;
      if (overlaps(of_.memories[range.memory], of_.memories[other.memory])) return &other;
    }
    return nullptr;
  }

  // A variable that is older than a loop within, which waits: its next turn would see the old value.
  const touch* next_turn(const touch& later) const {
    if (!is_deferred(later) || !is_copied(later) || !writes(later)) return nullptr;
    for (const range& turn : of_.loops) {
      const std::size_t declared = of_.declared_at[later.memory];
      // The loop is in the rest that changes it: it is one handler's.
      if (!holds(turn, later.position) || holds(turn, declared)) continue;
      if (!is_cut(turn, later.segment)) continue;
      for (const touch& early : of_.all) {
        if (!early.is_captured || early.memory != later.memory || !holds(turn, early.position)) continue;
        const bool sees = is_within(early.segment, later.segment) && &early > &later;
        if (early.is != touch::kind::write && !sees) return &early;
      }
    }
    return nullptr;
  }

  bool is_cut(const range& turn) const {
    return std::ranges::any_of(loop_.steps, [&](const loop_step& s) { return holds(turn, s.position); });
  }
  // Whether the step lies in the loop, so that turns end before its answer comes.
  bool is_cut(const range& turn, std::size_t step) const {
    for (; step != none; step = loop_.steps[step].parent) {
      if (holds(turn, loop_.steps[step].position)) return true;
    }
    return false;
  }

  // Of one kind, whose order the program vouches for.
  static bool are_updates(const touch& a, const touch& b) {
    return a.is == touch::kind::update && b.is == touch::kind::update && a.operation == b.operation &&
           !a.operation.empty() && !a.gives_value && !b.gives_value;
  }

  bool may_change_order(const touch& a, const touch& b, std::size_t turns) const {
    if (!writes(a) && !writes(b)) return false;
    const bool a_waits = is_deferred(a) || a.is_remote;
    const bool b_waits = is_deferred(b) || b.is_remote;
    if (!a_waits && !b_waits) return false;
    if (is_copied(a) || is_copied(b)) return false;
    if (!is_same(a, b) || commute(a, b)) return false;
    if (a.is_captured) return true;
    if (a.is_remote && b.is_remote) {
      // Messages of one kind that the loop sends itself keep their order from one PE to another; puts have none anyway.
      const bool are_puts =
          a.is == touch::kind::write && b.is == touch::kind::write && a.family != access_family::array;
      return a.step != b.step || !(loop_.steps[a.step].parent == none || are_puts);
    }
    const bool are_own = !a.is_remote && !b.is_remote && !a.distinct.empty() && a.distinct == b.distinct &&
                         a.counter == turns && b.counter == turns && a.name == b.name;
    return !(are_own && of_.memories[a.memory].identity == of_.memories[b.memory].identity);
  }

  std::string reason(const touch& writer, const touch& other) const {
    const bool are_sums = are_updates(writer, other) && writer.is_real;
    if (are_sums)
      return std::string(
          "the order of floating-point operations would change; #pragma shoal independent "
          "before the loop vouches that it does not matter");
    if (&writer == &other)
      return joined({"iterations that wait for answers may write the same in another order", vouch});
    return joined({"line ", std::to_string(other.line), " names ", other.name,
                   ", which may be the same; iterations that wait for answers would not keep their order", vouch});
  }

  const touches& of_;
  const loop& loop_;
};

}  // namespace

std::optional<dependence> dependence_of(const touches& of, const loop& l) {
  const checker check(of, l);
  if (std::optional<dependence> found = check.order_within_iterations()) return found;
  return check.order_of_turns();
}

}  // namespace shoal::translate
