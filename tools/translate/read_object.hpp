/// Closures that are objects with a call operator of their own.
#pragma once

#include "tools/translate/read_closure.hpp"

namespace shoal::translate {

/// What the selector of an actor over `context` has to know of the object that a send is given. `owner` and `statement`
/// say where its class will stand. Throws not_readable.
closure_object read_object(const clang::Expr* given, clang::QualType context, const closure_reader& where);

/// What the object does when it runs.
effects effects_of_object(const clang::Expr* given);

}  // namespace shoal::translate
