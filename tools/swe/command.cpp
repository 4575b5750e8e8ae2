#include "tools/swe/command.hpp"

#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <iomanip>
#include <iostream>
#include <memory>
#include <new>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "applications/shallow_water/cached_edges.hpp"
#include "applications/shallow_water/cell_loop.hpp"
#include "applications/shallow_water/edge_loop.hpp"
#include "applications/shallow_water/netcdf.hpp"
#include "applications/swe/patch_state.hpp"
#include "shoal/actor/run.hpp"
#include "shoal/base/internal/cores.hpp"
#include "shoal/base/setup_error.hpp"
#include "tools/cli/json.hpp"
#include "tools/cli/output.hpp"
#include "tools/swe/progress_bar.hpp"

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
    case form::openmp: return "openmp";
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

void print_table(std::ostream& out, const swe_request& request, const world& w, const std::vector<form_runs>& all,
                 double cached) {
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
  if (cached > 0) {
    out << "  the loop over edges in cache, on all PEs at once: " << fixed(cached * 1e-9, 3) << " Gflop/s;";
    for (const form_runs& each : all) {
      out << (&each == all.data() ? " " : ", ") << name_of(each.how) << " "
          << fixed(100 * cells_per_second(each) * flops_of_cell(what.solver) / cached, 0) << " % of it";
    }
    out << '\n';
  }
  if (what.is_charged()) {
    out << "  predicted: patches computed nothing, and charged " << what.charged_ns << " ns a cell\n";
    return;
  }
  out << "  patch updates: " << first.computed.n_patch_steps << " of " << first.n_steps * first.n_patches
      << "; water: " << rounded(first.volume_before, 10) << " m3 at the start, " << rounded(first.volume_after, 10)
      << " at the end";
  if (what.moves_patches()) out << "; moved: " << count_of(first.n_moved, "patch", "patches");
  if (first.error >= 0) out << "; mean error of depth: " << rounded(first.error, 4) << " m";
  if (!first.frame_times.empty()) {
    out << "; " << count_of(first.frame_times.size(), "frame", "frames") << " in " << what.frames.folder;
  }
  out << "\n  digest of the state: " << hexadecimal(first.digest) << '\n';
}

std::string list_of_seconds(const form_runs& its) {
  std::string list;
  for (const run_report& each : its.runs) list += (list.empty() ? "" : ",") + json_number(each.seconds);
  return "[" + list + "]";
}

void print_json(std::ostream& out, const swe_request& request, const world& w, const std::vector<form_runs>& all,
                double cached) {
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
    if (what.moves_patches()) out << R"(,"moved_patches":)" << first.n_moved;
    if (what.is_charged()) out << R"(,"charged_ns":)" << json_number(what.charged_ns);
    if (cached > 0) out << R"(,"flops_in_cache":)" << json_number(cached);
    if (!first.frame_times.empty()) out << R"(,"frames":)" << first.frame_times.size();
    if (each.how == form::openmp) {
      out << R"(,"threads":)" << what.n_threads << R"(,"cpus":)" << internal::affinity_cpus().size();
    }
    if (const double flops = flops_of_cell(what.solver); flops > 0)
      out << R"(,"flops_per_cell":)" << json_number(flops);
    out << R"(,"digest":)" << json_string(hexadecimal(first.digest)) << "}\n";
  }
}

run_report run_once(world& w, const swe_request& request, form how) {
  const swe::simulation& what = request.what;
  const std::size_t n_patches = what.grid().n();
  const bool shows = request.progress == progress_wish::always ||
                     (request.progress == progress_wish::on_terminal && ::isatty(STDERR_FILENO) == 1);
  swe::run_progress done;
  std::optional<progress_bar> bar;
  if (shows && w.my_pe() == swe::owner_of(w, 0, n_patches)) {
    const swe::patch_range mine = swe::patches_of(w, w.my_pe(), n_patches);
    bar.emplace(std::string("shoal: swe: ") + name_of(how), done,
                what.its_end_time() * static_cast<double>(mine.end - mine.begin));
  }
  swe::run_progress* const shown = bar ? &done : nullptr;
  return request.is_float ? swe::run<float>(w, what, how, shown) : swe::run<double>(w, what, how, shown);
}

// Without enough memory, the whole job ends with one line.
template <class Run>
int run_within_memory(const swe::simulation& what, Run run) {
  try {
    return run();
  } catch (const std::bad_alloc&) {
    throw setup_error("there is no memory for " + std::to_string(what.n_x) + " x " + std::to_string(what.n_y) +
                      " cells; give fewer, or --real=float");
  }
}

// Adds the sea, if one is asked for.
void read_sea(swe_request& request) {
  const sea_request& sea = request.sea;
  if (sea.bed.empty()) return;
  constexpr double usual_end_time = 3600;
  try {
    std::optional<swe::height_grid> uplift;
    if (!sea.uplift.empty()) uplift = swe::read_bed(sea.uplift);
    request.what.sea = std::make_shared<const swe::scenario>(
        swe::sea_over(swe::read_bed(sea.bed), sea.raised, usual_end_time, std::move(uplift)));
  } catch (const std::runtime_error& e) {
    throw setup_error(e.what());
  } catch (const std::invalid_argument& e) {
    throw setup_error(e.what());
  }
  request.what.scenario_name = request.what.sea->name;
}

// Operations a second of the loop over a line of edges in cache, of all PEs at once.
template <class Real>
double measure_cached(world& w, swe::solver_kind solver) {
  constexpr int n_lines = 4'000;  // some ten milliseconds
  constexpr int n_runs = 9;
  using clock = std::chrono::steady_clock;
  swe::cached_edges<Real> edges;
  const swe::edge_loop<Real> loop = swe::edge_loop_of<Real>(solver, swe::best_instruction_set());
  std::vector<double> seconds;
  w.barrier();
  for (int run = 0; run < n_runs; ++run) {
    const clock::time_point begin = clock::now();
    for (int line = 0; line < n_lines; ++line) edges.solve(loop);
    seconds.push_back(std::chrono::duration<double>(clock::now() - begin).count());
  }
  std::ranges::nth_element(seconds, seconds.begin() + n_runs / 2);
  const double n_operations = double(n_lines) * double(edges.n) * swe::flops_per_edge(solver);
  return w.sum(n_operations / seconds[n_runs / 2]);
}

// The program of one PE.
int run_here(world& w, const swe_request& request) {
  if (w.n_pes() > 1 && std::ranges::find(request.forms, form::openmp) != request.forms.end()) {
    throw setup_error("form openmp is one process, but there are " + std::to_string(w.n_pes()) +
                      " PEs; start one, with --threads");
  }
  swe::refuse_beyond_memory(w, request.what, request.is_float ? sizeof(float) : sizeof(double));
  std::vector<form_runs> all;
  for (const form how : request.forms) all.push_back({how, {}});
  // In turn, so that a busy machine does not favour one form.
  for (int i = 0; i < request.n_repeats; ++i) {
    for (form_runs& each : all) each.runs.push_back(run_once(w, request, each.how));
  }
  double cached = 0;
  if (request.measures_cache) {
    cached = request.is_float ? measure_cached<float>(w, request.what.solver)
                              : measure_cached<double>(w, request.what.solver);
  }
  if (w.my_pe() != 0) return 0;  // one PE that reports the failure is enough
  print_report(
      request.json, [&](std::ostream& out) { print_table(out, request, w, all, cached); },
      [&](std::ostream& out) { print_json(out, request, w, all, cached); });
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

int run_swe(swe_request request, std::vector<std::string> arguments) {
  check_output(request.json);
  placement where = place(request.where);
  // Threads of OpenMP take the cores of the process.
  if (request.forms.front() == form::openmp) where.chosen.binds.value = false;
  if (where.must_launch) {
    // PEs write to a pipe.
    if (request.progress == progress_wish::on_terminal && ::isatty(STDERR_FILENO) == 1) {
      arguments.insert(arguments.end(), {"--progress", "always"});
    }
    return launch_again(where, arguments);
  }
  return run_within_memory(request.what, [&] {
    read_sea(request);
    return run_with(where.chosen,
                    [&](world& w) { return run_within_memory(request.what, [&] { return run_here(w, request); }); });
  });
}

}  // namespace shoal::cli
