#include "tools/swe/parser.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <sstream>

#include "shoal/base/parse.hpp"
#include "shoal/base/setup_error.hpp"
#include "tools/cli/mpi_launcher.hpp"
#include "tools/cli/suggest.hpp"

namespace shoal::cli {
namespace {

constexpr std::int64_t cells_most = 100'000;  // along a side
constexpr std::uint64_t patches_most = 10'000'000;
constexpr double seconds_most = 1e9;

struct named_form {
  const char* name;
  swe::form its;
};
constexpr named_form all_forms[] = {{"actors", swe::form::actors}, {"bsp", swe::form::bsp}, {"rpc", swe::form::rpc}};

struct named_steps {
  const char* name;
  swe::step_rule its;
};
constexpr named_steps all_steps[] = {
    {"fixed", swe::step_rule::fixed}, {"exact", swe::step_rule::exact}, {"behind", swe::step_rule::behind}};

// The number of `text` among `names`. Throws setup_error.
std::size_t choice(const std::string& text, const std::string& option, const std::vector<std::string>& names) {
  const auto its = std::ranges::find(names, text);
  if (its == names.end()) {
    throw setup_error(option + "=" + text + " is unknown" + suggestion(text, names));
  }
  return static_cast<std::size_t>(its - names.begin());
}

std::vector<std::string> names_of(const auto& table) {
  std::vector<std::string> names;
  for (const auto& each : table) names.emplace_back(each.name);
  return names;
}

std::vector<std::string> solver_names() {
  std::vector<std::string> names;
  for (const swe::solver_kind each : swe::all_solver_kinds) names.emplace_back(swe::to_text(each));
  return names;
}

}  // namespace

swe_parser::swe_parser(CLI::App& app)
    : command_(app.add_subcommand(swe_verb, "Simulate shallow water: patches that exchange their borders")) {
  command_->allow_extras(false);
  command_->add_option("--scenario", scenario_, "one of " + joined(swe::scenario_names()) + " (default: pool_drop)");
  command_->add_option("-x,--grid-size-x", x_, "cells along x (default: 256)");
  command_->add_option("-y,--grid-size-y", y_, "cells along y (default: 256)");
  command_->add_option("-p,--patch-size", patch_, "cells along each side of a patch (default: 64)");
  command_->add_option("-e,--end-simulation", end_, "simulated seconds (default: of the scenario)");
  command_->add_option("--solver", solver_, "one of " + joined(solver_names()) + " (default: hlle)");
  command_->add_option("--real", real_, "double or float (default: double)");
  command_->add_option(
      "--steps", steps_,
      "fixed: equal, by the waves at the start; exact: each by its own waves; behind: each by those of "
      "the step before (default: fixed)");
  command_->add_option("--form", forms_,
                       "how patches get borders, separated by commas: actors over channels, bsp by exchange and then "
                       "compute, rpc by calls (default: actors)");
  command_->add_flag("--lazy", is_lazy_, "patches at rest compute nothing until a wave arrives; changes no result");
  command_->add_option("--repeat", repeat_, "runs of each form (default: 1)");
  command_->add_option("--pes", pes_, "number of PEs (default: one per core)");
  command_->add_option("--substrate", substrate_, "as in shoal run");
  command_->add_option("--mpi", mpi_, "as in shoal run");
  command_->add_option("--json", json_, "as in shoal run");
}

bool swe_parser::is_parsed() const { return command_->parsed(); }

swe_request swe_parser::request() const {
  swe_request asked;
  swe::simulation& what = asked.what;
  if (!scenario_.empty())
    what.scenario_name = swe::scenario_names()[choice(scenario_, "--scenario", swe::scenario_names())];
  const auto cells = [](const std::string& text, const char* option, std::uint64_t& into) {
    if (!text.empty()) into = static_cast<std::uint64_t>(parse_integer(text, option, 1, cells_most));
  };
  cells(x_, "--grid-size-x", what.n_x);
  cells(y_, "--grid-size-y", what.n_y);
  cells(patch_, "--patch-size", what.patch_size);
  what.patch_size = std::min(what.patch_size, std::max(what.n_x, what.n_y));
  if (const std::uint64_t n = what.grid().n(); n > patches_most) {
    throw setup_error("--patch-size=" + std::to_string(what.patch_size) + " cuts the grid into " + std::to_string(n) +
                      " patches; give a size that makes at most " + std::to_string(patches_most));
  }
  if (!end_.empty()) what.end_time = parse_real(end_, "--end-simulation", 1e-9, seconds_most);
  if (!solver_.empty()) what.solver = swe::all_solver_kinds[choice(solver_, "--solver", solver_names())];
  if (!real_.empty()) asked.is_float = choice(real_, "--real", {"double", "float"}) == 1;
  if (!steps_.empty()) {
    what.steps = all_steps[choice(steps_, "--steps", names_of(all_steps))].its;
  }
  std::istringstream words((forms_.empty() ? "actors" : forms_) + ",");
  for (std::string word; std::getline(words, word, ',');) {
    const swe::form how = all_forms[choice(word, "--form", names_of(all_forms))].its;
    if (std::ranges::find(asked.forms, how) == asked.forms.end()) asked.forms.push_back(how);
  }
  if (what.steps != swe::step_rule::fixed && std::ranges::find(asked.forms, swe::form::rpc) != asked.forms.end()) {
    throw setup_error("form rpc has fixed steps only; leave it or --steps=" + steps_ + " out");
  }
  what.is_lazy = is_lazy_;
  if (!repeat_.empty()) asked.n_repeats = static_cast<int>(parse_integer(repeat_, "--repeat", 1, 1'000'000));
  asked.where.pes = pes_;
  if (!substrate_.empty()) asked.where.substrate = parse_substrate(substrate_);
  if (!mpi_.empty()) asked.where.mpi = parse_mpi(mpi_);
  asked.json = json_;
  return asked;
}

}  // namespace shoal::cli
