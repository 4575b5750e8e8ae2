/// Judges how a PE ended.
#pragma once

#include <signal.h>

#include <optional>
#include <string>

#include "shoal/substrate/internal/local/job_page.hpp"

namespace shoal::internal::launcher {

struct failure {
  int status = 0;  // for the job to exit with
  std::string text{};  // empty if it needs no report
  bool is_before_start = false;  // the launcher failed; no PE can report it
};

/// What a PE did wrong, judged by its end (from waitid) and its stage at that time; empty if it succeeded. The text
/// continues "PE 3 (process 4711) ".
std::optional<failure> find_failure(const siginfo_t& end, local::pe_stage stage);

/// "1 PE", "2 PEs"
std::string count_pes(int n);

}  // namespace shoal::internal::launcher
