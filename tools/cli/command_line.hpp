/// The command line of `shoal`, parsed into plain structs.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "kernels/kernel.hpp"
#include "tools/cli/placement.hpp"
#include "tools/conveyor_bench/options.hpp"
#include "tools/network_bench/link.hpp"
#include "tools/swe/command.hpp"

namespace shoal::cli {

struct list_request {
  bool is_json = false;
};

struct info_request {
  std::string pes;  // as in run_request
  bool is_json = false;
};

struct run_request {
  const kernels::kernel_description* kernel = nullptr;
  kernels::option_list options;  // of the kernel, with their defaults
  std::vector<std::string> variants;  // without "loop"
  bool has_baseline = false;
  placement_request where;  // what is allowed depends on the substrate
  int n_repeats = 5;
  std::string json;  // file, "-" for stdout, empty for none
  std::int64_t launched_ns = 0;  // when the command started, on the machine's monotonic clock; 0: now
};

struct command_line {
  enum class verb { print, list, info, run, bench, link, conveyor_bench, swe };
  verb what = verb::print;
  std::string text;  // to print: a help text, the version
  list_request list;
  info_request info;
  run_request run;
  std::string bench_verb;  // `bench`, `network-bench` or `study`
  std::vector<std::string> bench_words;  // all that follow it
  link_request link;
  bench_options conveyor_bench;
  swe_request swe;
};

/// Throws setup_error with one line that names what is wrong and what would work.
command_line parse_command_line(int argc, const char* const* argv);

/// The option of `run` by which the process that starts the PEs tells them when it started.
inline constexpr const char* launched_option = "--launched-ns";

}  // namespace shoal::cli
