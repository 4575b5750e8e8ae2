/// The command line of `shoal conveyor-bench`.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "tools/cli/conveyor_bench.hpp"

namespace CLI {
class App;
}

namespace shoal::cli {

inline constexpr const char* conveyor_bench_verb = "conveyor-bench";

/// The sizes of items that have a type, for a message: "4, 8 or 16".
std::string typed_sizes_text();

class conveyor_bench_parser {
public:
  /// Adds the command to those that `app` knows.
  explicit conveyor_bench_parser(CLI::App& app);
  ~conveyor_bench_parser();
  conveyor_bench_parser(const conveyor_bench_parser&) = delete;
  conveyor_bench_parser& operator=(const conveyor_bench_parser&) = delete;

  bool is_parsed() const;

  /// What was asked for, when `app` has parsed it. `reads_lines`: a lone `--` stood at the end. Throws setup_error.
  bench_request request(bool reads_lines) const;

private:
  struct words;  // everything as it was written
  void add_traffic_options();
  void add_job_options();
  void add_report_options();
  void refuse_extras() const;
  void check_flavour(const bench_request& request) const;
  void check_combination(const bench_request& request) const;
  void parse_positionals(bench_request& request) const;

  std::unique_ptr<words> given_;
  CLI::App* command_;
};

}  // namespace shoal::cli
