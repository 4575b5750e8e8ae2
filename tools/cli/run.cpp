// `shoal run`: checks what can be checked before anything starts, starts the PEs, reports on PE 0.
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>

#include "shoal/actor/run.hpp"
#include "shoal/base/setup_error.hpp"
#include "tools/cli/commands.hpp"
#include "tools/cli/measure.hpp"
#include "tools/cli/placement.hpp"
#include "tools/cli/report.hpp"

namespace shoal::cli {
namespace {

namespace fs = std::filesystem;

// Before any PE has started, and in the same words for every kernel that reads files.
void check_input(const kernels::option_list& options) {
  for (const auto& [name, file] : options) {
    if ((name != "input" && name != "names") || file == "none") continue;
    const std::string what = "--" + name + "=" + file;
    if (::access(file.c_str(), R_OK) != 0) {
      throw setup_error(what + " cannot be read (" + std::strerror(errno) + "); give an existing file");
    }
    if (fs::is_directory(file)) throw setup_error(what + " is a folder; give a file");
  }
}

// Better now than after the run.
void check_output(const std::string& file) {
  if (file.empty() || file == "-") return;
  const std::string what = "--json=" + file;
  std::error_code error;
  if (fs::is_directory(file, error)) throw setup_error(what + " is a folder; give the name of a file");
  const fs::path parent = fs::path(file).parent_path();
  const fs::path folder = parent.empty() ? "." : parent;
  if (!fs::is_directory(folder, error)) {
    throw setup_error(what + ": there is no folder " + folder.string() + "; create it first");
  }
  const bool is_there = fs::exists(file, error);
  if (::access((is_there ? fs::path(file) : folder).c_str(), W_OK) != 0) {
    throw setup_error(what + " cannot be written (" + std::strerror(errno) + "); give another file");
  }
}

void report(const run_request& request, const measurement& m) {
  // Whoever wants JSON on the standard output wants nothing else there.
  print_table(request.json == "-" ? std::cerr : std::cout, request, m);
  if (request.json == "-") {
    print_json(std::cout, request, m);
  } else if (!request.json.empty()) {
    std::ofstream file(request.json);
    print_json(file, request, m);
    file.close();
    if (!file) throw setup_error("--json=" + request.json + " could not be written; is the disk full?");
  }
  std::cout.flush();
}

// The program of one PE.
int run_here(world& w, const run_request& request) {
  const measurement m = measure(w, request);
  if (w.my_pe() != 0) return 0;  // one PE that says it failed is enough
  report(request, m);
  return m.is_verified() ? 0 : 1;
}

}  // namespace

int run_kernel(run_request request, std::vector<std::string> arguments) {
  if (request.kernel->check) request.kernel->check(request.options);
  check_input(request.options);
  check_output(request.json);
  const placement where = place(request.substrate, request.pes);
  if (request.launched_ns == 0) {
    request.launched_ns =
        std::chrono::steady_clock::now().time_since_epoch() / std::chrono::nanoseconds(1);
  }
  if (where.must_launch) {
    arguments.emplace_back(launched_option);
    arguments.push_back(std::to_string(request.launched_ns));
    return launch_again(where.chosen.n_pes.value, arguments);
  }
  return run_with(where.chosen, [&](world& w) { return run_here(w, request); });
}

}  // namespace shoal::cli
