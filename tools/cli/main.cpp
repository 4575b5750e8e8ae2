// The command `shoal`.
#include <iostream>

#include "shoal/base/internal/ambient.hpp"
#include "shoal/base/setup_error.hpp"
#include "shoal/substrate/internal/run.hpp"
#include "tools/cli/command_line.hpp"
#include "tools/cli/commands.hpp"
#include "tools/conveyor_bench/run.hpp"

namespace {

int run(int argc, char** argv) {
  using shoal::cli::command_line;
  const command_line line = shoal::cli::parse_command_line(argc, argv);
  switch (line.what) {
    case command_line::verb::print: std::cout << line.text; break;
    case command_line::verb::list: return shoal::cli::list_kernels(line.list);
    case command_line::verb::info: return shoal::cli::print_info(line.info);
    case command_line::verb::run: return shoal::cli::run_kernel(line.run, {argv + 1, argv + argc});
    case command_line::verb::bench: shoal::cli::run_bench(line.bench_verb, line.bench_words);
    case command_line::verb::link: return shoal::cli::run_link(line.link, {argv + 1, argv + argc});
    case command_line::verb::conveyor_bench:
      return shoal::cli::run_conveyor_bench(line.conveyor_bench, {argv + 1, argv + argc});
    case command_line::verb::swe: return shoal::cli::run_swe(line.swe, {argv + 1, argv + argc});
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const int status = run(argc, argv);
    if (status == 0 && !std::cout.flush())
      throw shoal::setup_error("the output could not be written; is the disk full?");
    return status;
  } catch (const shoal::setup_error& e) {
    // An error before there is a job comes from the command line or the environment, so it is the same on all PEs.
    shoal::internal::report_fault(e.what());
  }
  return shoal::internal::status_usage;
}
