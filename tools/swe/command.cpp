#include "tools/swe/command.hpp"

#include <algorithm>
#include <cstdint>
#include <iomanip>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

#include "applications/shallow_water/cell_loop.hpp"
#include "applications/shallow_water/edge_loop.hpp"
#include "shoal/actor/run.hpp"
#include "shoal/base/setup_error.hpp"
#include "tools/cli/json.hpp"
#include "tools/cli/output.hpp"

namespace shoal::cli {
namespace {

using swe::form;
using swe::run_report;

struct form_runs {
  form how;
  std::vector<run_report> runs;  // one for each repeat

  double best_seconds() const { return std::ranges::min(runs, {}, &run_report::seconds).seconds; }
};

const char* name_of(form how) {
  switch (how) {
    case form::actors: return "actors";
    case form::bsp: return "bsp";
    case form::rpc: return "rpc";
  }
  return "";
}

// Two edges belong to a cell. 0: the solver's number depends on the edge.
double flops_of_cell(swe::solver_kind solver) {
  const int of_edge = swe::flops_per_edge(solver);
  return of_edge == 0 ? 0 : 2 * of_edge + swe::flops_per_cell;
}

// With `n` digits behind the point, or `n` digits in all.
std::string fixed(double value, int n) {
  std::ostringstream text;
  text << std::fixed << std::setprecision(n) << value;
  return text.str();
}
std::string rounded(double value, int n) {
  std::ostringstream text;
  text << std::setprecision(n) << value;
  return text.str();
}

std::string hexadecimal(std::uint64_t digest) {
  std::ostringstream text;
  text << std::hex << std::setw(16) << std::setfill('0') << digest;
  return text.str();
}

std::string count_of(std::uint64_t n, const char* one, const char* several) {
  return std::to_string(n) + " " + (n == 1 ? one : several);
}

double cells_per_second(const form_runs& its) {
  const double seconds = its.best_seconds();
  return seconds > 0 ? static_cast<double>(its.runs.front().computed.n_cell_steps) / seconds : 0;
}

void print_row(std::ostream& out, const std::string& form, const std::string& seconds, const std::string& cells,
               const std::string& flops) {
  out << "  " << std::left << std::setw(8) << form << std::right << std::setw(11) << seconds << std::setw(17) << cells
      << std::setw(11) << flops << '\n';
}

void print_table(std::ostream& out, const swe_request& request, const world& w, const std::vector<form_runs>& all) {
  const swe::simulation& what = request.what;
  const run_report& first = all.front().runs.front();
  out << what.scenario_name << ", " << what.n_x << " x " << what.n_y << " cells, "
      << count_of(first.n_patches, "patch", "patches") << ", " << swe::to_text(what.solver) << ", "
      << (request.is_float ? "float" : "double") << ", " << count_of(static_cast<std::uint64_t>(w.n_pes()), "PE", "PEs")
      << ", " << count_of(first.n_steps, "step", "steps") << " of "
      << rounded(what.its_end_time() / static_cast<double>(first.n_steps), 4) << " s\n";
  print_row(out, "form", "seconds", "cell updates/s", "Gflop/s");
  for (const form_runs& each : all) {
    const double rate = cells_per_second(each);
    const double flops = flops_of_cell(what.solver);
    print_row(out, name_of(each.how), fixed(each.best_seconds(), 4), rounded(rate, 4),
              flops == 0 ? "-" : fixed(rate * flops * 1e-9, 3));
  }
  out << "  patch updates: " << first.computed.n_patch_steps << " of " << first.n_steps * first.n_patches
      << "; water: " << rounded(first.volume_before, 10) << " m3 at the start, " << rounded(first.volume_after, 10)
      << " at the end";
  if (first.error >= 0) out << "; mean error of depth: " << rounded(first.error, 4) << " m";
  out << "\n  digest of the state: " << hexadecimal(first.digest) << '\n';
}

std::string list_of_seconds(const form_runs& its) {
  std::string list;
  for (const run_report& each : its.runs) list += (list.empty() ? "" : ",") + json_number(each.seconds);
  return "[" + list + "]";
}

void print_json(std::ostream& out, const swe_request& request, const world& w, const std::vector<form_runs>& all) {
  const swe::simulation& what = request.what;
  for (const form_runs& each : all) {
    const run_report& first = each.runs.front();
    out << R"({"application":"swe","form":)" << json_string(name_of(each.how)) << R"(,"scenario":)"
        << json_string(what.scenario_name) << R"(,"n_x":)" << what.n_x << R"(,"n_y":)" << what.n_y
        << R"(,"patch_size":)" << what.patch_size << R"(,"solver":)" << json_string(swe::to_text(what.solver))
        << R"(,"real":)" << json_string(request.is_float ? "float" : "double") << R"(,"lazy":)"
        << (what.is_lazy ? "true" : "false") << R"(,"n_pes":)" << w.n_pes() << R"(,"n_steps":)" << first.n_steps
        << R"(,"patch_updates":)" << first.computed.n_patch_steps << R"(,"cell_updates":)"
        << first.computed.n_cell_steps << R"(,"seconds":)" << list_of_seconds(each) << R"(,"volume_before":)"
        << json_number(first.volume_before) << R"(,"volume_after":)" << json_number(first.volume_after);
    if (first.error >= 0) out << R"(,"error":)" << json_number(first.error);
    out << R"(,"digest":)" << json_string(hexadecimal(first.digest)) << "}\n";
  }
}

run_report run_once(world& w, const swe_request& request, form how) {
  return request.is_float ? swe::run<float>(w, request.what, how) : swe::run<double>(w, request.what, how);
}

// The program of one PE.
int run_here(world& w, const swe_request& request) {
  std::vector<form_runs> all;
  for (const form how : request.forms) all.push_back({how, {}});
  // In turn, so that a busy machine does not favour one form.
  for (int i = 0; i < request.n_repeats; ++i) {
    for (form_runs& each : all) each.runs.push_back(run_once(w, request, each.how));
  }
  if (w.my_pe() != 0) return 0;  // one PE that reports the failure is enough
  print_report(
      request.json, [&](std::ostream& out) { print_table(out, request, w, all); },
      [&](std::ostream& out) { print_json(out, request, w, all); });
  for (const form_runs& each : all) {
    for (const run_report& run : each.runs) {
      if (run.digest == all.front().runs.front().digest) continue;
      std::cerr << "shoal: swe: form " << name_of(each.how) << " ended in another state than form "
                << name_of(all.front().how) << '\n';
      return 1;
    }
  }
  return 0;
}

}  // namespace

int run_swe(const swe_request& request, const std::vector<std::string>& arguments) {
  check_output(request.json);
  const placement where = place(request.where);
  if (where.must_launch) return launch_again(where, arguments);
  return run_with(where.chosen, [&](world& w) { return run_here(w, request); });
}

}  // namespace shoal::cli
