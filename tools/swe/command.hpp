/// `shoal swe`: a shallow water simulation on all PEs.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "applications/shallow_water/height_grid.hpp"
#include "applications/swe/simulation.hpp"
#include "tools/cli/placement.hpp"

namespace shoal::cli {

/// Where the sea of a simulation comes from; not used without a file of its bed.
struct sea_request {
  std::string bed;  // NetCDF file; empty: the simulation is of a named scenario
  std::string uplift;  // NetCDF file, or empty
  swe::displacement raised;
};

enum class progress_wish : std::uint8_t { on_terminal, always, never };

struct swe_request {
  swe::simulation what;
  sea_request sea;
  progress_wish progress = progress_wish::on_terminal;
  std::vector<swe::form> forms;
  bool is_float = false;
  int n_repeats = 1;
  bool measures_cache = false;  // the solver's loop over edges in cache, beside the forms
  placement_request where;
  std::string json;  // file, "-" for stdout, empty for none
};

/// Runs the forms in turn and reports on PE 0. `arguments` are those of the command, which the PEs receive unchanged.
/// Returns the exit status: 1 if the forms differ. Throws setup_error.
int run_swe(swe_request request, std::vector<std::string> arguments);

}  // namespace shoal::cli
