#include "shoal/launcher/internal/failure.hpp"

#include "shoal/launcher/internal/signals.hpp"

namespace shoal::internal::launcher {

std::optional<failure> find_failure(const siginfo_t& end, local::pe_stage stage) {
  const int value = end.si_status;
  if (end.si_code != CLD_EXITED) {
    const char* const core = end.si_code == CLD_DUMPED ? ", core dumped" : "";
    return failure{128 + value, "was killed by " + name_signal(value) + core};
  }
  if (value != 0) return failure{value, "exited with status " + std::to_string(value)};
  if (stage == local::pe_stage::ended_all) return failure{0, {}};
  if (stage != local::pe_stage::running) return std::nullopt;
  return failure{1,
                 "left with status 0 in the middle of the job (exit, _exit or quick_exit called before "
                 "shoal::run returned?)"};
}

std::string count_pes(int n) { return std::to_string(n) + (n == 1 ? " PE" : " PEs"); }

}  // namespace shoal::internal::launcher
