// `shoal conveyor-bench`: starts the PEs and reports on PE 0; or does so for each line of the standard input.
#include "tools/cli/conveyor_bench.hpp"

#include <algorithm>
#include <iostream>
#include <sstream>

#include "shoal/actor/run.hpp"
#include "shoal/base/setup_error.hpp"
#include "tools/cli/commands.hpp"
#include "tools/cli/conveyor_bench_options.hpp"
#include "tools/cli/output.hpp"
#include "tools/cli/placement.hpp"

namespace shoal::cli {
namespace {

// Every PE reads the same command line, so all come to the same settings.
void apply(const bench_request& request, settings& chosen) {
  if (!request.capacity.empty() && !request.kind->has_boxes)
    chosen.slot_bytes = {parse_bytes(request.capacity, "--capacity"), "--capacity"};
  if (!request.buffers.empty()) {
    chosen.n_slots = {static_cast<std::size_t>(parse_integer(request.buffers, "--buffers", 2, 1 << 20)), "--buffers"};
  }
  if (!request.local_group.empty()) {
    chosen.node_size = {parse_integer(request.local_group, "--local-group", 1, 1'000'000), "--local-group"};
  }
  if (!request.codec.empty()) chosen.codec = {request.codec, "--codec"};
  if (request.ns_per_byte) chosen.ns_per_byte = {*request.ns_per_byte, "--codec"};
}

// The program of one PE.
int run_here(world& w, const bench_request& request) {
  bench_result result;
  try {
    result = measure_conveyor(w, request);
  } catch (const setup_error& e) {  // on every PE
    if (!request.misfit_status) throw;
    if (w.my_pe() != 0) return 0;
    std::cerr << "shoal: " << e.what() << '\n';
    return *request.misfit_status;
  }
  if (w.my_pe() != 0) return 0;  // one PE that says it failed is enough
  const bool has_table = !request.is_quiet || !result.fault.empty();
  print_report(
      request.json,
      [&](std::ostream& out) {
        if (has_table) print_bench_table(out, request, result);
      },
      [&](std::ostream& out) { print_bench_json(out, request, result); });
  return result.fault.empty() ? 0 : 1;
}

int run_one(const bench_request& request, const std::vector<std::string>& arguments) {
  check_output(request.json);
  placement where = place(request.where);
  apply(request, where.chosen);
  if (where.must_launch) return launch_again(where, arguments);
  return run_with(where.chosen, [&](world& w) { return run_here(w, request); });
}

// One line of the standard input, behind the words that stood before `--`.
int run_line(std::vector<std::string> words, const std::string& line) {
  std::istringstream in(line);
  for (std::string word; in >> word;) words.push_back(word);
  std::vector<const char*> argv = {"shoal"};
  for (const std::string& word : words) argv.push_back(word.c_str());
  try {
    const command_line parsed = parse_command_line(static_cast<int>(argv.size()), argv.data());
    if (parsed.what == command_line::verb::conveyor_bench && !parsed.bench.reads_lines) {
      return run_one(parsed.bench, words);
    }
    if (parsed.what == command_line::verb::print) {
      std::cout << parsed.text << std::flush;
      return 0;
    }
    throw setup_error("a line of the standard input is [options] FLAVOUR LOAD [ITEM_BYTES], without --");
  } catch (const setup_error& e) {
    std::cerr << "shoal: " << e.what() << '\n';
    return status_usage;
  }
}

int run_lines(const bench_request& request, std::vector<std::string> words) {
  if (settings_from_environment().job_fd.value >= 0 || launched_pes_from_environment() > 0) {
    throw setup_error("conveyor-bench -- starts a job for each line; run it without shoalrun and mpirun");
  }
  if (!request.json.empty() && request.json != "-") {
    throw setup_error("--json=" + request.json +
                      " before -- would be written by every line; give --json=-, or a file "
                      "in each line");
  }
  words.pop_back();
  int status = 0;
  for (std::string line; std::getline(std::cin, line);) {
    const std::size_t begin = line.find_first_not_of(" \t\r");
    if (begin == line.npos || line[begin] == '#') continue;
    (request.json.empty() ? std::cout : std::cerr) << "> " << line << std::endl;
    status = std::max(status, run_line(words, line));
    if (request.json.empty()) std::cout << std::endl;
  }
  return status;
}

}  // namespace

int run_conveyor_bench(const bench_request& request, const std::vector<std::string>& arguments) {
  return request.reads_lines ? run_lines(request, arguments) : run_one(request, arguments);
}

}  // namespace shoal::cli
