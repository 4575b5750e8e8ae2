/// What both writers do.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "tools/translate/program.hpp"
#include "tools/translate/write.hpp"

namespace shoal::translate {

/// After a mark of the encoding.
std::size_t begin_of_text(const std::string& source);

/// By position, with a comment at the top: from what the file was made, and `what` became of it.
std::vector<edit> in_order(const program& from, std::vector<edit> edits, const std::string& what);

/// Where comments begin that stand right before a statement at `at`, and stay with it.
std::size_t begin_of_comments(const std::string& source, std::size_t at);

/// Adds an include where the preprocessor sees it, in front of offset `before`: before the first of the standard library
/// that sorts after it.
void add_include(const program& from, const std::string& line, std::vector<edit>& edits, std::size_t before = none);

/// With the line end and the indentation, if nothing else is on the line. A comment after it stays.
range whole_lines(const std::string& source, range r);

/// Removes variables that only closures named, `closures`, and whose values their receivers know; puts `mark` before the
/// declarations of those that may have other uses.
void drop_variables(const program& from, const std::vector<const closure*>& closures, const std::string& mark,
                    std::set<std::size_t>& dropped, std::vector<edit>& edits);

/// Text `part` of a closure's body, with `text_of` for each name that changes.
template <class TextOf>
std::string with_uses(const program& from, const closure& c, range part, const TextOf& text_of) {
  std::string text;
  std::size_t at = part.begin;
  for (const use& u : c.uses) {
    if (u.at.begin < at || u.at.end > part.end) continue;
    text += from.source.substr(at, u.at.begin - at) + text_of(u);
    at = u.at.end;
  }
  return text + from.source.substr(at, part.end - at);
}

/// The declarations of constants that the body names, to stand at its beginning.
std::string constants_of(const closure& c);

}  // namespace shoal::translate
