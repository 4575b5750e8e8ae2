/// What a call of `exit` means while a shoal::job is open.
#pragma once

#include <cstdint>

namespace shoal {

enum class exit_policy : std::uint8_t {
  report,  // a mistake: one line, and the job ends with status 2
  close,  // an end: exit(0) silently closes the job on this PE; exit(n) ends it on all PEs with status n
};

}  // namespace shoal
