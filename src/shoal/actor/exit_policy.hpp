/// What a call of exit means while a shoal::job is open.
#pragma once

#include <cstdint>

namespace shoal {

enum class exit_policy : std::uint8_t {
  report,  // it is a mistake: one line, and the job ends with status 2
  close,  // it is an end: exit(0) closes the job on this PE, silently; exit(n) ends it on all PEs with status n
};

}  // namespace shoal
