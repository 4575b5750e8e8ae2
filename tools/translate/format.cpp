#include "tools/translate/format.hpp"

#include <clang/Format/Format.h>
#include <clang/Tooling/Core/Replacement.h>
#include <llvm/Support/Error.h>

#include <algorithm>
#include <stdexcept>

namespace shoal::translate {
namespace {

// The style of Shoal's own sources.
clang::format::FormatStyle own_style() {
  clang::format::FormatStyle style = clang::format::getGoogleStyle(clang::format::FormatStyle::LK_Cpp);
  style.ColumnLimit = 120;
  style.AccessModifierOffset = -2;
  return style;
}

clang::format::FormatStyle style_of(const std::string& file, const std::string& source) {
  llvm::Expected<clang::format::FormatStyle> found = clang::format::getStyle("file", file, "none", source);
  if (!found) {
    llvm::consumeError(found.takeError());
    return own_style();
  }
  return found->DisableFormat ? own_style() : *found;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    lines.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return lines;
}

// For each line of `made` the line of `source` that it is, from 1; 0: none. The longest common subsequence.
std::vector<std::size_t> origins(const std::vector<std::string>& made, const std::vector<std::string>& source) {
  const std::size_t n = made.size(), m = source.size();
  std::vector<std::vector<std::uint32_t>> common(n + 1, std::vector<std::uint32_t>(m + 1));
  for (std::size_t i = n; i-- > 0;) {
    for (std::size_t k = m; k-- > 0;) {
      common[i][k] = made[i] == source[k] ? common[i + 1][k + 1] + 1 : std::max(common[i + 1][k], common[i][k + 1]);
    }
  }
  std::vector<std::size_t> found(n);
  for (std::size_t i = 0, k = 0; i < n && k < m;) {
    if (made[i] == source[k]) {
      found[i++] = ++k;
    } else {
      ++(common[i + 1][k] >= common[i][k + 1] ? i : k);
    }
  }
  return found;
}

}  // namespace

std::string apply(const std::string& file, const std::string& source, const std::vector<edit>& edits) {
  std::string made;
  std::vector<clang::tooling::Range> changed;
  std::size_t at = 0;
  for (const edit& e : edits) {
    made.append(source, at, e.at.begin - at);
    if (!e.text.empty()) changed.emplace_back(static_cast<unsigned>(made.size()), static_cast<unsigned>(e.text.size()));
    made += e.text;
    at = e.at.end;
  }
  made.append(source, at);
  const clang::tooling::Replacements layout = clang::format::reformat(style_of(file, source), made, changed, file);
  llvm::Expected<std::string> formatted = clang::tooling::applyAllReplacements(made, layout);
  if (!formatted) throw std::runtime_error(file + ": " + llvm::toString(formatted.takeError()));
  return *formatted;
}

std::string with_line_directives(const std::string& made, const std::string& source, const std::string& file) {
  const std::vector<std::string> lines = lines_of(made);
  const std::vector<std::size_t> from = origins(lines, lines_of(source));
  std::string text;
  std::size_t expected = 1;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    // A blank line says nothing about where it is from, and a directive would break a continued line.
    const bool is_continued = i > 0 && lines[i - 1].ends_with('\\');
    if (from[i] != 0 && from[i] != expected && !lines[i].empty() && !is_continued) {
      text += "#line " + std::to_string(from[i]) + " \"" + file + "\"\n";
      expected = from[i];
    }
    text += lines[i] + "\n";
    ++expected;
  }
  return text;
}

}  // namespace shoal::translate
