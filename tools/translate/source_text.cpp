#include "tools/translate/source_text.hpp"

#include <clang/AST/PrettyPrinter.h>
#include <clang/Basic/SourceManager.h>
#include <clang/Lex/Lexer.h>

#include <algorithm>
#include <functional>
#include <regex>

namespace shoal::translate {
namespace {

void for_each_token(const std::string& text, const clang::LangOptions& language, range within,
                    const std::function<void(const clang::Token&, range)>& f) {
  const char* const begin = text.data();
  const clang::SourceLocation base = clang::SourceLocation::getFromRawEncoding(1);
  clang::Lexer lexer(base, language, begin, begin + within.begin, begin + text.size());
  lexer.SetCommentRetentionState(true);
  clang::Token token;
  for (;;) {
    lexer.LexFromRawLexer(token);
    if (token.is(clang::tok::eof)) return;
    const std::size_t at = token.getLocation().getRawEncoding() - base.getRawEncoding();
    if (at >= within.end) return;
    f(token, {at, at + token.getLength()});
  }
}

// The names of Linux for the widths of long.
std::string with_fixed_widths(const std::string& type) {
  static const std::regex unsigned_long("\\bunsigned long\\b(?! long)");
  static const std::regex plain_long("\\b(long )?long\\b(?! (long|double|int))");
  std::string text = std::regex_replace(type, unsigned_long, "std::uint64_t");
  std::smatch found;
  if (std::regex_search(text, found, plain_long) && found[1].length() == 0)
    text = std::regex_replace(text, plain_long, "std::int64_t");
  return text;
}

}  // namespace

source_text::source_text(const clang::ASTContext& context)
    : sources_(context.getSourceManager()),
      language_(context.getLangOpts()),
      text_(sources_.getBufferData(sources_.getMainFileID()).str()) {}

std::optional<range> source_text::of(clang::SourceRange tokens) const {
  const clang::CharSourceRange r =
      clang::Lexer::makeFileCharRange(clang::CharSourceRange::getTokenRange(tokens), sources_, language_);
  if (r.isInvalid() || !sources_.isInMainFile(r.getBegin()) || !sources_.isInMainFile(r.getEnd())) return std::nullopt;
  return range{sources_.getFileOffset(r.getBegin()), sources_.getFileOffset(r.getEnd())};
}

std::optional<range> source_text::of_statement(const clang::Stmt* s) const {
  std::optional<range> r = of(s->getSourceRange());
  if (!r.has_value() || text_[r->end - 1] == ';') return r;
  const bool ends_with_block = !llvm::isa<clang::Expr>(s) && text_[r->end - 1] == '}';
  const std::size_t after = next(r->end);
  if (!ends_with_block && after < text_.size() && text_[after] == ';') r->end = after + 1;
  return r;
}

std::size_t source_text::offset(clang::SourceLocation at) const {
  return sources_.getFileOffset(sources_.getFileLoc(at));
}

std::optional<range> source_text::of_name(clang::SourceLocation at) const {
  if (at.isMacroID()) {
    if (!sources_.isMacroArgExpansion(at)) return std::nullopt;
    at = sources_.getSpellingLoc(at);
  }
  if (at.isInvalid() || !sources_.isInMainFile(at)) return std::nullopt;
  const std::size_t begin = sources_.getFileOffset(at);
  return range{begin, begin + clang::Lexer::MeasureTokenLength(at, sources_, language_)};
}

unsigned source_text::line(clang::SourceLocation at) const { return sources_.getExpansionLineNumber(at); }
unsigned source_text::column(clang::SourceLocation at) const { return sources_.getExpansionColumnNumber(at); }

std::size_t source_text::next(std::size_t at) const {
  const std::size_t found = text_.find_first_not_of(" \t\r\n", at);
  return found == std::string::npos ? text_.size() : found;
}

std::size_t source_text::next_code(std::size_t at) const {
  for (;;) {
    at = next(at);
    if (text_.compare(at, 2, "//") == 0) {
      at = std::min(text_.find('\n', at), text_.size());
    } else if (text_.compare(at, 2, "/*") == 0) {
      const std::size_t end = text_.find("*/", at);
      at = end == std::string::npos ? text_.size() : end + 2;
    } else {
      return at;
    }
  }
}

std::vector<std::string> source_text::comments(range within) const {
  std::vector<std::string> found;
  for_each_token(text_, language_, within, [&](const clang::Token& token, range at) {
    if (token.is(clang::tok::comment)) found.push_back(text(at));
  });
  return found;
}

std::set<std::string> source_text::identifiers() const {
  std::set<std::string> found;
  for_each_token(text_, language_, {0, text_.size()}, [&](const clang::Token& token, range at) {
    if (token.is(clang::tok::raw_identifier)) found.insert(text(at));
  });
  return found;
}

clang::SourceRange written(const clang::Expr* e) {
  const clang::Expr* const outer = e->IgnoreImplicit();
  return (llvm::isa<clang::ParenExpr>(outer) ? outer : e->IgnoreUnlessSpelledInSource())->getSourceRange();
}

std::string name_of(clang::QualType type, const clang::ASTContext& context) {
  type = type.getNonReferenceType().getUnqualifiedType();
  // What is deduced has no names of the source.
  const auto* const deduced = type->getContainedAutoType();
  if (deduced != nullptr && !type->isDependentType()) type = type.getCanonicalType().getUnqualifiedType();
  clang::PrintingPolicy policy(context.getPrintingPolicy());
  policy.SuppressUnwrittenScope = true;
  policy.Bool = true;
  return with_fixed_widths(type.getAsString(policy));
}

}  // namespace shoal::translate
