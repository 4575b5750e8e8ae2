#include "tools/translate/read.hpp"

#include <clang/AST/ASTConsumer.h>
#include <clang/Frontend/CompilerInstance.h>
#include <clang/Frontend/FrontendAction.h>
#include <clang/Frontend/TextDiagnosticPrinter.h>
#include <clang/Lex/Pragma.h>
#include <clang/Lex/Preprocessor.h>
#include <clang/Tooling/CompilationDatabase.h>
#include <clang/Tooling/JSONCompilationDatabase.h>
#include <clang/Tooling/Tooling.h>
#include <llvm/Support/FileSystem.h>
#include <llvm/Support/thread.h>

#include <algorithm>
#include <memory>
#include <stdexcept>

#include "tools/translate/read_actors.hpp"
#include "tools/translate/read_hclib.hpp"
#include "tools/translate/read_loops.hpp"
#include "tools/translate/read_supersteps.hpp"
#include "tools/translate/source_text.hpp"
#include "tools/translate/walk.hpp"

namespace shoal::translate {
namespace {

bool has_in_shoal(const clang::ASTContext& context, const char* name) {
  for (const clang::NamedDecl* n : context.getTranslationUnitDecl()->lookup(&context.Idents.get("shoal"))) {
    const auto* const space = llvm::dyn_cast<clang::NamespaceDecl>(n);
    if (space != nullptr && !space->lookup(&context.Idents.get(name)).empty()) return true;
  }
  return false;
}

// Where the source says `#pragma shoal independent`.
class vouchers : public clang::PragmaHandler {
public:
  explicit vouchers(std::vector<std::size_t>& found) : PragmaHandler("shoal"), found_(found) {}

  void HandlePragma(clang::Preprocessor& from, clang::PragmaIntroducer, clang::Token& name) override {
    clang::Token word;
    from.Lex(word);
    const clang::SourceManager& sources = from.getSourceManager();
    if (word.is(clang::tok::identifier) && word.getIdentifierInfo()->isStr("independent") &&
        sources.isInMainFile(name.getLocation()))
      found_.push_back(sources.getFileOffset(name.getLocation()));
  }

private:
  std::vector<std::size_t>& found_;
};

class consumer : public clang::ASTConsumer {
public:
  consumer(source_read& into, clang::Preprocessor& preprocessor) : all_(into), into_(into.closures) {
    preprocessor.AddPragmaHandler(new vouchers(pragmas_));  // which owns it
  }

  void HandleTranslationUnit(clang::ASTContext& context) override {
    if (context.getDiagnostics().hasErrorOccurred()) return;
    const source_text text(context);
    into_.source = text.whole();
    into_.identifiers = text.identifiers();
    into_.sees_selector = has_in_shoal(context, "selector");
    into_.sees_world_of_program = has_in_shoal(context, "world_of_program");
    const findings found = walk(context);
    const read_actor_sends actors = read_actors(context, text, found, into_.any_order, into_);
    read_supersteps(context, text, found, actors, into_.any_order, into_);
    read_hclib(context, text, found, into_);
    // What it writes is C++20.
    if (context.getLangOpts().CPlusPlus20) all_.loops = read_loops(context, text, found, pragmas_, into_);
  }

private:
  source_read& all_;
  program& into_;
  std::vector<std::size_t> pragmas_;
};

// Prints what the compiler says. Errors of flags are none of the file's, and the tool succeeds in spite of them.
class printer : public clang::TextDiagnosticPrinter {
public:
  explicit printer(clang::DiagnosticOptions& options) : TextDiagnosticPrinter(llvm::errs(), &options) {}

  void HandleDiagnostic(clang::DiagnosticsEngine::Level level, const clang::Diagnostic& what) override {
    has_error_ |= level >= clang::DiagnosticsEngine::Error;
    TextDiagnosticPrinter::HandleDiagnostic(level, what);
  }
  bool has_error() const { return has_error_; }

private:
  bool has_error_ = false;
};

class action : public clang::ASTFrontendAction {
public:
  explicit action(source_read& into) : into_(into) {}
  std::unique_ptr<clang::ASTConsumer> CreateASTConsumer(clang::CompilerInstance& compiler, llvm::StringRef) override {
    return std::make_unique<consumer>(into_, compiler.getPreprocessor());
  }

private:
  source_read& into_;
};

class actions : public clang::tooling::FrontendActionFactory {
public:
  explicit actions(source_read& into) : into_(into) {}
  std::unique_ptr<clang::FrontendAction> create() override { return std::make_unique<action>(into_); }

private:
  source_read& into_;
};

std::unique_ptr<clang::tooling::CompilationDatabase> database_of(const compilation& how) {
  using namespace clang::tooling;
  if (how.database.empty()) return std::make_unique<FixedCompilationDatabase>(".", how.flags);
  std::string error;
  std::unique_ptr<CompilationDatabase> found =
      llvm::sys::fs::is_directory(how.database)
          ? CompilationDatabase::loadFromDirectory(how.database, error)
          : JSONCompilationDatabase::loadFromFile(how.database, error, JSONCommandLineSyntax::AutoDetect);
  if (found == nullptr) {
    std::replace(error.begin(), error.end(), '\n', ' ');
    throw std::runtime_error("cannot read the compilation database " + how.database + ": " + error);
  }
  return found;
}

clang::tooling::CommandLineArguments adjusted(clang::tooling::CommandLineArguments arguments) {
  const auto has = [&](llvm::StringRef prefix) {
    return std::any_of(arguments.begin(), arguments.end(),
                       [&](const std::string& each) { return llvm::StringRef(each).starts_with(prefix); });
  };
  std::vector<std::string> more = {"-w", "-Qunused-arguments", "-Wno-unknown-warning-option"};
  if (!has("-std=")) more.emplace_back("-std=c++20");
  if (!has("-resource-dir")) more.emplace_back("-resource-dir=" SHOAL_CLANG_RESOURCES);
  arguments.insert(arguments.begin() + 1, more.begin(), more.end());
  return arguments;
}

}  // namespace

std::optional<source_read> read(const std::string& file, const compilation& how, bool any_order) {
  const std::unique_ptr<clang::tooling::CompilationDatabase> database = database_of(how);
  if (!how.database.empty() && database->getCompileCommands(clang::tooling::getAbsolutePath(file)).empty())
    throw std::runtime_error(file + ": the compilation database " + how.database + " does not know this file");
  source_read found;
  found.closures.file = file;
  found.closures.any_order = any_order;
  clang::tooling::ClangTool tool(*database, {file});
  tool.appendArgumentsAdjuster(
      [](const clang::tooling::CommandLineArguments& given, llvm::StringRef) { return adjusted(given); });
  actions all(found);
  const llvm::IntrusiveRefCntPtr<clang::DiagnosticOptions> options(new clang::DiagnosticOptions);
  printer shown(*options);
  tool.setDiagnosticConsumer(&shown);
  // Trees of long expressions are as deep.
  constexpr unsigned stack_bytes = 256u << 20;
  int rc = 0;
  llvm::thread(std::optional<unsigned>(stack_bytes), [&] { rc = tool.run(&all); }).join();
  if (rc != 0 || shown.has_error()) return std::nullopt;
  return found;
}

}  // namespace shoal::translate
