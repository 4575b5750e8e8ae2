#include "tools/cli/progress.hpp"

#include <unistd.h>

#include <iostream>

namespace shoal::cli {

progress_lines::progress_lines(bool is_silent, std::string_view name)
    : is_silent_(is_silent), is_terminal_(::isatty(STDERR_FILENO) == 1), name_(name) {}

void progress_lines::say(std::string_view what) const {
  const bool is_long = clock::now() - begin_ > std::chrono::seconds(2);
  if (is_silent_ || !(is_terminal_ || is_long)) return;
  std::cerr << name_ << ": " << what << std::endl;
}

}  // namespace shoal::cli
