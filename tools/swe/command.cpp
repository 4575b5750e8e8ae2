#include "tools/swe/command.hpp"

#include <algorithm>
#include <cstdio>
#include <iostream>
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

template <class... Values>
std::string formatted(const char* format, Values... values) {
  char text[200];
  std::snprintf(text, sizeof text, format, values...);
  return text;
}

double cells_per_second(const form_runs& its) {
  const double seconds = its.best_seconds();
  return seconds > 0 ? static_cast<double>(its.runs.front().computed.n_cell_steps) / seconds : 0;
}

void print_table(std::ostream& out, const swe_request& request, const world& w, const std::vector<form_runs>& all) {
  const swe::simulation& what = request.what;
  const run_report& first = all.front().runs.front();
  out << formatted("%s, %llu x %llu cells, %llu patches, %s, %s, %lld PEs, %llu steps of %.4g s\n",
                   what.scenario_name.c_str(), static_cast<unsigned long long>(what.n_x),
                   static_cast<unsigned long long>(what.n_y), static_cast<unsigned long long>(first.n_patches),
                   swe::to_text(what.solver), request.is_float ? "float" : "double", static_cast<long long>(w.n_pes()),
                   static_cast<unsigned long long>(first.n_steps),
                   what.its_end_time() / static_cast<double>(first.n_steps));
  out << formatted("  %-8s %10s %16s %10s\n", "form", "seconds", "cell updates/s", "Gflop/s");
  for (const form_runs& each : all) {
    const double rate = cells_per_second(each);
    const double flops = flops_of_cell(what.solver);
    out << formatted("  %-8s %10.4f %16.4g ", name_of(each.how), each.best_seconds(), rate)
        << (flops == 0 ? "         -" : formatted("%10.3f", rate * flops * 1e-9)) << '\n';
  }
  out << formatted("  patch updates: %llu of %llu; water: %.10g m3 at the start, %.10g at the end",
                   static_cast<unsigned long long>(first.computed.n_patch_steps),
                   static_cast<unsigned long long>(first.n_steps * first.n_patches), first.volume_before,
                   first.volume_after);
  if (first.error >= 0) out << formatted("; mean error of depth: %.4g m", first.error);
  out << formatted("\n  digest of the state: %016llx\n", static_cast<unsigned long long>(first.digest));
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
    out << formatted(R"(,"digest":"%016llx"})", static_cast<unsigned long long>(first.digest)) << '\n';
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
