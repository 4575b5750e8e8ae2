#include "tools/translate/read_actors.hpp"

#include <algorithm>
#include <deque>

#include "tools/translate/actor_declaration.hpp"
#include "tools/translate/read_closure.hpp"
#include "tools/translate/read_object.hpp"
#include "tools/translate/surroundings.hpp"

namespace shoal::translate {
namespace {

class actor_reader {
public:
  actor_reader(const clang::ASTContext& context, const source_text& text, const findings& found, bool any_order,
               program& into)
      : context_(context),
        text_(text),
        found_(found),
        any_order_(any_order),
        into_(into),
        taken_(names_in_selector(context)) {}

  read_actor_sends read() {
    for (const actor_send& s : found_.actor_sends) find_actor(s.site);
    while (!all_read()) {
    }
    read_actor_sends done;
    for (actor& a : actors_) {
      if (a.is_left) {
        if (a.member != nullptr) done.told.insert(a.declared);
        continue;
      }
      for (const read_closure& c : closures_) a.plain.closures.push_back(c.plain);
      into_.supersteps.push_back(std::move(a.plain));
    }
    for (const actor_send& s : found_.actor_sends) {
      const actor* const a = actor_of(s.site.receiver);
      if (a != nullptr && !a->is_left) done.read.insert(s.site.call);
    }
    return done;
  }

private:
  static const clang::DeclaratorDecl* declaration_of(const clang::Expr* receiver) {
    if (const auto* m = llvm::dyn_cast<clang::MemberExpr>(receiver))
      return llvm::dyn_cast<clang::FieldDecl>(m->getMemberDecl());
    const clang::VarDecl* const v = variable_of(receiver);
    return v != nullptr && v->hasLocalStorage() && !llvm::isa<clang::ParmVarDecl>(v) ? v : nullptr;
  }

  actor* actor_of(const clang::Expr* receiver) {
    const auto at = std::ranges::find(actors_, declaration_of(receiver), &actor::declared);
    return at == actors_.end() ? nullptr : &*at;
  }

  // References are other names of actors.
  void find_actor(const send_site& site) {
    const clang::DeclaratorDecl* const d = declaration_of(site.receiver);
    if (d == nullptr || d->getType()->isReferenceType() || actor_of(site.receiver) != nullptr) return;
    actor a;
    a.declared = d;
    a.member = llvm::dyn_cast<clang::FieldDecl>(d);
    a.plain.number = actors_.size();
    actors_.push_back(std::move(a));
    try {
      describe_actor(actors_.back(), site, context_, text_, found_);
    } catch (const not_readable& why) {
      leave(actors_.back(), why);
    }
  }

  // Variables may still be read superstep by superstep, unless they get objects.
  void leave(actor& a, const not_readable& why) {
    a.is_left = true;
    const bool has_objects = std::ranges::any_of(found_.actor_sends, [&](const actor_send& s) {
      return actor_of(s.site.receiver) == &a && (s.site.lambda == nullptr || s.is_tried);
    });
    if (a.member == nullptr && !has_objects) return;
    into_.refusals.push_back({text_.line(why.at), text_.column(why.at), why.thing, why.reason});
  }

  // False: an actor is left, and what others may do depends on it.
  bool all_read() {
    closures_.clear();
    sites_.clear();
    for (actor& a : actors_) a.plain.place.of_mailbox.clear();
    actor* at = nullptr;
    try {
      for (const actor_send& s : found_.actor_sends) {
        at = actor_of(s.site.receiver);
        if (at != nullptr && !at->is_left) add(*at, s);
      }
      for (std::size_t i = 0; i < closures_.size(); ++i) {
        at = &actors_[closures_[i].plain.actor];
        if (closures_[i].lambda != nullptr) {
          reader(*at).find_uses(i);
          reader(*at).find_effects(i);
        }
      }
      for (actor& a : actors_) {
        at = &a;
        if (!a.is_left) check(a);
      }
    } catch (const not_readable& why) {
      leave(*at, why);
      return false;
    }
    return true;
  }

  closure_reader reader(const actor& a) {
    return {context_,          text_,  found_,    a.world,   true,          false,
            a.plain.statement, taken_, closures_, a.owner(), a.plain.number};
  }

  // --- What it is sent

  void add(actor& a, const actor_send& s) {
    const clang::SourceLocation at = s.site.call->getBeginLoc();
    std::size_t parent = none;
    bool is_here = true;  // on the PE of the main program
    for (const clang::LambdaExpr* l = s.site.scope; l != nullptr && parent == none; l = found_.outer.at(l)) {
      const auto outer = std::ranges::find(closures_, l, &read_closure::lambda);
      if (outer != closures_.end()) parent = static_cast<std::size_t>(outer - closures_.begin());
      if (parent == none && is_sent(l)) throw not_readable{at, a.plain.actor, "it is sent to in a closure that stays"};
      if (l->isGenericLambda() && parent == none)
        throw not_readable{at, a.plain.actor, "a lambda with template parameters sends to it"};
      const bool is_finish = std::ranges::find(found_.finishes, l, &finish_site::body) != found_.finishes.end();
      is_here = is_here && (is_finish || called_later(l, found_).empty());
    }
    if (a.member != nullptr) check_scope(a, s.site);
    if (s.site.lambda == nullptr) return add_object(a, s);
    closure_reader r = reader(a);
    if (!is_here) r.world = nullptr;
    sites_.push_back(s.site);
    r.add(sites_.back(), parent);
    closure& c = closures_.back().plain;
    c.is_tried = s.is_tried;
    const std::optional<range> receiver = text_.of(written(s.site.receiver));
    if (!receiver.has_value()) throw not_readable{at, a.plain.actor, "a macro names it"};
    c.receiver = *receiver;
    const std::string type = r.context_type(closures_.size() - 1);
    if (a.member == nullptr && !type.empty()) a.plain.objects[0].type = type;
    if (a.member != nullptr) c.scope = scope_of(a, s.site, parent);
    if (parent != none && closures_[parent].plain.actor != c.actor) forget_pes(closures_.back());
  }

  // Actors may have different worlds, in which PEs have other numbers.
  static void forget_pes(read_closure& c) {
    for (capture& its : c.plain.captures) {
      if (its.known == knowledge::sender || its.known == knowledge::n_pes) its.known = knowledge::sent;
    }
    for (auto& [variable, its] : c.known) {
      its.pes.clear();
      its.is_n_pes = false;
    }
  }

  // How the message is named where it is sent.
  std::string scope_of(const actor& a, const send_site& site, std::size_t parent) const {
    const clang::CXXRecordDecl* const owner = a.owner();
    const clang::DeclContext* from = site.function;
    if (parent != none) {
      const actor& sender = actors_[closures_[parent].plain.actor];
      if (sender.member != nullptr) from = sender.owner();
    }
    std::string scope;
    for (const clang::DeclContext* c = owner; c != nullptr && !c->isFileContext(); c = c->getParent()) {
      const auto* const r = llvm::dyn_cast<clang::CXXRecordDecl>(c);
      if (r != nullptr && !is_in_class(from, r)) scope = r->getNameAsString() + "::" + scope;
    }
    return scope;
  }

  void add_object(actor& a, const actor_send& s) {
    const clang::SourceLocation at = s.site.call->getBeginLoc();
    const closure_reader r = reader(a);
    read_closure c;
    sites_.push_back(s.site);
    c.site = &sites_.back();
    c.plain.object = read_object(s.given, a.context, r);
    c.plain.actor = a.plain.number;
    c.plain.line = text_.line(at);
    c.plain.is_tried = s.is_tried;
    c.plain.bytes =
        static_cast<std::size_t>(context_.getTypeSizeInChars(s.given->getType().getNonReferenceType()).getQuantity());
    c.plain.does = effects_of_object(s.given);
    if (c.plain.object.takes_context || c.plain.object.prefetch_takes_context) c.plain.context_name = "there";
    if (c.plain.object.takes_sender) c.plain.sender_name = "from";
    const clang::CXXRecordDecl* const type = s.given->getType().getNonReferenceType()->getAsCXXRecordDecl();
    if (named_namespace(type) != named_namespace(s.site.function) || taken_.contains(c.plain.object.type))
      throw not_readable{at, a.plain.actor, "its closures' type is of another namespace, or a selector has its name"};
    const bool is_known = std::ranges::any_of(closures_, [&](const read_closure& each) {
      return each.plain.actor == c.plain.actor && each.plain.object.type == c.plain.object.type;
    });
    if (is_known) sites_.pop_back();
    else closures_.push_back(std::move(c));
    if (s.is_tried) call_of_mailbox(a, s.site.call);
  }

  bool is_sent(const clang::LambdaExpr* l) const {
    return std::ranges::find(found_.sends, l, &send_site::lambda) != found_.sends.end() ||
           std::ranges::any_of(found_.actor_sends, [&](const actor_send& s) { return s.site.lambda == l; });
  }

  // A class means the same by the names that a closure has only in the same namespace, and outside of templates.
  void check_scope(const actor& a, const send_site& site) const {
    const clang::SourceLocation at = site.call->getBeginLoc();
    if (site.function == nullptr || site.function->isDependentContext())
      throw not_readable{at, a.plain.actor, "a template sends to it"};
    if (named_namespace(site.function) != named_namespace(a.owner()))
      throw not_readable{at, a.plain.actor, "it is sent to in another namespace"};
    const std::optional<range> function = text_.of(site.function->getSourceRange());
    for (const clang::Decl* d : found_.usings) {
      const std::optional<range> u = text_.of_name(d->getLocation());
      if (!function || (u && u->begin >= function->begin && u->begin < function->end))
        throw not_readable{at, a.plain.actor, "a using declaration changes what names mean where it is sent to"};
    }
  }

  // A function that a mailbox has: of the only one.
  void call_of_mailbox(actor& a, const clang::CallExpr* call) {
    const auto* const callee = llvm::dyn_cast<clang::MemberExpr>(call->getCallee()->IgnoreParenImpCasts());
    const std::optional<range> name = callee == nullptr ? std::nullopt : text_.of_name(callee->getMemberLoc());
    if (!name.has_value() || callee->isArrow() || is_in_closure(name->begin))
      throw not_readable{call->getBeginLoc(), a.plain.actor, "a closure, a template or a macro calls it"};
    a.plain.place.of_mailbox.push_back(name->begin);
  }

  bool is_in_closure(std::size_t at) const {
    return std::ranges::any_of(closures_, [&](const read_closure& c) {
      return c.lambda != nullptr && at >= c.plain.body.begin && at < c.plain.body.end;
    });
  }

  // --- All of it

  void check(actor& a) {
    std::vector<const read_closure*> own;
    for (const read_closure& c : closures_) {
      if (a.plain.owns(c.plain)) own.push_back(&c);
    }
    // As messages of several types they would lose their order, which supersteps of a function keep.
    if (a.member == nullptr && own.size() > 1) a.refuse("it gets closures of several kinds");
    for (const reference& r : found_.references) {
      if (r.name->getDecl() == a.declared) check_use(a, r.name, r.around, own);
    }
    for (const member_use& m : found_.members) {
      if (m.name->getMemberDecl() == a.declared) check_use(a, m.name, m.around, own);
    }
    if (a.member != nullptr && found_.dependent_members.contains(a.plain.actor))
      a.refuse("a template names a member of this name");
    for (const read_closure* c : own) {
      for (const actor_send& other : found_.actor_sends) {
        const actor* const to = actor_of(other.site.receiver);
        const bool stays = to == nullptr || to->is_left;
        if (a.member == nullptr && stays && std::ranges::find(other.site.around, c->lambda) != other.site.around.end())
          a.refuse("its closures send others that stay");
        if (c->lambda != nullptr && is_in_arguments(other.site.around, *c->site))
          throw not_readable{other.site.call->getBeginLoc(), a.plain.actor, "a send is within what another is given"};
      }
    }
    for (std::size_t i = 0; i < own.size() && !any_order_; ++i) {
      for (std::size_t k = i + 1; k < own.size(); ++k) check_order(own[i]->plain, own[k]->plain, own[i]->site->call);
    }
  }

  void check_use(actor& a, const clang::Expr* name, const path& around, const std::vector<const read_closure*>& own) {
    const clang::CallExpr* const call = call_on(name, around);
    const bool is_send = call != nullptr && std::ranges::any_of(found_.actor_sends, [&](const actor_send& s) {
                           return s.site.call == call;
                         });
    if (is_send) return;
    static const std::set<std::string> of_selector = {"done", "close"};
    if (call != nullptr && of_selector.contains(member_call_of(call).name) && n_given(call) == 0) return;
    if (call == nullptr || member_call_of(call).name != "limit_unsent" || own.size() != 1)
      throw not_readable{name->getExprLoc(), a.plain.actor, "it is used otherwise than to send a closure"};
    call_of_mailbox(a, call);
  }

  static void check_order(const closure& one, const closure& other, const clang::CallExpr* at) {
    const std::string why = conflict(one.does, other.does);
    if (!why.empty()) throw not_readable{at->getBeginLoc(), "order", order_matters(other, why)};
  }

  const clang::ASTContext& context_;
  const source_text& text_;
  const findings& found_;
  const bool any_order_;
  program& into_;
  const std::set<std::string> taken_;
  std::deque<actor> actors_;
  std::deque<send_site> sites_;
  std::vector<read_closure> closures_;  // of all actors: some send others
};

}  // namespace

read_actor_sends read_actors(const clang::ASTContext& context, const source_text& text, const findings& found,
                             bool any_order, program& into) {
  return actor_reader(context, text, found, any_order, into).read();
}

}  // namespace shoal::translate
