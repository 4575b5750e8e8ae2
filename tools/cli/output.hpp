/// Where reports go: a table for people, and JSON to a file or to the standard output.
#pragma once

#include <functional>
#include <iosfwd>
#include <string>

namespace shoal::cli {

/// Throws setup_error if `file`, the value of --json, cannot be written; better now than after the run.
void check_output(const std::string& file);

using printer = std::function<void(std::ostream&)>;

/// Prints the table, and JSON to `file`: empty for none. "-" prints JSON on the standard output, and then nothing else
/// goes there. Throws setup_error.
void print_report(const std::string& file, const printer& table, const printer& json);

}  // namespace shoal::cli
