/// The command line of `shoal conveyor-bench`.
#pragma once

#include <deque>
#include <string>

#include "tools/conveyor_bench/options.hpp"

namespace CLI {
class App;
}

namespace shoal::cli {

inline constexpr const char* conveyor_bench_verb = "conveyor-bench";

class conveyor_bench_parser {
public:
  /// Adds the command to those that `app` knows.
  explicit conveyor_bench_parser(CLI::App& app);
  conveyor_bench_parser(const conveyor_bench_parser&) = delete;
  conveyor_bench_parser& operator=(const conveyor_bench_parser&) = delete;

  bool is_parsed() const;

  /// The request, after `app` has parsed it. `reads_lines`: a lone `--` stood at the end. Throws setup_error.
  bench_options options(bool reads_lines) const;

private:
  CLI::App* command_;
  // Values as written, in the order of `table_of`: the parser fills one of the two. Numbers are checked later, with the
  // same words as environment variables. A deque, because the parser keeps references.
  struct words {
    std::string value;
    bool is_set = false;
  };
  std::deque<words> given_;
};

}  // namespace shoal::cli
