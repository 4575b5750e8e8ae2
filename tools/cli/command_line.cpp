#include "tools/cli/command_line.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <deque>
#include <optional>
#include <span>
#include <sstream>

#include "shoal/base/parse.hpp"
#include "shoal/base/setup_error.hpp"
#include "shoal/base/version.hpp"
#include "tools/cli/mpi_launcher.hpp"
#include "tools/cli/placement.hpp"
#include "tools/cli/suggest.hpp"
#include "tools/conveyor_bench/parser.hpp"
#include "tools/swe/parser.hpp"

namespace shoal::cli {
namespace {

using kernels::all_kernels;
using kernels::kernel_description;

constexpr const char* bench_verb = "bench";
constexpr const char* network_bench_verb = "network-bench";
constexpr const char* study_verb = "study";
constexpr const char* link_verb = "link";

// All values are taken as text first, so that numbers are checked with the same words as those of environment
// variables.
struct run_arguments {
  std::string pes, variants, substrate, mpi, repeat, json, launched;
  bool has_baseline = false;
};

struct link_arguments {
  std::string pes, substrate, mpi, seconds, json;
};
constexpr double seconds_least = 0.01;
constexpr double seconds_most = 3600;

// The subcommand of one kernel and the values of its options.
struct kernel_arguments {
  const kernel_description* kernel;
  CLI::App* parser;
  std::deque<std::string> values;  // one for each of kernel->options; never moves
};

// `--undirected` alone means yes.
bool is_switch(const kernels::option_description& option) {
  return option.default_value == "no" || option.default_value == "yes";
}

class parser {
public:
  parser() : app_("Runs Shoal's kernels and applications, and tells about the machine.", "shoal") {
    app_.set_version_flag("--version", "shoal " + std::string(version()));
    app_.allow_extras();
    list_ = app_.add_subcommand("list", "Print the kernels and their variants");
    list_->allow_extras(false);
    list_->add_flag("--json", list_json_, "one JSON object per kernel, with its options");
    add_info();
    add_run();
    add_link();
    app_.add_subcommand(network_bench_verb,
                        "Measure what links within and between nodes cost, and write that to files");
    app_.add_subcommand(bench_verb, "Run a suite of kernels many times, and report medians, intervals and figures");
    app_.add_subcommand(study_verb, "Repeat a published study, with programs of Shoal and of other libraries");
    conveyor_bench_.emplace(app_);
    swe_.emplace(app_);
    refuse_empty_values(app_);
  }

  // An empty value is a script's mistake (--pes "$P"); and here empty means that the option was not given.
  static void refuse_empty_values(CLI::App& app) {
    for (CLI::Option* option : app.get_options()) {
      if (option->get_items_expected_min() == 0) continue;  // flags and switches
      option->check(
          [](const std::string& value) { return value.empty() ? std::string("needs a value") : std::string(); });
    }
    for (CLI::App* sub : app.get_subcommands({})) refuse_empty_values(*sub);
  }

  command_line parse(int argc, const char* const* argv) {
    // Another program parses its words.
    const std::string_view first = argc > 1 ? argv[1] : "";
    if (first == bench_verb || first == network_bench_verb || first == study_verb) {
      command_line line;
      line.what = command_line::verb::bench;
      line.bench_verb = first;
      line.bench_words.assign(argv + 2, argv + argc);
      return line;
    }
    // The parser itself would drop it, or take it for a word.
    const bool ends_in_dashes =
        argc > 2 && std::string_view(argv[1]) == conveyor_bench_verb && std::string_view(argv[argc - 1]) == "--";
    refuse_missing_values(std::span(argv, static_cast<std::size_t>(argc)));
    try {
      app_.parse(argc - ends_in_dashes, argv);
    } catch (const CLI::Success& wanted) {  // help or version
      std::ostringstream text;
      app_.exit(wanted, text, text);
      command_line line;
      line.text = text.str();
      return line;
    } catch (const CLI::ParseError& e) {
      throw setup_error(std::string(e.what()) + "; see shoal --help");
    }
    command_line line;
    if (list_->parsed()) {
      line.what = command_line::verb::list;
      line.list = {.is_json = list_json_};
    } else if (info_->parsed()) {
      line.what = command_line::verb::info;
      line.info = info();
    } else if (run_->parsed()) {
      line.what = command_line::verb::run;
      line.run = run();
    } else if (link_->parsed()) {
      line.what = command_line::verb::link;
      line.link = link();
    } else if (conveyor_bench_->is_parsed()) {
      line.what = command_line::verb::conveyor_bench;
      line.conveyor_bench = conveyor_bench_->options(ends_in_dashes);
    } else if (swe_->is_parsed()) {
      line.what = command_line::verb::swe;
      line.swe = swe_->request();
    } else {
      refuse_command();
    }
    return line;
  }

private:
  // If a value is missing, the parser would take the next word for it, be it another option or a word that belongs to one.
  void refuse_missing_values(std::span<const char* const> words) {
    std::vector<CLI::App*> parsers;  // of the words
    for (const char* word : words.subspan(1)) {
      CLI::App* const within = parsers.empty() ? &app_ : parsers.front();
      for (CLI::App* command : within->get_subcommands({})) {
        if (command->get_name() == word) parsers.push_back(command);
      }
    }
    for (std::size_t i = 1; i < words.size() && std::string_view(words[i]) != "--"; ++i) {
      const std::string_view word = words[i];
      const std::string name(word.substr(0, word.find('=')));
      const CLI::Option* const option = word.starts_with("--") ? option_of(parsers, name) : nullptr;
      if (option == nullptr) continue;
      if (word != name && option->get_items_expected_max() == 0) throw setup_error(name + " takes no value");
      if (word == name + "=") throw setup_error(name + "= needs a value");
      const std::string_view next = i + 1 < words.size() ? words[i + 1] : "";
      if (word == name && option->get_items_expected_min() > 0 && next.starts_with("--") && next != "--") {
        throw setup_error(name + " needs a value, but " + std::string(next) + " follows");
      }
    }
  }

  static const CLI::Option* option_of(const std::vector<CLI::App*>& parsers, const std::string& name) {
    for (const CLI::App* each : parsers) {
      if (const CLI::Option* const option = each->get_option_no_throw(name)) return option;
    }
    return nullptr;
  }

  [[noreturn]] void refuse_command() const {
    const std::vector<std::string> extras = app_.remaining();
    if (extras.empty()) {
      throw setup_error(
          "say what to do: list, info, run, swe, bench, conveyor-bench, network-bench, study or link; see shoal "
          "--help");
    }
    throw setup_error("unknown command '" + extras.front() + "'" +
                      suggestion(extras.front(), {"list", "info", "run", swe_verb, bench_verb, conveyor_bench_verb,
                                                  network_bench_verb, study_verb, link_verb}));
  }

  void add_info() {
    info_ = app_.add_subcommand("info",
                                "Print what Shoal knows of this machine, its defaults, and "
                                "where each comes from");
    info_->allow_extras(false);
    info_->add_option("--pes", info_pes_, "for a job of this many PEs (default: one per core)");
    info_->add_flag("--json", info_json_, "as one JSON object");
  }

  void add_run() {
    run_ = app_.add_subcommand("run", "Run a kernel, verify its answer, and print how long it took");
    run_->footer("Options of one kernel: shoal run KERNEL --help");
    run_->require_subcommand(0, 1);
    run_->add_option("--pes", given_.pes, "number of PEs (default: one per core)");
    run_->add_option("--variant", given_.variants, "which ones, separated by commas (default: all)");
    run_->add_option("--substrate", given_.substrate,
                     "one of " + substrate_names() + " (default: local; mpi under mpirun)");
    run_->add_option("--mpi", given_.mpi,
                     "whose mpirun starts the PEs of mpi and mpi-rma: openmpi or mpich (default: openmpi if it is "
                     "there)");
    run_->add_option("--repeat", given_.repeat, "timed runs of each variant (default: 5)");
    run_->add_flag("--baseline", given_.has_baseline, "also time the plain loop on local data");
    run_->add_option("--json", given_.json,
                     "write one JSON object per variant to a file, or - for "
                     "the standard output");
    run_->add_option(launched_option, given_.launched, "when the launching process began")->group("");
    for (const kernel_description& kernel : all_kernels()) add_kernel(kernel);
  }

  void add_link() {
    link_ = app_.add_subcommand(link_verb, "Measure what the link between PE 0 and the last PE costs, by LogGP");
    link_->allow_extras(false);
    link_->add_option("--pes", link_given_.pes, "number of PEs (default: 2)");
    link_->add_option("--substrate", link_given_.substrate, "as in shoal run");
    link_->add_option("--mpi", link_given_.mpi, "as in shoal run");
    link_->add_option("--seconds", link_given_.seconds, "time to measure for, roughly (default: 2)");
    link_->add_option("--json", link_given_.json, "as in shoal run");
  }

  link_request link() const {
    link_request request;
    if (link_->count("--substrate") != 0) request.where.substrate = parse_substrate(link_given_.substrate);
    if (link_->count("--mpi") != 0) request.where.mpi = parse_mpi(link_given_.mpi);
    request.where.pes = link_given_.pes;
    if (link_->count("--seconds") != 0) {
      request.seconds = parse_real(link_given_.seconds, "--seconds", seconds_least, seconds_most);
    }
    request.json = link_given_.json;
    return request;
  }

  void add_kernel(const kernel_description& kernel) {
    kernel_arguments& a = kernels_.emplace_back();
    a.kernel = &kernel;
    a.parser = run_->add_subcommand(kernel.name, kernel.summary);
    a.parser->fallthrough();  // options of every kernel may follow its name
    a.parser->footer("Options of every kernel: shoal run --help");
    for (const kernels::option_description& option : kernel.options) {
      std::string& value = a.values.emplace_back(option.default_value);
      CLI::Option* added = a.parser->add_option("--" + option.name, value, option.help);
      added->default_str(option.default_value)->type_name("VALUE");
      // The parser gives an option without a value what is called its default.
      if (is_switch(option)) {
        added->expected(0, 1)->default_str("yes")->option_text("VALUE=" + option.default_value);
      }
    }
  }

  info_request info() const { return {.pes = info_pes_, .is_json = info_json_}; }

  run_request run() const {
    const kernel_arguments* chosen = nullptr;
    for (const kernel_arguments& a : kernels_) {
      if (a.parser->parsed()) chosen = &a;
    }
    if (chosen == nullptr) refuse_kernel();
    refuse_extras(*chosen->kernel, run_->remaining(true));

    run_request request;
    request.kernel = chosen->kernel;
    request.options = kernel_options(*chosen);
    request.has_baseline = given_.has_baseline;
    if (request.has_baseline && !chosen->kernel->has_loop) {
      throw setup_error("kernel " + chosen->kernel->name + " has no plain loop to compare with; leave --baseline out");
    }
    request.variants = parse_variants(*chosen->kernel);
    if (run_->count("--substrate") != 0) request.where.substrate = parse_substrate(given_.substrate);
    if (run_->count("--mpi") != 0) request.where.mpi = parse_mpi(given_.mpi);
    request.where.pes = given_.pes;
    if (run_->count("--repeat") != 0) {
      request.n_repeats = static_cast<int>(parse_integer(given_.repeat, "--repeat", 1, 1'000'000));
    }
    request.json = given_.json;
    if (!given_.launched.empty()) {
      request.launched_ns = parse_integer(given_.launched, launched_option, 0, INT64_MAX);
    }
    return request;
  }

  static kernels::option_list kernel_options(const kernel_arguments& chosen) {
    kernels::option_list options;
    for (std::size_t i = 0; i < chosen.values.size(); ++i) {
      const kernels::option_description& option = chosen.kernel->options[i];
      std::string value = chosen.values[i];
      if (value.empty()) {
        throw setup_error("kernel " + chosen.kernel->name + " needs --" + option.name + ": " + option.help);
      }
      options.emplace_back(option.name, std::move(value));
    }
    return options;
  }

  [[noreturn]] void refuse_kernel() const {
    std::vector<std::string> names;
    for (const kernel_description& kernel : all_kernels()) names.push_back(kernel.name);
    for (const std::string& word : run_->remaining()) {
      if (word.starts_with('-')) continue;
      throw setup_error("unknown kernel '" + word + "'" + suggestion(word, names));
    }
    throw setup_error("which kernel? choose one: " + joined(names));
  }

  void refuse_extras(const kernel_description& kernel, const std::vector<std::string>& extras) const {
    if (extras.empty()) return;
    const std::string word = extras.front().substr(0, extras.front().find('='));
    if (!word.starts_with('-')) throw setup_error("unexpected word '" + word + "'; see shoal run --help");
    std::vector<std::string> known;
    for (const kernels::option_description& o : kernel.options) known.push_back("--" + o.name);
    for (const char* o : {"--pes", "--variant", "--substrate", "--mpi", "--repeat", "--baseline", "--json"}) {
      known.emplace_back(o);
    }
    throw setup_error("kernel " + kernel.name + " has no option " + word + suggestion(word, known));
  }

  std::vector<std::string> parse_variants(const kernel_description& kernel) const {
    if (run_->count("--variant") == 0) return kernel.variants;
    std::vector<std::string> chosen;
    std::istringstream words(given_.variants + ",");
    for (std::string word; std::getline(words, word, ',');) {
      if (std::ranges::find(kernel.variants, word) == kernel.variants.end()) {
        throw setup_error("kernel " + kernel.name + " has no variant '" + word + "'" +
                          suggestion(word, kernel.variants) + (word == "loop" ? "; the plain loop is --baseline" : "") +
                          (word == "reference" ? "; every run is verified against the reference" : ""));
      }
      if (std::ranges::find(chosen, word) == chosen.end()) chosen.push_back(word);
    }
    return chosen;
  }

  CLI::App app_;
  std::optional<conveyor_bench_parser> conveyor_bench_;
  std::optional<swe_parser> swe_;
  CLI::App* list_ = nullptr;
  CLI::App* info_ = nullptr;
  CLI::App* run_ = nullptr;
  CLI::App* link_ = nullptr;
  bool list_json_ = false;
  std::string info_pes_;
  bool info_json_ = false;
  run_arguments given_;
  link_arguments link_given_;
  std::deque<kernel_arguments> kernels_;
};

}  // namespace

command_line parse_command_line(int argc, const char* const* argv) { return parser().parse(argc, argv); }

}  // namespace shoal::cli
