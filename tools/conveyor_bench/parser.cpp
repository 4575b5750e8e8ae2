#include "tools/conveyor_bench/parser.hpp"

#include <CLI/CLI.hpp>

#include "tools/conveyor_bench/refusals.hpp"

namespace shoal::cli {
namespace {

using shape = bench_option::shape;

std::string footer() {
  std::string text = "Flavours:\n";
  for (const flavour& f : all_flavours()) {
    text += "  " + f.name + std::string(13 - f.name.size(), ' ') + f.summary + "\n";
  }
  return text +
         "\n`shoal conveyor-bench [options] --` reads a command line from each line of the standard "
         "input, and puts these options before it. Of an option given twice, the last counts.";
}

}  // namespace

conveyor_bench_parser::conveyor_bench_parser(CLI::App& app)
    : command_(app.add_subcommand(conveyor_bench_verb,
                                  "Verify and measure conveyors: every PE pushes items to random PEs")) {
  command_->footer(footer());
  command_->allow_extras();
  command_->option_defaults()->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
  bench_options defaults;
  for (const bench_option& option : table_of(defaults)) {
    words& given = given_.emplace_back();
    if (option.what == shape::flag) {
      command_->add_flag(option.names, given.is_set, option.help);
    } else {
      command_->add_option(option.names, given.value, option.help)->type_name(option.value_name);
    }
  }
}

bool conveyor_bench_parser::is_parsed() const { return command_->parsed(); }

bench_options conveyor_bench_parser::options(bool reads_lines) const {
  refuse_extras(*command_);
  bench_options chosen;
  if (reads_lines) {  // each line is checked together with the words before `--`
    chosen.reads_lines = true;
    if (command_->count("--json") != 0) chosen.json = command_->get_option("--json")->as<std::string>();
    return chosen;
  }
  const auto set = [&](shape what) {
    const std::vector<bench_option> table = table_of(chosen);
    for (std::size_t i = 0; i < table.size(); ++i) {
      const words& given = given_[i];
      const bool is_given = what == shape::positional || given.is_set || !given.value.empty();
      if (table[i].what == what && is_given) table[i].set(given.value);
    }
  };
  set(shape::positional);
  set(shape::flag);
  refuse_combinations(chosen, *command_);
  set(shape::value);
  return chosen;
}

}  // namespace shoal::cli
