/// The closures that a superstep sends by one variable, and what ties it to other actors.
#pragma once

#include "tools/translate/read_closure.hpp"

namespace shoal::translate {

struct group {
  const finish_site* finish;
  const clang::VarDecl* sender;  // a world, or a lambda_actor
  bool is_actor;
  std::vector<read_closure> closures;
  superstep plain;
  std::vector<const clang::VarDecl*> others;  // actors that get what its closures send
  std::set<const clang::FieldDecl*> ties;  // by which they do

  const clang::VarDecl* actor_of(const closure& c) const {
    return c.object_index == 0 ? sender : others[c.object_index - 1];
  }
  bool has_actor(const clang::VarDecl* v) const {
    return is_actor && (v == sender || std::ranges::find(others, v) != others.end());
  }
};

/// Leaves all closures of the group as they are. So an actor keeps all that it sends, in whatever superstep, and so do
/// those that are tied to it.
void drop(std::vector<group>& groups, const group& g);

/// Whether the name binds a member by which closures of a group send.
bool binds_tie(const clang::Expr* name, const std::vector<group>& groups, const findings& found);

/// Members that name actors go with them, so they name nothing else, and all that is sent by them is read. Throws
/// not_readable.
void check_ties(group& g, const std::vector<group>& groups, const source_text& text, const findings& found);

/// Throws not_readable if two closures of one actor touch the same.
void check_order(const group& g);

}  // namespace shoal::translate
