/// Errors before the job begins: a bad option, no memory, a missing file.
#pragma once

#include <stdexcept>
#include <string>

namespace shoal {

/// Thrown by collective set-up calls, on every PE or on none. The text is one line: what is wrong (and why it matters),
/// and what to try.
class setup_error : public std::runtime_error {
public:
  using std::runtime_error::runtime_error;
};

}  // namespace shoal
