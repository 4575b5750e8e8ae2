/// The command line of both programs.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace network_bench {

struct options {
  /// Seconds that each measured point takes at least.
  double least_seconds = 0.02;
  /// Bytes of messages, in the order in which they are measured.
  std::vector<std::size_t> sizes;
  /// Names of measures; empty: all.
  std::vector<std::string> only;
  /// MPI only: single, funneled, serialized or multiple.
  std::string thread_level = "single";
  /// MPI only: threads of each process in the measures of threads.
  int n_threads = 1;
  /// The measure whose sender changes a byte, so that a test sees that this is noticed; empty: none.
  std::string spoil;

  bool wants(const std::string& measure) const;
  std::size_t largest() const;
};

/// What a command line may name.
struct command_line {
  std::string program;
  std::vector<std::string> measures;
  /// Those of `measures` that need thread level multiple.
  std::vector<std::string> measures_of_threads = {};

  bool has_threads() const { return !measures_of_threads.empty(); }
};

/// To be called before the library starts. Ends the program for --help, and with status 2 and one line if an option is
/// wrong. Only the first process of a job prints.
options parsed(const command_line& known, int argc, char** argv);

}  // namespace network_bench
