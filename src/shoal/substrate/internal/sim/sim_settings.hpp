/// Parses the simulator's settings as users write them.
#pragma once

#include <string_view>

#include "shoal/base/settings.hpp"

namespace shoal::internal::sim {

/// Parses `latency=500,hold=0.2,…` into `into`; other entries stay. Throws setup_error. Local.
void parse_settings(std::string_view text, sim_settings& into);

/// Makes the links of `into` what a machine's are. Local.
void take_figures(const network_figures& of, sim_settings& into);

}  // namespace shoal::internal::sim
