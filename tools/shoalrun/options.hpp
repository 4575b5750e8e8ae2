/// The command line of shoalrun.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "shoal/launcher/internal/launch.hpp"

namespace shoalrun {

struct command_line {
  shoal::internal::launcher::launch_options options;
  std::vector<std::string> command;
  bool wants_help = false;
  bool wants_version = false;
};

/// Parses the arguments after the program's name. Throws shoal::setup_error with one line that names the
/// option, what is wrong with it and what would work.
command_line parse_command_line(std::span<const char* const> arguments);

extern const char* const help;

}  // namespace shoalrun
