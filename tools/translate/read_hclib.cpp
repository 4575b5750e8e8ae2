#include "tools/translate/read_hclib.hpp"

#include <clang/AST/DeclTemplate.h>

#include <algorithm>
#include <map>
#include <regex>

#include "tools/translate/read_closure.hpp"
#include "tools/translate/surroundings.hpp"

namespace shoal::translate {
namespace {

// A variable that is a selector, or points to what new makes, and what it sends.
struct object {
  const clang::VarDecl* variable;
  const clang::FunctionDecl* function;
  hclib_selector plain;
  std::vector<read_closure> closures;
};

// A global pointer through which closures find the selector of the PE where they run.
struct way_back {
  const clang::VarDecl* pointer;
  const object* to;
  std::size_t assigned;
};

bool is_selector(clang::QualType type) { return is_type(type, "hclib::Selector"); }

bool is_pointer_to_selector(clang::QualType type) {
  return type->isPointerType() && is_selector(type->getPointeeType());
}

// Names of members of hclib::Selector, which an unqualified name in a handler would find.
const std::set<std::string>& names_of_members() {
  static const std::set<std::string> names = {"mb",
                                              "GLOBAL_DONE",
                                              "LOCAL_DONE",
                                              "start",
                                              "send",
                                              "done",
                                              "done_extended",
                                              "ended",
                                              "inside_",
                                              "global_done",
                                              "initiate_global_done",
                                              "get_future",
                                              "check_cyclic",
                                              "print_profiling",
                                              "end_",
                                              "Selector"};
  return names;
}

class hclib_reader {
public:
  hclib_reader(const clang::ASTContext& context, const source_text& text, const findings& found, program& into)
      : context_(context), text_(text), found_(found), into_(into) {}

  void read() {
    find_objects();
    if (objects_.empty()) return;
    try {
      find_macro();
      for (const reference& r : found_.references) find_way_back(r);
      for (const send_site& site : found_.sends) place(site);
      for (object& o : objects_) {
        closure_reader reads = reader(o);
        for (std::size_t i = 0; i < o.closures.size(); ++i) reads.find_uses(i);
        check_whole(o);
        check_uses(o);
      }
      check_ways_back();
    } catch (const not_readable& why) {
      into_.refusals.push_back({text_.line(why.at), text_.column(why.at), why.thing,
                                why.reason + "; so all selectors of the file keep their lambdas"});
      return;
    }
    for (object& o : objects_) {
      for (read_closure& c : o.closures) o.plain.closures.push_back(std::move(c.plain));
      into_.hclib_selectors.push_back(std::move(o.plain));
    }
    into_.dropped = std::move(dropped_);
  }

private:
  closure_reader reader(object& o) {
    return {context_, text_, found_, nullptr, true, true, around(o), names_of_members(), o.closures};
  }

  // From the declaration to the end of its function: what is declared there is not known in the class.
  range around(const object& o) const {
    const std::optional<range> function = text_.of(o.function->getSourceRange());
    if (!function.has_value())
      throw not_readable{o.variable->getLocation(), o.plain.variable, "a macro makes its function"};
    return {o.plain.declaration.begin, function->end};
  }

  // Selectors that get lambdas, by the names that stand for them.
  void find_objects() {
    for (const send_site& site : found_.sends) {
      const clang::VarDecl* const v = variable_of(site.receiver);
      if (v == nullptr || !v->hasLocalStorage() || std::ranges::find(objects_, v, &object::variable) != objects_.end())
        continue;
      if (is_selector(v->getType()) || is_pointer_to_selector(v->getType()))
        objects_.push_back({v, site.function, {}, {}});
    }
  }

  void describe(object& o) {
    const clang::VarDecl* const v = o.variable;
    hclib_selector& s = o.plain;
    s.variable = v->getNameAsString();
    if (o.function->isDependentContext())
      throw not_readable{v->getLocation(), s.variable, "its function depends on template parameters"};
    const std::optional<range> whole = text_.of(v->getSourceRange());
    s.is_pointer = v->getType()->isPointerType();
    const clang::Expr* init = v->getInit() == nullptr ? nullptr : v->getInit()->IgnoreUnlessSpelledInSource();
    if (s.is_pointer) {
      const auto* const made = llvm::dyn_cast_or_null<clang::CXXNewExpr>(init);
      init = made == nullptr ? nullptr : made->getConstructExpr();
    }
    const auto* const made = llvm::dyn_cast_or_null<clang::CXXConstructExpr>(init);
    if (llvm::isa<clang::ParmVarDecl>(v) || made == nullptr || !whole.has_value() ||
        text_.whole()[text_.next(whole->end)] != ';' || found_.joined.contains(v))
      throw not_readable{v->getLocation(), s.variable, "it is not declared alone, with the selector that it is"};
    s.declaration = {whole->begin, text_.next(whole->end) + 1};
    if (made->getNumArgs() != 0 && !llvm::isa<clang::CXXDefaultArgExpr>(made->getArg(0))) {
      const std::optional<range> given = text_.of(made->getArg(0)->IgnoreUnlessSpelledInSource()->getSourceRange());
      if (!given.has_value()) throw not_readable{v->getLocation(), s.variable, "a macro makes its argument"};
      s.arguments = text_.text(*given);
    }
    const clang::QualType type = s.is_pointer ? v->getType()->getPointeeType() : v->getType();
    const auto* const its = llvm::dyn_cast<clang::ClassTemplateSpecializationDecl>(type->getAsCXXRecordDecl());
    if (its == nullptr) throw not_readable{v->getLocation(), s.variable, "its type depends on template parameters"};
    if (its->getTemplateArgs().size() > 1 && its->getTemplateArgs()[1].getKind() == clang::TemplateArgument::Pack)
      throw not_readable{v->getLocation(), s.variable, "its mailboxes have packet types of their own (selector-mb.h)"};
    llvm::SmallString<16> digits;
    its->getTemplateArgs()[0].getAsIntegral().toString(digits, 10);
    s.n_mailboxes = digits.str().str();
    s.function = o.function->getNameAsString();
    if (const std::optional<range> name = text_.of_name(o.function->getLocation())) s.function_begin = name->begin;
  }

  // The line that asks for lambdas goes, and nothing else may ask for the macro.
  void find_macro() {
    for (object& o : objects_) describe(o);
    const std::string& s = text_.whole();
    static const std::regex line("(^|\n)([ \t]*#[ \t]*define[ \t]+USE_LAMBDA\\b[^\n]*\n)");
    std::smatch found;
    const clang::SourceLocation at = objects_.front().variable->getLocation();
    if (!std::regex_search(s, found, line))
      throw not_readable{at, "USE_LAMBDA", "the file does not define it; only what it defines can be left out"};
    const std::size_t begin = static_cast<std::size_t>(found.position(2));
    dropped_.push_back({begin, begin + static_cast<std::size_t>(found.length(2))});
    static const std::regex name("\\bUSE_LAMBDA\\b");
    if (std::distance(std::sregex_iterator(s.begin(), s.end(), name), std::sregex_iterator()) != 1)
      throw not_readable{at, "USE_LAMBDA", "the file asks for it elsewhere"};
  }

  void check_whole(const object& o) const {
    if (includes_within(around(o), context_))
      throw not_readable{o.variable->getLocation(), o.plain.variable, "its function includes another file"};
    for (const read_closure& c : o.closures) {
      for (const send_site& other : found_.sends) {
        if (is_in_arguments(other.around, *c.site))
          throw not_readable{other.call->getBeginLoc(), o.plain.variable, "a send is within what another one is given"};
      }
    }
  }

  object* object_of(const clang::VarDecl* v) {
    const auto at = std::ranges::find(objects_, v, &object::variable);
    return at == objects_.end() ? nullptr : &*at;
  }

  // Assignments `pointer = &selector;` of global pointers.
  void find_way_back(const reference& r) {
    const auto* const v = llvm::dyn_cast<clang::VarDecl>(r.name->getDecl());
    if (v == nullptr || v->hasLocalStorage() || !is_pointer_to_selector(v->getType())) return;
    const auto* const to = r.around.size() < 2 ? nullptr : llvm::dyn_cast<clang::BinaryOperator>(r.around.back());
    if (to == nullptr || to->getOpcode() != clang::BO_Assign || to->getLHS()->IgnoreParenImpCasts() != r.name) return;
    const clang::Expr* const value = to->getRHS()->IgnoreUnlessSpelledInSource();
    const auto* const address = llvm::dyn_cast<clang::UnaryOperator>(value);
    const bool is_address = address != nullptr && address->getOpcode() == clang::UO_AddrOf;
    const object* const o = object_of(variable_of(is_address ? address->getSubExpr() : value));
    const std::optional<range> at = text_.of(to->getSourceRange());
    const bool is_statement = llvm::isa<clang::CompoundStmt>(r.around[r.around.size() - 2]);
    if (o == nullptr || !at.has_value() || !is_statement || is_address == o->plain.is_pointer)
      throw not_readable{to->getBeginLoc(), v->getNameAsString(),
                         "what is assigned is not a selector of this function"};
    if (r.scope != nullptr || r.function != o->function)
      throw not_readable{to->getBeginLoc(), v->getNameAsString(), "it is assigned in a lambda"};
    for (const way_back& other : ways_) {
      if (other.pointer == v && other.to->function == o->function)
        throw not_readable{to->getBeginLoc(), v->getNameAsString(), "the function assigns it twice"};
    }
    ways_.push_back({v, o, at->begin});
    dropped_.push_back({at->begin, text_.next(at->end) + 1});
  }

  void place(const send_site& site) {
    const clang::VarDecl* const receiver = variable_of(site.receiver);
    if (!is_selector(site.receiver->getType()) && !is_pointer_to_selector(site.receiver->getType())) return;
    const std::string name = receiver == nullptr ? "the receiver" : receiver->getNameAsString();
    for (const clang::LambdaExpr* l = site.scope; l != nullptr; l = found_.outer.at(l)) {
      for (object& o : objects_) {
        const auto at = std::ranges::find(o.closures, l, &read_closure::lambda);
        if (at == o.closures.end()) continue;
        const bool comes_back =
            std::ranges::any_of(ways_, [&](const way_back& w) { return w.pointer == receiver && w.to == &o; });
        if (!comes_back)
          throw not_readable{site.call->getBeginLoc(), name,
                             "nothing proves that it is the selector whose lambda sends"};
        reader(o).add(site, static_cast<std::size_t>(at - o.closures.begin()));
        sends_.push_back(site.call);
        return;
      }
    }
    object* const o = object_of(receiver);
    if (o == nullptr)
      throw not_readable{site.call->getBeginLoc(), name, "it is not a selector that the function declares"};
    reader(*o).add(site, none);
    sends_.push_back(site.call);
  }

  static const clang::Stmt* outer(const reference& r, std::size_t i) {
    return r.around.size() > i ? r.around[r.around.size() - 1 - i] : nullptr;
  }

  // A selector may be asked for its members, and assigned to a way back.
  void check_uses(const object& o) {
    for (const reference& r : found_.references) {
      if (r.name->getDecl() != o.variable) continue;
      const clang::Stmt* near = outer(r, 0);
      if (llvm::isa_and_nonnull<clang::ImplicitCastExpr>(near)) near = outer(r, 1);
      if (llvm::isa_and_nonnull<clang::MemberExpr, clang::CXXDeleteExpr>(near)) continue;
      if (std::ranges::any_of(ways_, [&](const way_back& w) { return w.to == &o; }) && is_in_dropped(r)) continue;
      throw not_readable{r.name->getLocation(), o.plain.variable, "it is used otherwise than by its members"};
    }
  }

  bool is_in_dropped(const reference& r) const {
    const std::optional<range> at = text_.of_name(r.name->getLocation());
    return at.has_value() &&
           std::ranges::any_of(dropped_, [&](const range& d) { return at->begin >= d.begin && at->begin < d.end; });
  }

  // The pointer means the selector from before its start until its end.
  void check_ways_back() {
    std::set<const clang::VarDecl*> pointers;
    for (const way_back& w : ways_) {
      pointers.insert(w.pointer);
      if (w.pointer->isExternallyVisible())
        throw not_readable{w.pointer->getLocation(), w.pointer->getNameAsString(), "other files may assign it"};
      if (!w.to->plain.arguments.empty())
        throw not_readable{w.to->variable->getLocation(), w.to->plain.variable, "it may start before it is assigned"};
      for (const reference& r : found_.references) {
        const std::optional<range> at = text_.of_name(r.name->getLocation());
        const bool is_its = r.name->getDecl() == w.to->variable && !is_in_dropped(r);
        if (is_its && at.has_value() && at->begin < w.assigned)
          throw not_readable{r.name->getLocation(), w.to->plain.variable, "it is used before it is assigned"};
      }
      for (const way_back& other : ways_) {
        if (other.pointer == w.pointer && calls(w.to->function, other.to->function))
          throw not_readable{w.pointer->getLocation(), w.pointer->getNameAsString(),
                             "a function that the superstep calls assigns it, too"};
      }
    }
    for (const reference& r : found_.references) {
      const auto* const v = llvm::dyn_cast<clang::VarDecl>(r.name->getDecl());
      if (v == nullptr || !pointers.contains(v) || is_in_dropped(r)) continue;
      const bool is_send = std::ranges::any_of(
          r.around, [&](const clang::Stmt* s) { return std::ranges::find(sends_, s) != sends_.end(); });
      const auto* const m = llvm::dyn_cast_or_null<clang::MemberExpr>(outer(r, 1));
      if (!is_send || m == nullptr || m->getMemberDecl()->getNameAsString() != "send")
        throw not_readable{r.name->getLocation(), v->getNameAsString(), "it is used otherwise than to send a lambda"};
    }
    for (const clang::VarDecl* v : pointers) drop_declaration(v);
  }

  void drop_declaration(const clang::VarDecl* v) {
    const std::optional<range> whole = text_.of(v->getSourceRange());
    if (!whole.has_value() || text_.whole()[text_.next(whole->end)] != ';' || found_.joined.contains(v))
      throw not_readable{v->getLocation(), v->getNameAsString(), "it is not declared alone"};
    dropped_.push_back({whole->begin, text_.next(whole->end) + 1});
  }

  // Whether a function may call another one, or itself, by what functions name in this file.
  bool calls(const clang::FunctionDecl* from, const clang::FunctionDecl* to) const {
    std::set<const clang::FunctionDecl*> called;
    for (bool grows = true; grows;) {
      grows = false;
      for (const reference& r : found_.references) {
        const auto* const f = llvm::dyn_cast<clang::FunctionDecl>(r.name->getDecl());
        const clang::FunctionDecl* const by = r.function == nullptr ? nullptr : r.function->getCanonicalDecl();
        if (f == nullptr || (by != from->getCanonicalDecl() && !called.contains(by))) continue;
        grows |= called.insert(f->getCanonicalDecl()).second;
      }
    }
    return called.contains(to->getCanonicalDecl());
  }

  const clang::ASTContext& context_;
  const source_text& text_;
  const findings& found_;
  program& into_;
  std::vector<object> objects_;
  std::vector<way_back> ways_;
  std::vector<const clang::Stmt*> sends_;
  std::vector<range> dropped_;
};

}  // namespace

void read_hclib(const clang::ASTContext& context, const source_text& text, const findings& found, program& into) {
  hclib_reader(context, text, found, into).read();
}

}  // namespace shoal::translate
