/// Prints the result of `shoal conveyor-bench` for people and for programs.
#pragma once

#include <iosfwd>

#include "tools/conveyor_bench/options.hpp"
#include "tools/conveyor_bench/result.hpp"

namespace shoal::cli {

void print_bench_table(std::ostream& out, const bench_options& options, const bench_result& result);
/// One JSON object on its own line.
void print_bench_json(std::ostream& out, const bench_options& options, const bench_result& result);

}  // namespace shoal::cli
