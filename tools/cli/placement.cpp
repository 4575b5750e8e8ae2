#include "tools/cli/placement.hpp"

#include <algorithm>
#include <filesystem>

#include "shoal/base/cores.hpp"
#include "shoal/base/setup_error.hpp"
#include "shoal/substrate/local/job_page.hpp"
#include "shoal/substrate/local/launch.hpp"

namespace shoal::cli {
namespace {

// More than a machine of today could hold.
constexpr std::int64_t n_simulated_max = 1'000'000;

std::int64_t parse_pes(const std::string& text, const std::string& substrate) {
  if (substrate == "sim") return parse_integer(text, "--pes", 1, n_simulated_max);
  try {
    return parse_integer(text, "--pes", 1, local::max_pes);
  } catch (const setup_error& e) {
    throw setup_error(std::string(e.what()) + " (substrate " + substrate + "; sim takes more)");
  }
}

// This process is a PE already: what the user asks for must be what there is.
void check_pe(const settings& chosen, const std::string& pes) {
  if (chosen.substrate.value != "local") {
    throw setup_error("substrate " + chosen.substrate.value +
                      " has all its PEs in one process, but shoalrun started several processes; run "
                      "shoal without shoalrun");
  }
  if (!pes.empty() && parse_pes(pes, "local") != chosen.n_pes.value) {
    throw setup_error("--pes=" + pes + ", but shoalrun started " + std::to_string(chosen.n_pes.value) +
                      " PEs; leave --pes out");
  }
}

}  // namespace

std::string parse_substrate(std::string_view text) {
  if (text == "local" || text == "threads" || text == "sim") return std::string(text);
  throw setup_error("unknown substrate '" + std::string(text) +
                    "'; choose local (processes), threads or sim (simulated)");
}

placement place(const std::string& substrate, const std::string& pes) {
  placement where{.chosen = settings_from_environment()};
  settings& chosen = where.chosen;
  if (!substrate.empty()) chosen.substrate = {substrate, "--substrate"};
  if (chosen.substrate.value.empty()) chosen.substrate.value = "local";
  parse_substrate(chosen.substrate.value);
  if (chosen.job_fd.value >= 0) {
    check_pe(chosen, pes);
    return where;
  }
  if (!pes.empty()) {
    chosen.n_pes = {parse_pes(pes, chosen.substrate.value), "--pes"};
  } else if (chosen.n_pes.origin == "default") {
    chosen.n_pes = {std::min(allowed_cores(), local::max_pes), "one per allowed core"};
  }
  where.must_launch = chosen.substrate.value == "local";
  return where;
}

int launch_again(std::int64_t n_pes, const std::vector<std::string>& arguments) {
  std::vector<std::string> command = {std::filesystem::read_symlink("/proc/self/exe").string()};
  command.insert(command.end(), arguments.begin(), arguments.end());
  local::launch_options options;
  options.n_pes = static_cast<int>(n_pes);
  options.name = "shoal";
  return local::launch(options, command);
}

}  // namespace shoal::cli
