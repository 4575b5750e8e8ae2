// The body of a closure: the names in it, and what they will mean in a selector.
#include "tools/translate/read_closure.hpp"

#include <clang/AST/StmtCXX.h>

#include <algorithm>

#include "tools/translate/surroundings.hpp"

namespace shoal::translate {
namespace {

bool is_within(std::size_t at, range r) { return at >= r.begin && at < r.end; }

bool has_coroutine(const clang::LambdaExpr* l) { return llvm::isa<clang::CoroutineBodyStmt>(l->getBody()); }

// Members of the bases of shoal::selector, and their own names.
const std::set<std::string> in_bases = {"box", "selector_box", "selector_boxes"};

// The first variable that an expression names.
const clang::ValueDecl* first_variable(const clang::Stmt* s) {
  if (s == nullptr) return nullptr;
  if (const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(s)) {
    if (llvm::isa<clang::VarDecl, clang::BindingDecl>(name->getDecl())) return name->getDecl();
  }
  for (const clang::Stmt* each : s->children()) {
    if (const clang::ValueDecl* const found = first_variable(each)) return found;
  }
  return nullptr;
}

// In the order of the text, the outer ones first.
void sort_uses(std::vector<use>& uses) {
  std::ranges::sort(uses, [](const use& a, const use& b) {
    return a.at.begin != b.at.begin ? a.at.begin < b.at.begin : a.at.end > b.at.end;
  });
  const auto [end, last] = std::ranges::unique(uses, {}, &use::at);
  uses.erase(end, last);
}

}  // namespace

bool closure_reader::is_declared_inside(const clang::Decl* d) const {
  const std::optional<range> at = text.of_name(d->getLocation());
  return at.has_value() && is_within(at->begin, statement);
}

void closure_reader::add(const send_site& site, std::size_t parent) {
  read_closure c;
  c.site = &site;
  c.lambda = site.lambda;
  c.plain.parent = parent;
  c.plain.actor = actor;
  c.plain.depth = parent == none ? 0 : closures[parent].plain.depth + 1;
  c.plain.line = text.line(site.call->getBeginLoc());
  c.plain.is_mutable = site.lambda->isMutable();
  const std::optional<range> send = text.of(site.call->getSourceRange());
  const std::optional<range> target = text.of(written(site.target));
  const std::optional<range> body = text.of(site.lambda->getBody()->getSourceRange());
  const std::optional<range> whole = text.of(site.lambda->getSourceRange());
  if (!send || !target || !body || !whole) throw not_readable{site.call->getBeginLoc(), "the send", "it is in a macro"};
  c.plain.send = *send;
  c.plain.target = *target;
  c.plain.body = *body;
  if (site.mailbox != nullptr) {
    clang::Expr::EvalResult number;
    const std::optional<range> mailbox = text.of(site.mailbox->IgnoreUnlessSpelledInSource()->getSourceRange());
    if (!mailbox.has_value() || site.mailbox->isValueDependent() || !site.mailbox->EvaluateAsInt(number, context))
      throw not_readable{site.mailbox->getBeginLoc(), "the mailbox", "it is not a constant"};
    c.plain.mailbox = *mailbox;
    c.plain.mailbox_number = static_cast<unsigned>(number.Val.getInt().getZExtValue());
  }
  // All but those in the target and the body, which stay there.
  const range given = c.plain.mailbox.is_empty() ? *target : c.plain.mailbox;
  for (const range r : {range{send->begin, given.begin}, range{given.end, target->begin},
                        range{target->end, body->begin}, range{body->end, send->end}}) {
    if (r.end <= r.begin) continue;
    const std::vector<std::string> found_here = text.comments(r);
    c.plain.comments.insert(c.plain.comments.end(), found_here.begin(), found_here.end());
  }
  if (const clang::ValueDecl* const v = first_variable(site.target)) c.plain.target_name = v->getNameAsString();
  read_parameters(c);
  read_captures(c);
  check_body(c);
  const clang::CXXRecordDecl* const type = site.lambda->getLambdaClass();
  const bool is_sized = std::ranges::none_of(c.plain.captures, [](const capture& k) { return k.bytes == 0; });
  if (is_sized && !type->isDependentContext())
    c.plain.bytes = static_cast<std::size_t>(context.getTypeSizeInChars(context.getRecordType(type)).getQuantity());
  closures.push_back(std::move(c));
}

void closure_reader::check_body(const read_closure& c) const {
  if (has_coroutine(c.lambda)) throw not_readable{c.lambda->getBeginLoc(), "the closure", "it is a coroutine"};
  for (const path& escape : found.escapes) {
    const auto* const r = llvm::dyn_cast<clang::ReturnStmt>(escape.back());
    if (r == nullptr || r->getRetValue() == nullptr || r->getRetValue()->getType()->isVoidType()) continue;
    const auto innermost = std::find_if(escape.rbegin(), escape.rend(),
                                        [](const clang::Stmt* s) { return llvm::isa<clang::LambdaExpr>(s); });
    if (innermost != escape.rend() && *innermost == c.lambda)
      throw not_readable{r->getBeginLoc(), "the closure", "it returns a value"};
  }
}

std::size_t closure_reader::owner_of(const clang::LambdaExpr* scope,
                                     std::vector<const clang::LambdaExpr*>& inner) const {
  for (const clang::LambdaExpr* l = scope; l != nullptr; l = found.outer.at(l)) {
    const auto at = std::ranges::find(closures, l, &read_closure::lambda);
    if (at != closures.end()) {
      std::ranges::reverse(inner);
      return static_cast<std::size_t>(at - closures.begin());
    }
    inner.push_back(l);
  }
  return none;
}

// A lambda that stays in the body captures under the old name, and then nothing within it changes.
bool closure_reader::is_renamed(const clang::ValueDecl* v, use_kind kept, std::size_t index,
                                const std::vector<const clang::LambdaExpr*>& inner, std::vector<use>& uses) const {
  for (const clang::LambdaExpr* l : inner) {
    for (const clang::LambdaCapture& each : l->explicit_captures()) {
      if (!each.capturesVariable() || each.getCapturedVar() != v || l->isInitCapture(&each)) continue;
      const std::optional<range> at = text.of_name(each.getLocation());
      if (!at.has_value()) throw not_readable{each.getLocation(), v->getNameAsString(), "it is captured in a macro"};
      uses.push_back({*at, kept, index});
      return false;
    }
    const bool captures_it = std::ranges::any_of(l->captures(), [&](const clang::LambdaCapture& each) {
      return each.capturesVariable() && each.getCapturedVar() == v;
    });
    if (captures_it && l->getCaptureDefault() == clang::LCD_ByCopy)
      throw not_readable{l->getBeginLoc(), v->getNameAsString(),
                         "a lambda in the closure captures it by [=]; name it there"};
  }
  return true;
}

void closure_reader::check_name(const read_closure& c, const clang::NamedDecl* d, const std::string& name,
                                bool is_qualified, clang::SourceLocation at) const {
  const std::optional<range> declared = d == nullptr ? std::nullopt : text.of_name(d->getLocation());
  if (declared.has_value() && is_within(declared->begin, c.plain.body)) return;
  if (d != nullptr && is_unknown_in_body(d))
    throw not_readable{at, name, "it is declared after the place where the class will stand"};
  if (is_qualified || name.starts_with("operator")) return;
  if (d != nullptr && is_another_in_owner(d))
    throw not_readable{at, name, "it would mean something else in the class that has the actor; qualify it"};
  const bool is_member = std::ranges::any_of(closures, [&](const read_closure& each) {
    return each.plain.context_name == name || std::ranges::any_of(each.plain.captures, [&](const capture& k) {
             return k.known == knowledge::member && k.name == name;
           });
  });
  if (taken.contains(name) || (!is_hclib && in_bases.contains(name)) || is_member)
    throw not_readable{at, name, "a selector has something else of this name; qualify it"};
}

void closure_reader::use_name(read_closure& c, const reference& r, const std::vector<const clang::LambdaExpr*>& inner) {
  const clang::ValueDecl* const d = r.name->getDecl();
  const std::string name = d->getNameAsString();
  const clang::SourceLocation at = r.name->getLocation();
  auto captured = c.captured.find(d);
  if (captured == c.captured.end() && d != c.context) {
    if (d == c.sender) return;
    const auto* const variable = llvm::dyn_cast<clang::VarDecl>(d);
    const bool is_own = llvm::isa<clang::BindingDecl>(d) || (variable != nullptr && variable->hasLocalStorage());
    if (!is_own) return check_name(c, d, name, r.name->hasQualifier(), at);
    const std::optional<range> declared = text.of_name(d->getLocation());
    if (declared.has_value() && is_within(declared->begin, c.plain.body)) return;
    meaning m = meaning_of(d, c.plain.parent);
    if (m.constant.empty()) throw not_readable{at, name, "the closure uses it without capturing it"};
    capture of_no_bytes;
    of_no_bytes.name = name;
    of_no_bytes.type = type_of(d, d->getType().getNonReferenceType(), at);
    of_no_bytes.known = knowledge::constant;
    of_no_bytes.text = m.constant;
    const bool is_of_closure = declared.has_value() && std::ranges::any_of(closures, [&](const read_closure& each) {
                                 return is_within(declared->begin, each.plain.body);
                               });
    if (!is_of_closure) find_declaration(*c.site, *d, of_no_bytes);
    captured = c.captured.emplace(d, c.plain.captures.size()).first;
    c.known.emplace(d, std::move(m));
    c.plain.captures.push_back(std::move(of_no_bytes));
  }
  const std::optional<range> written = text.of_name(at);
  if (!written.has_value()) throw not_readable{at, name, "a macro names it"};
  if (captured != c.captured.end()) {
    if (is_renamed(d, use_kind::kept_capture, captured->second, inner, c.plain.uses))
      c.plain.uses.push_back({*written, use_kind::captured, captured->second});
    return;
  }
  for (const clang::LambdaExpr* l : inner) {
    if (!called_later(l, found).empty())
      throw not_readable{at, name, "a lambda in the closure that may be called after it names it"};
  }
  const clang::CallExpr* const call = call_on(r.name, r.around);
  const std::string called = call == nullptr ? "" : member_call_of(call).name;
  if (call != nullptr &&
      std::ranges::any_of(closures, [&](const read_closure& each) { return each.site->call == call; })) {
    if (std::ranges::any_of(inner,
                            [](const clang::LambdaExpr* l) { return l->getCaptureDefault() != clang::LCD_ByRef; }))
      throw not_readable{at, name, "the lambda that sends does not capture by [&]"};
    return;
  }
  if (!is_actor && called != "my_pe" && called != "n_pes") {
    throw not_readable{at, name,
                       "it is used otherwise than to send a closure; closures that are sent by other ways keep their "
                       "order with this one"};
  }
  if (is_renamed(d, use_kind::kept_capture, none, inner, c.plain.uses))
    c.plain.uses.push_back({*written, use_kind::context, 0});
}

void closure_reader::find_uses(std::size_t i) {
  for (const reference& r : found.references) {
    std::vector<const clang::LambdaExpr*> inner;
    if (owner_of(r.scope, inner) == i) use_name(closures[i], r, inner);
  }
  read_closure& c = closures[i];
  for (const written_name& n : found.names) {
    const std::optional<range> at = text.of_name(n.at);
    if (at.has_value() && is_within(at->begin, c.plain.body)) check_name(c, n.type, n.name, n.is_qualified, n.at);
  }
  for (std::size_t k = 0; k < closures.size(); ++k) {
    if (closures[k].plain.parent != i) continue;
    c.plain.uses.push_back({closures[k].plain.send, use_kind::send, k});
    std::vector<const clang::LambdaExpr*> inner;
    owner_of(closures[k].site->scope, inner);
    for (const auto& [v, index] : closures[k].captured) {
      const capture& its = closures[k].plain.captures[index];
      const auto own = c.captured.find(v);
      if (its.value.is_empty() && its.known == knowledge::sent && own != c.captured.end())
        is_renamed(v, use_kind::kept_capture, own->second, inner, c.plain.uses);
    }
  }
  sort_uses(c.plain.uses);
  check_declarations(c);
}

void closure_reader::find_unused(std::size_t i) {
  std::map<const clang::ValueDecl*, bool> needed;
  for (const read_closure& each : closures) {
    if (each.plain.depth <= closures[i].plain.depth) continue;
    for (const auto& [v, index] : each.captured) {
      const capture& its = each.plain.captures[index];
      if (its.value.is_empty()) needed[v] |= each.plain.parent == i && is_needed(its);
      if (its.value.is_empty() || each.plain.parent != i || is_needed(its)) continue;
      for (const reference& r : found.references) {  // a value that goes names variables, too
        const std::optional<range> name = text.of_name(r.name->getLocation());
        if (name.has_value() && is_within(name->begin, its.value)) needed.try_emplace(r.name->getDecl(), false);
      }
    }
  }
  for (const auto& [v, is_needed] : needed) {
    const auto* const variable = llvm::dyn_cast<clang::VarDecl>(v);
    if (is_needed || variable == nullptr || variable->isInitCapture() || v->hasAttrs()) continue;
    const std::optional<range> at = text.of(v->getSourceRange());
    const bool is_own = at.has_value() && std::ranges::none_of(closures, [&](const read_closure& c) {
                          return c.plain.depth > closures[i].plain.depth && is_within(at->begin, c.plain.body);
                        });
    if (!is_own || !is_within(at->begin, closures[i].plain.body)) continue;
    const auto is_dropped = [&](const reference& r) {  // with the value of a capture
      const std::optional<range> name = text.of_name(r.name->getLocation());
      return name.has_value() && std::ranges::any_of(closures, [&](const read_closure& c) {
               return std::ranges::any_of(c.plain.captures, [&](const capture& k) {
                 return !translate::is_needed(k) && is_within(name->begin, k.value);
               });
             });
    };
    const bool is_named = std::ranges::any_of(found.references, [&](const reference& r) {
      std::vector<const clang::LambdaExpr*> inner;
      return r.name->getDecl() == v && owner_of(r.scope, inner) == i && !is_dropped(r);
    });
    if (!is_named) closures[i].plain.uses.push_back({{at->begin, at->begin}, use_kind::unused, 0});
  }
  sort_uses(closures[i].plain.uses);
}

void closure_reader::find_effects(std::size_t i) {
  effect_scope scope;
  if (is_actor) {
    scope.object = closures[i].context;
  } else {
    scope.world = closures[i].context;
  }
  for (const read_closure& each : closures) {
    if (each.plain.parent == i) scope.sends.insert(each.site->call);
  }
  closures[i].plain.does = effects_of(closures[i].lambda->getBody(), scope);
}

}  // namespace shoal::translate
