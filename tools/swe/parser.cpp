#include "tools/swe/parser.hpp"

#include <CLI/CLI.hpp>
#include <algorithm>
#include <sstream>

#include "applications/shallow_water/edge_loop.hpp"
#include "applications/swe/forms.hpp"
#include "shoal/base/machine.hpp"
#include "shoal/base/parse.hpp"
#include "shoal/base/setup_error.hpp"
#include "tools/cli/mpi_launcher.hpp"
#include "tools/cli/suggest.hpp"

namespace shoal::cli {
namespace {

constexpr std::int64_t cells_most = 100'000;  // along a side
constexpr std::uint64_t patches_most = 10'000'000;
constexpr double seconds_most = 1e9;
constexpr double metres_most = 1e9;
constexpr std::int64_t frames_most = 1'000'000;

struct named_form {
  const char* name;
  swe::form its;
};
constexpr named_form all_forms[] = {
    {"actors", swe::form::actors}, {"bsp", swe::form::bsp}, {"rpc", swe::form::rpc}, {"openmp", swe::form::openmp}};

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
                       "compute, rpc by calls; openmp, alone, by threads of one process (default: actors)");
  command_->add_option("--threads", threads_, "of form openmp (default: one per core)");
  command_->add_flag("--lazy", is_lazy_, "patches at rest compute nothing until a wave arrives; changes no result");
  command_->add_flag("--balance", balances_,
                     "PEs that have nothing to do take patches from others (form actors); changes no result");
  command_->add_option(
      "--repartition", steps_between_,
      "after so many steps, and so on, METIS divides the patches anew by what they took (form actors); "
      "changes no result");
  command_->add_flag("--in-cache", measures_cache_,
                     "also measure the solver's loop over a line of edges that stays in cache");
  command_->add_option("--repeat", repeat_, "runs of each form (default: 1)");
  command_->add_option("-b,--bathymetry-file", bed_,
                       "NetCDF file of a sea's bed, as GEBCO has it; in place of a scenario");
  command_->add_option("-u,--displacement-x", raised_x_, "metres: where the sea stands higher at the start");
  command_->add_option("-v,--displacement-y", raised_y_, "the same");
  command_->add_option("-r,--displacement-radius", radius_, "metres around that place");
  command_->add_option("--displacement-height", height_, "metres (default: 50)");
  command_->add_option("--displacement-file", uplift_, "NetCDF file of how far the bed rises, with the water over it");
  command_->add_option("-o,--out", out_, "folder, empty or not there yet, for files of the state over time");
  command_->add_option("--format", format_, "vtk for ParaView, or netcdf (default: vtk)");
  command_->add_option("-c,--frames", n_frames_, "how many states after the one at the start (default: 10)");
  command_
      ->add_option("--progress", progress_,
                   "a bar on stderr: auto, if that is a terminal, always or never (default: auto)")
      ->multi_option_policy(CLI::MultiOptionPolicy::TakeLast);
  command_->add_option("--charge", charged_ns_,
                       "in substrate sim: ns that the step of a cell takes; patches say so, and compute nothing");
  command_->add_option("--charged-steps", charged_steps_, "how many such steps (default: 50)");
  command_->add_option("--pes", pes_, "number of PEs (default: one per core)");
  command_->add_option("--substrate", substrate_, "as in shoal run");
  command_->add_option("--mpi", mpi_, "as in shoal run");
  command_->add_option("--json", json_, "as in shoal run");
}

bool swe_parser::is_parsed() const { return command_->parsed(); }

swe::simulation swe_parser::simulation() const {
  swe::simulation what;
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
  if (!steps_.empty()) what.steps = all_steps[choice(steps_, "--steps", names_of(all_steps))].its;
  what.is_lazy = is_lazy_;
  what.balances = balances_;
  if (!steps_between_.empty()) {
    what.n_steps_between = static_cast<std::uint64_t>(parse_integer(steps_between_, "--repartition", 1, 1'000'000'000));
  }
  return what;
}

sea_request swe_parser::sea() const {
  sea_request asked;
  const std::string* const places[] = {&raised_x_, &raised_y_, &radius_};
  const bool is_raised = std::ranges::any_of(places, [](const std::string* each) { return !each->empty(); });
  if (bed_.empty() && (is_raised || !uplift_.empty() || !height_.empty())) {
    throw setup_error("a displacement needs a sea; give its --bathymetry-file");
  }
  if (!bed_.empty() && !scenario_.empty()) {
    throw setup_error("--bathymetry-file=" + bed_ + " takes the place of a scenario; leave it or --scenario out");
  }
  if (std::ranges::any_of(places, [](const std::string* each) { return each->empty(); }) &&
      (is_raised || !height_.empty())) {
    throw setup_error(
        "a displacement of the sea has three numbers: --displacement-x, --displacement-y and --displacement-radius");
  }
  asked.bed = bed_;
  asked.uplift = uplift_;
  if (is_raised) {
    asked.raised.x = parse_real(raised_x_, "--displacement-x", -metres_most, metres_most);
    asked.raised.y = parse_real(raised_y_, "--displacement-y", -metres_most, metres_most);
    asked.raised.radius = parse_real(radius_, "--displacement-radius", 1e-3, metres_most);
    if (!height_.empty()) asked.raised.height = parse_real(height_, "--displacement-height", -10'000, 10'000);
  }
  return asked;
}

std::vector<swe::form> swe_parser::forms(swe::step_rule steps) const {
  std::vector<swe::form> chosen;
  std::istringstream words((forms_.empty() ? "actors" : forms_) + ",");
  for (std::string word; std::getline(words, word, ',');) {
    const swe::form how = all_forms[choice(word, "--form", names_of(all_forms))].its;
    if (std::ranges::find(chosen, how) == chosen.end()) chosen.push_back(how);
  }
  const auto has = [&](swe::form how) { return std::ranges::find(chosen, how) != chosen.end(); };
  if (steps != swe::step_rule::fixed && has(swe::form::rpc)) {
    throw setup_error("form rpc has fixed steps only; leave it or --steps=" + steps_ + " out");
  }
  if (has(swe::form::openmp) && chosen.size() > 1) {
    throw setup_error("form openmp is one process and the others are PEs; shoal study actors compares them");
  }
  if (has(swe::form::openmp) && !swe::has_openmp()) {
    throw setup_error("form openmp: this program was built without OpenMP; choose another form, or build it with GCC");
  }
  if (!threads_.empty() && !has(swe::form::openmp)) throw setup_error("--threads is of form openmp; give --pes");
  return chosen;
}

swe::frame_plan swe_parser::frames(const swe_request& asked) const {
  swe::frame_plan plan;
  if (out_.empty()) {
    if (!format_.empty() || !n_frames_.empty()) {
      throw setup_error(std::string(format_.empty() ? "--frames" : "--format") + " needs a folder; give --out");
    }
    return plan;
  }
  if (asked.forms.size() > 1 || asked.n_repeats > 1) {
    throw setup_error("--out=" + out_ + " takes the files of one run; give one form, and no --repeat");
  }
  plan.folder = out_;
  if (!format_.empty()) {
    plan.format =
        choice(format_, "--format", {"vtk", "netcdf"}) == 0 ? swe::file_format::vtk : swe::file_format::netcdf;
  }
  if (!n_frames_.empty()) plan.n = static_cast<std::uint64_t>(parse_integer(n_frames_, "--frames", 1, frames_most));
  return plan;
}

void swe_parser::charge(swe_request& asked) const {
  if (charged_ns_.empty()) {
    if (!charged_steps_.empty()) throw setup_error("--charged-steps needs the time of a cell; give --charge");
    return;
  }
  if (asked.where.substrate != substrate_kind::sim) {
    throw setup_error("--charge=" + charged_ns_ + " is of the simulator; add --substrate sim, or leave it out");
  }
  if (asked.what.steps != swe::step_rule::fixed) {
    throw setup_error("--charge has no waves for steps to follow; leave --steps=" + steps_ + " out");
  }
  if (!asked.what.frames.folder.empty()) throw setup_error("--charge computes no state; leave --out out");
  if (asked.forms.front() == swe::form::openmp) throw setup_error("--charge is of PEs; give another form than openmp");
  asked.what.charged_ns = parse_real(charged_ns_, "--charge", 1e-3, 1e9);
  if (!charged_steps_.empty()) {
    asked.what.n_charged_steps =
        static_cast<std::uint64_t>(parse_integer(charged_steps_, "--charged-steps", 1, 1'000'000));
  }
  const swe::simulation& what = asked.what;
  const double ns_of_patch = what.charged_ns * static_cast<double>(what.patch_size * what.patch_size);
  if (ns_of_patch < 1 || ns_of_patch * static_cast<double>(what.n_charged_steps) > 1e18) {
    throw setup_error("--charge=" + charged_ns_ +
                      " makes a patch take less than 1 ns a step, or more than 30 years in all");
  }
}

swe_request swe_parser::request() const {
  swe_request asked;
  asked.what = simulation();
  asked.sea = sea();
  if (!real_.empty()) asked.is_float = choice(real_, "--real", {"double", "float"}) == 1;
  asked.forms = forms(asked.what.steps);
  asked.measures_cache = measures_cache_;
  if (measures_cache_ && swe::flops_per_edge(asked.what.solver) == 0) {
    throw setup_error(
        "--in-cache compares operations a second, whose number solver augmented does not fix; give another");
  }
  if (measures_cache_ && asked.forms.front() == swe::form::openmp) {
    throw setup_error("--in-cache measures PEs, and form openmp has threads; give another form");
  }
  if (!repeat_.empty()) asked.n_repeats = static_cast<int>(parse_integer(repeat_, "--repeat", 1, 1'000'000));
  asked.what.frames = frames(asked);
  if (!progress_.empty()) {
    constexpr progress_wish wishes[] = {progress_wish::on_terminal, progress_wish::always, progress_wish::never};
    asked.progress = wishes[choice(progress_, "--progress", {"auto", "always", "never"})];
  }
  asked.where.pes = pes_;
  if (asked.forms.front() == swe::form::openmp) {
    asked.what.n_threads =
        threads_.empty() ? this_machine().n_cores : static_cast<int>(parse_integer(threads_, "--threads", 1, 1024));
    if (pes_.empty()) asked.where.pes = "1";
  }
  if (!substrate_.empty()) asked.where.substrate = parse_substrate(substrate_);
  if (!mpi_.empty()) asked.where.mpi = parse_mpi(mpi_);
  charge(asked);
  asked.json = json_;
  return asked;
}

}  // namespace shoal::cli
