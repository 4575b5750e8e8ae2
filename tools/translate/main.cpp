// shoal-translate: makes the closures of a program messages of selectors.
#include <filesystem>
#include <fstream>
#include <iostream>
#include <stdexcept>
#include <string>
#include <vector>

#include "tools/translate/format.hpp"
#include "tools/translate/plan.hpp"
#include "tools/translate/read.hpp"
#include "tools/translate/write.hpp"
#include "tools/translate/write_hclib.hpp"
#include "tools/translate/write_loops.hpp"

namespace {

using namespace shoal::translate;

constexpr const char* usage =
    "usage: shoal-translate [OPTIONS] FILE... [-- COMPILER FLAGS]\n"
    "\n"
    "Makes the closures that a program sends, and its loops with one-sided access, messages of selectors, where it "
    "can\n"
    "prove that the program stays the same, and says on standard error what it leaves, and why. docs/translating.md "
    "has the rules.\n"
    "\n"
    "  -o PATH            write to this file, or to files of the same names in this folder; default: standard output\n"
    "  -p PATH            take compiler flags from this compile_commands.json, or the one in this folder\n"
    "  --report           print the bytes of each closure and of the message that it becomes, on standard error\n"
    "  --any-order        I vouch that closures of different kinds may overtake each other\n"
    "  --line-directives  name lines of the source in what is written\n"
    "  --help, --version\n";

struct request {
  std::vector<std::string> files;
  std::string output;
  compilation how;
  bool any_order = false;
  bool reports = false;
  bool has_line_directives = false;
};

struct usage_error : std::runtime_error {
  using runtime_error::runtime_error;
};

request parse(const std::vector<std::string>& words) {
  request r;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string& word = words[i];
    const auto value = [&] {
      if (i + 1 == words.size() || words[i + 1] == "--") throw usage_error("option " + word + " needs a path");
      return words[++i];
    };
    if (word == "--") {
      r.how.flags.assign(words.begin() + static_cast<std::ptrdiff_t>(i) + 1, words.end());
      break;
    }
    if (word == "-o") {
      r.output = value();
    } else if (word == "-p") {
      r.how.database = value();
    } else if (word == "--report") {
      r.reports = true;
    } else if (word == "--any-order") {
      r.any_order = true;
    } else if (word == "--line-directives") {
      r.has_line_directives = true;
    } else if (word.starts_with("-")) {
      throw usage_error("there is no option " + word + "; shoal-translate --help lists them");
    } else {
      r.files.push_back(word);
    }
  }
  if (r.files.empty()) throw usage_error("no file is given; shoal-translate --help shows how");
  if (!r.how.database.empty() && !r.how.flags.empty())
    throw usage_error("compiler flags come from -p or after --, not from both");
  for (const std::string& file : r.files) {
    if (!std::filesystem::is_regular_file(file)) throw usage_error("there is no file " + file);
  }
  if (r.files.size() > 1 && !std::filesystem::is_directory(r.output))
    throw usage_error("several files need a folder to write to: -o FOLDER, which must be there");
  return r;
}

void write(const std::string& output, const std::string& file, const std::string& text) {
  if (output.empty()) {
    std::cout << text << std::flush;
    return;
  }
  std::filesystem::path to = output;
  if (std::filesystem::is_directory(to)) to /= std::filesystem::path(file).filename();
  std::error_code none_such;
  if (std::filesystem::equivalent(to, file, none_such))
    throw usage_error(file + " would be written over; name another file or folder with -o");
  std::ofstream into(to, std::ios::binary);
  into << text << std::flush;
  if (!into) throw usage_error("cannot write " + to.string());
}

// False: the file does not compile.
bool translate(const std::string& file, const request& r) {
  std::optional<source_read> all = read(file, r.how, r.any_order);
  program* const found = all.has_value() ? &all->closures : nullptr;
  if (found == nullptr || (found->source.empty() && std::filesystem::file_size(file) != 0)) {
    std::cerr << "shoal-translate: " << file << " does not compile, so nothing is written\n";
    return false;
  }
  const std::vector<selector_plan> plans = plan(*found);
  const std::vector<hclib_plan> hclib_plans = plan_hclib(*found);
  // A program has closures of Shoal or lambdas of HClib.
  std::vector<edit> edits = plans.empty() ? hclib_edits_of(*found, hclib_plans) : edits_of(*found, plans);
  std::string report = plans.empty() ? hclib_report_of(*found, hclib_plans) : report_of(*found, plans);
  if (!all->loops.all.empty()) report += add_loops(*found, all->loops, edits);
  if (overlap(edits)) {
    found->refusals.push_back({1, 1, "the file", "two changes would touch the same text"});
    edits.clear();
    report.clear();
  }
  std::string text = found->source;
  if (!edits.empty()) {
    text = apply(file, found->source, edits);
    if (r.has_line_directives) text = with_line_directives(text, found->source, file);
  }
  for (const refusal& each : found->refusals) {
    std::cerr << file << ':' << each.line << ':' << each.column << ": left as it is: " << each.thing << ": "
              << each.reason << '\n';
  }
  if (r.reports) std::cerr << report;
  write(r.output, file, text);
  return true;
}

}  // namespace

int main(int argc, char** argv) {
  const std::vector<std::string> words(argv + 1, argv + argc);
  if (words.size() == 1 && words[0] == "--help") {
    std::cout << usage;
    return 0;
  }
  if (words.size() == 1 && words[0] == "--version") {
    std::cout << "shoal-translate " SHOAL_VERSION "\n";
    return 0;
  }
  try {
    const request r = parse(words);
    bool all_compile = true;
    for (const std::string& file : r.files) all_compile = translate(file, r) && all_compile;
    return all_compile ? 0 : 1;
  } catch (const std::exception& e) {
    std::cerr << "shoal-translate: " << e.what() << '\n';
    return 2;
  }
}
