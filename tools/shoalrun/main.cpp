// shoalrun: starts a program on the PEs of one machine. shoal::launcher::launch does all the work.
#include <cstdio>
#include <span>

#include "shoal/base/internal/quoting.hpp"
#include "shoal/base/setup_error.hpp"
#include "shoal/base/version.hpp"
#include "shoal/launcher/internal/launch.hpp"
#include "tools/shoalrun/options.hpp"

int main(int argc, char** argv) {
  try {
    const std::span<const char* const> arguments(argv, static_cast<std::size_t>(argc));
    const shoalrun::command_line line = shoalrun::parse_command_line(arguments.subspan(arguments.empty() ? 0 : 1));
    if (line.wants_help) {
      std::fputs(shoalrun::help, stdout);
      return 0;
    }
    if (line.wants_version) {
      const auto version = shoal::version();
      std::printf("shoalrun %.*s\n", static_cast<int>(version.size()), version.data());
      return 0;
    }
    return shoal::internal::launcher::launch(line.options, line.command);
  } catch (const shoal::setup_error& error) {
    std::fprintf(stderr, "shoalrun: %s\n", shoal::internal::printable(error.what()).c_str());
    return 2;
  }
}
