/// For benchmarks that compare whole jobs: this program starts itself again under other conditions.
#pragma once

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include "shoal/base/setup_error.hpp"
#include "shoal/launcher/internal/launch.hpp"

namespace shoal::bench {

using environment = std::vector<std::pair<std::string, std::string>>;

/// Runs this program on `n_pes` PEs with `arguments` and the file to write numbers to, and returns the numbers that PE
/// 0 wrote. Throws setup_error if the job failed. For a process that is not a PE.
inline std::vector<double> run_job(int n_pes, const environment& variables, std::vector<std::string> arguments) {
  char name[] = "/tmp/shoal-bench-XXXXXX";
  const int file = ::mkstemp(name);
  if (file < 0) throw setup_error("cannot make a file in /tmp for the numbers of a job");
  ::close(file);
  for (const auto& [variable, value] : variables) ::setenv(variable.c_str(), value.c_str(), 1);
  arguments.insert(arguments.begin(), std::filesystem::read_symlink("/proc/self/exe").string());
  arguments.emplace_back(name);
  internal::launcher::launch_options options;
  options.n_pes = n_pes;
  options.name = "bench";
  const int status = internal::launcher::launch(options, arguments);
  for (const auto& [variable, value] : variables) ::unsetenv(variable.c_str());
  std::vector<double> numbers;
  std::ifstream in(name);
  for (double number = 0; in >> number;) numbers.push_back(number);
  std::remove(name);
  if (status != 0) throw setup_error("a job on " + std::to_string(n_pes) + " PEs failed");
  return numbers;
}

}  // namespace shoal::bench
