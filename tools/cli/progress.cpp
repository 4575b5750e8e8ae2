#include "tools/cli/progress.hpp"

#include <unistd.h>

#include <iostream>

#include "shoal/base/internal/quoting.hpp"

namespace shoal::cli {

progress_lines::progress_lines(loudness loud, std::string_view name)
    : loud_(loud), is_terminal_(::isatty(STDERR_FILENO) == 1), name_(name) {}

void progress_lines::say(std::string_view what) const {
  const bool is_long = clock::now() - begin_ > std::chrono::seconds(2);
  if (loud_ == loudness::silent || (loud_ == loudness::when_long && !is_terminal_ && !is_long)) return;
  std::cerr << name_ << ": " << internal::printable(what) << std::endl;
}

}  // namespace shoal::cli
