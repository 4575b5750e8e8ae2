#include "tools/translate/write_parts.hpp"

#include <algorithm>
#include <cctype>
#include <utility>

#include "tools/translate/words.hpp"

namespace shoal::translate {
namespace {

bool holds(range r, std::size_t at) { return at >= r.begin && at < r.end; }

bool is_letter(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

// Where code goes on after a comment or a literal that begins at `at`; `at` itself if none does.
std::size_t after_literal(const std::string& s, std::size_t at) {
  if (s.compare(at, 2, "//") == 0) return std::min(s.find('\n', at), s.size());
  if (s.compare(at, 2, "/*") == 0) {
    const std::size_t end = s.find("*/", at + 2);
    return end == std::string::npos ? s.size() : end + 2;
  }
  if (s[at] != '"' && s[at] != '\'') return at;
  std::size_t end = at + 1;
  while (end < s.size() && s[end] != s[at] && s[end] != '\n') end += s[end] == '\\' ? 2 : 1;
  return std::min(end + 1, s.size());
}

// Whether the variable's scope has its name where the tree does not show it: in a macro, or in what is left out by #if.
// A scope that cannot be read counts as one that has it.
bool is_in_text(const program& from, const capture& its, const std::string& name,
                const std::vector<const closure*>& closures) {
  const std::string& s = from.source;
  if (s.find("R\"", its.declaration.end) != std::string::npos) return true;
  for (std::size_t at = s.find("#define"); at != std::string::npos; at = s.find("#define", at + 1)) {
    std::size_t end = s.find('\n', at);
    while (end != std::string::npos && s[end - 1] == '\\') end = s.find('\n', end + 1);
    if (has_word(s.substr(at, end - at), name)) return true;
  }
  int depth = 0;
  for (std::size_t at = its.declaration.end; at < s.size() && depth >= 0;) {
    const std::size_t after = after_literal(s, at);
    if (after != at) {
      at = after;
    } else if (is_letter(s[at])) {
      const std::size_t begin = at;
      while (at < s.size() && (is_letter(s[at]) || s[at] == '\'')) ++at;
      const std::string word = s.substr(begin, at - begin);
      const bool is_member = s[begin - 1] == '.' || s.compare(begin - 2, 2, "->") == 0;
      const bool is_sent = std::ranges::any_of(closures, [&](const closure* c) { return holds(c->send, begin); });
      if (word == "include" || (word == name && !is_sent && !is_member)) return true;
    } else {
      depth += s[at] == '{' ? 1 : s[at] == '}' ? -1 : 0;
      ++at;
    }
  }
  return false;
}

// Whether a part of the program that stays names the variable.
bool is_still_named(const capture& its, const std::vector<const closure*>& closures) {
  for (const closure* c : closures) {
    const auto sends_it = [&](const capture& k) { return k.declared == its.declared && is_needed(k); };
    if (std::ranges::any_of(c->captures, sends_it)) return true;
  }
  return std::ranges::any_of(its.references, [&](std::size_t at) {
    for (const closure* c : closures) {
      if (c->parent != none || !holds(c->send, at)) continue;
      const bool is_in_value =
          std::ranges::any_of(c->captures, [&](const capture& k) { return is_needed(k) && holds(k.value, at); });
      return holds(c->target, at) || holds(c->mailbox, at) || is_in_value;
    }
    return true;
  });
}

// Where lines begin that are code whatever the preprocessor decides: not in comments, not within #if.
std::vector<std::size_t> sure_lines(const std::string& s) {
  std::vector<std::size_t> lines;
  int depth = 0;
  for (std::size_t at = begin_of_text(s); at < s.size();) {
    const std::size_t end = std::min(s.find('\n', at), s.size());
    std::size_t text = s.find_first_not_of(" \t", at);
    if (text < end && s[text] == '#') {
      text = std::min(s.find_first_not_of(" \t", text + 1), s.size());
      if (s.compare(text, 2, "if") == 0) ++depth;
      if (s.compare(text, 5, "endif") == 0) --depth;
    }
    if (depth == 0) lines.push_back(at);
    // A comment that goes on in the next line.
    std::size_t comment = s.rfind("/*", end);
    at = end + 1;
    if (comment == std::string::npos || comment < (lines.empty() ? 0 : lines.back()) || comment >= end) continue;
    comment = s.find("*/", comment + 2);
    if (comment == std::string::npos) return lines;
    if (comment > end) at = std::min(s.find('\n', comment), s.size()) + 1;
  }
  return lines;
}

}  // namespace

std::size_t begin_of_text(const std::string& source) { return source.starts_with("\xEF\xBB\xBF") ? 3 : 0; }

std::vector<edit> in_order(const program& from, std::vector<edit> edits, const std::string& what) {
  const std::string name = from.file.substr(from.file.find_last_of('/') + 1);
  const std::size_t top = begin_of_text(from.source);
  edits.insert(edits.begin(),
               {{top, top}, "// Made from " + name + " by shoal-translate " SHOAL_VERSION ": " + what + ".\n"});
  std::ranges::stable_sort(edits, {}, [](const edit& e) { return std::pair(e.at.begin, e.at.end); });
  return edits;
}

std::size_t begin_of_comments(const std::string& source, std::size_t at) {
  std::size_t line = at == 0 ? 0 : source.rfind('\n', at - 1) + 1;
  if (source.find_first_not_of(" \t", line) < at) return at;
  for (std::size_t above = line; above > 1;) {
    above = source.rfind('\n', above - 2) + 1;
    const std::size_t text = source.find_first_not_of(" \t", above);
    if (source.compare(text, 2, "//") != 0) break;
    line = above;
  }
  return line;
}

range whole_lines(const std::string& source, range r) {
  const std::size_t line = r.begin == 0 ? 0 : source.rfind('\n', r.begin - 1) + 1;
  const std::size_t end = source.find_first_not_of(" \t", r.end);
  if (end != std::string::npos && source[end] == '/') return {r.begin, end};
  if (source.find_first_not_of(" \t", line) != r.begin || end == std::string::npos || source[end] != '\n') return r;
  return {line, end + 1};
}

void drop_variables(const program& from, const std::vector<const closure*>& closures, const std::string& mark,
                    std::set<std::size_t>& dropped, std::vector<edit>& edits) {
  for (const closure* c : closures) {
    for (const capture& its : c->captures) {
      if (its.declared == none || is_needed(its) || is_still_named(its, closures)) continue;
      if (its.declaration.is_empty() || is_in_text(from, its, its.name, closures)) {
        const range at{its.declared, its.declared};
        if (!mark.empty() && dropped.insert(its.declared).second) edits.push_back({at, mark});
        continue;
      }
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

void add_include(const program& from, const std::string& line, std::vector<edit>& edits, std::size_t before) {
  const std::string& s = from.source;
  const bool is_standard = line.find('<') != std::string::npos && line.find('/') == std::string::npos;
  std::size_t first = std::string::npos;
  std::size_t after_last = std::string::npos;
  bool has_alike = false;
  for (const std::size_t at : sure_lines(s)) {
    if (at >= before) break;
    const std::size_t end = std::min(s.find('\n', at), s.size());
    const std::size_t text = std::min(s.find_first_not_of(" \t", at), end);
    const std::string here = s.substr(text, end - text);
    if (here.starts_with("#include")) {
      if (here.starts_with(line)) return;
      const bool is_alike = here.find('<') != std::string::npos && here.find('/') == std::string::npos;
      first = std::min(first, at);
      if (is_standard && is_alike && here > line) return edits.push_back({{at, at}, line + "\n"});
      if (!is_standard || is_alike) after_last = end + 1;
      has_alike |= is_alike;
    }
  }
  if (first == std::string::npos) first = begin_of_text(s);
  if (after_last == std::string::npos) after_last = begin_of_text(s);
  if (is_standard && !has_alike) return edits.push_back({{first, first}, line + "\n\n"});
  edits.push_back({{after_last, after_last}, line + "\n"});
}

}  // namespace shoal::translate
