// Starts the PEs and reports on PE 0, or does so for each line of the standard input.
#include "tools/conveyor_bench/run.hpp"

#include <algorithm>
#include <iostream>
#include <sstream>

#include "shoal/actor/internal/settings_table.hpp"
#include "shoal/actor/run.hpp"
#include "shoal/base/internal/quoting.hpp"
#include "shoal/base/setup_error.hpp"
#include "shoal/substrate/internal/launcher.hpp"
#include "tools/cli/command_line.hpp"
#include "tools/cli/output.hpp"
#include "tools/cli/placement.hpp"
#include "tools/conveyor_bench/measure.hpp"
#include "tools/conveyor_bench/report.hpp"

namespace shoal::cli {

using namespace internal;
namespace {

// Every PE reads the same command line, so all arrive at the same settings.
void apply(const bench_options& options, settings& chosen) {
  if (options.slot_bytes) chosen.slot_bytes = {*options.slot_bytes, "--capacity"};
  if (options.n_slots) chosen.n_slots = {*options.n_slots, "--buffers"};
  if (options.node_size) chosen.node_size = {*options.node_size, "--local-group"};
  if (options.codec) chosen.codec = {*options.codec, "--codec"};
  if (options.ns_per_byte) chosen.ns_per_byte = {*options.ns_per_byte, "--codec"};
}

// The program of one PE.
int run_here(world& w, const bench_options& options) {
  bench_result result;
  try {
    result = measure_conveyor(w, options);
  } catch (const setup_error& e) {  // on every PE
    if (!options.misfit_status) throw;
    if (w.my_pe() != 0) return 0;
    std::cerr << "shoal: " << internal::printable(e.what()) << '\n';
    return *options.misfit_status;
  }
  if (w.my_pe() != 0) return 0;  // one PE that reports the failure is enough
  const bool has_table = !options.is_quiet || !result.fault.empty();
  print_report(
      options.json,
      [&](std::ostream& out) {
        if (has_table) print_bench_table(out, options, result);
      },
      [&](std::ostream& out) { print_bench_json(out, options, result); });
  return result.fault.empty() ? 0 : 1;
}

int run_one(const bench_options& options, const std::vector<std::string>& arguments) {
  check_output(options.json);
  placement where = place(options.where);
  apply(options, where.chosen);
  if (where.must_launch) return launch_again(where, arguments);
  return run_with(where.chosen, [&](world& w) { return run_here(w, options); });
}

// One line of the standard input, after the words that stood before `--`.
int run_line(std::vector<std::string> words, const std::string& line) {
  std::istringstream in(line);
  for (std::string word; in >> word;) words.push_back(word);
  std::vector<const char*> argv = {"shoal"};
  for (const std::string& word : words) argv.push_back(word.c_str());
  try {
    const command_line parsed = parse_command_line(static_cast<int>(argv.size()), argv.data());
    if (parsed.what == command_line::verb::conveyor_bench && !parsed.conveyor_bench.reads_lines) {
      return run_one(parsed.conveyor_bench, words);
    }
    if (parsed.what == command_line::verb::print) {
      std::cout << parsed.text << std::flush;
      return 0;
    }
    throw setup_error("a line of the standard input is [options] FLAVOUR LOAD [ITEM_BYTES], without --");
  } catch (const setup_error& e) {
    std::cerr << "shoal: " << internal::printable(e.what()) << '\n';
    return status_usage;
  }
}

int run_lines(const bench_options& options, std::vector<std::string> words) {
  if (settings_from_environment().job_fd.value >= 0 || launched_pes_from_environment() > 0) {
    throw setup_error("conveyor-bench -- starts a job for each line; run it without shoalrun and mpirun");
  }
  if (!options.json.empty() && options.json != "-") {
    throw setup_error("--json=" + options.json +
                      " before -- would be written by every line; give --json=-, or a file "
                      "in each line");
  }
  words.pop_back();
  int status = 0;
  for (std::string line; std::getline(std::cin, line);) {
    const std::size_t begin = line.find_first_not_of(" \t\r");
    if (begin == line.npos || line[begin] == '#') continue;
    (options.json.empty() ? std::cout : std::cerr) << "> " << line << std::endl;
    status = std::max(status, run_line(words, line));
    if (options.json.empty()) std::cout << std::endl;
  }
  return status;
}

}  // namespace

int run_conveyor_bench(const bench_options& options, const std::vector<std::string>& arguments) {
  return options.reads_lines ? run_lines(options, arguments) : run_one(options, arguments);
}

}  // namespace shoal::cli
