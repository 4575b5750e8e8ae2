// `shoal run`: checks what can be checked before anything starts, starts the PEs, reports on PE 0.
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstring>
#include <filesystem>

#include "shoal/actor/run.hpp"
#include "shoal/base/setup_error.hpp"
#include "tools/cli/commands.hpp"
#include "tools/cli/measure.hpp"
#include "tools/cli/output.hpp"
#include "tools/cli/placement.hpp"
#include "tools/cli/report.hpp"

namespace shoal::cli {
namespace {

namespace fs = std::filesystem;

// Before any PE starts, and with the same words for every kernel that reads files.
void check_input(const kernels::option_list& options) {
  for (const auto& [name, file] : options) {
    if ((name != "input" && name != "names") || file == "none") continue;
    const std::string what = "--" + name + "=" + file;
    if (::access(file.c_str(), R_OK) != 0) {
      throw setup_error(what + " cannot be read (" + std::strerror(errno) + "); give an existing file");
    }
    if (!fs::is_directory(file)) continue;
    if (name == "names") throw setup_error(what + " is a folder; give a file");
    if (!fs::exists(fs::path(file) / "metadata")) {
      throw setup_error(what + " is a folder without a file metadata; give a file, or a folder of a binary matrix");
    }
  }
}

// The program of one PE.
int run_here(world& w, const run_request& request) {
  const measurement m = measure(w, request);
  if (w.my_pe() != 0) return 0;  // one PE that reports the failure is enough
  print_report(
      request.json, [&](std::ostream& out) { print_table(out, request, m); },
      [&](std::ostream& out) { print_json(out, request, m); });
  return m.is_verified() ? 0 : 1;
}

}  // namespace

int run_kernel(run_request request, std::vector<std::string> arguments) {
  if (request.kernel->check) request.kernel->check(request.options);
  check_input(request.options);
  check_output(request.json);
  const placement where = place(request.where);
  if (request.launched_ns == 0) {
    request.launched_ns = std::chrono::steady_clock::now().time_since_epoch() / std::chrono::nanoseconds(1);
  }
  if (where.must_launch) {
    arguments.emplace_back(launched_option);
    arguments.push_back(std::to_string(request.launched_ns));
    return launch_again(where, arguments);
  }
  return run_with(where.chosen, [&](world& w) { return run_here(w, request); });
}

}  // namespace shoal::cli
