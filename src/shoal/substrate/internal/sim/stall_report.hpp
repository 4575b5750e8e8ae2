/// Reports what each of many PEs waits for, in few lines.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "shoal/base/settings.hpp"

namespace shoal::internal::sim {

/// What one PE does at the time of a report.
struct pe_account {
  enum class kind : std::uint8_t { waits, runs, has_returned };
  kind doing = kind::waits;
  std::string what;  // empty if it has returned
};

/// One line per distinct account, "shoal: PEs 0-6,8 (8) wait: …", in the order of the first PE.
std::string lines_about_pes(const std::vector<pe_account>& accounts);

/// The environment that replays a run: substrate, PEs, seed, then sizes and knobs.
std::string replay_environment(const settings& chosen);

}  // namespace shoal::internal::sim
