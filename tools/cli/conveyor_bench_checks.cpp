// What `shoal conveyor-bench` refuses: options that it does not know, and those that do not go together.
#include <CLI/CLI.hpp>

#include "shoal/base/setup_error.hpp"
#include "tools/cli/conveyor_bench_options.hpp"
#include "tools/cli/suggest.hpp"

namespace shoal::cli {
namespace {

// Options of Conveyors' alltoallv that mean nothing here, and why.
constexpr std::pair<char, std::string_view> foreign[] = {
    {'a', "there is one way to exchange buffers and nothing in it to tune; time a few --capacity instead"},
    {'u', "exchanges go through Shoal's own buffers, never through a library's all-to-all; leave it out"},
    {'x', "conveyors sort nothing by target, so they take no hint that targets are random; leave it out"},
    {'A', "conveyors take no allocator: buffers are slots that a PE has from its start; leave it out"},
    {'B', "how a buffer travels is the substrate's choice; give --substrate instead"},
    {'L', "there is one format of buffers, whose tags are as narrow as a route allows; leave it out"},
};

// Empty: nobody knows this word.
std::string_view why_without(const std::string& word) {
  if (word.size() < 2 || word[1] == '-') return {};
  const auto* const found = std::ranges::find(foreign, word[1], &std::pair<char, std::string_view>::first);
  return found == std::end(foreign) ? std::string_view() : found->second;
}

}  // namespace

std::string typed_sizes_text() {
  std::string text;
  for (const std::size_t bytes : typed_sizes()) {
    if (!text.empty()) text += bytes == typed_sizes().back() ? " or " : ", ";
    text += std::to_string(bytes);
  }
  return text;
}

void conveyor_bench_parser::refuse_extras() const {
  const std::vector<std::string> extras = command_->remaining();
  if (extras.empty()) return;
  const std::string word = extras.front().substr(0, extras.front().find('='));
  if (!word.starts_with('-')) throw setup_error("unexpected word '" + word + "'; see shoal conveyor-bench --help");
  if (const std::string_view reason = why_without(word); !reason.empty())
    throw setup_error("conveyor-bench has no option " + word.substr(0, 2) + ": " + std::string(reason));
  std::vector<std::string> known;
  for (const CLI::Option* option : command_->get_options()) {
    for (const std::string& name : option->get_lnames()) known.push_back("--" + name);
  }
  throw setup_error("conveyor-bench has no option " + word + suggestion(word, known));
}

void conveyor_bench_parser::check_flavour(const bench_request& request) const {
  const flavour& kind = *request.kind;
  if (request.is_elastic) {
    if (!kind.can_be_elastic) {
      std::vector<std::string> elastic;
      for (const flavour& f : all_flavours()) {
        if (f.can_be_elastic) elastic.push_back(f.name);
      }
      throw setup_error(kind.name + " conveyors have no elastic form; with --elastic choose " + joined(elastic));
    }
    for (const char* option : {"--untyped", "--random-size"}) {
      if (command_->count(option) == 0) continue;
      throw setup_error(std::string("--elastic has items of random sizes in every run; leave ") + option + " out");
    }
  }
  if (kind.is_typed_only && !request.is_elastic && !is_typed(request)) {
    for (const char* option : {"--untyped", "--random-size"}) {
      if (command_->count(option) != 0)
        throw setup_error("items of " + kind.name + " have a type; leave " + option + " out");
    }
    throw setup_error("items of " + kind.name + " have a type, which there is for " + typed_sizes_text() +
                      " bytes, not for " + std::to_string(request.item_bytes));
  }
  if (kind.answers_queries) {
    for (const char* option : {"--index-gather", "--histogram"}) {
      if (command_->count(option) != 0)
        throw setup_error("every item of " + kind.name + " is a query; leave " + option + " out");
    }
    if (command_->count("--reject") != 0) {
      throw setup_error("a " + kind.name + " cannot put replies back; leave --reject out");
    }
  }
}

void conveyor_bench_parser::check_combination(const bench_request& request) const {
  constexpr std::pair<const char*, const char*> exclusive[] = {{"--histogram", "--index-gather"},
                                                               {"--quiet", "--verbose"}};
  for (const auto& [one, other] : exclusive) {
    if (command_->count(one) != 0 && command_->count(other) != 0)
      throw setup_error(std::string(one) + " and " + other + " exclude each other; give one");
  }
  const std::string what(name_of(request.what));
  if (request.what != traffic::all_to_all) {
    for (const char* option : {"--steady-test", "--point-to-point", "--entropy"}) {
      if (command_->count(option) == 0) continue;
      throw setup_error("--" + what + " says itself what its items hold and when it is done; leave " + option + " out");
    }
  }
  if (request.item_bytes < item_bytes_min(request.what)) {
    throw setup_error("--" + what + " needs items of at least " + std::to_string(item_bytes_min(request.what)) +
                      " bytes, not " + std::to_string(request.item_bytes));
  }
}

}  // namespace shoal::cli
