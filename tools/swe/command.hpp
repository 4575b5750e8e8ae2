/// `shoal swe`: a shallow water simulation on all PEs.
#pragma once

#include <string>
#include <vector>

#include "applications/swe/simulation.hpp"
#include "tools/cli/placement.hpp"

namespace shoal::cli {

struct swe_request {
  swe::simulation what;
  std::vector<swe::form> forms;
  bool is_float = false;
  int n_repeats = 1;
  placement_request where;
  std::string json;  // file, "-" for stdout, empty for none
};

/// Runs the forms in turn and reports on PE 0. `arguments` are those of the command, which the PEs receive unchanged.
/// Returns the exit status: 1 if the forms differ. Throws setup_error.
int run_swe(const swe_request& request, const std::vector<std::string>& arguments);

}  // namespace shoal::cli
