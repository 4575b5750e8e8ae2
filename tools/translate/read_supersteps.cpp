#include "tools/translate/read_supersteps.hpp"

#include <clang/AST/DeclTemplate.h>

#include <algorithm>
#include <map>

#include "tools/translate/read_ties.hpp"
#include "tools/translate/superstep_group.hpp"
#include "tools/translate/surroundings.hpp"

namespace shoal::translate {
namespace {

class superstep_reader {
public:
  superstep_reader(const clang::ASTContext& context, const source_text& text, const findings& found,
                   const read_actor_sends& actors, bool any_order, program& into)
      : context_(context),
        text_(text),
        found_(found),
        actors_(actors),
        any_order_(any_order),
        into_(into),
        taken_(names_in_selector(context)) {}

  void read() {
    for (const send_site& site : found_.sends) {
      if (site.mailbox != nullptr || actors_.read.contains(site.call)) continue;
      try {
        place(site);
      } catch (const not_readable& why) {
        refuse(why);
      }
    }
    refuse_groups();
    for (std::size_t i = 0; i < groups_.size();) {
      try {
        finish(groups_[i]);
        ++i;
      } catch (const not_readable& why) {
        refuse(why);
        drop(groups_, groups_[i]);
        i = 0;  // what others may do depends on it
      }
    }
    for (group& g : groups_) {
      for (read_closure& c : g.closures) g.plain.closures.push_back(std::move(c.plain));
      into_.supersteps.push_back(std::move(g.plain));
    }
  }

private:
  void refuse(const not_readable& why) {
    const refusal r{text_.line(why.at), text_.column(why.at), why.thing, why.reason};
    const bool is_known = std::ranges::any_of(
        into_.refusals, [&](const refusal& each) { return each.line == r.line && each.column == r.column; });
    if (!is_known) into_.refusals.push_back(r);
  }

  group* group_of(const finish_site* finish, const clang::VarDecl* sender) {
    const auto at =
        std::ranges::find_if(groups_, [&](const group& g) { return g.finish == finish && g.sender == sender; });
    return at == groups_.end() ? nullptr : &*at;
  }

  // Puts a closure into its group, which it makes if need be.
  void place(const send_site& site) {
    const clang::VarDecl* const receiver = variable_of(site.receiver);
    for (const clang::LambdaExpr* l = site.scope; l != nullptr; l = found_.outer.at(l)) {
      for (group& g : groups_) {
        const auto at = std::ranges::find(g.closures, l, &read_closure::lambda);
        if (at == g.closures.end()) continue;
        const auto parent = static_cast<std::size_t>(at - g.closures.begin());
        const clang::FieldDecl* const tie = g.is_actor ? tie_of(site.receiver) : nullptr;
        const bool is_tied = tie != nullptr && at->context != nullptr &&
                             variable_of(llvm::cast<clang::MemberExpr>(site.receiver)->getBase()) == at->context;
        if (!is_tied && (receiver == nullptr || receiver != at->context || g.is_actor)) return note(site, receiver);
        try {
          const std::size_t object = is_tied ? object_by(g, *at, tie) : 0;
          reader(g).add(site, parent);
          g.closures.back().plain.object_index = object;
        } catch (const not_readable&) {
          refused_.push_back({g.finish, g.sender});
          throw;
        }
        return;
      }
    }
    note(site, receiver);
    if (receiver == nullptr) return;
    const bool is_actor = is_type(receiver->getType(), "shoal::lambda_actor");
    if (!is_actor && !is_type(receiver->getType(), "shoal::world")) return;
    const finish_site* const finish = finish_around(site.around, found_);
    if (finish == nullptr)
      throw not_readable{
          site.call->getBeginLoc(), receiver->getNameAsString(),
          "no finish of this function is around the send, so nothing tells where a selector's life ends"};
    if (is_context(receiver)) return;  // the closure around says why it stays
    if (!is_actor && finish->world != receiver)
      throw not_readable{site.call->getBeginLoc(), receiver->getNameAsString(),
                         "the finish around is of another world"};
    if (group_of(finish, receiver) == nullptr) groups_.push_back({finish, receiver, is_actor, {}, {}, {}, {}});
    try {
      check_way(site, *finish);
      group& g = *group_of(finish, receiver);
      const statement_around s = statement_of(*finish, text_);
      if (!s.at.has_value() || finish->call->getBeginLoc().isMacroID())
        throw not_readable{finish->call->getBeginLoc(), "finish", "it is in a macro"};
      g.plain.statement = *s.at;
      g.plain.needs_braces = s.needs_braces;
      reader(g).add(site, none);
    } catch (const not_readable&) {
      refused_.push_back({finish, receiver});
      throw;
    }
  }

  // Of a closure.
  bool is_context(const clang::VarDecl* v) const {
    return std::ranges::any_of(found_.sends, [&](const send_site& s) {
      const clang::CXXMethodDecl* const call = s.lambda->getCallOperator();
      return call->getNumParams() != 0 && call->getParamDecl(0) == v;
    });
  }

  // What a closure that `sender` sends runs on: the number of the object.
  static std::size_t object_by(group& g, const read_closure& sender, const clang::FieldDecl* tie) {
    const clang::VarDecl* const actor = tied_actor(tie, g.actor_of(sender.plain));
    g.ties.insert(tie);
    if (actor == g.sender) return 0;
    const auto known = std::ranges::find(g.others, actor);
    if (known != g.others.end()) return static_cast<std::size_t>(known - g.others.begin()) + 1;
    g.others.push_back(actor);
    return g.others.size();
  }

  // A send that stays, but is one of closures.
  void note(const send_site& site, const clang::VarDecl* receiver) {
    const clang::QualType type = site.receiver->getType();
    const bool is_closures = is_type(type, "shoal::lambda_actor") || is_type(type, "shoal::world");
    if (receiver != nullptr || !is_closures) return;
    const auto* const member = llvm::dyn_cast<clang::MemberExpr>(site.receiver);
    if (member != nullptr && actors_.told.contains(member->getMemberDecl())) return;
    throw not_readable{site.call->getBeginLoc(), "the receiver",
                       "it is a part of another object, so nothing tells what else sends to it"};
  }

  void check_way(const send_site& site, const finish_site& finish) {
    for (auto at = site.around.rbegin(); at != site.around.rend(); ++at) {
      const auto* const l = llvm::dyn_cast<clang::LambdaExpr>(*at);
      if (l == nullptr) continue;
      if (l->isGenericLambda() && l != finish.body)
        throw not_readable{site.call->getBeginLoc(), "the send", "it is in a lambda with template parameters"};
      if (l->getCaptureDefault() != clang::LCD_ByRef)
        throw not_readable{l->getBeginLoc(), "a lambda",
                           "it does not capture by [&], so it would not find the selector"};
      if (l == finish.body) return;
      const std::string why = called_later(l, found_);
      if (!why.empty()) throw not_readable{site.call->getBeginLoc(), "the send", why};
    }
  }

  void refuse_groups() {
    for (const auto& [finish, sender] : refused_) {
      if (const group* const g = group_of(finish, sender)) drop(groups_, *g);
    }
  }

  closure_reader reader(group& g) {
    return {context_, text_, found_, g.finish->world, g.is_actor, false, g.plain.statement, taken_, g.closures};
  }

  void finish(group& g) {
    const std::string way = way_past(*g.finish, found_, context_);
    if (!way.empty()) throw not_readable{g.finish->call->getBeginLoc(), "finish", way};
    for (const clang::Decl* d : found_.usings) {
      const std::optional<range> at = text_.of_name(d->getLocation());
      if (at && at->begin >= g.plain.statement.begin && at->begin < g.plain.statement.end)
        throw not_readable{d->getLocation(), "using", "it changes what names in the superstep mean"};
    }
    if (includes_within(g.plain.statement, context_))
      throw not_readable{g.finish->call->getBeginLoc(), "finish", "it includes another file"};
    check_nesting(g);
    closure_reader r = reader(g);
    for (std::size_t i = 0; i < g.closures.size(); ++i) {
      const std::size_t n_found = g.closures[i].plain.uses.size();
      if (n_found == 0) r.find_uses(i);
      r.find_effects(i);
    }
    for (std::size_t i = 0; i < g.closures.size(); ++i) r.find_unused(i);
    check_sender(g, g.sender);
    for (const clang::VarDecl* v : g.others) check_sender(g, v);
    check_ties(g, groups_, text_, found_);
    check_other_worlds(g);
    describe(g);
    if (!any_order_) check_order(g);
  }

  void check_nesting(const group& g) const {
    for (const read_closure& c : g.closures) {
      const auto refuse_nested = [&](const path& around, clang::SourceLocation at) {
        if (is_in_arguments(around, *c.site))
          throw not_readable{at, "the superstep", "it sends or finishes within what another send is given"};
      };
      for (const send_site& other : found_.sends) refuse_nested(other.around, other.call->getBeginLoc());
      for (const finish_site& other : found_.finishes) refuse_nested(other.around, other.call->getBeginLoc());
    }
  }

  static bool is_in(const path& around, const finish_site* finish) {
    return std::ranges::find(around, finish->body) != around.end();
  }

  // Whatever else the sender does within the superstep might send closures that keep their order with those here.
  void check_sender(const group& g, const clang::VarDecl* sender) {
    for (const reference& r : found_.references) {
      if (r.name->getDecl() != sender || (!g.is_actor && !is_in(r.around, g.finish))) continue;
      if (is_harmless(g, r) || binds_tie(r.name, groups_, found_)) continue;
      throw not_readable{r.name->getLocation(), sender->getNameAsString(),
                         "it is used otherwise than to send a closure; closures that are sent by other ways keep their "
                         "order with those that are sent here"};
    }
    for (const group& other : groups_) {
      if (&other != &g && other.finish == g.finish && g.is_actor && other.has_actor(sender))
        throw not_readable{sender->getLocation(), sender->getNameAsString(),
                           "it is sent to in two ways in one superstep, and closures keep their order"};
    }
  }

  // Another name for the world might send closures that keep their order with those here.
  void check_other_worlds(const group& g) {
    if (g.is_actor) return;
    const auto refuse_world = [](clang::SourceLocation at, const std::string& name) {
      throw not_readable{at, name, "it may be the same world, and send closures that keep their order with those here"};
    };
    for (const unnamed_world& w : found_.worlds) {
      if (finish_around(w.around, found_) == g.finish) refuse_world(w.world->getBeginLoc(), "a world without a name");
    }
    for (const reference& r : found_.references) {
      const clang::ValueDecl* const v = r.name->getDecl();
      // What a superstep within this one sends belongs to that one.
      const bool is_here = finish_around(r.around, found_) == g.finish;
      if (v == g.sender || !is_here || !is_type(v->getType(), "shoal::world")) continue;
      const bool is_own = std::ranges::any_of(g.closures, [&](const read_closure& c) { return c.context == v; });
      if (!is_own && !is_question(r)) refuse_world(r.name->getLocation(), v->getNameAsString());
    }
  }

  // Asks a world who it is, or opens a superstep.
  static bool is_question(const reference& r) {
    static const std::set<std::string> harmless = {"my_pe", "n_pes", "progress", "yield", "finish"};
    for (std::size_t i = r.around.size(); i != 0 && i + 4 > r.around.size(); --i) {
      const auto* const call = llvm::dyn_cast<clang::CallExpr>(r.around[i - 1]);
      if (call != nullptr) return member_call_of(call).object == r.name && harmless.contains(member_call_of(call).name);
    }
    return false;
  }

  bool is_harmless(const group& g, const reference& r) {
    const clang::CallExpr* call = nullptr;
    for (std::size_t i = r.around.size(); i != 0 && i + 4 > r.around.size() && call == nullptr; --i) {
      call = llvm::dyn_cast<clang::CallExpr>(r.around[i - 1]);
    }
    if (call == nullptr || member_call_of(call).object != r.name) return false;
    const bool is_sent = std::ranges::any_of(groups_, [&](const group& each) {
      return std::ranges::any_of(each.closures, [&](const read_closure& c) { return c.site->call == call; });
    });
    if (is_sent) return true;
    // What another superstep within this one sends belongs to that one.
    return !g.is_actor && (is_question(r) || finish_around(r.around, found_) != g.finish);
  }

  void describe(group& g) {
    superstep& s = g.plain;
    const std::optional<range> body = text_.of(g.finish->body->getBody()->getSourceRange());
    if (!body.has_value()) throw not_readable{g.finish->call->getBeginLoc(), "finish", "its body is in a macro"};
    s.body_begin = body->begin + 1;
    s.is_outermost = is_outermost(*g.finish, found_);
    s.is_dependent = is_in_template(*g.finish);
    const bool is_in_lambda = std::ranges::any_of(
        found_.lambdas.at(g.finish->body), [](const clang::Stmt* each) { return llvm::isa<clang::LambdaExpr>(each); });
    if (!is_in_lambda && g.finish->function != nullptr) s.function = g.finish->function->getNameAsString();
    if (g.finish->function != nullptr) {
      if (const std::optional<range> name = text_.of_name(g.finish->function->getLocation()))
        s.function_begin = name->begin;
    }
    s.world = g.finish->world->getNameAsString();
    s.objects.clear();
    if (!g.is_actor) return;
    s.actor = g.sender->getNameAsString();
    s.objects.push_back(object_of(g, g.sender));
    for (const clang::VarDecl* v : g.others) s.objects.push_back(object_of(g, v));
    for (std::size_t i = g.closures.size(); i-- > 0;) {
      const std::string type = reader(g).context_type(i);
      if (!type.empty()) s.objects[g.closures[i].plain.object_index].type = type;
    }
  }

  handled_object object_of(const group& g, const clang::VarDecl* actor) const {
    const clang::SourceLocation at = actor->getLocation();
    const std::string name = actor->getNameAsString();
    const std::optional<range> whole = text_.of(actor->getSourceRange());
    const auto* const made = actor->getInit() == nullptr
                                 ? nullptr
                                 : llvm::dyn_cast<clang::CXXConstructExpr>(actor->getInit()->IgnoreImplicit());
    if (!actor->hasLocalStorage() || llvm::isa<clang::ParmVarDecl>(actor) || made == nullptr || !whole.has_value() ||
        made->getNumArgs() < 2)
      throw not_readable{at, name, "it is not constructed in the function from a world and an object"};
    const clang::Expr* const object = made->getArg(1)->IgnoreUnlessSpelledInSource();
    const std::optional<range> written = text_.of(object->getSourceRange());
    if (variable_of(made->getArg(0)) != g.finish->world || !written.has_value() || !is_lasting(object))
      throw not_readable{at, name, "its object is not a variable, or its world is not that of the finish"};
    const clang::Expr* root = object;
    while (const auto* m = llvm::dyn_cast<clang::MemberExpr>(root)) root = m->getBase()->IgnoreUnlessSpelledInSource();
    if (is_hidden(variable_of(root), g.finish->around))
      throw not_readable{at, name, "another variable has the name of its object where the superstep begins"};
    const std::size_t end = text_.next(whole->end);
    if (text_.whole()[end] != ';' || found_.joined.contains(actor))
      throw not_readable{at, name, "its declaration has other variables"};
    const auto* const type =
        llvm::dyn_cast_or_null<clang::ClassTemplateSpecializationDecl>(actor->getType()->getAsCXXRecordDecl());
    if (type == nullptr) throw not_readable{at, name, "its type depends on template parameters"};
    return {text_.text(*written), name_of(type->getTemplateArgs()[0].getAsType(), context_), {whole->begin, end + 1}};
  }

  // Names the same object at the superstep as at the declaration.
  static bool is_lasting(const clang::Expr* e) {
    if (const auto* m = llvm::dyn_cast<clang::MemberExpr>(e))
      return !m->isArrow() && is_lasting(m->getBase()->IgnoreUnlessSpelledInSource());
    return variable_of(e) != nullptr;
  }

  const clang::ASTContext& context_;
  const source_text& text_;
  const findings& found_;
  const read_actor_sends& actors_;
  const bool any_order_;
  program& into_;
  const std::set<std::string> taken_;
  std::vector<group> groups_;
  std::vector<std::pair<const finish_site*, const clang::VarDecl*>> refused_;
};

}  // namespace

void read_supersteps(const clang::ASTContext& context, const source_text& text, const findings& found,
                     const read_actor_sends& actors, bool any_order, program& into) {
  superstep_reader(context, text, found, actors, any_order, into).read();
}

}  // namespace shoal::translate
