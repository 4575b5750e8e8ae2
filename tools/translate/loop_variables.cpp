#include "tools/translate/loop_variables.hpp"

#include <algorithm>

#include "tools/translate/known_functions.hpp"

namespace shoal::translate {
namespace {

bool is_within(const loop& l, std::size_t inner, std::size_t outer) {
  while (inner != none && inner != outer) inner = l.steps[inner].parent;
  return inner == outer;
}

// One-sided access reaches symmetric memory alone.
void note_symmetric(touch_reader& reader) {
  std::set<std::string> all;
  for (const touch& t : reader.touches()) {
    if (t.is_remote) all.insert(reader.memories()[t.memory].identity);
  }
  for (memory& m : reader.memories()) m.is_symmetric = all.contains(m.identity);
}

// `received`: the steps whose answer has come.
void note_change(loop& l, std::size_t index, std::size_t segment, std::set<std::size_t>& received) {
  loop_variable& v = l.variables[index];
  if (v.kind == variable_kind::iteration) {
    if (segment == none) return;
    loop_step& s = l.steps[segment];
    // The first change of the result is that it comes.
    if (s.result == index && received.insert(segment).second) return;
    if (!llvm::is_contained(s.declares, index) && !llvm::is_contained(s.changes, index)) s.changes.push_back(index);
  } else if (segment != none) {
    v.kind = variable_kind::result;
  } else if (v.kind == variable_kind::fixed) {
    v.kind = variable_kind::counter;
  }
}

bool needs_origin(const loop& l, std::size_t step, const touch_reader& reader) {
  if (reader.needs_origin(step)) return true;
  return std::ranges::any_of(l.steps[step].uses, [&](std::size_t v) {
    const loop_variable& its = l.variables[v];
    const bool is_object = its.is_object && !llvm::is_contained(l.steps[step].declares, v);
    return its.kind == variable_kind::result || is_object || its.type.find('*') != std::string::npos;
  });
}

}  // namespace

std::size_t loop_variables::of(const clang::ValueDecl* v) {
  const auto [found, is_new] = numbers_.emplace(v, into_.variables.size());
  if (!is_new) return found->second;
  loop_variable made;
  made.name = v->getNameAsString();
  const clang::QualType type = v->getType().getNonReferenceType();
  made.type = name_of(type, context_);
  const bool is_outer_reference = v->getType()->isReferenceType() && !scope_.declared.contains(v);
  made.is_object = type->isRecordType() || type->isArrayType() || is_outer_reference;
  made.is_constant = v->getType().getNonReferenceType().isConstQualified();
  if (!type->isIncompleteType() && !type->isDependentType()) {
    made.bytes = static_cast<std::size_t>(context_.getTypeSizeInChars(type).getQuantity());
    made.alignment = static_cast<std::size_t>(context_.getTypeAlignInChars(type).getQuantity());
  }
  if (scope_.declared.contains(v)) {
    made.kind = variable_kind::iteration;
    if (made.is_object && !type.isTriviallyCopyableType(context_)) made.type.clear();  // it cannot travel
    if (type->isArrayType()) made.type.clear();
  } else if (const clang::ArrayType* const a = context_.getAsArrayType(type)) {
    made.is_object = false;
    made.is_constant = false;
    made.type = (a->getElementType().isConstQualified() ? "const " : "") + name_of(a->getElementType(), context_) + "*";
  }
  const auto* const variable = llvm::dyn_cast<clang::VarDecl>(v);
  if (variable != nullptr && made.is_constant && variable->getInit() != nullptr)
    made.is_same = is_same_everywhere(variable->getInit(), context_);
  into_.variables.push_back(made);
  declared_at_.push_back(declared_at(v));
  return found->second;
}

// Where it begins to be one thing: a variable of a for loop within is older than that loop's turns.
std::size_t loop_variables::declared_at(const clang::ValueDecl* v) const {
  if (const auto since = scope_.private_since.find(v); since != scope_.private_since.end()) return since->second;
  const std::size_t at = text_.offset(v->getLocation());
  for (std::size_t i = 0; i < scope_.loops.size(); ++i) {
    const range& r = scope_.loops[i];
    if (at >= r.begin && at < scope_.bodies[i] && r.begin != 0) return r.begin - 1;
  }
  return at;
}

std::size_t loop_variables::make(const std::string& wanted, clang::QualType type, std::size_t position) {
  const std::set<std::string> taken = text_.identifiers();
  loop_variable made;
  made.name = wanted;
  for (int i = 2; taken.contains(made.name); ++i) made.name = wanted + std::to_string(i);
  made.type = name_of(type, context_);
  made.bytes = static_cast<std::size_t>(context_.getTypeSizeInChars(type).getQuantity());
  made.alignment = static_cast<std::size_t>(context_.getTypeAlignInChars(type).getQuantity());
  made.kind = variable_kind::iteration;
  made.is_constant = true;
  into_.variables.push_back(made);
  declared_at_.push_back(position);
  return into_.variables.size() - 1;
}

void settle_variables(touch_reader& reader, loop& l) {
  std::set<std::size_t> received;
  for (const touch& t : reader.touches()) {
    if (t.is != touch::kind::read && t.is_captured) note_change(l, t.memory, t.segment, received);
  }
  for (const touch& t : reader.touches()) {
    if (t.is == touch::kind::read || !t.is_captured) continue;
    loop_variable& v = l.variables[t.memory];
    v.settled_at = v.n_writes++ == 0 ? t.position : none;
    v.is_written_late |= t.segment != none;
  }

  for (std::size_t i = 0; i < l.steps.size(); ++i) {
    loop_step& s = l.steps[i];
    for (const std::size_t v : s.changes) {
      const auto first = std::ranges::find_if(reader.touches(), [&](const touch& t) {
        return t.is_captured && t.memory == v && is_within(l, t.segment, i);
      });
      if (first != reader.touches().end() && first->segment == i && first->is == touch::kind::write &&
          first->is_certain)
        s.written_first.push_back(v);
    }
  }
  for (std::size_t i = 0; i < l.steps.size(); ++i) {
    loop_step& s = l.steps[i];
    if (s.has_rest) s.rest_is_remote = !needs_origin(l, i, reader);
  }
  note_symmetric(reader);
}

}  // namespace shoal::translate
