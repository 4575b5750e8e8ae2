#include "tools/translate/write_parts.hpp"

#include <algorithm>
#include <cctype>

namespace shoal::translate {
namespace {

bool holds(range r, std::size_t at) { return at >= r.begin && at < r.end; }

// Whether a part of the program that stays names the variable.
bool is_still_named(const capture& its, const std::vector<const closure*>& closures) {
  return std::ranges::any_of(its.references, [&](std::size_t at) {
    for (const closure* c : closures) {
      if (c->parent != none || !holds(c->send, at)) continue;
      const bool is_in_value = std::ranges::any_of(c->captures, [&](const capture& k) { return holds(k.value, at); });
      return holds(c->target, at) || holds(c->mailbox, at) || is_in_value;
    }
    return true;
  });
}

}  // namespace

std::string made_from(const program& from) {
  const std::string name = from.file.substr(from.file.find_last_of('/') + 1);
  return "// Made from " + name + " by shoal-translate " SHOAL_VERSION ": its closures are messages of selectors.\n";
}

range whole_lines(const std::string& source, range r) {
  const std::size_t line = r.begin == 0 ? 0 : source.rfind('\n', r.begin - 1) + 1;
  const std::size_t end = source.find_first_not_of(" \t", r.end);
  if (end != std::string::npos && source[end] == '/') return {r.begin, end};
  if (source.find_first_not_of(" \t", line) != r.begin || end == std::string::npos || source[end] != '\n') return r;
  return {line, end + 1};
}

void drop_variables(const program& from, const std::vector<const closure*>& closures, std::set<std::size_t>& dropped,
                    std::vector<edit>& edits) {
  for (const closure* c : closures) {
    for (const capture& its : c->captures) {
      if (its.declaration.is_empty() || is_still_named(its, closures)) continue;
      const range gone = whole_lines(from.source, its.declaration);
      const bool overlaps =
          std::ranges::any_of(edits, [&](const edit& e) { return e.at.begin < gone.end && gone.begin < e.at.end; });
      if (!overlaps && dropped.insert(its.declaration.begin).second) edits.push_back({gone, ""});
    }
  }
}

std::string constants_of(const closure& c) {
  std::string constants;
  for (std::size_t k = 0; k < c.captures.size(); ++k) {
    const capture& its = c.captures[k];
    const bool is_named = std::ranges::any_of(c.uses, [&](const use& u) {
      return (u.kind == use_kind::captured || u.kind == use_kind::kept_capture) && u.index == k;
    });
    if (its.known == knowledge::constant && is_named)
      constants += "\nconst " + its.type + " " + its.name + " = " + its.text + ";";
  }
  return constants;
}

bool names(const std::string& text, const std::string& name) {
  for (std::size_t at = text.find(name); at != std::string::npos; at = text.find(name, at + 1)) {
    const auto is_letter = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
    const std::size_t end = at + name.size();
    if ((at == 0 || !is_letter(text[at - 1])) && (end == text.size() || !is_letter(text[end]))) return true;
  }
  return false;
}

}  // namespace shoal::translate
