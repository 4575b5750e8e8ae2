#include "tools/conveyor_bench/refusals.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>

#include "shoal/base/setup_error.hpp"
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

// Empty if the word is unknown there, too.
std::string_view why_without(const std::string& word) {
  if (word.size() < 2 || word[1] == '-') return {};
  const auto* const found = std::ranges::find(foreign, word[1], &std::pair<char, std::string_view>::first);
  return found == std::end(foreign) ? std::string_view() : found->second;
}

void check_flavour(const bench_options& options, const CLI::App& command) {
  const flavour& kind = *options.kind;
  if (options.is_elastic) {
    if (!kind.can_be_elastic) {
      std::vector<std::string> elastic;
      for (const flavour& f : all_flavours()) {
        if (f.can_be_elastic) elastic.push_back(f.name);
      }
      throw setup_error(kind.name + " conveyors have no elastic form; with --elastic choose " + joined(elastic));
    }
    for (const char* option : {"--untyped", "--random-size"}) {
      if (command.count(option) == 0) continue;
      throw setup_error(std::string("--elastic has items of random sizes in every run; leave ") + option + " out");
    }
  }
  if (kind.is_typed_only && !options.is_elastic && !is_typed(options)) {
    for (const char* option : {"--untyped", "--random-size"}) {
      if (command.count(option) != 0)
        throw setup_error("items of " + kind.name + " have a type; leave " + option + " out");
    }
    throw setup_error("items of " + kind.name + " have a type; give " + typed_sizes_text() + " bytes, not " +
                      std::to_string(options.item_bytes));
  }
  if (kind.answers_queries) {
    for (const char* option : {"--index-gather", "--histogram"}) {
      if (command.count(option) != 0)
        throw setup_error("every item of " + kind.name + " is a query; leave " + option + " out");
    }
    if (command.count("--reject") != 0) {
      throw setup_error("a " + kind.name + " cannot put replies back; leave --reject out");
    }
  }
}

void check_traffic(const bench_options& options, const CLI::App& command) {
  constexpr std::pair<const char*, const char*> exclusive[] = {{"--histogram", "--index-gather"},
                                                               {"--quiet", "--verbose"}};
  for (const auto& [one, other] : exclusive) {
    if (command.count(one) != 0 && command.count(other) != 0)
      throw setup_error(std::string(one) + " and " + other + " exclude each other; give one");
  }
  const std::string what(name_of(options.what));
  if (options.what != traffic::all_to_all) {
    for (const char* option : {"--steady-test", "--point-to-point", "--entropy"}) {
      if (command.count(option) == 0) continue;
      throw setup_error("--" + what + " decides by itself what items hold and when it is done; leave " + option +
                        " out");
    }
  }
  if (options.item_bytes < item_bytes_min(options.what)) {
    throw setup_error("--" + what + " needs items of at least " + std::to_string(item_bytes_min(options.what)) +
                      " bytes, not " + std::to_string(options.item_bytes));
  }
}

}  // namespace

void refuse_extras(const CLI::App& command) {
  const std::vector<std::string> extras = command.remaining();
  if (extras.empty()) return;
  const std::string word = extras.front().substr(0, extras.front().find('='));
  if (!word.starts_with('-')) throw setup_error("unexpected word '" + word + "'; see shoal conveyor-bench --help");
  if (const std::string_view reason = why_without(word); !reason.empty())
    throw setup_error("conveyor-bench has no option " + word.substr(0, 2) + ": " + std::string(reason));
  std::vector<std::string> known;
  for (const CLI::Option* option : command.get_options()) {
    for (const std::string& name : option->get_lnames()) known.push_back("--" + name);
  }
  throw setup_error("conveyor-bench has no option " + word + suggestion(word, known));
}

void refuse_combinations(const bench_options& options, const CLI::App& command) {
  check_flavour(options, command);
  check_traffic(options, command);
}

}  // namespace shoal::cli
