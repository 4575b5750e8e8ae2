#include "tools/translate/superstep_group.hpp"

#include <algorithm>

#include "tools/translate/read_ties.hpp"

namespace shoal::translate {
namespace {

std::set<const clang::Decl*> names_of(const group& g) {
  std::set<const clang::Decl*> names(g.ties.begin(), g.ties.end());
  names.insert(g.others.begin(), g.others.end());
  if (g.is_actor) names.insert(g.sender);
  return names;
}

}  // namespace

void drop(std::vector<group>& groups, const group& g) {
  std::set<const clang::Decl*> gone = names_of(g);
  if (gone.empty()) {
    const finish_site* const finish = g.finish;
    const clang::VarDecl* const sender = g.sender;
    std::erase_if(groups, [&](const group& each) { return each.finish == finish && each.sender == sender; });
  }
  const auto shares = [&](const group& each) {
    return std::ranges::any_of(names_of(each), [&](const clang::Decl* d) { return gone.contains(d); });
  };
  for (std::size_t n = 0; n != gone.size();) {
    n = gone.size();
    for (const group& each : groups) {
      if (shares(each)) gone.merge(names_of(each));
    }
  }
  std::erase_if(groups, shares);
}

bool binds_tie(const clang::Expr* name, const std::vector<group>& groups, const findings& found) {
  return std::ranges::any_of(groups, [&](const group& g) {
    return std::ranges::any_of(g.ties, [&](const clang::FieldDecl* tie) {
      const std::vector<const clang::Expr*> bound = bound_to(tie, found);
      return std::ranges::find(bound, name) != bound.end();
    });
  });
}

void check_ties(group& g, const std::vector<group>& groups, const source_text& text, const findings& found) {
  g.plain.dropped.clear();
  for (const clang::FieldDecl* tie : g.ties) {
    for (const clang::Expr* each : bound_to(tie, found)) {
      const clang::VarDecl* const v = variable_of(each);
      if (std::ranges::none_of(groups, [&](const group& other) { return other.has_actor(v); }))
        throw not_readable{each->getBeginLoc(), tie->getNameAsString(), "it names an actor that stays"};
    }
    for (const member_use& m : found.members) {
      if (m.name->getMemberDecl() != tie) continue;
      const bool is_read = std::ranges::any_of(groups, [&](const group& other) {
        return std::ranges::any_of(other.closures, [&](const read_closure& c) { return c.site->receiver == m.name; });
      });
      if (!is_read)
        throw not_readable{m.name->getMemberLoc(), tie->getNameAsString(),
                           "it is used otherwise than to send a closure that is translated"};
    }
    const std::vector<range> gone = text_of_tie(tie, text, found);
    g.plain.dropped.insert(g.plain.dropped.end(), gone.begin(), gone.end());
  }
}

void check_order(const group& g) {
  for (std::size_t i = 0; i < g.closures.size(); ++i) {
    for (std::size_t k = i + 1; k < g.closures.size(); ++k) {
      const closure& one = g.closures[i].plain;
      const closure& other = g.closures[k].plain;
      const std::string why = one.object_index == other.object_index ? conflict(one.does, other.does) : "";
      if (!why.empty()) throw not_readable{g.closures[i].site->call->getBeginLoc(), "order", order_matters(other, why)};
    }
  }
}

}  // namespace shoal::translate
