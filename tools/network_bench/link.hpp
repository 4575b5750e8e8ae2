/// `shoal link`: what a link between two PEs costs. `shoal network-bench` runs it for each substrate.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tools/cli/placement.hpp"

namespace shoal::cli {

struct link_request {
  placement_request where;
  double seconds = 2;  // to measure for, roughly
  std::string json;  // as in run_request
};

/// Measures between PE 0 and the last PE. `arguments` are those of the command, which the PEs receive unchanged. Returns
/// the exit status. Throws setup_error.
int run_link(link_request request, const std::vector<std::string>& arguments);

}  // namespace shoal::cli
