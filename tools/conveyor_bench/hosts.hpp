/// Which PE is on which host, for --hosts.
#pragma once

#include <string>
#include <vector>

#include "shoal/actor/world.hpp"

namespace shoal::cli {

/// Collective. The name of each PE's host.
std::vector<std::string> gather_hosts(world& w);

/// A line for each host: its name and PEs.
std::string hosts_text(const std::vector<std::string>& hosts);

}  // namespace shoal::cli
